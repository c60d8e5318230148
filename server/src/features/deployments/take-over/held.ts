import { sql } from 'kysely'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import { columnsOf } from '../../../database/tables/types.ts'
import { checkNested } from '../../../http/endpoint.ts'
import type { Context } from '../../../kernel/context.ts'
import { rowsOf } from '../../../kernel/rows.ts'
import { fault } from '../../../problems/fault.ts'
import { invalid, invalidReference } from '../../../problems/problem.ts'
import { exponentFor, toMajor } from '../../../values/money.ts'
import { CampaignBody, type CampaignInput } from '../../campaigns/schema.ts'
import type { Existing } from '../../campaigns/taken-over/taken-over.ts'

/** Campaigns that an account holds, as drafts of ours: the network's word, so judged as a body is. */

export type HeldRow = Row<'network_campaigns'>

/** Some of what an account holds, and the objects of it that belong to campaigns. */
export type Holdings = { rows: ReadonlyMap<string, HeldRow>; taken: ReadonlySet<string> }

export async function holdingsOf(
  ctx: Context,
  profileId: string,
  ids: readonly string[],
): Promise<Holdings> {
  const [rows, owned] = await Promise.all([
    rowsOf(ctx, 'network_campaigns')
      .where(sql<boolean>`profile_id = ${profileId} and id = any(${ids}) and not gone`)
      .select(columnsOf.network_campaigns)
      .execute(),
    rowsOf(ctx, 'deployments')
      .where(sql<boolean>`profile_id = ${profileId} and network_object_id = any(${ids})`)
      .select('network_object_id')
      .execute(),
  ])
  return {
    rows: new Map(rows.map((row) => [row.id, row])),
    taken: new Set(owned.map(({ network_object_id }) => network_object_id ?? '')),
  }
}

/** The row of an item; throws 422 for what the account does not hold. */
export function rowAt({ rows }: Holdings, index: number, id: string): HeldRow {
  const row = rows.get(id)
  if (!row) throw invalid([invalidReference(`/network_object_ids/${index}`, id)])
  return row
}

type Of = { profile: Row<'profiles'>; labels: readonly string[] | null }

export async function existingOf(
  ctx: Context,
  { status, facts, name }: HeldRow,
  { profile, labels }: Of,
): Promise<Existing> {
  if (status === 'ended') throw invalid([hasEnded])
  const { objective, currency, start_at, end_at, time_zone, schedule } = facts
  const exponent = exponentFor(currency ?? profile.currency ?? '')
  const draft = {
    name,
    objective,
    profile_id: profile.id,
    daily_budget: toMajor(facts.daily_budget_minor ?? null, exponent),
    lifetime_budget: toMajor(facts.lifetime_budget_minor ?? null, exponent),
    ...{ currency, start_at, end_at, time_zone, schedule, labels },
  }
  const given = Object.entries(draft).filter(([, value]) => value !== undefined && value !== null)
  const body: CampaignInput = await checkNested(
    { body: CampaignBody, run: nothing },
    ctx,
    Object.fromEntries(given),
  )
  return { draft: body, status }
}

const nothing = async () => undefined

const hasEnded = fault('/status', 'invalid_enum_value', 'has ended in the network', {
  allowed: ['active', 'paused', 'scheduled'],
  given: 'ended',
})
