import { Redis } from 'ioredis'
import { batch } from '../../concurrency/batch.ts'
import type { Clock } from '../../values/clock.ts'
import type { Answer } from './counter.ts'
import { deletionsIn } from './redis-deletions.ts'
import { type RedisNews, watchOutages } from './redis-outages.ts'

type Count = {
  readonly key: string
  readonly cost: number
  readonly ms: number
  readonly limit: number
}

/** The way to a Redis that may go and come. While it is not usable, everything fails at once. */
export type RedisConnection = {
  readonly client: Redis
  readonly isUsable: boolean
  /** When the first try to connect has ended, well or not; later ones go on by themselves. */
  connected(): Promise<void>
  count(count: Count): Promise<Answer>
  /** At once, or when it is there again. */
  delete(key: string): Promise<boolean>
  close(): void
}

type Options = {
  url: string
  clock: Clock
  /** So long after it has come back it stays unused. */
  restMs: number
  tell(news: RedisNews): void
}

const mostAtOnce = 200
const connectWithinMs = 2_000
/** A Redis that hangs is one that is away. */
const answerWithinMs = 1_000
const longestPauseMs = 2_000

export function connectToRedis({ url, clock, restMs, tell }: Options): RedisConnection {
  const client = new Redis(url, {
    lazyConnect: true,
    // Whatever speaks the protocol will do, with rights to run scripts and no others.
    protocol: 2,
    disableClientInfo: true,
    connectTimeout: connectWithinMs,
    socketTimeout: answerWithinMs,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(longestPauseMs, 50 * 2 ** Math.min(times, 10)),
  })
  const script = defineScript(client)
  const outages = watchOutages(client, { clock, restMs, tell })
  let connecting: Promise<void> | undefined

  async function count(counts: readonly Count[]): Promise<Answer[]> {
    if (!outages.isUsable()) throw new Error('Redis is away')
    try {
      return await countAll(script, counts)
    } catch (error) {
      if (client.status === 'ready') outages.blame(error as Error)
      throw error
    }
  }

  return {
    client,
    get isUsable() {
      return outages.isUsable()
    },
    connected: () => {
      connecting ??= client.connect().then(outages.settled, () => {})
      return connecting
    },
    count: batch(count, mostAtOnce),
    delete: deletionsIn(client),
    close: outages.close,
  }
}

type Script = (keyCount: number, ...keysAndArguments: (string | number)[]) => Promise<number[]>

/** Counts whole or not at all, key by key. Redis's own time decides when a window ends. */
const lua = `
local answers = {}
for at, key in ipairs(KEYS) do
  local cost = tonumber(ARGV[3 * at - 2])
  local left, used = redis.call('pttl', key), 0
  local isOpen = left > 0
  if isOpen then used = tonumber(redis.call('get', key)) else left = tonumber(ARGV[3 * at - 1]) end
  local asked = math.max(0, used + cost)
  if asked <= tonumber(ARGV[3 * at]) then
    if isOpen then redis.call('incrby', key, asked - used)
    elseif cost > 0 then redis.call('set', key, asked, 'px', left) end
  end
  answers[2 * at - 1] = asked
  answers[2 * at] = left
end
return answers`

function defineScript(client: Redis): Script {
  client.defineCommand('countInWindows', { lua })
  // The library adds the method by name.
  const { countInWindows } = client as unknown as { countInWindows: Script }
  return countInWindows.bind(client)
}

async function countAll(script: Script, counts: readonly Count[]): Promise<Answer[]> {
  const keys = counts.map(({ key }) => key)
  const values = counts.flatMap(({ cost, ms, limit }) => [cost, ms, limit])
  const answers = await script(keys.length, ...keys, ...values)
  return counts.map((_, at) => [answers[2 * at] ?? 0, answers[2 * at + 1] ?? 0])
}
