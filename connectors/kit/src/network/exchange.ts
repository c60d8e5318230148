import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'

/** One request and its answer, within a deadline, through the proxy of the account. */

export type Proxy = {
  protocol: string
  host: string
  port: number
  username: string | null
  password: string | null
}

export type Outgoing = {
  url: URL
  method: string
  headers: Readonly<Record<string, string>>
  body: string | undefined
}

export type Line = {
  proxy: Proxy | null
  deadlineMs: number
  signal: AbortSignal
  /** Names are not looked up: `localhost` is this machine. */
  onlyLoopback: boolean
}

export type Answer = { status: number; headers: IncomingMessage['headers']; text: string }

/** The lack of an answer. `isSent` is false where nothing can have reached the network. */
export class Unanswered extends Error {
  readonly isSent: boolean
  constructor(cause: unknown, isSent: boolean) {
    super(cause instanceof Error ? cause.message : 'no answer', { cause })
    this.isSent = isSent
  }
}

const mostBytes = 32 * 1024 * 1024

export function exchange(outgoing: Outgoing, line: Line): Promise<Answer> {
  const { url, method, headers, body } = outgoing
  const isSecure = url.protocol === 'https:'
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  let isSent = false
  const signal = AbortSignal.any([line.signal, AbortSignal.timeout(line.deadlineMs)])
  const request = (isSecure ? requestHttps : requestHttp)(url, {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
      }),
      ...headers,
    },
    agent: agentOf(line.proxy, isSecure),
    signal,
    ...(line.onlyLoopback && { lookup: toLoopback }),
  })
  request.on('socket', (socket) => {
    const open = () => {
      isSent = true
    }
    if (socket.connecting) socket.once(isSecure ? 'secureConnect' : 'connect', open)
    else open()
  })
  request.on('error', (error) => reject(new Unanswered(error, isSent)))
  request.on('response', (response) => {
    textOf(response).then(
      (text) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      (error) => reject(new Unanswered(error, true)),
    )
  })
  request.end(body)
  return promise
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    bytes += chunk.length
    if (bytes > mostBytes) throw new Error('the answer is too large')
    chunks.push(chunk)
  }
  if (!response.complete) throw new Error('the answer is cut')
  return Buffer.concat(chunks).toString('utf8')
}

const toLoopback: LookupFunction = (_host, { all }, found) => {
  if (all) found(null, [{ address: '127.0.0.1', family: 4 }])
  else found(null, '127.0.0.1', 4)
}

/** Connections are not kept: whether a write on an old one was sent could not be known. */
function agentOf(proxy: Proxy | null, isSecure: boolean): HttpAgent | HttpsAgent | undefined {
  if (!proxy) return undefined
  const url = new URL(`${proxy.protocol}://${hostOf(proxy.host)}:${proxy.port}`)
  if (proxy.username !== null) url.username = encodeURIComponent(proxy.username)
  if (proxy.password !== null) url.password = encodeURIComponent(proxy.password)
  const proxyEnv = { HTTP_PROXY: url.href, HTTPS_PROXY: url.href }
  return isSecure ? new HttpsAgent({ proxyEnv }) : new HttpAgent({ proxyEnv })
}

const hostOf = (host: string) => (host.includes(':') ? `[${host}]` : host)
