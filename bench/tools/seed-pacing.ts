import pg from 'pg'
import type { DatabaseAddress } from '../../server/src/database/address.ts'
import { makeMonths } from '../../server/src/database/upkeep/partitions.ts'
import type { Services } from '../../server/src/kernel/context.ts'
import type { Tenant } from './seed.ts'

const dayMs = 86_400_000

/** The date some days ago, in UTC. */
export const daysAgo = (days: number): string =>
  new Date(Date.now() - days * dayMs).toISOString().slice(0, 10)

/** Reported until yesterday, on plan but for each campaign's own share of it. */
const rowsSql = `
  insert into results (organization_id, campaign_id, date, source, spend_minor, adjustment_minor,
    impressions, clicks, conversions_millionths, conversion_value_minor, is_final, reported_at)
  select $1, id, day::date, 'bench', (800 + n % 400) * 10, 0, 10000, 300, 4000000, 9000, true, now()
  from unnest($2::text[]) with ordinality as c (id, n)
  cross join generate_series($3::date, $4::date, interval '1 day') as day`

const statements = [
  `insert into result_sources select $1, campaign_id, source, max(reported_at), max(date)
    from results where organization_id = $1 group by 2, 3`,
  `insert into result_months select $1, campaign_id, date_trunc('month', date)::date, source,
      count(*), count(*), sum(spend_minor), 0, sum(impressions), count(*), sum(clicks), count(*),
      sum(conversions_millionths), count(*), sum(conversion_value_minor), count(*)
    from results where organization_id = $1 group by 2, 3, 4 order by 3, 2`,
  `update campaigns set status = 'active', daily_budget_minor = 10000, daily_cost_minor = 10000,
      launched_at = now() - interval '500 days' where organization_id = $1`,
]

const pacingSql = `
  insert into campaign_pacing (organization_id, id, name, profile_id, campaign_status, currency,
    currency_exponent, due_at, revision)
  select organization_id, id, name, profile_id, status, currency, currency_exponent, now(), 1
  from campaigns where organization_id = $1`

/** Fills the days before today, and marks all campaigns as due; returns how long judging them took. */
export async function seedPacing(
  { services, address }: { services: Services; address: DatabaseAddress },
  tenant: Tenant,
  days: number,
): Promise<number> {
  await makeMonths(
    services.database,
    Array.from({ length: days + 1 }, (_, at) => daysAgo(at)),
  )
  const client = new pg.Client(address)
  await client.connect()
  await client.query('set synchronous_commit = off')
  for (let at = 0; at < tenant.campaignIds.length; at += 1_000) {
    const ids = tenant.campaignIds.slice(at, at + 1_000)
    await client.query(rowsSql, [tenant.id, ids, daysAgo(days), daysAgo(1)])
  }
  for (const sql of statements) await client.query(sql, [tenant.id])
  await client.query('vacuum analyze results, result_months, result_sources, campaigns')
  await client.query(pacingSql, [tenant.id])
  const begun = performance.now()
  const leftSql = 'select count(*)::int as count from campaign_pacing where due_at <= now()'
  for (let left = 1; left > 0; ) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    left = (await client.query<{ count: number }>(leftSql)).rows[0]?.count ?? 0
  }
  const took = performance.now() - begun
  await client.query('vacuum analyze campaign_pacing')
  await client.end()
  return took
}
