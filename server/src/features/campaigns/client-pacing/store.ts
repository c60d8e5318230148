import type { Statement } from '../../../database/driver/protocol.ts'
import type { Context } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { largestExponent } from '../../../values/money.ts'
import type { PacingStatus } from '../pacing/measure/status.ts'
import type { DayRange } from './facts.ts'
import type { MonthRow } from './present.ts'

const statusesSql = `
  select id, status from client_pacing
  where organization_id = $1 and client_id = $2 and month >= ($3::date - 31) and month < $4
    and status is not null`

/** The stored statuses of a client's months, and of the month before them. */
export async function statusesOf(ctx: Context, clientId: string, { from, to }: DayRange) {
  const query = tenantQuery(ctx, statusesSql, clientId, from, to)
  const rows = await ctx.reader.query<{ id: string; status: PacingStatus }>(query)
  return new Map(rows.map(({ id, status }) => [id, status]))
}

/** A row with how it was assessed. */
export type StoredMonth = MonthRow & { riskMinor: number | null }

const storeSql = `
  insert into client_pacing (organization_id, id, client_id, month, currency, currency_exponent,
    planned_minors, complete_through, reported_at, is_running, status, money_at_risk)
  select $1, id, $2, month, currency, currency_exponent, planned_minors::bigint[], complete_through,
    reported_at, is_running, status, money_at_risk
  from unnest($3::text[], $4::date[], $5::text[], $6::smallint[], $7::text[], $8::date[],
    $9::timestamptz[], $10::boolean[], $11::text[], $12::bigint[])
    as assessed (id, month, currency, currency_exponent, planned_minors, complete_through,
      reported_at, is_running, status, money_at_risk)
  on conflict (organization_id, id) do update set
    planned_minors = excluded.planned_minors, complete_through = excluded.complete_through,
    reported_at = excluded.reported_at, is_running = excluded.is_running, status = excluded.status,
    money_at_risk = excluded.money_at_risk`

const clearSql = `
  delete from client_pacing
  where organization_id = $1 and client_id = $2 and month = any($3::date[]) and id <> all($4::text[])`

/** Stores the rows of a client's months, which have no others. */
export const storing = (
  ctx: Context,
  { client_id, months }: { client_id: string; months: readonly string[] },
  rows: readonly StoredMonth[],
): Statement[] => {
  const ids = rows.map(({ id }) => id)
  const columns = [
    ids,
    rows.map(({ month }) => month),
    rows.map(({ currency }) => currency),
    rows.map(({ currency_exponent }) => currency_exponent),
    rows.map(({ planned_minors }) => planned_minors && `{${planned_minors.join(',')}}`),
    rows.map(({ complete_through }) => complete_through),
    rows.map(({ reported_at }) => reported_at),
    rows.map(({ is_running }) => is_running),
    rows.map(({ status }) => status),
    rows.map(({ riskMinor, currency_exponent }) => comparable(riskMinor, currency_exponent)),
  ]
  return [
    tenantQuery(ctx, clearSql, client_id, months, ids),
    ...(rows.length === 0 ? [] : [tenantQuery(ctx, storeSql, client_id, ...columns)]),
  ]
}

/** The same unit for all currencies, as text: it may be beyond a double. */
const comparable = (minor: number | null, exponent: number): string | null =>
  minor === null ? null : String(BigInt(minor) * 10n ** BigInt(largestExponent - exponent))

const laterSql = `
  update client_pacing_due set due_at = $3
  where organization_id = $1 and client_id = $2 and revision = $4`

/** Makes a client due at another time, unless it was marked since it was read. */
export const dueLater = (
  ctx: Context,
  { client_id, revision }: { client_id: string; revision: number },
  time: string,
): Statement => tenantQuery(ctx, laterSql, client_id, time, revision)
