import { sql } from 'kysely'
import { whole } from '../../database/scope/readers.ts'
import { seenAmong } from '../../database/scope/seen.ts'
import type { ClientSpending, Guardrails } from '../../database/tables/json-columns.ts'
import { sqlOf } from '../../database/tables/statements.ts'
import type { Row } from '../../database/tables/tenant-tables.ts'
import type { Context } from '../../kernel/context.ts'
import { findOne, oneOf, rowsOf } from '../../kernel/rows.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { isId } from '../../values/ids.ts'
import { guardrailsIn } from '../guardrails/rules.ts'
import { profileIds } from '../profiles/resource.ts'
import type { ProfileFacts } from './draft/normalize.ts'
import type { Details } from './present.ts'

/** Facts outside the campaign that decide whether it may run. */
export type RunFacts = ProfileFacts & {
  profile_cap_minor: number | null
  profile_spend_cap_minor: number | null
  spent_month: string | null
  spent_minor: number | null
  connector_state: Row<'profiles'>['connector_state']
  guardrails: Guardrails | null
  client_spending: ClientSpending | null
}

/** By the tenant as such: through a column of the outer query, Citus would ask every shard. */
const ofTenant = (table: string) =>
  sql<boolean>`${sql.table(table)}.organization_id = ${sql.raw('$1')}`

/** Facts of those of the profiles that the caller sees. */
export async function profileFacts(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, RunFacts>> {
  const known = ids.filter((id) => isId(profileIds, id))
  return await factsOf(ctx, await seenAmong(ctx, [...new Set(known)]))
}

/** Facts of profiles and their proxies, in one query. */
async function factsOf(ctx: Context, ids: readonly string[]): Promise<Map<string, RunFacts>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const text = sqlOf(
    'profile facts',
    () =>
      rowsOf(whole(ctx), 'profiles')
        .where(sql<boolean>`id = any(${wanted})`)
        .select(['id', 'status', 'currency', 'time_zone'])
        .select('daily_budget_cap_minor as profile_cap_minor')
        .select([
          'monthly_spend_cap_minor as profile_spend_cap_minor',
          'spent_month',
          'spent_minor',
          'connector_state',
        ])
        .select((eb) =>
          eb
            .selectFrom('proxies')
            .select('proxies.status')
            .where(ofTenant('proxies'))
            .whereRef('proxies.id', '=', 'profiles.proxy_id')
            .as('proxy_status'),
        )
        .select((eb) =>
          eb
            .selectFrom('guardrails')
            .select('guardrails.rules')
            .where(ofTenant('guardrails'))
            .as('guardrails'),
        )
        .select((eb) =>
          eb
            .selectFrom('clients')
            .select('clients.month_spending')
            .where(ofTenant('clients'))
            .whereRef('clients.id', '=', 'profiles.client_id')
            .as('client_spending'),
        )
        .compile().sql,
  )
  const rows = await whole(ctx).reader.query<RunFacts>(tenantQuery(ctx, text, wanted))
  return new Map(rows.map((row) => [row.id, row]))
}

export const factColumns = (profile: RunFacts | undefined) => ({
  profile_status: profile?.status ?? null,
  profile_currency: profile?.currency ?? null,
  profile_time_zone: profile?.time_zone ?? null,
  profile_cap_minor: profile?.profile_cap_minor ?? null,
  profile_spend_cap_minor: profile?.profile_spend_cap_minor ?? null,
  profile_spent_month: profile?.spent_month ?? null,
  profile_spent_minor: profile?.spent_minor ?? null,
  connector_state: profile?.connector_state ?? null,
  proxy_status: profile?.proxy_status ?? null,
  guardrails: profile?.guardrails ?? null,
  client_spending: profile?.client_spending ?? null,
})

/** Adds the columns of the view `campaign_details`: cutting the page before the join is cheaper. */
export async function withFacts(ctx: Context, rows: Row<'campaigns'>[]): Promise<Details[]> {
  // A profile is seen where a campaign of it is.
  const facts = await factsOf(
    ctx,
    rows.map((row) => row.profile_id),
  )
  // Mutates the rows, which belong to this page only: cheaper than copying thirty fields each.
  const detailed = rows.map((row) =>
    Object.assign(row, factColumns(facts.get(row.profile_id)), notCapped),
  )
  await addSpent(ctx, detailed)
  return detailed
}

/**
 * One campaign with these columns. On Citus by two statements: planning the view takes a worker longer
 * than both, docs/decisions/0073-reads-by-key-on-citus.md.
 */
export async function campaignDetails(ctx: Context, id: string): Promise<Details> {
  if (!(await ctx.services.database.hasCitus())) return await oneOf(ctx, 'campaign_details', id)
  const row = await oneOf(ctx, 'campaigns', id)
  const facts = await findOne(whole(ctx), 'profile_facts', row.profile_id)
  const details = { ...factColumns(undefined), ...facts, ...row, ...notCapped }
  await addSpent(ctx, [details])
  return details
}

const notCapped: { capped_minor: number | null } = { capped_minor: null }

async function addSpent(ctx: Context, rows: readonly Details[]): Promise<void> {
  const stoppable = rows.filter(mayBeStopped)
  const spentBy = await spentOf(ctx, stoppable)
  for (const row of stoppable) row.capped_minor = spentBy.get(row.id) ?? null
}

/** Whether what was spent decides on what it may do. */
const mayBeStopped = ({ lifetime_budget_minor, guardrails }: Details): boolean =>
  lifetime_budget_minor !== null && guardrailsIn(guardrails).stop_at_percent !== null

const spentSql =
  'select id, capped_minor from campaign_pacing where organization_id = $1 and id = any($2)'

async function spentOf(ctx: Context, rows: readonly { id: string }[]) {
  if (rows.length === 0) return new Map<string, number | null>()
  const ids = rows.map(({ id }) => id)
  const found = await ctx.reader.query<{ id: string; capped_minor: number | null }>(
    tenantQuery(ctx, spentSql, ids),
  )
  return new Map(found.map(({ id, capped_minor }) => [id, capped_minor]))
}
