import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'

/** The n-th request, to the given port. */
export type Paced = { port: number; path: string; token: string; method?: string; body?: object }

export type Pace = { perSecond: number; next(turn: number): Paced }

export type Pacing = {
  /** Latencies in milliseconds by status, once all have been answered. */
  end(): Promise<Map<number, number[]>>
}

/**
 * Acts at a fixed rate, without waiting for the last action; `end` waits for all and answers their
 * results.
 */
export function every<T>(perSecond: number, act: (turn: number) => Promise<T>) {
  let isOver = false
  const acting = (async () => {
    const begun = performance.now()
    const all: Promise<T>[] = []
    for (let turn = 0; !isOver; turn += 1) {
      const wait = begun + (turn * 1000) / perSecond - performance.now()
      if (wait > 0) await sleep(wait)
      all.push(act(turn))
    }
    return Promise.all(all)
  })()
  return {
    async end(): Promise<T[]> {
      isOver = true
      return acting
    },
  }
}

/** Sends at a fixed rate, without waiting for answers: latency includes queueing. */
export function pace({ perSecond, next }: Pace): Pacing {
  const pools = new Map<number, Pool>()
  const poolOf = (port: number) => {
    const known = pools.get(port) ?? new Pool(`http://127.0.0.1:${port}`, { connections: 64 })
    pools.set(port, known)
    return known
  }
  const sending = every(perSecond, (turn) => {
    const request = next(turn)
    return send(poolOf(request.port), request)
  })
  return {
    async end() {
      const answered = await sending.end()
      for (const pool of pools.values()) await pool.close()
      const byStatus = Map.groupBy(answered, ([status]) => status)
      return new Map([...byStatus].map(([status, all]) => [status, all.map(([, ms]) => ms)]))
    },
  }
}

async function send(pool: Pool, { path, token, method = 'GET', body }: Paced) {
  const sent = performance.now()
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body && { 'content-type': 'application/json' }),
  }
  const options = { path, method: method as 'GET', headers }
  const reply = await pool.request(body ? { ...options, body: JSON.stringify(body) } : options)
  await reply.body.dump()
  return [reply.statusCode, performance.now() - sent] as const
}

/** Paces for the given seconds; latencies of 2xx answers. */
export async function paceFor(seconds: number, options: Pace): Promise<number[]> {
  const pacing = pace(options)
  await sleep(seconds * 1000)
  const answers = await pacing.end()
  return [...answers].flatMap(([status, times]) => (status < 300 ? times : []))
}

/** The value below which this share of the values lies. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN
