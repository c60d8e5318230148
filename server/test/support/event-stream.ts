import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import type { Client } from './world.ts'

/** One block of a stream as received: `id`, `event`, `data`, `retry`, and `comment`. */
export type Block = Readonly<Record<string, string>>

export type OpenStream = {
  status: number
  headers: IncomingMessage['headers']
  /** The next block of any kind; undefined at the end. */
  block(): Promise<Block | undefined>
  /** The next events, without comments. */
  events(count: number): Promise<StreamedEvent[]>
  /** Everything to the end. */
  rest(): Promise<Block[]>
  /** The body of a refusal. */
  problem(): Promise<Record<string, unknown>>
  hangUp(): Promise<void>
}

export type StreamedEvent = {
  id: string
  type: string
  sequence: number
  organization_id: string
  data: { object: Record<string, unknown> }
}

type StreamOptions = { query?: string; lastEventId?: string | undefined; method?: string }

export async function listen(app: FastifyInstance): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return urlOf(app)
}

export const urlOf = (app: FastifyInstance): string =>
  `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

/**
 * Opens a stream over its own socket. Parses by hand, so that the service does not check itself.
 */
export async function openStream(
  url: string,
  { token }: Pick<Client, 'token'>,
  { query = '', lastEventId, method = 'GET' }: StreamOptions = {},
): Promise<OpenStream> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  }
  const request = get(`${url}/api/v1/events/stream${query}`, { headers, agent: false, method })
  const [response]: IncomingMessage[] = await once(request, 'response')
  if (!response) throw new Error('no response')
  // Errors after a disconnect do not matter.
  response.on('error', () => {})
  request.on('error', () => {})
  return reading(response)
}

function reading(response: IncomingMessage): OpenStream {
  const blocks = blocksOf(response)
  const block = async () => (await blocks.next()).value as Block | undefined
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    block,
    async events(count) {
      const events: StreamedEvent[] = []
      while (events.length < count) {
        const next = await block()
        if (!next) throw new Error(`the stream ended after ${events.length} events`)
        if (next.data !== undefined) events.push(eventIn(next))
      }
      return events
    },
    rest: () => Array.fromAsync(blocks),
    problem: async () => JSON.parse(await text(response)),
    async hangUp() {
      const closed = response.closed ? undefined : once(response, 'close')
      response.destroy()
      await closed
    },
  }
}

async function* blocksOf(response: IncomingMessage): AsyncGenerator<Block> {
  let rest = ''
  response.setEncoding('utf8')
  for await (const chunk of response) {
    const parts = `${rest}${chunk}`.split('\n\n')
    rest = parts.pop() ?? ''
    yield* parts.map(blockIn)
  }
  if (rest !== '') throw new Error(`half a block at the end: ${rest}`)
}

const blockIn = (part: string): Block =>
  Object.fromEntries(
    part.split('\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon) || 'comment', line.slice(colon + 2)]
    }),
  )

function eventIn({ id, event, data = '' }: Block): StreamedEvent {
  const parsed = JSON.parse(data)
  if (parsed.id !== id || parsed.type !== event) throw new Error(`${id} ${event} is not ${data}`)
  return parsed
}
