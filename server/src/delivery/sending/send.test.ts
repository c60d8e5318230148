import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import {
  type AddressInfo,
  createServer as createRawServer,
  type Server,
  type Socket,
} from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { cert, key } from '../../../test/support/machines/certificate.ts'
import { nameServer } from '../../../test/support/machines/name-server.ts'
import { deafPort } from '../../../test/support/machines/ports.ts'
import { askNameServers } from '../../egress/resolver.ts'
import { openSender, type SenderSettings } from './send.ts'

type Receiver = { url: string; port: number; connections: Socket[] }

async function listen(
  server: Server,
  { scheme = 'http', host = '127.0.0.1' } = {},
): Promise<Receiver> {
  const connections: Socket[] = []
  server.on('connection', (socket: Socket) => connections.push(socket.on('error', () => {})))
  server.on('tlsClientError', () => {})
  server.listen(0, host)
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of connections) socket.destroy()
  })
  const { port } = server.address() as AddressInfo
  return { url: `${scheme}://127.0.0.1:${port}/hook?a=1`, port, connections }
}

const receiver = (answer: RequestListener) =>
  listen(
    createServer((request, response) => {
      request.resume().on('end', () => answer(request, response))
    }),
  )

/** Answers each request with these raw bytes. */
const rawReceiver = (answer: (socket: Socket, count: number) => void) =>
  listen(
    createRawServer((socket) => {
      let count = 0
      socket.on('data', () => answer(socket, ++count))
    }),
  )

const secureReceiver = (answer: RequestListener) =>
  listen(createSecureServer({ key, cert }, answer), { scheme: 'https' })

function open(settings: Partial<SenderSettings> = {}) {
  const sender = openSender({ allowed: ['127.0.0.1'], ...settings })
  onTestFinished(sender.close)
  const post = (url: string, signal?: AbortSignal) =>
    sender.send({ url, headers: { 'content-type': 'application/json' }, body: '{"a":"ü"}' }, signal)
  return { ...sender, post }
}

test('a delivery answered with 2xx is a success, reported in full', async () => {
  const seen: unknown[] = []
  const { url, port } = await receiver(async (request, response) => {
    seen.push(request.method, request.url, request.headers)
    response.writeHead(201, { 'x-a': ['1', '2'], 'set-cookie': 'secret=1' }).end('fine\0 ü\xff')
  })
  const outcome = await open().post(url.replace('//', '//me:secret@'))
  expect(outcome).toEqual({
    started_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    duration_ms: expect.any(Number),
    address: '127.0.0.1',
    response_status: 201,
    response_headers: expect.objectContaining({ 'x-a': '1, 2' }),
    response_body: 'fine üÿ',
    error: null,
  })
  expect(outcome.response_headers).not.toHaveProperty('set-cookie')
  const headers = {
    host: `127.0.0.1:${port}`,
    connection: 'keep-alive',
    'content-type': 'application/json',
    'accept-encoding': 'identity',
    'content-length': '10',
  }
  expect(seen).toEqual(['POST', '/hook?a=1', headers])
})

test.each([400, 410, 500, 503])('an answer of %i fails the attempt', async (status) => {
  const { url } = await receiver((_, response) => response.writeHead(status).end('no'))
  expect(await open().post(url)).toMatchObject({
    response_status: status,
    response_body: 'no',
    error: { kind: 'http_status', message: `the receiver answered ${status}` },
  })
})

test('the Retry-After of a 429 is kept', async () => {
  const many = Array.from({ length: 60 }, (_, n) => [`x-${n}`, 'v'.repeat(n < 5 ? 2000 : 5)])
  const headers = { ...Object.fromEntries(many), 'retry-after': '120' }
  const { url } = await receiver((_, response) => response.writeHead(429, headers).end())
  const { response_headers: kept } = await open().post(url)
  expect(kept).toMatchObject({ 'retry-after': '120', 'x-0': 'v'.repeat(1024) })
  expect(Object.keys(kept ?? {})).toHaveLength(50)
})

test.each([301, 302, 307, 308])('a redirect with %i is not followed', async (status) => {
  let requests = 0
  const { url } = await receiver((_, response) => {
    requests += 1
    response.writeHead(status, { location: '/elsewhere' }).end()
  })
  const message = `the receiver answered ${status}, a redirect, which is not followed`
  expect(await open().post(url)).toMatchObject({
    response_headers: { location: '/elsewhere' },
    error: { kind: 'http_status', message },
  })
  expect(requests).toBe(1)
})

test('a receiver that never answers fails the attempt at the timeout', async () => {
  const { url, connections } = await receiver(() => {})
  const { error, response_status, response_body } = await open({ totalTimeoutMs: 100 }).post(url)
  expect(error).toEqual({ kind: 'timeout', message: 'no answer within 0.1 s' })
  expect({ response_status, response_body }).toEqual({ response_status: null, response_body: null })
  await gone(connections[0])
})

test('a body sent too slowly fails the attempt at the timeout', async () => {
  const { url, connections } = await receiver((_, response) => {
    const drip = setInterval(() => response.write('.'), 5)
    response.writeHead(200).on('close', () => clearInterval(drip))
  })
  expect(await open({ totalTimeoutMs: 100 }).post(url)).toMatchObject({
    response_status: 200,
    response_body: expect.stringMatching(/^\.+$/),
    error: { kind: 'timeout', message: 'the answer was not complete within 0.1 s' },
  })
  await gone(connections[0])
})

test('headers sent too slowly fail the attempt at the timeout', async () => {
  const { url } = await rawReceiver((socket) => {
    const drip = setInterval(() => socket.write('x'), 5)
    socket.write('HTTP/1.1 200 OK\r\nx-long: ')
    socket.on('close', () => clearInterval(drip))
  })
  const { error } = await open({ totalTimeoutMs: 60 }).post(url)
  expect(error).toMatchObject({ kind: 'timeout' })
})

test('an endless body counts once 64 KiB are read, and the connection is closed', async () => {
  const { url, connections } = await receiver((_, response) => {
    const pour = () => {
      while (!response.destroyed && response.write('a'.repeat(10_000)));
    }
    response.on('drain', pour)
    pour()
  })
  const outcome = await open().post(url)
  expect(outcome).toMatchObject({ response_status: 200, error: null })
  expect(outcome.response_body).toBe('a'.repeat(16_384))
  await gone(connections[0])
})

test('the stored body ends with a whole character', async () => {
  const { url } = await receiver((_, response) => response.end(`a${'ü'.repeat(20_000)}`))
  const { response_body: body } = await open().post(url)
  expect(body).toBe(`a${'ü'.repeat(8191)}`)
})

test('a gzip bomb is not decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(20_000_000))
  const { url } = await receiver((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
  })
  expect(await open().post(url)).toMatchObject({
    response_body: `[gzip, ${bomb.length} bytes]`,
    error: null,
  })
})

const head = 'HTTP/1.1 200 OK\r\n'

const broken: readonly [string, string, (socket: Socket) => void][] = [
  [
    'closed_early',
    'closes in the middle of a body',
    (it) => it.end(`${head}content-length: 9\r\n\r\nab`),
  ],
  [
    'closed_early',
    'closes in the middle of a chunk',
    (it) => it.end(`${head}transfer-encoding: chunked\r\n\r\n9\r\nab`),
  ],
  [
    'closed_early',
    'closes in the middle of a body it meant to be the last',
    (it) => it.end(`${head}connection: close\r\ncontent-length: 9\r\n\r\nab`),
  ],
  ['closed_early', 'closes without an answer', (it) => it.end()],
  ['closed_early', 'closes in the middle of the headers', (it) => it.end(`${head}a: b`)],
  ['reset', 'resets the connection', (it) => it.resetAndDestroy()],
  ['invalid_response', 'does not speak HTTP', (it) => it.end('220 mail.test ESMTP\r\n')],
  [
    'closed_early',
    'closes in the middle of its last chunk',
    (it) => it.end(`${head}connection: close\r\ntransfer-encoding: chunked\r\n\r\n9\r\nab`),
  ],
  [
    'invalid_response',
    'sends a chunk without a size',
    (it) => it.end(`${head}transfer-encoding: chunked\r\n\r\nzz\r\nab`),
  ],
  ['invalid_response', 'has NUL in a header', (it) => it.end(`${head}a: \0\r\n\r\n`)],
  [
    'invalid_response',
    'upgrades unasked',
    (it) => it.end('HTTP/1.1 101 Hm\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  ],
  ['headers_too_large', 'has endless headers', (it) => it.write(`${head}a: ${'b'.repeat(20_000)}`)],
]

test.each(broken)('%s: a receiver that %s', async (kind, _, answer) => {
  const { url } = await rawReceiver(answer)
  expect(await open({ totalTimeoutMs: 2000 }).post(url)).toMatchObject({
    address: '127.0.0.1',
    error: { kind },
  })
})

test('a body that ends with the connection is complete', async () => {
  const { url } = await rawReceiver((socket) => socket.end(`HTTP/1.0 200 OK\r\n\r\nfine`))
  expect(await open().post(url)).toMatchObject({ response_body: 'fine', error: null })
})

test('early hints are not the answer', async () => {
  const { url } = await rawReceiver((socket) =>
    socket.write(
      `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${head}content-length: 2\r\n\r\nok`,
    ),
  )
  expect(await open().post(url)).toMatchObject({ response_status: 200, error: null })
})

test('a port without a listener is a refused connection', async () => {
  const { url, port } = await receiver(() => {})
  expect(await open().post(url.replace(`${port}`, `${deafPort}`))).toMatchObject({
    address: '127.0.0.1',
    response_status: null,
    response_headers: null,
    error: { kind: 'connect_refused', message: 'the receiver refused the connection' },
  })
})

test('the next address is tried when one refuses', async () => {
  const { port } = await receiver((_, response) => response.end())
  const resolve = async () => ['127.0.0.2', '127.0.0.1']
  const { post } = open({ allowed: ['127.0.0.0/8'], resolve })
  const outcome = await post(`http://hooks.test:${port}/`)
  expect(outcome).toMatchObject({ address: '127.0.0.1', error: null })
})

test('the next address is tried when one does not answer', async () => {
  const { port } = await secureReceiver((_, response) => response.end())
  const silent = createRawServer().listen(port, '127.0.0.2')
  onTestFinished(() => void silent.close())
  const resolve = async () => ['127.0.0.2', '127.0.0.1']
  const { post } = open({ allowed: ['127.0.0.0/8'], resolve, ca: cert, connectTimeoutMs: 200 })
  const outcome = await post(`https://hooks.test:${port}/`)
  expect(outcome).toMatchObject({ address: '127.0.0.1', error: null })
})

test('an address with an open connection is preferred', async () => {
  const server = createServer((_, response) => response.end())
  const { port, connections } = await listen(server, { host: '0.0.0.0' })
  const answers = [['127.0.0.1'], ['127.0.0.2', '127.0.0.1'], ['127.0.0.2']]
  const resolve = async () => answers.shift() ?? []
  const { post } = open({ allowed: ['127.0.0.0/8'], resolve })
  const addresses: unknown[] = []
  while (answers.length > 0) addresses.push((await post(`http://hooks.test:${port}/`)).address)
  expect(addresses).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.2'])
  expect(connections).toHaveLength(2)
})

test('a TLS handshake that does not end counts as no connection', async () => {
  const { url } = await rawReceiver(() => {})
  const { error } = await open({ connectTimeoutMs: 50 }).post(url.replace('http:', 'https:'))
  expect(error).toEqual({ kind: 'connect_timeout', message: 'no connection within 0.05 s' })
})

test('an untrusted certificate fails the attempt', async () => {
  const { url } = await secureReceiver((_, response) => response.end())
  const { error } = await open().post(url)
  expect(error).toEqual({ kind: 'tls', message: expect.stringContaining('self-signed') })
})

test('a receiver without TLS fails the attempt on https', async () => {
  const { url } = await receiver((_, response) => response.end())
  const { error } = await open().post(url.replace('http:', 'https:'))
  expect(error).toMatchObject({ kind: 'tls' })
})

test('the certificate must match the name, not the address that it resolved to', async () => {
  const { port } = await secureReceiver((request, response) => {
    response.end(
      `${request.headers.host} ${'servername' in request.socket && request.socket.servername}`,
    )
  })
  const { post } = open({ ca: cert, resolve: async () => ['127.0.0.1'] })
  expect(await post(`https://hooks.test:${port}/`)).toMatchObject({
    response_body: `hooks.test:${port} hooks.test`,
    error: null,
  })
  const others = [`https://other.test:${port}/`, `https://127.0.0.1:${port}/`]
  for (const url of others) {
    const { error } = await post(url)
    expect(error).toEqual({ kind: 'tls', message: expect.stringContaining('altnames') })
  }
})

test('a forbidden address is never contacted', async () => {
  const { url, connections } = await receiver((_, response) => response.end())
  expect(await open({ allowed: [] }).post(url)).toMatchObject({
    address: null,
    error: {
      kind: 'forbidden_address',
      message: expect.stringContaining('127.0.0.1 is not allowed'),
    },
  })
  expect(connections).toEqual([])
})

test('DNS rebinding does not affect this attempt, and fails the next one', async () => {
  const { port, connections } = await receiver((_, response) => response.end())
  const server = await nameServer((_, count) => [count === 1 ? '127.0.0.1' : '127.0.0.2'])
  onTestFinished(server.close)
  const { post } = open({ resolve: askNameServers([server.address]) })
  const url = `http://hooks.test:${port}/`
  expect(await post(url)).toMatchObject({ address: '127.0.0.1', error: null })
  expect(server.questions.toSorted()).toEqual(['A hooks.test', 'AAAA hooks.test'])
  // The connection is still open, but is not used.
  expect(await post(url)).toMatchObject({ address: null, error: { kind: 'dns' } })
  expect(connections).toHaveLength(1)
})

test('a name that does not resolve fails the attempt', async () => {
  const server = await nameServer(() => [])
  onTestFinished(server.close)
  const { post } = open({ resolve: askNameServers([server.address]) })
  expect(await post('https://hooks.test/')).toMatchObject({
    address: null,
    error: {
      kind: 'dns',
      message: 'the name hooks.test has no address that may be reached from here',
    },
  })
})

const program = `
  const { openSender } = await import(${JSON.stringify(join(import.meta.dirname, 'send.ts'))})
  const request = { url: process.argv[1], headers: {}, body: '' }
  const { error } = await openSender({ allowed: ['127.0.0.1'] }).send(request)
  console.log(JSON.stringify(error))`

test('proxy and TLS settings of the environment are ignored', async () => {
  const { url } = await receiver((_, response) => response.end())
  const secure = await secureReceiver((_, response) => response.end())
  const proxy = await rawReceiver((socket) => socket.end())
  const at = `http://127.0.0.1:${proxy.port}`
  const proxies = { HTTP_PROXY: at, http_proxy: at, HTTPS_PROXY: at, ALL_PROXY: at, NO_PROXY: '' }
  const env = { ...proxies, NODE_USE_ENV_PROXY: '1', NODE_TLS_REJECT_UNAUTHORIZED: '0' }
  const run = (to: string) =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, to], { env })
  const [plain, overTls] = await Promise.all([run(url), run(secure.url)])
  expect(JSON.parse(plain.stdout)).toBe(null)
  expect(JSON.parse(overTls.stdout)).toMatchObject({ kind: 'tls' })
  expect(proxy.connections).toEqual([])
})

test('many deliveries use as few connections as run at once', async () => {
  const { url, connections } = await receiver((_, response) => response.end())
  const { post } = open()
  const lane = async () => {
    for (let count = 0; count < 30; count++) expect((await post(url)).error).toBe(null)
  }
  await Promise.all(Array.from({ length: 5 }, lane))
  expect(connections).toHaveLength(5)
})

test('idle connections are closed soon', async () => {
  const { url, connections } = await receiver((_, response) => response.end())
  const { post } = open({ idleTimeoutMs: 20 })
  await post(url)
  await gone(connections[0])
  expect(await post(url)).toHaveProperty('error', null)
})

test('the number of idle connections is limited', async () => {
  const receivers = await Promise.all(
    [1, 2, 3].map(() => receiver((_, response) => response.end())),
  )
  const { post } = open({ maxIdle: 2 })
  for (const { url } of receivers) await post(url)
  await gone(receivers[0]?.connections[0])
  for (const { url } of receivers.slice(1)) await post(url)
  expect(receivers.map(({ connections }) => connections.length)).toEqual([1, 1, 1])
})

test('a connection closed just before its reuse does not fail the attempt', async () => {
  const { url, connections } = await rawReceiver((socket, count) => {
    if (count === 1) socket.write(`${head}content-length: 2\r\n\r\nok`)
    else socket.end()
  })
  const { post } = open()
  await post(url)
  expect(await post(url)).toMatchObject({ response_body: 'ok', error: null })
  expect(connections).toHaveLength(2)
})

test('closing the sender aborts running attempts', async () => {
  const { url, connections } = await receiver(() => {})
  const { post, close } = open()
  const outcomes = [post(url), post(url)]
  while (connections.length < 2) await new Promise(setImmediate)
  close()
  const error = { kind: 'aborted', message: 'the attempt was aborted' }
  expect(await Promise.all(outcomes)).toMatchObject([{ error }, { error }])
  await Promise.all(connections.map(gone))
  expect(await post(url)).toMatchObject({ address: null, error })
})

test('a signal aborts an attempt, even while its name is being resolved', async () => {
  const { post } = open({ resolve: () => new Promise(() => {}) })
  const abort = new AbortController()
  const outcome = post('http://hooks.test/', abort.signal)
  abort.abort()
  expect(await outcome).toMatchObject({ address: null, error: { kind: 'aborted' } })
})

test('no request makes it throw', async () => {
  const { send, post } = open({ resolve: () => Promise.reject(new Error('odd')) })
  const { url } = await receiver((_, response) => response.end())
  const odd = { url, headers: { 'a b': 'c' }, body: '' }
  expect(await send(odd)).toMatchObject({ error: { kind: 'other' } })
  for (const text of ['', 'no url', 'ftp://a.test/']) {
    expect(await post(text)).toMatchObject({ error: { kind: 'other' } })
  }
  expect(await post('http://hooks.test/')).toMatchObject({ error: { kind: 'dns' } })
})

async function gone(socket: Socket | undefined): Promise<void> {
  if (socket && !socket.closed) await new Promise((resolve) => socket.on('close', resolve))
}
