/**
 * The load tool: keep-alive connections, each of which sends its next request once the last is
 * answered. General tools cost more CPU per request than the servers measured, on the same cores,
 * and report whole milliseconds.
 */
import { connect, type Socket } from 'node:net'

export type Measured = { perSecond: number; p50: number; p99: number; faults: number }

/** The text of the n-th request, head and body. */
export type NextRequest = (turn: number) => string

type Load = { port: number; next: NextRequest; seconds: number; connections?: number }

const mostConnections = 32

/** Loads one server for the given seconds; latencies in milliseconds. */
export async function measure({
  port,
  next,
  seconds,
  connections = mostConnections,
}: Load): Promise<Measured> {
  const latencies: number[] = []
  const state = { turn: 0, faults: 0, until: performance.now() + seconds * 1000 }
  const begun = performance.now()
  const drive = () => driveConnection({ port, next, state, latencies })
  await Promise.all(Array.from({ length: connections }, drive))
  const elapsed = (performance.now() - begun) / 1000
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN
  return {
    perSecond: latencies.length / elapsed,
    p50: at(0.5),
    p99: at(0.99),
    faults: state.faults,
  }
}

type State = { turn: number; faults: number; until: number }
type Drive = { port: number; next: NextRequest; state: State; latencies: number[] }

function driveConnection({ port, next, state, latencies }: Drive): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const responses = responseReader()
  return new Promise((resolve, reject) => {
    let sentAt = 0
    const send = () => {
      if (performance.now() >= state.until) return finish(socket, resolve)
      sentAt = performance.now()
      socket.write(next(state.turn++))
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      const status = responses(chunk)
      if (status === undefined) return
      latencies.push(performance.now() - sentAt)
      if (status >= 300) state.faults += 1
      send()
    })
  })
}

function finish(socket: Socket, resolve: () => void): void {
  socket.destroy()
  resolve()
}

const headEnd = '\r\n\r\n'

/** Collects chunks; the status once a response with a Content-Length is complete. */
export function responseReader(): (chunk: Buffer) => number | undefined {
  let received: Buffer = Buffer.alloc(0)
  return (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const end = received.indexOf(headEnd)
    if (end < 0) return undefined
    const head = received.toString('latin1', 0, end)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (received.length < end + headEnd.length + length) return undefined
    received = Buffer.alloc(0)
    return Number(head.slice(9, 12))
  }
}

type Request = { method: string; path: string; token?: string; key?: string; body?: unknown }

export function requestText({ method, path, token, key, body }: Request): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...(token ? [`Authorization: Bearer ${token}`] : []),
    ...(key ? [`Idempotency-Key: ${key}`] : []),
    ...(text
      ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`]
      : []),
  ]
  return `${lines.join('\r\n')}${headEnd}${text}`
}
