import { setImmediate as untilNextTurn } from 'node:timers/promises'
import { withReader } from '../../../database/scope/readers.ts'
import type { PacingFigures, PacingPlan, SpentDays } from '../../../database/tables/json-columns.ts'
import { type Context, nowIn, type WriteContext } from '../../../kernel/context.ts'
import { readerIn } from '../../../kernel/transaction.ts'
import type { SpendNews } from '../../results/resource.ts'
import { guardrailsOf } from '../guardrails/of-organization.ts'
import { scheduleOf } from '../schedule/dayparting.ts'
import { figuresOf } from './measure/figures.ts'
import { noSpend, type Reported, type Spend } from './measure/spend.ts'
import { reportedBy, spentDaysOf, withNews } from './measure/spent-days.ts'
import { type PacingBounds, staleAfterMs } from './measure/status.ts'
import { type PacingRow, pacingRows, recordsSince, reportedOf, type Wanted } from './pacing-rows.ts'
import { dateOf, dayNumberOf } from './plan/days.ts'
import { dayNumberAt, endOfDay, leadDays, openAfter, plannedSince, planOf } from './plan/plan.ts'
import { type PlannedDays, plannedDaysOf, plannedSpan } from './plan/planned.ts'
import { type Recorded, recordedSteps, resumedSteps } from './plan/steps.ts'

export type Assessment = {
  campaign: PacingRow
  figures: PacingFigures
  plan: PacingPlan
  /** For its client; null where what is stored still holds. */
  plannedDays: PlannedDays | null
  /** The version and day for which the plan holds; null if it is made again each time. */
  planKey: string | null
  /** The first day of the spending that a cap counts; null where there is no cap. */
  cappedSince: string | null
  /** By day, as far as the plan needs it; null if it is to be read again. */
  spentDays: SpentDays | null
  /** When the clock alone changes it. */
  dueAt: string
}

/** Assesses campaigns at this moment; those that are gone are left out. */
export async function assessAll(ctx: Context, ids: readonly string[]): Promise<Assessment[]> {
  const now = Date.parse(nowIn(ctx))
  const [facts, guardrails] = await Promise.all([pacingRows(ctx, ids), guardrailsOf(ctx)])
  const planned = await plansOf(ctx, facts, now)
  const spending = await readSpending(ctx, planned, now)
  return planned.map((each) => assessmentOf(each, spending, { bounds: guardrails.pacing, now }))
}

/** Assesses the campaigns of a report in its transaction, by what is stored and what it brings. */
export async function assessReported(
  ctx: WriteContext,
  news: ReadonlyMap<string, SpendNews>,
): Promise<Assessment[]> {
  const now = Date.parse(ctx.now)
  // A report writes nothing of what these read: they need not wait for its rows.
  const committed = withReader(ctx, readerIn(ctx.tx, ctx.tx.committed))
  const [found, guardrails] = await Promise.all([
    pacingRows(committed, [...news.keys()]),
    guardrailsOf(committed),
  ])
  // Results of drafts are taken, too, but there is nothing to alert to or to stop.
  const facts = found.filter(({ revision }) => revision !== null)
  const planned = await plansOf(committed, facts, now)
  const known = new Map(planned.flatMap((each) => knownOf(each, news)))
  const others = await readSpending(
    ctx,
    planned.filter(({ campaign }) => !known.has(campaign.id)),
    now,
  )
  const spending = new Map([...known, ...others])
  const moment = { bounds: guardrails.pacing, now, areReported: true }
  return planned.map((each) => assessmentOf(each, spending, moment))
}

type Spending = { reported: Reported; days: SpentDays }

/** The spending stored beside the same plan, with the news. */
function knownOf(
  { campaign, plan, key }: Planned,
  news: ReadonlyMap<string, SpendNews>,
): [string, Spending][] {
  const { id, plan_key, spent_days } = campaign
  const more = news.get(id)
  if (!more || spent_days === null || key === null || key !== plan_key) return []
  const days = withNews(spent_days, plan.from, more)
  return [[id, { days, reported: reportedBy(days, more.sources) }]]
}

/** From the results themselves. */
async function readSpending(
  ctx: Context,
  planned: readonly Planned[],
  now: number,
): Promise<Map<string, Spending>> {
  const wanted = planned.map((each) => wantedOf(each, now))
  const found = await reportedOf(ctx, wanted)
  return new Map(
    wanted.flatMap(({ id, since }) => {
      const reported = found.get(id)
      if (!reported) return []
      return [[id, { reported, days: spentDaysOf(dayNumberOf(since), reported) }]]
    }),
  )
}

type Moment = { bounds: PacingBounds; now: number; areReported?: boolean }

function assessmentOf(
  { campaign, plan, key, days: plannedDays }: Planned,
  spending: ReadonlyMap<string, Spending>,
  { bounds, now, areReported = false }: Moment,
): Assessment {
  const { reported, days = null } = spending.get(campaign.id) ?? {}
  const spend = spendOf(campaign, { plan, reported, now, areReported })
  return {
    campaign,
    figures: campaignFigures(campaign, { plan, spend, bounds, now }),
    plan,
    plannedDays,
    planKey: key,
    cappedSince: plan.lifetimeMinor === null ? null : dateOf(plan.from),
    spentDays: key === null ? null : days,
    dueAt: dueAfter(campaign, { plan, spend, now }),
  }
}

type Planned = {
  campaign: PacingRow
  plan: PacingPlan
  key: string | null
  days: PlannedDays | null
}

/** As many, of about 0.2 ms each, are planned before other requests have their turn. */
const plannedAtOnce = 10

/** The stored plans, or new ones from the campaigns' history. */
async function plansOf(ctx: Context, facts: readonly PacingRow[], now: number): Promise<Planned[]> {
  const outdated = facts.filter((each) => !holds(each, now))
  const wanted = outdated.map((each) => ({ id: each.id, since: recordedSince(each, now) }))
  const records = await recordsSince(ctx, wanted)
  const planned: Planned[] = []
  let made = 0
  for (const campaign of facts) {
    const key = planKeyOf(campaign, now)
    if (campaign.plan && holds(campaign, now)) {
      planned.push({ campaign, plan: campaign.plan, key, days: null })
      continue
    }
    planned.push({ campaign, key, ...planAnew(campaign, records.get(campaign.id) ?? [], now) })
    made += 1
    if (made % plannedAtOnce === 0) await untilNextTurn()
  }
  return planned
}

/** Whether the stored plan is as it would be made now. */
const holds = (campaign: PacingRow, now: number): boolean =>
  campaign.plan !== null &&
  campaign.planned_version !== null &&
  campaign.plan_key === planKeyOf(campaign, now)

/** From when on the history is part of the plan, or of the months that clients look at. */
function recordedSince(campaign: PacingRow, now: number): string {
  const planned = plannedSince(campaign, now)
  const months = new Date(plannedSpan(campaign.time_zone, now).start).toISOString()
  return planned < months ? planned : months
}

function planAnew(campaign: PacingRow, records: readonly Recorded[], now: number) {
  const steps = recordedSteps(campaign, records)
  const plan = planOf(campaign, resumedSteps(steps, campaign.status, now), now)
  return { plan, days: plannedDaysOf(campaign, { plan, steps, now }) }
}

/**
 * The key of a plan that holds until the day ends; null for a campaign that does not run, as then
 * time passes which is no part of the plan.
 */
const planKeyOf = ({ version, status, time_zone }: PacingRow, now: number): string | null =>
  status === 'active' || status === 'scheduled' ? `${version} ${dayNumberAt(time_zone, now)}` : null

const latestDays = 62

/** The latest days of a flight; those before them come from the sums by month. */
function wantedOf({ campaign, plan }: Planned, now: number): Wanted {
  const { id, time_zone } = campaign
  const lead = plan.from - leadDays
  const latest = monthOf(dayNumberAt(time_zone, now) - latestDays)
  const since = plan.lifetimeMinor === null ? lead : Math.max(lead, latest)
  const { from } = plan
  const firstMonth = monthOf(from) === from ? from : monthOf(from + 31)
  return { id, start: dateOf(from), firstMonth: dateOf(firstMonth), since: dateOf(since) }
}

/** The first day of a day's month. */
const monthOf = (day: number): number => day + 1 - Number(dateOf(day).slice(8))

type AssessmentInput = {
  plan: PacingPlan
  reported: Reported | undefined
  now: number
  areReported: boolean
}

function spendOf(
  campaign: PacingRow,
  { plan, reported, now, areReported }: AssessmentInput,
): Spend {
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

const campaignFigures = (
  { status, time_zone, platform, pacing_status }: PacingRow,
  basis: Basis & { bounds: PacingBounds },
): PacingFigures =>
  figuresOf({
    ...basis,
    isRunning: status === 'active',
    timeZone: time_zone,
    platform,
    before: pacing_status,
  })

/** At the turn of the day, or earlier where the period turns or reports stay out. */
function dueAfter({ time_zone }: PacingRow, { plan, spend, now }: Basis): string {
  const { start, end } = plan.period
  const staleAt = spend.reportedAt === null ? null : spend.reportedAt + staleAfterMs
  const times = [endOfDay(time_zone, now), start, end, staleAt]
  const ahead = times.filter((time) => time !== null).filter((time) => time > now)
  return new Date(Math.min(...ahead)).toISOString()
}
