import { once } from 'node:events'
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  request,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer, connect as openSocket, type Server } from 'node:net'
import type { Duplex } from 'node:stream'
import { cert, key } from './certificate.ts'

/** A real proxy. It connects every name to this machine, because the proxy resolves names. */
export type TestProxy = {
  host: string
  port: number
  /** Requests such as `CONNECT example.com:443`, in order of arrival. */
  asked: string[]
  close(): Promise<void>
}

type Credentials = { username: string; password: string }
type Settings = {
  /** Without credentials it accepts everyone. */
  credentials?: Credentials
  tls?: boolean
}

/** HTTP: CONNECT, and requests with an absolute URL, which it fetches itself. */
export async function openHttpProxy({ credentials, tls = false }: Settings = {}) {
  const asked: string[] = []
  const letsIn = ({ headers }: IncomingMessage) =>
    credentials === undefined || headers['proxy-authorization'] === basic(credentials)

  const fetchIt: RequestListener = (incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`)
    if (!letsIn(incoming)) return void outgoing.writeHead(407).end()
    const { port, pathname, search } = new URL(incoming.url ?? '')
    const { 'proxy-authorization': _, ...headers } = incoming.headers
    const sent = request({ host: '127.0.0.1', port, path: `${pathname}${search}`, headers })
    sent.on('error', () => outgoing.writeHead(502).end())
    sent.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(sent)
  }

  const server = tls ? createHttpsServer({ key, cert }, fetchIt) : createHttpServer(fetchIt)
  server.on('connect', (incoming: IncomingMessage, socket: Duplex) => {
    asked.push(`CONNECT ${incoming.url}`)
    socket.on('error', () => {})
    if (!letsIn(incoming)) return void socket.end('HTTP/1.1 407 Who are you\r\n\r\n')
    bridge(socket, Number(incoming.url?.split(':').at(-1)), {
      opened: () => socket.write('HTTP/1.1 200 Connection established\r\n\r\n'),
      refused: () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'),
    })
  })
  return listening(server, asked)
}

const basic = ({ username, password }: Credentials) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** SOCKS5 as in RFC 1928 and RFC 1929: CONNECT only. */
export async function openSocksProxy({ credentials }: Settings = {}): Promise<TestProxy> {
  const asked: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    greet(socket, { credentials, asked }).catch(() => socket.destroy())
  })
  return listening(server, asked)
}

type Greeting = { credentials: Credentials | undefined; asked: string[] }

async function greet(socket: Duplex, { credentials, asked }: Greeting): Promise<void> {
  const read = readerOf(socket)
  const [version = 0, methodCount = 0] = await read(2)
  const methods = await read(methodCount)
  const method = credentials === undefined ? 0 : 2
  if (version !== 5 || !methods.includes(method)) return void socket.end(Buffer.from([5, 0xff]))
  socket.write(Buffer.from([5, method]))
  if (credentials) {
    const [, length = 0] = await read(2)
    const username = (await read(length)).toString()
    const password = (await read((await read(1))[0] ?? 0)).toString()
    const isKnown = username === credentials.username && password === credentials.password
    if (!isKnown) return void socket.end(Buffer.from([1, 1]))
    socket.write(Buffer.from([1, 0]))
  }
  const [, command = 0, , kind = 0] = await read(4)
  const host = await readHost(read, kind)
  const port = (await read(2)).readUInt16BE()
  asked.push(`${command === 1 ? 'CONNECT' : command} ${host}:${port}`)
  const reply = (code: number) => Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0])
  bridge(socket, port, {
    opened: () => socket.write(reply(0)),
    refused: () => socket.end(reply(5)),
  })
}

type Read = (count: number) => Promise<Buffer>

async function readHost(read: Read, kind: number): Promise<string> {
  if (kind === 1) return [...(await read(4))].join('.')
  if (kind === 4) return (await read(16)).toString('hex')
  return (await read((await read(1))[0] ?? 0)).toString()
}

/** Reads exactly this many bytes at a time, regardless of chunks. */
function readerOf(stream: Duplex): Read {
  return async (count) => {
    for (;;) {
      const bytes = count === 0 ? Buffer.alloc(0) : stream.read(count)
      if (bytes) return bytes
      await once(stream, 'readable')
    }
  }
}

type Answers = { opened(): void; refused(): void }

function bridge(socket: Duplex, port: number, { opened, refused }: Answers): void {
  const behind = openSocket({ host: '127.0.0.1', port })
  socket.on('close', () => behind.destroy())
  behind.once('error', refused).once('connect', () => {
    behind.off('error', refused).on('error', () => socket.destroy())
    opened()
    socket.pipe(behind).pipe(socket)
  })
}

/** Accepts connections and passes them to a handler: by default it never answers. */
export async function openRawProxy(onConnection: (socket: Duplex) => void = () => {}) {
  const server = createServer((socket) => {
    onConnection(socket.on('error', () => {}))
  })
  return listening(server, [])
}

async function listening(server: Server, asked: string[]): Promise<TestProxy> {
  const connections = new Set<Duplex>()
  server.on('tlsClientError', () => {})
  server.on('connection', (socket: Duplex) => connections.add(socket.on('error', () => {})))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    asked,
    close: async () => {
      for (const socket of connections) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
