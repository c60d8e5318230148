/** Changes of a period that moved most money, from the history. */

import type { Row } from '../../../database/tables/tenant-tables.ts'
import { actionsOf } from '../../../history/versions.ts'
import type { Context } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { type Difference, undo } from '../../../schema/differences.ts'
import { dailyCost } from '../../campaigns/guardrails/daily-cost.ts'
import { dayIn } from '../../results/calendar.ts'
import { type Move, mostMoney } from './moves.ts'
import type { ReportChange } from './schema.ts'
import { type Subject, startOf } from './subject.ts'

type State = Pick<
  Row<'campaigns'>,
  | ('id' | 'name' | 'currency' | 'status' | 'daily_budget_minor' | 'lifetime_budget_minor')
  | ('start_at' | 'end_at' | 'time_zone' | 'schedule')
>

// Campaigns that have not changed since then have no changes of the period.
const statesSql = `
  select id, name, currency, status, daily_budget_minor, lifetime_budget_minor, start_at, end_at,
    time_zone, schedule
  from campaigns where organization_id = $1 and id = any($2) and updated_at >= $3
  order by updated_at desc limit 2000`

/** Far more than a period has; older ones of a campaign are left out. */
const maxRecords = 500

const recordsSql = `
  select asked.id, record.sequence, record.at, record.reason, record.change_set_id, record.changes
  from unnest($2::text[]) as asked (id)
  cross join lateral (
    select sequence, occurred_at as at, reason, change_set_id, changes from audit_logs
    where organization_id = $1 and resource ->> 'id' = asked.id
      and outcome = 'success' and action = any($3) and occurred_at >= $4
    order by sequence desc limit ${maxRecords}) as record
  order by asked.id, record.sequence desc`

type CampaignRecord = {
  id: string
  sequence: number
  at: string
  reason: string | null
  change_set_id: string | null
  changes: Difference<State>[]
}

export async function changesOf(
  ctx: Context,
  subject: Subject,
  campaignIds: readonly string[],
): Promise<ReportChange[]> {
  const { range, timeZone } = subject
  const [from, to] = [startOf(range.from, timeZone), startOf(range.to, timeZone)]
  const states = await ctx.reader.query<State>(tenantQuery(ctx, statesSql, campaignIds, from))
  const ids = states.map(({ id }) => id)
  const records = await ctx.reader.query<CampaignRecord>(
    tenantQuery(ctx, recordsSql, ids, actionsOf(ctx, 'campaign'), from),
  )
  const byCampaign = Map.groupBy(records, ({ id }) => id)
  const until = Date.parse(to)
  const moves = states.flatMap((state) => movesOf(state, byCampaign.get(state.id) ?? [], until))
  const titles = await titlesOf(ctx, moves, campaignIds)
  const dayAt = (at: string) => dayIn(at)(timeZone)
  return mostMoney(moves).map(({ moves: own, ...change }) => {
    const [first] = own
    const setId = first?.changeSetId ?? null
    const title = setId === null ? undefined : titles.get(setId)
    const only = own.length === 1 ? first : undefined
    return {
      day: dayAt(change.at),
      what: only?.what ?? 'several',
      name: only?.name ?? title ?? null,
      campaigns: change.campaigns,
      amounts: change.amounts,
      reason: only?.reason ?? title ?? null,
    }
  })
}

/** Undoes the changes one by one, newest first; those before `until` are of the period. */
function movesOf(present: State, records: readonly CampaignRecord[], until: number): Move[] {
  const state = { ...present }
  return records.flatMap((record) => {
    const after = { ...state }
    undo<State>(state, record.changes)
    if (Date.parse(record.at) >= until) return []
    const [beforeMinor, afterMinor] = [dailyOf(state, record.at), dailyOf(after, record.at)]
    if (beforeMinor === afterMinor) return []
    return {
      campaignId: present.id,
      name: present.name,
      at: record.at,
      sequence: record.sequence,
      currency: present.currency,
      beforeMinor,
      afterMinor,
      what: whatWas(state.status, after.status),
      reason: record.reason,
      changeSetId: record.change_set_id,
    }
  })
}

/** Most that it may spend in a day; nothing while it does not run. */
const dailyOf = (state: State, at: string): number =>
  state.status === 'active' ? dailyCost(state, at) : 0

type Status = State['status'] | null

function whatWas(before: Status, after: Status): Move['what'] {
  if (before === after) return 'budget'
  if (after === 'active') return before === 'paused' ? 'resumed' : 'started'
  return after === 'paused' ? 'paused' : 'ended'
}

// Titles of change sets may name others: they are shown if nothing else is in them.
const titlesSql = `
  select s.id, s.title from change_sets s
  where s.organization_id = $1 and s.id = any($2) and not exists (
    select from change_set_operations o
    where o.organization_id = $1 and o.change_set_id = s.id
      and (o.object_id = any($3)) is not true)`

async function titlesOf(
  ctx: Context,
  moves: readonly Move[],
  campaignIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(moves.flatMap(({ changeSetId }) => changeSetId ?? []))]
  if (ids.length === 0) return new Map()
  const rows = await ctx.reader.query<{ id: string; title: string }>(
    tenantQuery(ctx, titlesSql, ids, campaignIds),
  )
  return new Map(rows.map(({ id, title }) => [id, title]))
}
