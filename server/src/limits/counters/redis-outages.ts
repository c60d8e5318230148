import type { Redis } from 'ioredis'
import type { Clock } from '../../values/clock.ts'

/** Told once when Redis goes away, and once when it answers again. */
export type RedisNews = { readonly isAway: boolean; readonly reason: string }

export type Outages = {
  isUsable(): boolean
  /** When it is known whether a Redis that was just connected to is usable. */
  settled(): Promise<void>
  /** One that refuses (it is full, or no longer the primary) is as good as away. */
  blame(error: Error): void
  close(): void
}

type Options = {
  clock: Clock
  /** So long after it has come back it stays unused, by whatever process. */
  restMs: number
  tell(news: RedisNews): void
}

/** One that refuses the mark is tried again so much later. */
const tryAgainMs = 2_000

/**
 * A Redis that was away may have lost its counts. With those made elsewhere meanwhile, a third count in
 * one window would begin there: so the window elsewhere ends first. A mark in Redis tells when anybody
 * has last found it come back, or empty, because a process that starts then cannot know.
 */
export function watchOutages(client: Redis, { clock, restMs, tell }: Options): Outages {
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
    tell({ isAway, reason })
  }

  async function settle(): Promise<void> {
    try {
      const ageMs = await mark(markKey, markMs, isAway ? 'anew' : 'if absent')
      usableFrom = clock.ticksMs() + restMs - ageMs
    } catch (error) {
      // When the connection broke, that is told and mended already.
      if (client.status === 'ready') refuse(error as Error)
      return
    }
    isBlamed = false
    if (!isAway) return
    isAway = false
    tell({ isAway, reason: '' })
  }

  function refuse(error: Error): void {
    reason = reasonOf(error)
    leave()
    clearTimeout(retry)
    retry = setTimeout(reconnect, tryAgainMs).unref()
  }

  /** By now its name may lead to another, which is the primary. */
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

/** Several addresses that were tried in vain have a code in common, and no message. */
const reasonOf = ({ message, code }: Error & { code?: string }) => message || (code ?? 'no reason')

const markKey = 'flightdeck:since'
/** When the mark ends, processes that start then rest once more. */
const markMs = 365 * 24 * 60 * 60 * 1000

/** Its age is what has passed of its time: so no right is needed that counting does not need. */
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
  // The library adds the method by name.
  const { markSince } = client as unknown as { markSince: Script }
  return markSince.bind(client)
}
