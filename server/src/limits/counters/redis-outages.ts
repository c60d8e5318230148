import type { Redis } from 'ioredis'
import type { Clock } from '../../values/clock.ts'

/** Emitted once when Redis becomes unavailable, and once when it answers again. */
export type RedisNews = { readonly isAway: boolean; readonly reason: string }

export type Outages = {
  isUsable(): boolean
  /** Resolves once it is known whether a newly connected Redis is usable. */
  settled(): Promise<void>
  /**
   * Reports an error: a Redis that refuses (full, or no longer the primary) counts as unavailable.
   */
  blame(error: Error): void
  close(): void
}

type Options = {
  clock: Clock
  /** How long it stays unused after a reconnect, in all processes. */
  restMs: number
  notify(news: RedisNews): void
}

/** How long to wait before retrying a refused mark. */
const tryAgainMs = 2_000

/**
 * A Redis that was unavailable may have lost its counts; counting there at once would start a third
 * count within one window. So the windows in the other store end first. A mark in Redis records the
 * last return or loss, for processes that start later.
 */
export function watchOutages(client: Redis, { clock, restMs, notify }: Options): Outages {
  const mark = defineMark(client)
  let [isAway, isBlamed, isClosed] = [false, false, false]
  let reason = 'the connection was closed'
  let usableFrom = Number.POSITIVE_INFINITY
  let settling = Promise.resolve()
  let retry: NodeJS.Timeout | undefined

  function leave(): void {
    usableFrom = Number.POSITIVE_INFINITY
    if (isAway || isClosed) return
    isAway = true
    notify({ isAway, reason })
  }

  async function settle(): Promise<void> {
    try {
      const ageMs = await mark(markKey, markMs, isAway ? 'anew' : 'if absent')
      usableFrom = clock.ticksMs() + restMs - ageMs
    } catch (error) {
      // A broken connection is already reported and being restored.
      if (client.status === 'ready') refuse(error as Error)
      return
    }
    isBlamed = false
    if (!isAway) return
    isAway = false
    notify({ isAway, reason: '' })
  }

  function refuse(error: Error): void {
    reason = reasonOf(error)
    leave()
    clearTimeout(retry)
    retry = setTimeout(reconnect, tryAgainMs).unref()
  }

  /** The host name may now resolve to another server, the primary. */
  function reconnect(): void {
    if (client.status === 'ready') client.disconnect(true)
  }

  client.on('error', (error) => {
    if (!isBlamed) reason = reasonOf(error)
  })
  client.on('close', leave)
  client.on('ready', () => {
    settling = settle()
  })

  return {
    isUsable: () => client.status === 'ready' && clock.ticksMs() >= usableFrom,
    settled: () => settling,
    blame(error) {
      if (isBlamed) return
      isBlamed = true
      reason = reasonOf(error)
      reconnect()
    },
    close() {
      isClosed = true
      client.disconnect()
    },
  }
}

/** AggregateErrors of several addresses have a code but no message. */
const reasonOf = ({ message, code }: Error & { code?: string }) => message || (code ?? 'no reason')

const markKey = 'flightdeck:since'
/** When the mark expires, starting processes wait once more. */
const markMs = 365 * 24 * 60 * 60 * 1000

/** Its age is derived from its remaining lifetime, which needs no further permissions. */
const lua = `
local left = redis.call('pttl', KEYS[1])
if left < 0 or ARGV[2] == 'anew' then
  redis.call('set', KEYS[1], '1', 'px', ARGV[1])
  return 0
end
return ARGV[1] - left`

type Script = (key: string, ms: number, when: 'anew' | 'if absent') => Promise<number>

function defineMark(client: Redis): Script {
  client.defineCommand('markSince', { lua, numberOfKeys: 1 })
  // The client adds the method by name.
  const { markSince } = client as unknown as { markSince: Script }
  return markSince.bind(client)
}
