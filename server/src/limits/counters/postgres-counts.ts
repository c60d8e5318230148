import { batch } from '../../concurrency/batch.ts'
import type { Query } from '../../database/kysely.ts'
import type { Answer } from './counter.ts'

export type Ask = {
  readonly key: string
  readonly cost: number
  readonly seconds: number
  readonly limit: number
}

/** The table `rate_limits`. The time is the database's, so that no process's clock matters. */
export type CountsInPostgres = {
  take(ask: Ask): Promise<Answer>
  giveBack(key: string, points: number): Promise<Answer | null>
  look(key: string): Promise<Answer | null>
  forget(key: string): Promise<boolean>
}

const mostAtOnce = 500

export function countsInPostgres(query: Query): CountsInPostgres {
  const one = async (sql: string, parameters: unknown[]): Promise<Answer | null> => {
    const [row] = await query<Row>({ sql, parameters })
    return row ? [row.used, row.ms_left] : null
  }
  return {
    take: batch((asks) => takeAll(query, asks), mostAtOnce),
    giveBack: (key, points) => one(giveBackSql, [key, points]),
    look: (key) => one(lookSql, [key]),
    forget: async (key) => (await one(forgetSql, [key])) !== null,
  }
}

type Row = { key: string; used: number; granted: number; ms_left: number }

const answered = `used, granted, ceil(extract(epoch from expires_at - now()) * 1000)::integer as ms_left`

const lookSql = `select key, ${answered} from rate_limits where key = $1 and expires_at > now()`

const giveBackSql = `
  update rate_limits set used = greatest(0, used - $2::integer)
  where key = $1 and expires_at > now() returning key, ${answered}`

const forgetSql = `delete from rate_limits where key = $1 returning key, ${answered}`

/**
 * Each key once, with how many ask for it: as many are let through as still fit. One that not even an
 * empty window has room for leaves no row.
 */
const takeSql = `
  insert into rate_limits as held (key, used, granted, expires_at)
  select key, $3::integer * least(times, $4::integer / $3),
    least(times, $4 / $3), now() + $5::integer * interval '1 second'
  from unnest($1::text[], $2::integer[]) as asked (key, times)
  where $4 >= $3
  on conflict (key) do update set
    used = case when held.expires_at <= now() then excluded.used
      else held.used + $3 * least(excluded.granted, greatest(0, ($4 - held.used) / $3)) end,
    granted = case when held.expires_at <= now() then excluded.granted
      else least(excluded.granted, greatest(0, ($4 - held.used) / $3)) end,
    expires_at = case when held.expires_at <= now() then excluded.expires_at
      else held.expires_at end
  returning key, ${answered}`

/** Alike but for their keys: these go in one statement. */
type Kind = { readonly alike: Ask; readonly times: Map<string, number> }

async function takeAll(query: Query, asks: readonly Ask[]): Promise<Answer[]> {
  const kinds = new Map<string, Kind>()
  const places = asks.map((ask) => placeOf(kinds, ask))
  const results = await Promise.all([...kinds.values()].map((kind) => send(query, kind)))
  const rows = new Map([...kinds.values()].map((kind, at) => [kind, results[at]]))
  return places.map(({ kind, turn }, at) => {
    const ask = asks[at] as Ask
    return answerOf(rows.get(kind)?.get(ask.key), ask, turn)
  })
}

/** Which statement asks it, and how many ask for the same key there before it. */
function placeOf(kinds: Map<string, Kind>, ask: Ask): { kind: Kind; turn: number } {
  const name = `${ask.cost} ${ask.seconds} ${ask.limit}`
  const kind = kinds.get(name) ?? { alike: ask, times: new Map() }
  kinds.set(name, kind)
  const turn = kind.times.get(ask.key) ?? 0
  kind.times.set(ask.key, turn + 1)
  return { kind, turn }
}

async function send(query: Query, { alike, times }: Kind): Promise<Map<string, Row>> {
  // In one order everywhere, so that two processes never wait for each other's rows crosswise.
  const keys = [...times.keys()].sort()
  const counts = keys.map((key) => times.get(key))
  const { cost, limit, seconds } = alike
  const rows = await query<Row>({ sql: takeSql, parameters: [keys, counts, cost, limit, seconds] })
  return new Map(rows.map((row) => [row.key, row]))
}

/** The first ones to ask are those who were let through. */
function answerOf(row: Row | undefined, { cost, seconds }: Ask, turn: number): Answer {
  if (!row) return [cost, seconds * 1000]
  if (turn >= row.granted) return [row.used + cost, row.ms_left]
  return [row.used - cost * (row.granted - 1 - turn), row.ms_left]
}
