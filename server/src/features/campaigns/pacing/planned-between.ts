import { setImmediate as untilNextTurn } from 'node:timers/promises'
import { type Context, nowIn } from '../../../kernel/context.ts'
import { calendarDay } from '../schedule/dayparting.ts'
import { type PacingRow, pacingRows, recordsSince } from './pacing-rows.ts'
import { dailyShare, shareOfDay } from './plan/daily.ts'
import { dateOf, dayNumberOf } from './plan/days.ts'
import { flightOf } from './plan/period.ts'
import { plannedSince, planOf } from './plan/plan.ts'
import { plannedIn } from './plan/planned.ts'
import { type Recorded, recordedSteps, resumedSteps } from './plan/steps.ts'

/** Half-open, as `YYYY-MM-DD`. */
type Dates = { readonly from: string; readonly to: string }

/** The days on which it runs, with minor units. */
export type PlannedCampaign = {
  readonly id: string
  readonly days: readonly (readonly [date: string, minor: number])[]
}

/** As many are planned before other requests have their turn; fewer with long histories. */
const chunkSize = 50
const manyRecords = 100

/** The plans of campaigns, as they were and go on, for these days of their zones. */
export async function plannedBetween(
  ctx: Context,
  ids: readonly string[],
  dates: Dates,
): Promise<PlannedCampaign[]> {
  const now = Date.parse(nowIn(ctx))
  const planned: PlannedCampaign[] = []
  for (let at = 0; at < ids.length; at += chunkSize) {
    const facts = await pacingRows(ctx, ids.slice(at, at + chunkSize))
    const records = await recordsSince(
      ctx,
      facts.map((each) => ({ id: each.id, since: sinceOf(each, dates, now) })),
    )
    for (const each of facts.filter(hasShares)) {
      planned.push({ id: each.id, days: daysOf(each, { dates, records, now }) })
      if ((records.get(each.id)?.length ?? 0) > manyRecords) await untilNextTurn()
    }
  }
  return planned
}

/** Leaves out lifetime budgets without an end, of which no day has a share. */
const hasShares = ({ lifetime_budget_minor, end_at, completed_at }: PacingRow): boolean =>
  lifetime_budget_minor === null || end_at !== null || completed_at !== null

const spanOf = ({ time_zone }: PacingRow, { from, to }: Dates) => ({
  start: calendarDay(time_zone, Temporal.PlainDate.from(from)).start,
  end: calendarDay(time_zone, Temporal.PlainDate.from(to)).start,
})

/** Before its flight a campaign is planned by nothing; a share of it needs all of it. */
function sinceOf(campaign: PacingRow, dates: Dates, now: number): string {
  if (campaign.lifetime_budget_minor !== null) return plannedSince(campaign, now)
  const since = Math.max(spanOf(campaign, dates).start, flightOf(campaign, now).start)
  return new Date(since).toISOString()
}

type Sheet = { dates: Dates; records: ReadonlyMap<string, Recorded[]>; now: number }

function daysOf(campaign: PacingRow, { dates, records, now }: Sheet): PlannedCampaign['days'] {
  const steps = recordedSteps(campaign, records.get(campaign.id) ?? [])
  const share =
    campaign.lifetime_budget_minor === null
      ? dailyShare
      : shareOfDay(planOf(campaign, resumedSteps(steps, campaign.status, now), now))
  const { from, minors } = plannedIn(campaign, { share, steps, now, span: spanOf(campaign, dates) })
  const first = dayNumberOf(from)
  return minors.flatMap((minor, at) =>
    minor === null ? [] : [[dateOf(first + at), minor] as const],
  )
}
