import { batch } from '../../concurrency/batch.ts'
import type { Query } from '../../database/tables/kysely.ts'
import type { Charge, CounterStore, KeyedWindow, Window } from './counter.ts'

/**
 * Counts in the table `rate_limits`, by the database's clock, so that process clocks do not matter.
 */
export function countsInPostgres(query: Query): CounterStore {
  async function one(sql: string, { key, seconds }: KeyedWindow, ...more: number[]) {
    const [row] = await query<WindowRow>({ sql, parameters: [key, ...more] })
    return row ? windowOf(row) : { used: 0, msLeft: seconds * 1000 }
  }
  return {
    take: batch((charges) => takeAll(query, charges), maxBatch),
    giveBack: (refund) => one(giveBackSql, refund, refund.cost),
    look: (window) => one(lookSql, window),
    forget: async (key) => void (await query({ sql: forgetSql, parameters: [key] })),
  }
}

const maxBatch = 500

type WindowRow = { key: string; used: number; granted: number; ms_left: number }

const windowOf = ({ used, ms_left }: WindowRow): Window => ({ used, msLeft: ms_left })

const answered = `used, granted, ceil(extract(epoch from expires_at - now()) * 1000)::bigint as ms_left`

const lookSql = `select key, ${answered} from rate_limits where key = $1 and expires_at > now()`

const giveBackSql = `
  update rate_limits set used = greatest(0, used - $2::integer)
  where key = $1 and expires_at > now() returning key, ${answered}`

const forgetSql = 'delete from rate_limits where key = $1'

/**
 * Each key once, with the number of requests: as many succeed as fit. A cost over an empty window's
 * limit creates no row.
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

/** Requests that differ only in their keys share one statement. */
type Kind = { readonly alike: Charge; readonly times: Map<string, number> }

async function takeAll(query: Query, charges: readonly Charge[]): Promise<Window[]> {
  const kinds = new Map<string, Kind>()
  const places = charges.map((charge) => ({ charge, ...placeOf(kinds, charge) }))
  const results = await Promise.all([...kinds.values()].map((kind) => send(query, kind)))
  const rows = new Map([...kinds.values()].map((kind, at) => [kind, results[at]]))
  return places.map(({ charge, kind, turn }) =>
    grantOf(rows.get(kind)?.get(charge.key), charge, turn),
  )
}

/** The statement of a request, and its position among those with the same key. */
function placeOf(kinds: Map<string, Kind>, charge: Charge): { kind: Kind; turn: number } {
  const name = `${charge.cost} ${charge.seconds} ${charge.limit}`
  const kind = kinds.get(name) ?? { alike: charge, times: new Map() }
  kinds.set(name, kind)
  const turn = kind.times.get(charge.key) ?? 0
  kind.times.set(charge.key, turn + 1)
  return { kind, turn }
}

async function send(query: Query, { alike, times }: Kind): Promise<Map<string, WindowRow>> {
  // In a fixed order, so that two processes cannot deadlock.
  const keys = [...times.keys()].sort()
  const counts = keys.map((key) => times.get(key))
  const { cost, limit, seconds } = alike
  const rows = await query<WindowRow>({
    sql: takeSql,
    parameters: [keys, counts, cost, limit, seconds],
  })
  return new Map(rows.map((row) => [row.key, row]))
}

/** The first requests are the ones that succeed. */
function grantOf(row: WindowRow | undefined, { cost, seconds }: Charge, turn: number): Window {
  if (!row) return { used: cost, msLeft: seconds * 1000 }
  const { used, granted, ms_left: msLeft } = row
  if (turn >= granted) return { used: used + cost, msLeft }
  return { used: used - cost * (granted - 1 - turn), msLeft }
}
