import type { Redis, Result } from 'ioredis'
import type { Clock } from '../../values/clock.ts'
import { errorCode, errorMessage } from '../../values/errors.ts'
import { secondsSince } from '../../values/times.ts'

/** Emitted once when Redis becomes unavailable, and once when it answers again. */
export type RedisNews = {
  readonly isAway: boolean
  readonly reason: string
  /** How long it was unavailable, when it answers again. */
  readonly seconds: number
}

export type Outages = {
  isUsable(): boolean
  /** Resolves once it is known whether a newly connected Redis is usable. */
  idle(): Promise<void>
  /**
   * Reports an error: a Redis that refuses (full, or no longer the primary) counts as unavailable.
   */
  blame(error: unknown): void
  close(): void
}

type OutageOptions = {
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
export function watchOutages(client: Redis, { clock, restMs, notify }: OutageOptions): Outages {
  client.defineCommand('markSince', { lua, numberOfKeys: 1 })
  const outage = announced(notify)
  let usableFrom = Number.POSITIVE_INFINITY
  let confirming = Promise.resolve()
  let retry: NodeJS.Timeout | undefined

  function leave(): void {
    usableFrom = Number.POSITIVE_INFINITY
    outage.begin()
  }

  async function confirm(): Promise<void> {
    try {
      const ageMs = await client.markSince(markKey, markMs, outage.isOn() ? 'anew' : 'if absent')
      usableFrom = clock.ticksMs() + restMs - ageMs
    } catch (error) {
      // A broken connection is already reported and being restored.
      if (client.status === 'ready') refuse(error)
      return
    }
    outage.end()
  }

  function refuse(error: unknown): void {
    outage.explain(error)
    leave()
    clearTimeout(retry)
    retry = setTimeout(reconnect, tryAgainMs, client).unref()
  }

  client.on('error', outage.suspect)
  client.on('close', leave)
  client.on('ready', () => {
    confirming = confirm()
  })

  return {
    isUsable: () => client.status === 'ready' && clock.ticksMs() >= usableFrom,
    idle: () => confirming,
    blame(error) {
      if (outage.blame(error)) reconnect(client)
    },
    close() {
      client.off('close', leave)
      client.disconnect()
    },
  }
}

/** Notifies of the beginning and the end of an outage, once each. */
function announced(notify: OutageOptions['notify']) {
  let beganAtMs: number | null = null
  let reason = 'the connection was closed'
  let isBlamed = false
  return {
    isOn: () => beganAtMs !== null,
    /** Notes a likely reason, unless one was reported. */
    suspect(error: unknown): void {
      if (!isBlamed) reason = reasonOf(error)
    },
    /** Returns whether it is the first report since the last outage. */
    blame(error: unknown): boolean {
      if (isBlamed) return false
      isBlamed = true
      reason = reasonOf(error)
      return true
    },
    explain(error: unknown): void {
      reason = reasonOf(error)
    },
    begin(): void {
      if (beganAtMs !== null) return
      beganAtMs = performance.now()
      notify({ isAway: true, reason, seconds: 0 })
    },
    end(): void {
      isBlamed = false
      if (beganAtMs === null) return
      const seconds = secondsSince(beganAtMs)
      beganAtMs = null
      notify({ isAway: false, reason: '', seconds })
    },
  }
}

/** The host name may now resolve to another server, the primary. */
function reconnect(client: Redis): void {
  if (client.status === 'ready') client.disconnect(true)
}

/** AggregateErrors of several addresses have a code but no message. */
const reasonOf = (error: unknown) => errorMessage(error) || (errorCode(error) ?? 'no reason')

const markKey = 'flightdeck:since'
/** When the mark expires, starting processes wait once more. */
const markMs = 365 * 24 * 60 * 60 * 1000

/** Derives the age of the mark from its remaining lifetime, which needs no further permissions. */
const lua = `
local left = redis.call('pttl', KEYS[1])
if left < 0 or ARGV[2] == 'anew' then
  redis.call('set', KEYS[1], '1', 'px', ARGV[1])
  return 0
end
return ARGV[1] - left`

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** Defined above. */
    markSince(key: string, ms: number, when: 'anew' | 'if absent'): Result<number, Context>
  }
}
