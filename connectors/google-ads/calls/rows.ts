import { type AccountFacts, unreadable } from '../../kit/src/connect.ts'
import type { BudgetRow, CampaignRow, ScheduleRow } from '../mapping/seen.ts'

/** Rows of the network, taken only in their shape. Members of their standard value are left out of JSON. */

export type Json = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function objectIn(json: Json, name: string): Json {
  const value = json[name] ?? {}
  if (!isObject(value)) throw unreadable(false)
  return value
}

function textIn(json: Json, name: string, standard = ''): string {
  const value = json[name] ?? standard
  if (typeof value !== 'string') throw unreadable(false)
  return value
}

/** A 64-bit number, as its text. */
function numberTextIn(json: Json, name: string): string | null {
  const value = json[name] ?? null
  if (value === null) return null
  if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) throw unreadable(false)
  return value
}

function wholeIn(json: Json, name: string): number {
  const value = Number(json[name] ?? 0)
  if (!Number.isSafeInteger(value) || value < 0) throw unreadable(false)
  return value
}

function textsIn(json: Json, name: string): string[] {
  const value = json[name] ?? []
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'string'))
    throw unreadable(false)
  return value
}

export function idIn(json: Json, name: string): string {
  const id = numberTextIn(json, name)
  if (id === null) throw unreadable(false)
  return id
}

const orNull = (text: string): string | null => (text === '' ? null : text)

export function campaignIn(result: Json): CampaignRow {
  const campaign = objectIn(result, 'campaign')
  return {
    id: idIn(campaign, 'id'),
    name: textIn(campaign, 'name'),
    status: textIn(campaign, 'status'),
    primaryStatus: textIn(campaign, 'primaryStatus'),
    primaryStatusReasons: textsIn(campaign, 'primaryStatusReasons'),
    channel: textIn(campaign, 'advertisingChannelType'),
    biddingType: textIn(campaign, 'biddingStrategyType'),
    portfolio: textIn(campaign, 'biddingStrategy'),
    experiment: textIn(campaign, 'experimentType'),
    start: orNull(textIn(campaign, 'startDateTime')),
    end: orNull(textIn(campaign, 'endDateTime')),
    budget: budgetIn(objectIn(result, 'campaignBudget')),
    isUndeclared: campaign.missingEuPoliticalAdvertisingDeclaration === true,
  }
}

const budgetIn = (budget: Json): BudgetRow => ({
  resourceName: textIn(budget, 'resourceName'),
  amountMicros: numberTextIn(budget, 'amountMicros'),
  totalMicros: numberTextIn(budget, 'totalAmountMicros'),
  period: textIn(budget, 'period', 'UNSPECIFIED'),
  isShared: budget.explicitlyShared === true,
})

export function scheduleIn(result: Json): ScheduleRow & { campaignId: string } {
  const criterion = objectIn(result, 'campaignCriterion')
  const schedule = objectIn(criterion, 'adSchedule')
  return {
    campaignId: idIn(objectIn(result, 'campaign'), 'id'),
    resourceName: textIn(criterion, 'resourceName'),
    hasBidModifier: ![undefined, 1].some((each) => each === criterion.bidModifier),
    dayOfWeek: textIn(schedule, 'dayOfWeek'),
    startHour: wholeIn(schedule, 'startHour'),
    startMinute: textIn(schedule, 'startMinute'),
    endHour: wholeIn(schedule, 'endHour'),
    endMinute: textIn(schedule, 'endMinute'),
  }
}

export const labelIn = (result: Json): { campaignId: string; name: string } => ({
  campaignId: idIn(objectIn(result, 'campaign'), 'id'),
  name: textIn(objectIn(result, 'label'), 'name'),
})

export const labelNameIn = (result: Json): string =>
  textIn(objectIn(result, 'label'), 'resourceName')

const statuses: Readonly<Record<string, AccountFacts['status']>> = {
  ENABLED: 'active',
  SUSPENDED: 'suspended',
  CANCELED: 'closed',
  CLOSED: 'closed',
}

export function customerIn(result: Json): AccountFacts {
  const customer = objectIn(result, 'customer')
  const status = statuses[textIn(customer, 'status')]
  const currency = textIn(customer, 'currencyCode')
  const time_zone = textIn(customer, 'timeZone')
  if (status === undefined || currency === '' || time_zone === '') throw unreadable(false)
  const name = orNull(textIn(customer, 'descriptiveName'))
  return { ref: idIn(customer, 'id'), name, currency, time_zone, status, credentialExpiresAt: null }
}

/** The account's own declaration; '' where it has none. */
export const declarationIn = (result: Json): string =>
  textIn(objectIn(result, 'customer'), 'containsEuPoliticalAdvertising')

export const unitIn = (result: Json): string =>
  numberTextIn(objectIn(result, 'currencyConstant'), 'billableUnitMicros') ?? '1'

/** The longest conversion window of an action, in days; null where it has none. */
export function windowIn(result: Json): number | null {
  const action = objectIn(result, 'conversionAction')
  const days = [action.clickThroughLookbackWindowDays, action.viewThroughLookbackWindowDays]
    .map((each) => Number(each ?? 0))
    .filter((each) => Number.isSafeInteger(each) && each > 0)
  return days.length === 0 ? null : Math.max(...days)
}

/** A number of floating point, of which JSON has some as words. */
function doubleIn(json: Json, name: string): number | null {
  const value = json[name] ?? 0
  if (['NaN', 'Infinity', '-Infinity'].some((word) => word === value)) return null
  if (typeof value !== 'number') throw unreadable(false)
  return value
}

export function figuresIn(result: Json) {
  const metrics = objectIn(result, 'metrics')
  return {
    id: idIn(objectIn(result, 'campaign'), 'id'),
    date: textIn(objectIn(result, 'segments'), 'date'),
    costMicros: numberTextIn(metrics, 'costMicros') ?? '0',
    impressions: wholeIn(metrics, 'impressions'),
    clicks: wholeIn(metrics, 'clicks'),
    conversions: doubleIn(metrics, 'conversions'),
    conversionsValue: doubleIn(metrics, 'conversionsValue'),
  }
}
