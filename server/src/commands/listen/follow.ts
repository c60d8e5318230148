import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../../database/start-error.ts'
import { CommandError } from '../command.ts'
import { type Block, blocksOf } from './blocks.ts'
import { Refused, type Service } from './service.ts'

type StreamOptions = {
  /** The value of the parameter `type`; undefined for all. */
  types: string | undefined
  /** Ends the stream. */
  signal: AbortSignal
  /** Reports the state of the connection. */
  report(line: string): void
}

type Progress = { lastEventId: string | null; hasBegun: boolean; failures: number }

const firstWaitMs = 1_000
const maxWaitMs = 30_000
/** Three missed heartbeats: the connection is dead. */
const maxSilenceMs = 45_000

/** Every event from now on, with reconnects. */
export async function* eventsFrom(service: Service, options: StreamOptions): AsyncGenerator<Block> {
  const progress: Progress = { lastEventId: null, hasBegun: false, failures: 0 }
  while (!options.signal.aborted) {
    try {
      yield* oneConnection(service, options, progress)
      await pause(options, progress, 'The service has ended the stream')
    } catch (error) {
      if (options.signal.aborted) return
      if (!progress.hasBegun || !isTransient(error)) throw asCommandError(error, service.url)
      await pause(options, progress, `The connection is lost: ${reasonOf(error)}`)
    }
  }
}

async function* oneConnection(
  service: Service,
  { types, signal, report }: StreamOptions,
  progress: Progress,
): AsyncGenerator<Block> {
  const silence = new AbortController()
  const { lastEventId } = progress
  const either = AbortSignal.any([signal, silence.signal])
  const chunks = await service.open({ types, lastEventId, signal: either })
  report(`Connected to ${service.url}.`)
  progress.hasBegun = true
  progress.failures = 0
  for await (const block of blocksOf(watched(chunks, silence))) {
    progress.lastEventId = block.id ?? progress.lastEventId
    if (block.data !== '') yield block
  }
}

/** Aborts after a long silence. The timer runs only while the reader waits for a chunk. */
async function* watched(
  chunks: AsyncIterable<Uint8Array>,
  silence: AbortController,
): AsyncGenerator<Uint8Array> {
  const reason = new Error(`nothing came for ${maxSilenceMs / 1000} s`)
  const watch = () => setTimeout(() => silence.abort(reason), maxSilenceMs)
  let timer = watch()
  try {
    for await (const chunk of chunks) {
      clearTimeout(timer)
      yield chunk
      timer = watch()
    }
  } finally {
    clearTimeout(timer)
  }
}

async function pause(
  { signal, report }: StreamOptions,
  progress: Progress,
  reason: string,
): Promise<void> {
  if (signal.aborted) return
  const maxMs = Math.min(maxWaitMs, firstWaitMs * 2 ** progress.failures)
  progress.failures += 1
  report(`${reason}. Trying again within ${maxMs / 1000} s.`)
  // Jitter, so that clients cut off together do not reconnect together.
  const waitMs = maxMs * (0.5 + Math.random() / 2)
  await sleep(waitMs, undefined, { signal }).catch(() => {})
}

const isTransient = (error: unknown) => !(error instanceof Refused) || error.isTransient

const asCommandError = (error: unknown, url: string): CommandError =>
  error instanceof CommandError
    ? error
    : new CommandError(`Nothing answers at ${url}: ${reasonOf(error)}.`)

/** `fetch` puts the actual error into the cause. */
export function reasonOf(error: unknown): string {
  const { cause = error } = error instanceof Error ? error : {}
  return errorCode(cause) ?? (cause instanceof Error ? cause.message : String(cause))
}
