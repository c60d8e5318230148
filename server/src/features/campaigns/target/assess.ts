import { isDeepStrictEqual } from 'node:util'
import type { Target } from '../../../database/tables/json-columns.ts'
import { type Context, nowIn } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { performanceBoundIn } from '../../guardrails/rules.ts'
import { dayIn } from '../../results/calendar.ts'
import { guardrailsOf } from '../guardrails/of-organization.ts'
import type { Status } from '../lifecycle/transitions.ts'
import { endOfDay } from '../pacing/plan/plan.ts'
import { figuresOf, performanceOf, type WindowSums } from './judge.ts'
import { reportedIn, type WindowAsked } from './reported.ts'
import type { Performance } from './schema.ts'
import { windowOf } from './stored.ts'
import { daysOf, type MetricWindow, metricWindows } from './windows.ts'

/** A campaign as it is judged, and how it was judged before. */
export type JudgedRow = {
  id: string
  name: string
  profile_id: string
  currency: string
  currency_exponent: number
  time_zone: string
  status: Status
  target: Target | null
  judged_status: Performance['status'] | null
  judged_target: Target | null
  revision: number
}

export type WindowFigures = { window: MetricWindow; figures: ReturnType<typeof figuresOf> }

export type Judgement = {
  campaign: JudgedRow
  /** Null where it is not judged. */
  performance: Performance | null
  windows: readonly WindowFigures[]
  /** The end of the day, as long as there is something that its windows leave behind. */
  dueAt: string | null
}

const rowsSql = `
  select c.id, c.name, c.profile_id, c.currency, c.currency_exponent, c.time_zone, c.status, c.target,
    p.status as judged_status, p.target as judged_target, p.revision
  from campaigns c
  join campaign_performance p on p.organization_id = c.organization_id and p.id = c.id
  where c.organization_id = $1 and c.id = any($2)`

/** Judges campaigns at this moment; those that are gone are left out. */
export async function judgeAll(ctx: Context, ids: readonly string[]): Promise<Judgement[]> {
  const [rows, guardrails] = await Promise.all([
    ctx.reader.query<JudgedRow>(tenantQuery(ctx, rowsSql, ids)),
    guardrailsOf(ctx),
  ])
  const now = nowIn(ctx)
  const todayIn = dayIn(now)
  const asked = rows.map((campaign) => askedOf(campaign, todayIn(campaign.time_zone)))
  const reported = await reportedIn(ctx, asked.flat())
  const bound = performanceBoundIn(guardrails)
  let at = 0
  return rows.map((campaign, index) => {
    const count = asked[index]?.length ?? 0
    const found = reported.slice(at, at + count)
    at += count
    return judgementOf(campaign, found, { bound, now, today: todayIn(campaign.time_zone) })
  })
}

/** Days of each window, and of that of its target at last. */
function askedOf({ id, target }: JudgedRow, today: string): WindowAsked[] {
  const windows = metricWindows.map((window) => ({ id, ...daysOf(window, today) }))
  return target ? [...windows, { id, ...windowOf(target.window_days, today) }] : windows
}

const listed: readonly Status[] = ['scheduled', 'active', 'paused']

type Moment = { bound: number; now: string; today: string }

function judgementOf(
  campaign: JudgedRow,
  reported: readonly WindowSums[],
  { bound, now, today }: Moment,
): Judgement {
  const { target, currency_exponent: exponent, time_zone } = campaign
  const windows = metricWindows.map((window, at) => ({
    window,
    figures: figuresOf({ reported: reported[at], exponent }),
  }))
  const isJudged = target !== null && listed.includes(campaign.status)
  const performance = isJudged
    ? performanceOf({
        ...{ target, exponent, bound },
        window: windowOf(target.window_days, today),
        reported: reported[metricWindows.length],
        before: isDeepStrictEqual(target, campaign.judged_target) ? campaign.judged_status : null,
      })
    : null
  const moves = reported.some(({ spend_minor }) => spend_minor !== null)
  const dayEnds = new Date(endOfDay(time_zone, Date.parse(now))).toISOString()
  return { campaign, performance, windows, dueAt: moves ? dayEnds : null }
}

/** Whether its status is another one; what is judged for the first time has no data before. */
export const isChange = ({ campaign, performance }: Judgement): boolean =>
  performance !== null && performance.status !== (campaign.judged_status ?? 'no_data')
