import type { Transaction } from '../../../database/database.ts'
import type { Statement } from '../../../database/driver/protocol.ts'
import type { Context } from '../../../kernel/context.ts'
import { tenantQuery, withFree } from '../../../kernel/tenant-query.ts'
import { largestExponent } from '../../../values/money.ts'
import { excessCredits } from '../spend-cap/credits.ts'
import type { Assessment } from './assess.ts'
import { markClientsOf } from './mark-clients.ts'
import { dateOf } from './plan/days.ts'
import { flightOf } from './plan/period.ts'
import { dayNumberAt } from './plan/plan.ts'

/** In the month of the start or later; without a start there are none. */
const hasCredits = `exists (
  select from result_months where organization_id = $1 and campaign_id = assessed.id
    and month > assessed.start - 31 and adjustment_minor < 0)`

const sinceStart = 'campaign_id = assessed.id and date >= assessed.start'

const free = (ids: string): string => withFree('campaign_pacing', ids)

const isFree = 'and p.id in (select id from free)'

/** A plan of the same key is the same: it is neither sent nor written again. */
const storeSql = `
  update campaign_pacing p set
    status = assessed.status, money_at_risk = assessed.money_at_risk, spent_minor = assessed.spent_minor,
    capped_minor = assessed.spent_minor
      + case when ${hasCredits} then ${excessCredits(sinceStart)} else 0 end,
    figures = assessed.figures, reported_at = assessed.reported_at, due_at = assessed.due_at,
    plan = case when p.plan_key = assessed.plan_key then p.plan else assessed.plan end,
    plan_key = assessed.plan_key, spent_days = assessed.spent_days, revision = p.revision + 1
  from unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[],
    string_to_array($6, e'\\n', '')::json[], string_to_array($7, e'\\n', '')::json[],
    $8::text[], string_to_array($9, e'\\n', '')::json[], $10::timestamptz[], $11::timestamptz[], $12::integer[],
    $13::date[])
    as assessed (id, status, money_at_risk, spent_minor, figures, plan, plan_key, spent_days,
      reported_at, due_at, revision, start)
  where p.organization_id = $1 and p.id = assessed.id`

/** Only rows that were not written since they were read. */
const storeUnchangedSql = `${free('$2')} ${storeSql} and p.revision = assessed.revision ${isFree}`

type Tenant = Parameters<typeof tenantQuery>[0]

const storing = (
  tenant: Tenant,
  assessments: readonly Assessment[],
  { ifUnchanged }: { ifUnchanged: boolean },
): Statement => {
  const columns = [
    assessments.map(({ campaign }) => campaign.id),
    assessments.map(({ figures }) => figures.status),
    assessments.map(({ campaign, figures }) =>
      comparable(figures.money_at_risk_minor, campaign.currency_exponent),
    ),
    assessments.map(({ figures }) => figures.spent_minor),
    linesOf(assessments.map(({ figures }) => figures)),
    linesOf(assessments.map(planToStore)),
    assessments.map(({ planKey }) => planKey),
    linesOf(assessments.map(({ spentDays }) => spentDays)),
    assessments.map(({ figures }) => figures.last_reported_at),
    assessments.map(({ dueAt }) => dueAt),
    assessments.map(({ campaign }) => campaign.revision),
    assessments.map(({ cappedSince }) => cappedSince),
  ]
  return tenantQuery(tenant, ifUnchanged ? storeUnchangedSql : storeSql, ...columns)
}

/** JSON has no line breaks of its own; in an array of texts each of its quotes would be escaped. */
const linesOf = (values: readonly (object | null)[]): string =>
  values.map((value) => (value === null ? '' : JSON.stringify(value))).join('\n')

/** None if it is not worth keeping, or kept already. */
const planToStore = ({ campaign, plan, planKey }: Assessment): object | null =>
  planKey === null || (campaign.plan && planKey === campaign.plan_key) ? null : plan

/** The same unit for all currencies, as text: it may be beyond a double. */
const comparable = (minor: number | null, exponent: number): string | null =>
  minor === null ? null : String(BigInt(minor) * 10n ** BigInt(largestExponent - exponent))

/** Stores what was assessed, and marks the clients of the campaigns. */
export function sendAssessed(
  ctx: Context,
  tx: Transaction,
  { assessments, ifUnchanged, now }: Storing,
): void {
  if (assessments.length === 0) return
  tx.send(storing(ctx, assessments, { ifUnchanged }))
  sendPlanned(ctx, tx, { assessments, ifUnchanged, now })
  const profileIds = assessments.map(({ campaign }) => campaign.profile_id)
  tx.send(markClientsOf(ctx, profileIds, now))
}

type Storing = { assessments: readonly Assessment[]; ifUnchanged: boolean; now: string }

// A plan of an older version came late.
const plannedSql = `
  update campaign_pacing p set planned_from = planned.first, planned_minors = planned.minors,
    planned_version = planned.version, begins_on = planned.begins_on
  from jsonb_to_recordset($2::jsonb)
    as planned (id text, first date, minors bigint[], version integer, begins_on date)
  where p.organization_id = $1 and p.id = planned.id
    and (p.planned_version is null or p.planned_version <= planned.version)`

const planUnchangedSql = `
  ${free('array(select id from jsonb_to_recordset($2::jsonb) as planned (id text))')} ${plannedSql} ${isFree}`

/** Stores what the campaigns are planned to spend by day, where it is made anew. */
export function sendPlanned(
  ctx: Context,
  tx: Transaction,
  { assessments, ifUnchanged, now }: Storing,
): void {
  const anew = assessments.flatMap(({ campaign, plannedDays }) =>
    plannedDays ? [{ campaign, ...plannedDays }] : [],
  )
  if (anew.length === 0) return
  const rows = anew.map(({ campaign, from, minors }) => ({
    id: campaign.id,
    first: from,
    minors,
    version: campaign.version,
    begins_on: beginsOn(campaign, now),
  }))
  const planning = ifUnchanged ? planUnchangedSql : plannedSql
  tx.send(tenantQuery(ctx, planning, JSON.stringify(rows)))
}

/** The day that a flight begins on. */
const beginsOn = (campaign: Assessment['campaign'], now: string): string => {
  const { start } = flightOf(campaign, Date.parse(now))
  return dateOf(dayNumberAt(campaign.time_zone, start))
}
