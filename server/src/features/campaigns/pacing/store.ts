import type { Statement } from '../../../database/driver/protocol.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { largestExponent } from '../../../values/money.ts'
import type { Judgement } from './judge.ts'

/** By how much credits exceed what their own source has reported of the campaign since its start. */
const excessCredits = `
  select -sum(least(0, of_source.minor)) from (
    select sum(part.minor) as minor from (
      select source, spend_minor + adjustment_minor as minor from results
      where organization_id = $1 and campaign_id = judged.id
        and date >= judged.start and date < judged.first_month
      union all
      select source, spend_minor + adjustment_minor from result_months
      where organization_id = $1 and campaign_id = judged.id and month >= judged.first_month
    ) as part group by part.source) as of_source`

/**
 * `$2`: only rows that were not written since they were read. A plan of the same key is the same:
 * it is neither sent nor written again.
 */
const storeSql = `
  update campaign_pacing p set
    status = judged.status, money_at_risk = judged.money_at_risk, spent_minor = judged.spent_minor,
    capped_minor = judged.spent_minor
      + case when judged.start is null then 0 else coalesce((${excessCredits}), 0) end,
    figures = judged.figures, reported_at = judged.reported_at, due_at = judged.due_at,
    plan = case when p.plan_key = judged.plan_key then p.plan else judged.plan end,
    plan_key = judged.plan_key, spent_days = judged.spent_days, revision = p.revision + 1
  from unnest($3::text[], $4::text[], $5::bigint[], $6::bigint[],
    string_to_array($7, e'\\n', '')::json[], string_to_array($8, e'\\n', '')::json[],
    $9::text[], string_to_array($10, e'\\n', '')::json[], $11::timestamptz[], $12::timestamptz[], $13::integer[],
    $14::date[], $15::date[])
    as judged (id, status, money_at_risk, spent_minor, figures, plan, plan_key, spent_days,
      reported_at, due_at, revision, start, first_month)
  where p.organization_id = $1 and p.id = judged.id
    and (not $2::boolean or p.revision = judged.revision)`

type Tenant = Parameters<typeof tenantQuery>[0]

export const storing = (
  tenant: Tenant,
  judgements: readonly Judgement[],
  { ifUnchanged }: { ifUnchanged: boolean },
): Statement => {
  const columns = [
    judgements.map(({ campaign }) => campaign.id),
    judgements.map(({ figures }) => figures.status),
    judgements.map(({ campaign, figures }) =>
      comparable(figures.money_at_risk_minor, campaign.currency_exponent),
    ),
    judgements.map(({ figures }) => figures.spent_minor),
    linesOf(judgements.map(({ figures }) => figures)),
    linesOf(judgements.map(planToStore)),
    judgements.map(({ planKey }) => planKey),
    linesOf(judgements.map(({ spentDays }) => spentDays)),
    judgements.map(({ figures }) => figures.last_reported_at),
    judgements.map(({ dueAt }) => dueAt),
    judgements.map(({ campaign }) => campaign.revision),
    judgements.map(({ cappedSince }) => cappedSince?.start ?? null),
    judgements.map(({ cappedSince }) => cappedSince?.firstMonth ?? null),
  ]
  return tenantQuery(tenant, storeSql, ifUnchanged, ...columns)
}

/** JSON has no line breaks of its own; in an array of texts each of its quotes would be escaped. */
const linesOf = (values: readonly (object | null)[]): string =>
  values.map((value) => (value === null ? '' : JSON.stringify(value))).join('\n')

/** None if it is not worth keeping, or kept already. */
const planToStore = ({ campaign, plan, planKey }: Judgement): object | null =>
  planKey === null || (campaign.plan && planKey === campaign.plan_key) ? null : plan

/** The same unit for all currencies, as text: it may be beyond a double. */
const comparable = (minor: number | null, exponent: number): string | null =>
  minor === null ? null : String(BigInt(minor) * 10n ** BigInt(largestExponent - exponent))
