import { type FieldFault, NetworkFault } from '../../kit/src/connect.ts'
import { isEndOfDay, isStartOfDay } from './dates.ts'
import { flightDays, hasTimeOfDay } from './objectives.ts'
import type { GoogleBody } from './plan.ts'
import { type AdSchedule, keyOf } from './schedule.ts'
import type { Whole } from './seen.ts'

/** The operations of one atomic mutate. */

export type Operation = Readonly<Record<string, unknown>>

/** Ids of what is made in the same request. */
const temporary = { budget: -1, campaign: -2, label: -3 } as const

const blocked = (code: 'cannot_hold' | 'cannot_change', errors: FieldFault[]) =>
  new NetworkFault('blocked', errors[0]?.message ?? 'Google Ads cannot hold it.', { code, errors })

type Creating = {
  customer: string
  body: GoogleBody
  marker: string
  /** A label of that name that is there already. */
  label: string | null
  now: number
}

/** A new campaign: budget, campaign, hours and label, or none of them. */
export function creationOperations({ customer, body, marker, label, now }: Creating): Operation[] {
  const { creation, name, status, start, startsAt, end, schedule } = body
  if ('faults' in creation) {
    const { code, faults } = creation
    const message = faults[0]?.message ?? 'A setting is missing.'
    throw new NetworkFault('blocked', message, { code, errors: faults })
  }
  checkDates(body, creation.channel, { start, end })
  const of = `customers/${customer}`
  const budget = `${of}/campaignBudgets/${temporary.budget}`
  const campaign = `${of}/campaigns/${temporary.campaign}`
  const used = label ?? `${of}/labels/${temporary.label}`
  const isAhead = start !== null && startsAt !== null && startsAt > now
  return [
    { campaignBudgetOperation: { create: { resourceName: budget, ...newBudget(body) } } },
    {
      campaignOperation: {
        create: {
          ...{ resourceName: campaign, name, status, campaignBudget: budget },
          ...creation.members,
          ...(isAhead && { startDateTime: start }),
          ...(end !== null && { endDateTime: end }),
        },
      },
    },
    ...schedule.map((adSchedule) => scheduled(campaign, adSchedule)),
    ...(label === null
      ? [{ labelOperation: { create: { resourceName: used, name: marker } } }]
      : []),
    { campaignLabelOperation: { create: { campaign, label: used } } },
  ]
}

const newBudget = ({ budget: { period, micros } }: GoogleBody) => ({
  // A budget is shared unless it is said not to be.
  explicitlyShared: false,
  period,
  ...(period === 'DAILY' ? { amountMicros: micros } : { totalAmountMicros: micros }),
})

const scheduled = (campaign: string, adSchedule: AdSchedule): Operation => ({
  campaignCriterionOperation: { create: { campaign, adSchedule } },
})

type Changing = { customer: string; body: GoogleBody; whole: Whole; now: number }

/** Only what differs: the budget before the status where it sinks, and after it where it rises. */
export function changeOperations({ customer, body, whole, now }: Changing): Operation[] {
  const budget = budgetChange(body, whole)
  const campaign = campaignChange(`customers/${customer}/campaigns/${whole.row.id}`, {
    ...{ body, whole, now },
  })
  const hours = scheduleChanges(`customers/${customer}/campaigns/${whole.row.id}`, body, whole)
  // A campaign that is enabled runs by its new hours from the first.
  const others = body.status === 'PAUSED' ? [...campaign, ...hours] : [...hours, ...campaign]
  return isRise(body, whole) ? [...others, ...budget] : [...budget, ...others]
}

function isRise({ budget: { period, micros } }: GoogleBody, { row: { budget } }: Whole): boolean {
  const seen = period === 'DAILY' ? budget.amountMicros : budget.totalMicros
  return seen !== null && BigInt(micros) > BigInt(seen)
}

function budgetChange({ budget: { period, micros } }: GoogleBody, { row }: Whole): Operation[] {
  const { resourceName, amountMicros, totalMicros, isShared } = row.budget
  // The budget of several campaigns is not this one’s to change.
  if (isShared) return []
  const isSame = (period === 'DAILY' ? amountMicros : totalMicros) === micros
  if (isSame && row.budget.period === period) return []
  if (row.budget.period !== period) {
    const pointer = period === 'DAILY' ? '/daily_budget' : '/lifetime_budget'
    const message = 'Google Ads cannot change a campaign between daily and lifetime budgets.'
    throw blocked('cannot_change', [{ pointer, message }])
  }
  const member = period === 'DAILY' ? 'amountMicros' : 'totalAmountMicros'
  const update = { resourceName, [member]: micros }
  return [{ campaignBudgetOperation: { update, updateMask: member } }]
}

type Differing = { body: GoogleBody; whole: Whole; now: number }

function campaignChange(resourceName: string, { body, whole, now }: Differing): Operation[] {
  const { row } = whole
  const isEndOther = body.end !== row.end
  const start = startChange(body, row.start, now)
  checkDates(body, row.channel, { start, end: isEndOther ? body.end : null })
  const changes = {
    ...(body.name !== row.name && { name: body.name }),
    ...(body.status !== row.status && { status: body.status }),
    ...(start !== null && { startDateTime: start }),
    ...(isEndOther && { endDateTime: body.end }),
  }
  const updateMask = Object.keys(changes).join(',')
  if (updateMask === '') return []
  // Without an end the mask names it, and the campaign has none.
  const given = Object.entries(changes).filter(([, value]) => value !== null)
  return [
    {
      campaignOperation: { update: { resourceName, ...Object.fromEntries(given) }, updateMask },
    },
  ]
}

/** A start that is ahead, where it differs. Once a campaign has started it is fixed. */
function startChange({ start, startsAt }: GoogleBody, seen: string | null, now: number) {
  const isAhead = start !== null && startsAt !== null && startsAt > now
  return isAhead && start !== seen ? start : null
}

/** Ad schedules cannot be changed, only removed and made. */
function scheduleChanges(campaign: string, body: GoogleBody, { schedules }: Whole): Operation[] {
  const wanted = new Set(body.schedule.map(keyOf))
  const there = new Set(schedules.map(keyOf))
  return [
    ...schedules
      .filter((each) => !wanted.has(keyOf(each)))
      .map(({ resourceName }) => ({ campaignCriterionOperation: { remove: resourceName } })),
    ...body.schedule
      .filter((each) => !there.has(keyOf(each)))
      .map((each) => scheduled(campaign, each)),
  ]
}

const dayMs = 86_400_000

/** The dates that a type of campaign cannot hold. */
function checkDates(
  { budget, startsAt, endsAt }: GoogleBody,
  channel: string,
  { start, end }: { start: string | null; end: string | null },
): void {
  const faults: FieldFault[] = []
  if (!hasTimeOfDay(channel)) {
    const message = `Google Ads has dates of ${channel} campaigns in whole days of the account’s time zone: choose midnight.`
    if (start !== null && !isStartOfDay(start)) faults.push({ pointer: '/start_at', message })
    if (end !== null && !isEndOfDay(end)) faults.push({ pointer: '/end_at', message })
  }
  const bounds = flightDays[channel]
  if (budget.period === 'CUSTOM_PERIOD' && bounds === null)
    faults.push({
      pointer: '/lifetime_budget',
      message: `${channel} campaigns of Google Ads have no lifetime budget.`,
    })
  if (budget.period === 'CUSTOM_PERIOD' && bounds && startsAt !== null && endsAt !== null) {
    const days = Math.round((endsAt - startsAt) / dayMs)
    if (days < bounds[0] || days > bounds[1])
      faults.push({
        pointer: '/end_at',
        message: `With a lifetime budget a ${channel} campaign runs ${bounds[0]} to ${bounds[1]} days.`,
      })
  }
  if (faults.length > 0) throw blocked('cannot_hold', faults)
}
