import type { Access, Observed, Seen } from '../../kit/src/connect.ts'
import { endAt, isTime, startAt } from './dates.ts'
import { minorOf } from './money.ts'
import { objectiveOf } from './objectives.ts'
import { type AdSchedule, inOrder, mostWindowsPerDay, windowOf } from './schedule.ts'
import { deliveryOf, runOf, statusOf } from './status.ts'

/** A campaign of the network as Flightdeck sees it. */

export type CampaignRow = {
  id: string
  name: string
  status: string
  primaryStatus: string
  primaryStatusReasons: string[]
  channel: string
  biddingType: string
  /** The resource name of a portfolio strategy; empty: its own bidding. */
  portfolio: string
  experiment: string
  start: string | null
  end: string | null
  budget: BudgetRow
  isUndeclared: boolean
}

export type BudgetRow = {
  resourceName: string
  amountMicros: string | null
  totalMicros: string | null
  period: string
  isShared: boolean
}

/** An ad schedule with its resource name. */
export type ScheduleRow = AdSchedule & { resourceName: string; hasBidModifier: boolean }

export type Whole = {
  row: CampaignRow
  schedules: readonly ScheduleRow[]
  /** Labels of connectors; the first counts. */
  markers: readonly string[]
}

export function seenOf(
  { row, schedules, markers }: Whole,
  { profile }: Pick<Access, 'profile'>,
  now: number,
): Seen {
  const zone = profile.time_zone
  const startsAt = row.start === null ? null : startAt(row.start, zone)
  const endsAt = row.end === null ? null : endAt(row.end, zone)
  const facts = { ...row, startsAt, endsAt }
  const settings = settingsOf(row, schedules, profile)
  const objective = objectiveOf(row.channel, row.biddingType)
  return {
    id: row.id,
    url: `https://ads.google.com/aw/campaigns?campaignId=${row.id}`,
    marker: markers[0] ?? null,
    status: statusOf(facts, now),
    delivery: deliveryOf(facts),
    observed: {
      name: row.name,
      run: runOf(row.status),
      ...(objective !== undefined && { objective }),
      ...(profile.currency !== null && { currency: profile.currency }),
      ...budgetsOf(row, profile.currency),
      // A start that is over is fixed, and set by the network where none was given.
      ...(isAhead(row.start, startsAt, now) && { start_at: isoOf(startsAt) }),
      ...((row.end === null || endsAt !== null) && { end_at: isoOf(endsAt) }),
      schedule: inOrder(schedules.flatMap((each) => windowOf(each) ?? [])),
      settings,
    },
  }
}

/** Not so for a text that is no time, which must not look like no start at all. */
const isAhead = (text: string | null, at: number | null, now: number): boolean =>
  at === null ? text === null : at > now

const isoOf = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString()

/** Budgets of others, and amounts that are not whole, are left out: they cannot be held. */
function budgetsOf({ budget }: CampaignRow, currency: string | null): Observed {
  const { amountMicros, totalMicros, period, isShared } = budget
  if (isShared || currency === null) return {}
  if (period === 'CUSTOM_PERIOD') {
    const lifetime = totalMicros === null ? null : minorOf(totalMicros, currency)
    return lifetime === null ? {} : { daily_budget_minor: null, lifetime_budget_minor: lifetime }
  }
  if (period !== 'DAILY') return {}
  const daily = amountMicros === null ? null : minorOf(amountMicros, currency)
  // A lifetime budget beside a daily one is Flightdeck’s own, which no network shows.
  return daily === null ? {} : { daily_budget_minor: daily }
}

function settingsOf(
  row: CampaignRow,
  schedules: readonly ScheduleRow[],
  account: AccountOf,
): NonNullable<Observed['settings']> {
  const reasons = cannotHold(row, schedules, account)
  return {
    advertising_channel_type: row.channel,
    bidding_strategy_type: row.biddingType,
    ...(row.isUndeclared && { missing_eu_political_advertising_declaration: true }),
    ...(reasons.length > 0 && { cannot_hold: reasons }),
  }
}

type AccountOf = Pick<Access['profile'], 'currency' | 'time_zone'>

/** The reasons why a campaign cannot be held exactly. */
export function cannotHold(
  { budget, portfolio, experiment, start, end }: CampaignRow,
  schedules: readonly ScheduleRow[],
  { currency, time_zone }: AccountOf,
): string[] {
  const { isShared, amountMicros, totalMicros } = budget
  const micros = amountMicros ?? totalMicros
  const isKnown = ['DAILY', 'CUSTOM_PERIOD'].includes(budget.period)
  const isWhole = micros === null || currency === null || minorOf(micros, currency) !== null
  return [
    ...(isShared ? ['Its budget is shared with other campaigns.'] : []),
    ...(isKnown ? [] : ['Its budget is neither by the day nor for the whole time.']),
    ...(isWhole ? [] : ['Its budget is no whole number of minor units.']),
    ...(portfolio === '' ? [] : ['Its bidding is a portfolio strategy, which may share budgets.']),
    ...(['', 'UNSPECIFIED', 'BASE'].includes(experiment) ? [] : ['It is part of an experiment.']),
    ...reasonsOfDates({ start, end }, time_zone),
    ...reasonsOfHours(schedules),
  ]
}

function reasonsOfDates(
  { start, end }: Pick<CampaignRow, 'start' | 'end'>,
  zone: string,
): string[] {
  if (![start, end].every((text) => text === null || isTime(text)))
    return ['Its start or its end is no time.']
  const isSkipped =
    (start !== null && startAt(start, zone) === null) || (end !== null && endAt(end, zone) === null)
  return isSkipped ? [`Its start or its end is a time that the clock of ${zone} skips.`] : []
}

function reasonsOfHours(schedules: readonly ScheduleRow[]): string[] {
  const days = Map.groupBy(schedules, ({ dayOfWeek }) => dayOfWeek)
  const isMany = days.values().some(({ length }) => length > mostWindowsPerDay)
  const isUnread = schedules.some((each) => windowOf(each) === null)
  return [
    ...(schedules.some((each) => each.hasBidModifier) ? ['Its hours change bids.'] : []),
    ...(isMany ? [`It has more than ${mostWindowsPerDay} windows a day.`] : []),
    ...(isUnread ? ['Its hours have windows of an unknown day or minute.'] : []),
  ]
}
