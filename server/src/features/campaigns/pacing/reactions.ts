import { isDeepStrictEqual } from 'node:util'
import type { Reaction, WriteContext } from '../../../kernel/context.ts'
import type { Snapshot } from '../../../kernel/ledger.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { readNews } from '../../results/resource.ts'
import { countClientMonths } from '../spend-cap/client-months.ts'
import { countMonths, pauseWhatIsSpent } from '../spend-cap/pause.ts'
import { storeWithAlerts } from './alerts.ts'
import { assessAll, assessReported } from './assess.ts'

/** Assesses the campaigns of a report in its transaction, and pauses those that reached their cap. */
export const followReport: Reaction = async (ctx, _before, _after, news) => {
  const assessed = await assessReported(ctx, readNews(news))
  await storeWithAlerts(ctx, assessed)
  await pauseWhatIsSpent(
    ctx,
    assessed.map(({ campaign }) => campaign),
  )
}

const forgetReportSql = `
  update campaign_pacing set reported_at = null where organization_id = $1 and id = any($2)`

/** Assesses the campaigns of a deleted source by what is left, and counts the months of their profiles again. */
export const followRemoval: Reaction = async (ctx, _before, _after, news) => {
  const ids = [...readNews(news).keys()]
  ctx.tx.send(tenantQuery(ctx, forgetReportSql, ids))
  const assessed = await assessAll(ctx, ids)
  await storeWithAlerts(
    ctx,
    // Drafts have results, but no pacing.
    assessed.filter(({ campaign }) => campaign.revision !== null),
  )
  const profileIds = [...new Set(assessed.map(({ campaign }) => campaign.profile_id))]
  await countMonths(ctx, profileIds)
  await countClientMonths(ctx, profileIds)
}

/** Fields that decide a campaign's pacing, and those that its row repeats. */
const decisive = [
  ...['name', 'status', 'profile_id', 'currency', 'time_zone', 'start_at', 'end_at', 'schedule'],
  ...['daily_budget_minor', 'lifetime_budget_minor', 'launched_at', 'completed_at'],
]

const isSame = (before: Snapshot, after: Snapshot): boolean =>
  decisive.every((field) => isDeepStrictEqual(before[field], after[field]))

const markSql = `
  insert into campaign_pacing (organization_id, id, name, profile_id, campaign_status, currency,
    currency_exponent, due_at, revision)
  values ($1, $2, $3, $4, $5, $6, $7, $8, 1)
  on conflict (organization_id, id) do update set
    name = $3, profile_id = $4, campaign_status = $5, currency = $6, currency_exponent = $7,
    due_at = $8, revision = campaign_pacing.revision + 1`

/** Marks a launched campaign as due, for the background: its own change need not wait. */
const markDue: Reaction = async (ctx, before, after) => {
  if (!after || (!before?.launched_at && !after.launched_at)) return
  if (before && isSame(before, after)) return
  const { id, name, profile_id, status, currency, currency_exponent } = after
  const row = [id, name, profile_id, status, currency, currency_exponent, ctx.now]
  ctx.tx.send(tenantQuery(ctx, markSql, ...row))
}

/** By the event of each change of a campaign but its end; one that is taken over begins launched. */
export const markingDue = (events: readonly string[]): Record<string, Reaction> =>
  Object.fromEntries(
    events.filter((name) => name !== 'campaign.deleted').map((name) => [name, markDue]),
  )

const allDueSql = `
  update campaign_pacing set due_at = $2, revision = revision + 1
  where organization_id = $1 and campaign_status in ('scheduled', 'active', 'paused')`

/** Other bounds may mean another status, for every campaign. */
export const assessByNewBounds: Reaction = async (ctx: WriteContext, before, after) => {
  if (isDeepStrictEqual(before?.pacing, after?.pacing)) return
  ctx.tx.send(tenantQuery(ctx, allDueSql, ctx.now))
}
