import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../../database/start-error.ts'
import { CommandError } from '../command.ts'
import { type Block, blocksOf } from './blocks.ts'
import { Refused, type Service } from './service.ts'

type Wish = {
  /** As the parameter `type` takes them; undefined for all. */
  types: string | undefined
  /** Ends it. */
  signal: AbortSignal
  /** Tells people how the connection does. */
  say(line: string): void
}

type Progress = { lastEventId: string | null; hasBegun: boolean; failures: number }

const firstWaitMs = 1_000
const longestWaitMs = 30_000
/** Three heartbeats were missed: the line is dead, though nobody has said so. */
const longestSilenceMs = 45_000

/** Every event from now on, over as many connections as it takes. */
export async function* eventsFrom(service: Service, wish: Wish): AsyncGenerator<Block> {
  const progress: Progress = { lastEventId: null, hasBegun: false, failures: 0 }
  while (!wish.signal.aborted) {
    try {
      yield* oneConnection(service, wish, progress)
      await pause(wish, progress, 'The service has ended the stream')
    } catch (error) {
      if (wish.signal.aborted) return
      if (!progress.hasBegun || !isPassing(error)) throw asCommandError(error, service.url)
      await pause(wish, progress, `The connection is lost: ${reasonOf(error)}`)
    }
  }
}

async function* oneConnection(
  service: Service,
  { types, signal, say }: Wish,
  progress: Progress,
): AsyncGenerator<Block> {
  const line = new AbortController()
  const { lastEventId } = progress
  const either = AbortSignal.any([signal, line.signal])
  const chunks = await service.open({ types, lastEventId, signal: either })
  say(`Connected to ${service.url}.`)
  progress.hasBegun = true
  progress.failures = 0
  for await (const block of blocksOf(watched(chunks, line))) {
    progress.lastEventId = block.id ?? progress.lastEventId
    if (block.data !== '') yield block
  }
}

/** Breaks the line off when nothing comes for long. Whoever does not ask for more is not waiting. */
async function* watched(
  chunks: AsyncIterable<Uint8Array>,
  line: AbortController,
): AsyncGenerator<Uint8Array> {
  const silent = new Error(`nothing came for ${longestSilenceMs / 1000} s`)
  const watch = () => setTimeout(() => line.abort(silent), longestSilenceMs)
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

async function pause({ signal, say }: Wish, progress: Progress, reason: string): Promise<void> {
  if (signal.aborted) return
  const longest = Math.min(longestWaitMs, firstWaitMs * 2 ** progress.failures)
  progress.failures += 1
  say(`${reason}. Trying again within ${longest / 1000} s.`)
  // Not all who were cut off at once come back at once.
  const waitMs = longest * (0.5 + Math.random() / 2)
  await sleep(waitMs, undefined, { signal }).catch(() => {})
}

const isPassing = (error: unknown) => !(error instanceof Refused) || error.isPassing

const asCommandError = (error: unknown, url: string): CommandError =>
  error instanceof CommandError
    ? error
    : new CommandError(`Nothing answers at ${url}: ${reasonOf(error)}.`)

/** What `fetch` says is wrong stands in the cause. */
export function reasonOf(error: unknown): string {
  const { cause = error } = error instanceof Error ? error : {}
  return errorCode(cause) ?? (cause instanceof Error ? cause.message : String(cause))
}
