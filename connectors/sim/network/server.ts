import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Answered, answerApi, type Network, type NetworkRequest } from './api.ts'
import { answerControl, type Control, controlOf } from './control.ts'
import { type FaultedRequest, faultSwitches, slowDown } from './faults.ts'
import { type Recorder, recorderOf } from './record.ts'
import { emptyState, type SimState } from './state.ts'
import { Refusal } from './values.ts'

export type NetworkOptions = {
  port?: number
  state?: SimState
  /** Decides faults with a rate. */
  random?: () => number
  /** A directory for what is asked and answered. */
  recordDir?: string | undefined
}

export type SimNetwork = {
  url: string
  control: Control
  state: SimState
  /** Requests so far, by method and path without ids: `PATCH campaigns`. */
  counts: ReadonlyMap<string, number>
  close(): Promise<void>
}

/** Starts a simulated network on a loopback address. */
export async function openNetwork(options: NetworkOptions = {}): Promise<SimNetwork> {
  const { port = 0, state = emptyState(), random, recordDir } = options
  let url = ''
  const network: Network = { state, faults: faultSwitches(random), address: () => url }
  const serving: Serving = {
    network,
    control: controlOf(network),
    counts: new Map(),
    record: recorderOf(recordDir),
  }
  const server = createServer((incoming, outgoing) => {
    serve(serving, incoming, outgoing).catch(() => outgoing.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the network has no port')
  url = `http://127.0.0.1:${address.port}`
  return {
    url,
    control: serving.control,
    state,
    counts: serving.counts,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

type Serving = {
  network: Network
  control: Control
  counts: Map<string, number>
  record: Recorder
}

const mostBytes = 1024 * 1024

async function serve(
  serving: Serving,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://localhost')
  const [root, ...path] = pathname.slice(1).split('/').map(decodeURIComponent)
  const requestId = randomUUID()
  const { method = 'GET', headers } = incoming
  const token = headers.authorization?.replace(/^Bearer /, '') ?? null
  const text = await bodyOf(incoming)
  const answered = await answerOf(async () => {
    const request = { method, path, query: searchParams, token, body: jsonOf(text) }
    if (root === 'control') return answerControl(serving.control, request)
    if (root !== 'v1') throw new Refusal(404, 'unknown_path', 'there is nothing at this address')
    return answerWithFaults(serving, request, outgoing)
  }, requestId)
  if (answered === null) return
  if (root === 'v1') await serving.record({ method, url: incoming.url ?? '', text, answered })
  outgoing.writeHead(answered.status, {
    'content-type': 'application/json',
    'x-request-id': requestId,
    ...(answered.retryAfter !== null && { 'retry-after': String(answered.retryAfter) }),
  })
  outgoing.end(answered.text ?? JSON.stringify(answered.body))
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming) {
    bytes += chunk.length
    if (bytes > mostBytes) throw new Error('the body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function jsonOf(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal(400, 'invalid_request', 'the body is not JSON')
  }
}

type Written = Answered & { retryAfter: number | null; text?: string }

/** The answer, or null where there is to be none. */
async function answerOf(
  answer: () => Promise<Answered | null>,
  request_id: string,
): Promise<Written | null> {
  try {
    const answered = await answer()
    return answered && { ...answered, retryAfter: null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { status, code, message, field, retryAfterSeconds } = error
    const body = { error: { code, message, field, request_id } }
    return { status, body, retryAfter: retryAfterSeconds }
  }
}

async function answerWithFaults(
  { network, counts }: Serving,
  request: NetworkRequest,
  outgoing: ServerResponse,
): Promise<(Answered & { text?: string }) | null> {
  const isWrite = request.method !== 'GET'
  const [, account = null, part = 'account'] = request.path
  const key = `${request.method} ${part}`
  counts.set(key, (counts.get(key) ?? 0) + 1)
  const asked: FaultedRequest = { isWrite, account }
  const { faults } = network
  await slowDown(faults.hit('slow', asked))
  if (faults.hit('hang', asked)) return null
  if (faults.hit('lose_before', asked)) return lose(outgoing)
  const limit = faults.hit('rate_limit', asked)
  if (limit)
    throw new Refusal(429, 'rate_limited', 'too many requests', {
      retryAfterSeconds: limit.seconds ?? 30,
    })
  if (faults.hit('unavailable', asked)) throw new Refusal(503, 'unavailable', 'try again later')
  const answered = answerApi(network, request)
  if (faults.hit('lose_after', asked)) return lose(outgoing)
  if (faults.hit('rubbish', asked)) return { ...answered, text: '<html>{"data": [{"id": 7' }
  return answered
}

function lose(outgoing: ServerResponse): null {
  outgoing.destroy()
  return null
}
