import { FlightdeckError } from '../error.ts'
import type { FlightdeckEvent } from '../event.ts'
import type { components } from '../openapi.ts'
import { type Block, blocksOf } from './sse.ts'
import { pause } from './wait.ts'
import { searchOf, type Wire } from './wire.ts'

type EventPattern = components['schemas']['EventPattern']

export type StreamOptions = {
  /** Event types or patterns such as `campaign.*`. Default: all. */
  type?: EventPattern | readonly EventPattern[] | undefined
  /** Continues after this event instead of beginning now. */
  lastEventId?: string | undefined
  /** Ends the stream. */
  signal?: AbortSignal | undefined
  /** Called when a connection is open. */
  onOpen?: (() => void) | undefined
  /** Called when a connection was lost, before the stream connects again. */
  onLost?: ((lost: { error: unknown; waitMs: number }) => void) | undefined
}

/** Events as they happen; reconnects and goes on where it was. */
export type EventStream = AsyncIterable<FlightdeckEvent> & {
  /** The events as the text in which they were sent. */
  texts(): AsyncGenerator<Block>
}

export function streamOf(wire: Wire, path: string, options: StreamOptions): EventStream {
  const texts = () => blocksFrom(wire, path, options)
  return {
    texts,
    async *[Symbol.asyncIterator]() {
      // The service sends events of this shape; its tests enforce it.
      for await (const { data } of texts()) yield JSON.parse(data) as FlightdeckEvent
    },
  }
}

type Progress = { lastEventId: string | undefined; hasBegun: boolean; failures: number }

const firstWaitMs = 1_000
const maxWaitMs = 30_000
/** Three missed heartbeats: the connection is dead. */
const maxSilenceMs = 45_000

async function* blocksFrom(
  wire: Wire,
  path: string,
  options: StreamOptions,
): AsyncGenerator<Block> {
  const { signal, lastEventId } = options
  const progress: Progress = { lastEventId, hasBegun: false, failures: 0 }
  while (!signal?.aborted) {
    let lost: unknown = new StreamEnded()
    try {
      yield* oneConnection(wire, { path, options, progress })
    } catch (error) {
      if (signal?.aborted) return
      // The first connection fails at once where the request itself is refused.
      if (!progress.hasBegun || !isTransient(error)) throw error
      lost = error
    }
    const waitMs = waitAfter(progress)
    options.onLost?.({ error: lost, waitMs })
    await pause(waitMs, signal).catch(() => {})
  }
}

/** The service ended the connection: it stops or restarts. */
class StreamEnded extends Error {
  override readonly name = 'StreamEnded'
}

const isTransient = (error: unknown) =>
  !(error instanceof FlightdeckError) || error.status === 429 || error.status >= 500

/** Jitter, so that clients cut off together do not reconnect together. */
function waitAfter(progress: Progress): number {
  const maxMs = Math.min(maxWaitMs, firstWaitMs * 2 ** progress.failures)
  progress.failures += 1
  return maxMs * (0.5 + Math.random() / 2)
}

type Connection = { path: string; options: StreamOptions; progress: Progress }

async function* oneConnection(
  { baseUrl, transport }: Wire,
  { path, options, progress }: Connection,
): AsyncGenerator<Block> {
  const silence = new AbortController()
  const signals = options.signal ? [options.signal, silence.signal] : [silence.signal]
  const types = [options.type ?? []].flat()
  const { lastEventId } = progress
  const { response } = await transport({
    method: 'GET',
    url: `${baseUrl}${path}${searchOf(types.length > 0 ? { type: types.join(',') } : {})}`,
    headers: {
      accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
    options: { signal: AbortSignal.any(signals), retries: 0 },
    isStreamed: true,
  })
  options.onOpen?.()
  progress.hasBegun = true
  progress.failures = 0
  for await (const block of blocksOf(watched(response, silence))) {
    progress.lastEventId = block.id ?? progress.lastEventId
    if (block.data !== '') yield block
  }
}

/** Aborts after a long silence. The timer runs only while the reader waits for a chunk. */
async function* watched({ body }: Response, silence: AbortController): AsyncGenerator<Uint8Array> {
  if (!body) return
  const reader = body.getReader()
  const reason = new Error(`Nothing came for ${maxSilenceMs / 1000} s`)
  try {
    for (;;) {
      const timer = setTimeout(() => silence.abort(reason), maxSilenceMs)
      const { done, value } = await reader.read().finally(() => clearTimeout(timer))
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
