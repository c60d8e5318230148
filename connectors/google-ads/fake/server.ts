import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Answered,
  type Asked,
  answer,
  checkFailure,
  type Fake,
  isWriteOf,
  NoRoute,
} from './api.ts'
import { type Control, controlOf } from './control.ts'
import { faultSwitches } from './faults.ts'
import { protos } from './protos.ts'
import { type Exchange, recorderOf, withoutSecrets } from './record.ts'
import { Malformed, OfProject, Refusal } from './refusal.ts'
import { emptyState } from './state.ts'
import { answerToken, openIssuer } from './tokens.ts'

/** A strict fake of Google Ads and of its issuer of tokens, on a loopback address. */

export type FakeOptions = {
  port?: number
  /** Decides faults with a rate. */
  random?: () => number
  /** A directory for what is asked and answered. */
  recordDir?: string | undefined
  /** Hears each exchange; what it throws ends the fake’s answer. */
  onExchange?: (exchange: Exchange) => void
}

export type GoogleFake = Fake & {
  url: string
  control: Control
  /** Requests so far: `searchStream`, `mutate`, `validate`, `token`. */
  counts: Map<string, number>
  close(): Promise<void>
}

export async function openFake(options: FakeOptions = {}): Promise<GoogleFake> {
  const { port = 0, random = Math.random, recordDir = process.env.RECORD_DIR } = options
  const fake: Fake = { state: emptyState(), issuer: openIssuer(), faults: faultSwitches(random) }
  // It takes most of a second: no request is to wait for it.
  protos()
  const serving: Serving = { fake, counts: new Map(), record: recorderOf(recordDir), options }
  const broken: unknown[] = []
  const server = createServer((incoming, outgoing) => {
    serve(serving, incoming, outgoing).catch((error) => {
      broken.push(error)
      outgoing.destroy()
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the fake has no port')
  return {
    ...fake,
    url: `http://127.0.0.1:${address.port}`,
    control: controlOf(fake),
    counts: serving.counts,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
      // A fault of the fake itself, or a request that a second parser refuses.
      if (broken.length > 0) throw broken[0]
    },
  }
}

type Serving = {
  fake: Fake
  counts: Map<string, number>
  record: ReturnType<typeof recorderOf>
  options: FakeOptions
}

async function serve(serving: Serving, incoming: IncomingMessage, outgoing: ServerResponse) {
  const { fake } = serving
  const { pathname } = new URL(incoming.url ?? '/', 'http://localhost')
  const { method = 'GET', headers } = incoming
  const asked: Asked = { method, path: pathname, headers, text: await textOf(incoming) }
  if (pathname === '/token') return token(serving, asked, outgoing)
  count(serving, asked)
  const isWrite = isWriteOf(asked)
  const slow = fake.faults.hit('slow', isWrite)
  if (slow) await pause(slow.ms ?? 1_000)
  if (fake.faults.hit('lose_before', isWrite)) return void outgoing.destroy()
  const answered = judged(fake, asked)
  const { status, body } = answered
  const exchange: Exchange = {
    ...{ network: 'google-ads', method, path: pathname, headers: withoutSecrets(headers) },
    ...{ body: asked.text, status, answer: body },
  }
  serving.options.onExchange?.(exchange)
  await serving.record(exchange)
  if (fake.faults.hit('lose_after', isWrite)) return void outgoing.destroy()
  if (fake.faults.hit('rubbish', isWrite)) return void outgoing.writeHead(502).end('<html>')
  send(outgoing, answered)
}

function count({ counts }: Serving, asked: Asked): void {
  const method = asked.path.split(':').at(-1) ?? ''
  const key = method === 'mutate' && !isWriteOf(asked) ? 'validate' : method
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function token({ fake, counts }: Serving, { text }: Asked, outgoing: ServerResponse): void {
  counts.set('token', (counts.get('token') ?? 0) + 1)
  send(outgoing, answerToken(fake.issuer, new URLSearchParams(text)))
}

function send(outgoing: ServerResponse, { status, body }: Answered): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** The answer, or the refusal as the network has it: of a stream in a list. */
function judged(fake: Fake, asked: Asked): Answered {
  try {
    return answer(fake, asked)
  } catch (error) {
    if (error instanceof NoRoute) return { status: 404, body: { error: { code: 404 } } }
    if (error instanceof OfProject) return { status: 403, body: error.body() }
    if (error instanceof Malformed) return { status: 400, body: error.body() }
    if (!(error instanceof Refusal)) throw error
    const requestId = randomUUID()
    checkFailure(error.failure(requestId))
    const body = error.body(requestId)
    const isStream = asked.path.endsWith(':searchStream')
    return { status: error.status(), body: isStream ? [body] : body }
  }
}

const mostBytes = 16 * 1024 * 1024

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming) {
    bytes += chunk.length
    if (bytes > mostBytes) throw new Error('the body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
