import type { PacingFigures, PacingPlan } from '../../../database/json-columns.ts'
import { type Context, nowIn } from '../../../kernel/context.ts'
import { scheduleOf } from '../dayparting.ts'
import { dateOf } from './days.ts'
import {
  type Facts,
  factsOf,
  guardrailsOf,
  type Reported,
  recordsSince,
  reportedOf,
  type Wanted,
} from './facts.ts'
import { figuresOf } from './pacing.ts'
import { dayNumberAt, endOfDay, leadDays, openAfter, plannedSince, planOf } from './plan.ts'
import { noSpend, type Spend } from './spend.ts'
import { type Bounds, staleAfterMs } from './status.ts'
import { stepsOf } from './steps.ts'

export type Judgement = {
  campaign: Facts
  figures: PacingFigures
  plan: PacingPlan
  /** What the plan is good for; null if it is to be made anew each time. */
  planKey: string | null
  /** When the clock alone changes it. */
  dueAt: string
}

/** Judges campaigns at this moment; those that are gone are left out. */
export async function judgeAll(
  ctx: Context,
  ids: readonly string[],
  { areReported = false }: { areReported?: boolean } = {},
): Promise<Judgement[]> {
  const now = Date.parse(nowIn(ctx))
  const [found, guardrails] = await Promise.all([factsOf(ctx, ids), guardrailsOf(ctx)])
  // Results of drafts are taken, too, but there is nothing to alert to or to stop.
  const facts = areReported ? found.filter(({ revision }) => revision !== null) : found
  const planned = await plansOf(ctx, facts, now)
  const reported = await reportedOf(
    ctx,
    planned.map((each) => wantedOf(each, now)),
  )
  return planned.map(({ campaign, plan, key }) => {
    const spend = spendOf(campaign, { plan, reported: reported.get(campaign.id), now, areReported })
    const bounds = guardrails.pacing
    const figures = judge(campaign, { plan, spend, bounds, now })
    return {
      campaign,
      figures,
      plan,
      planKey: key,
      dueAt: dueAfter(campaign, { plan, spend, now }),
    }
  })
}

type Planned = { campaign: Facts; plan: PacingPlan; key: string | null }

/** The stored plans, or new ones from the campaigns' history. */
async function plansOf(ctx: Context, facts: readonly Facts[], now: number): Promise<Planned[]> {
  const outdated = facts.filter((each) => each.plan === null || each.plan_key !== keyOf(each, now))
  const wanted = outdated.map((each) => ({ id: each.id, since: plannedSince(each, now) }))
  const records = await recordsSince(ctx, wanted)
  return facts.map((campaign) => {
    const key = keyOf(campaign, now)
    if (campaign.plan && key !== null && campaign.plan_key === key) {
      return { campaign, plan: campaign.plan, key }
    }
    const steps = stepsOf(campaign, records.get(campaign.id) ?? [], now)
    return { campaign, plan: planOf(campaign, steps, now), key }
  })
}

/** Of a campaign that does not run, time goes by that is no part of the plan. */
const keyOf = ({ version, status, time_zone }: Facts, now: number): string | null =>
  status === 'active' || status === 'scheduled' ? `${version} ${dayNumberAt(time_zone, now)}` : null

const latestDays = 62

/** Of a long flight the latest days; what is before them comes from the sums by month. */
function wantedOf({ campaign, plan }: Planned, now: number): Wanted {
  const { id, time_zone } = campaign
  const lead = plan.from - leadDays
  const latest = monthOf(dayNumberAt(time_zone, now) - latestDays)
  const since = plan.lifetimeMinor === null ? lead : Math.max(lead, latest)
  const firstMonth = monthOf(plan.from) === plan.from ? plan.from : monthOf(plan.from + 31)
  return {
    id,
    start: dateOf(plan.from),
    firstMonth: dateOf(firstMonth),
    since: dateOf(since),
  }
}

/** The first day of a day's month. */
const monthOf = (day: number): number => day + 1 - Number(dateOf(day).slice(8))

type Known = {
  plan: PacingPlan
  reported: Reported | undefined
  now: number
  areReported: boolean
}

function spendOf(campaign: Facts, { plan, reported, now, areReported }: Known): Spend {
  if (!reported) return noSpend
  const { time_zone: timeZone, reported_at } = campaign
  const received = reported_at === null ? reported.reportedAt : Date.parse(reported_at)
  const reportedAt = areReported ? now : received
  const newest = reported.byDay.at(-1)?.day
  const isThatDay = reportedAt !== null && dayNumberAt(timeZone, reportedAt) === newest
  const hours = { schedule: scheduleOf(campaign), timeZone, end: plan.period.end }
  const restOfNewestMs = isThatDay ? openAfter(hours, reportedAt) : 0
  return { ...reported, reportedAt, restOfNewestMs }
}

type Basis = { plan: PacingPlan; spend: Spend; now: number }

const judge = (
  { status, time_zone, platform, pacing_status }: Facts,
  basis: Basis & { bounds: Bounds },
): PacingFigures =>
  figuresOf({
    ...basis,
    isRunning: status === 'active',
    timeZone: time_zone,
    platform,
    before: pacing_status,
  })

/** At the turn of the day, or earlier where the period turns or reports stay out. */
function dueAfter({ time_zone }: Facts, { plan, spend, now }: Basis): string {
  const { start, end } = plan.period
  const staleAt = spend.reportedAt === null ? null : spend.reportedAt + staleAfterMs
  const times = [endOfDay(time_zone, now), start, end, staleAt]
  const ahead = times.filter((time) => time !== null).filter((time) => time > now)
  return new Date(Math.min(...ahead)).toISOString()
}
