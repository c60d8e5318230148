import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openWorld, type World } from '../support/world.ts'

let world: World
let port: number

beforeAll(async () => {
  world = await openWorld()
  await world.app.listen({ port: 0, host: '127.0.0.1' })
  port = (world.app.server.address() as AddressInfo).port
})
afterAll(() => world.close())

async function line(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** The response to a request written as raw bytes. */
async function answerTo(...lines: string[]) {
  const socket = await line()
  socket.write([...lines, 'connection: close', '', ''].join('\r\n'))
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  const requestId = /x-request-id: (\S+)/i.exec(head)?.[1]
  return { status: Number(head.split(' ')[1]), requestId, problem: JSON.parse(body) }
}

test('HTTP/1.1 without Host is a problem document, HTTP/1.0 without it is served', async () => {
  const { status, requestId, problem } = await answerTo('GET /livez HTTP/1.1')
  expect({ status, problem }).toMatchObject({
    status: 400,
    problem: {
      code: 'invalid_header',
      request_id: requestId,
      errors: [{ header: 'Host', code: 'required' }],
    },
  })
  expect((await answerTo('GET /livez HTTP/1.0')).status).toBe(200)
})

test.each(['GET http://x/livez HTTP/1.1', 'GET x/livez HTTP/1.1', 'GET /livez HTTP/0.9'])(
  'the request line %s is refused',
  async (first) => {
    const { status, problem } = await answerTo(first, 'host: x')
    expect([status, problem.code]).toEqual([400, 'invalid_header'])
  },
)

test('a request line without a version is refused', async () => {
  const socket = await line()
  socket.write('GET /livez\r\n\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1.1 400 /)
})

test('an unknown expectation is a problem document', async () => {
  const { status, requestId, problem } = await answerTo(
    'GET /livez HTTP/1.1',
    'host: x',
    'expect: foo',
  )
  expect({ status, problem }).toMatchObject({
    status: 400,
    problem: {
      code: 'invalid_header',
      request_id: requestId,
      errors: [{ header: 'Expect', allowed: ['100-continue'] }],
    },
  })
})

test.each([9_000, 20_000, 100_000])('a target of %i characters is 414', async (length) => {
  const start = `GET /livez?${'x'.repeat(length - '/livez?'.length)} HTTP/1.1`
  const { status, requestId, problem } = await answerTo(start, 'host: x')
  const reported = { status, code: problem.code, request_id: problem.request_id }
  expect(reported).toEqual({ status: 414, code: 'uri_too_long', request_id: requestId })
})

test.each([
  ['one', [`cookie: ${'x'.repeat(20_000)}`]],
  ['many', Array.from({ length: 200 }, (_, at) => `x-${at}: ${'x'.repeat(100)}`)],
])('headers of more than 16 KiB are 431, however short the target: %s', async (_, headers) => {
  const { status, problem } = await answerTo('GET /livez HTTP/1.1', 'host: x', ...headers)
  expect([status, problem.code]).toEqual([431, 'headers_too_large'])
})

test('headers of more than 16 KiB in parts are 431 too', async () => {
  const accepted = once(world.app.server, 'connection') as Promise<[Socket]>
  const socket = await line()
  const [peer] = await accepted
  socket.write('GET /livez HTTP/1.1\r\nhost: x\r\ncookie: ')
  await vi.waitFor(() => expect(peer.bytesRead).toBeGreaterThan(0), 20_000)
  socket.write('x'.repeat(20_000))
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 431 /)
})

test('a request has at most 100 headers', async () => {
  const headers = (count: number) => Array.from({ length: count }, (_, at) => `x-${at}: 1`)
  // In addition to `host` and `connection`.
  expect((await answerTo('GET /livez HTTP/1.1', 'host: x', ...headers(98))).status).toBe(200)
  const { status, problem } = await answerTo('GET /livez HTTP/1.1', 'host: x', ...headers(99))
  expect([status, problem.code]).toEqual([431, 'headers_too_large'])
})

test.each([
  'identity, chunked',
  'gzip, chunked',
  'chunked, identity',
  'identity',
  'gzip',
  'xchunked',
  '',
])('the Transfer-Encoding `%s` is 501 and closes the connection', async (encoding) => {
  const socket = await line()
  const lines = ['POST /api/v1/auth/login HTTP/1.1', 'host: x', `transfer-encoding: ${encoding}`]
  socket.write([...lines, '', '0', '', ''].join('\r\n'))
  const answer = await text(socket)
  expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  expect(answer).toMatch(/^HTTP\/1\.1 501 Not Implemented\r\n/)
  expect(answer).toContain('"not_implemented"')
})

test.each(['chunked', 'Chunked'])('the Transfer-Encoding `%s` is accepted', async (encoding) => {
  const socket = await line()
  const lines = ['POST /api/v1/auth/login HTTP/1.1', 'host: x', `transfer-encoding: ${encoding}`]
  socket.write([...lines, 'connection: close', '', '0', '', ''].join('\r\n'))
  expect(await text(socket)).toContain('"validation_failed"')
})

test('a Transfer-Encoding beside a Content-Length is refused as malformed', async () => {
  const headers = ['host: x', 'content-length: 5', 'transfer-encoding: chunked']
  const { status, problem } = await answerTo('POST /api/v1/auth/login HTTP/1.1', ...headers)
  expect([status, problem.code]).toEqual([400, 'invalid_header'])
})

test.each([
  '/%6civez',
  '/livez%2f',
  '/%2flivez',
  '/livez#top',
  '/api/v1/%63ampaigns',
  '/api/v1/%63ampaigns?limit=1',
  '/api/v1/%2563ampaigns',
  '/api%2fv1/campaigns',
  '/api/v1/campaigns%3flimit=1',
  '/api/v1/campaigns;x=1',
  '/api/v1/campaigns#top',
  '/api/v1/campaigns%',
])('another spelling of a path is a plain 404: %s', async (path) => {
  for (const method of ['GET', 'DELETE']) {
    const { status, problem } = await answerTo(`${method} ${path} HTTP/1.1`, 'host: x')
    expect([method, status, problem.code]).toEqual([method, 404, 'not_found'])
  }
})

test('a query may use any percent-encoding', async () => {
  const { status } = await answerTo('GET /livez?%6c=%23 HTTP/1.1', 'host: x')
  expect(status).toBe(200)
})

test('two Idempotency-Keys are 400', async () => {
  const { owner } = await world.organization()
  const { status, problem } = await answerTo(
    'POST /api/v1/templates HTTP/1.1',
    'host: x',
    `authorization: Bearer ${owner.token}`,
    'idempotency-key: a',
    'Idempotency-Key: a',
  )
  expect([status, problem.code]).toEqual([400, 'invalid_header'])
  expect(problem.errors).toMatchObject([{ header: 'Idempotency-Key', code: 'duplicate_item' }])
})

const tooLarge = Buffer.alloc(6 * 1024 * 1024, ' ')
const head = 'POST /api/v1/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'

test.each([
  ['of a known length', `${head}content-length: ${tooLarge.length}\r\n\r\n`, tooLarge],
  [
    'in chunks',
    `${head}transfer-encoding: chunked\r\n\r\n${tooLarge.length.toString(16)}\r\n`,
    Buffer.concat([tooLarge, Buffer.from('\r\n0\r\n\r\n')]),
  ],
])(
  'a client that sends everything before it reads receives its 413: %s',
  async (_, start, body) => {
    const socket = await line()
    socket.pause()
    socket.write(start)
    await new Promise((sent, failed) =>
      socket.once('error', failed).write(body, (error) => (error ? failed(error) : sent(null))),
    )
    const answer = await text(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toContain('"body_too_large"')
  },
)
