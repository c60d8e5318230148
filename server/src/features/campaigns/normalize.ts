import type { Row } from '../../database/tenant-tables.ts'
import { type Fault, fault, inThePast, invalidReference } from '../../problems/problem.ts'
import {
  exponentFor,
  exponentOf,
  type MoneyInput,
  majorOf,
  minimumMinor,
  readMoney,
  unsupportedCurrency,
} from '../../values/money.ts'
import { isTimeZone, readTime, unknownTimeZone } from '../../values/times.ts'
import type { Schedule } from './dayparting.ts'
import { settleSchedule } from './normalize-schedule.ts'
import { type Objective, objectiveNames, objectiveOf } from './objectives.ts'
import type { CampaignChanges } from './schema.ts'

/** What a campaign should become, as clients write it; a field left out has nothing in it. */
export type Wish = { [Field in keyof CampaignChanges]?: CampaignChanges[Field] | undefined }

/** The profile that the wish names, with what matters of its proxy. */
export type ProfileFacts = {
  id: string
  status: string
  currency: string | null
  time_zone: string
  proxy_status: string | null
}

/** The part of a row that clients decide. */
export type Settled = Pick<
  Row<'campaigns'>,
  | 'name'
  | 'objective'
  | 'profile_id'
  | 'daily_budget_minor'
  | 'lifetime_budget_minor'
  | 'currency'
  | 'currency_exponent'
  | 'start_at'
  | 'end_at'
  | 'time_zone'
  | 'external_id'
  | 'labels'
  | 'notes'
> & { metadata: Record<string, string>; schedule: Schedule | null }

export type Rules = {
  profile: ProfileFacts | undefined
  minimumBudgets: Readonly<Record<string, number>>
}

/** When the wish is settled, and what it was before: what stays so may be overtaken by now. */
type Situation = {
  now: string
  before: Pick<Row<'campaigns'>, 'end_at' | 'currency' | 'profile_id'> | undefined
}

/** A wish as a row's fields, and every fault that keeps it from becoming one. */
export function settle(
  wish: Wish,
  rules: Rules & Situation,
): { settled: Settled; faults: Fault[] } {
  const faults: Fault[] = []
  const tell = (found: Fault | undefined) => {
    if (found) faults.push(found)
  }
  const currency = settleCurrency(wish, rules, tell)
  const exponent = exponentFor(currency)
  const settled: Settled = {
    name: required(wish.name, '/name', tell) ?? '',
    objective: settleObjective(wish, tell),
    profile_id: settleProfile(wish, rules, tell),
    daily_budget_minor: settleBudget(wish, 'daily_budget', { currency, rules, tell }),
    lifetime_budget_minor: settleBudget(wish, 'lifetime_budget', { currency, rules, tell }),
    currency,
    currency_exponent: exponent,
    start_at: settleTime(wish.start_at, '/start_at', tell),
    end_at: settleTime(wish.end_at, '/end_at', tell),
    time_zone: settleTimeZone(wish, rules, tell),
    schedule: unlessEmpty(settleSchedule(wish.schedule, tell)),
    external_id: wish.external_id ?? null,
    labels: wish.labels ?? [],
    metadata: wish.metadata ?? {},
    notes: wish.notes ?? null,
  }
  faults.push(...missingBudget(wish), ...contradictions(settled), ...overdue(settled, rules))
  return { settled, faults }
}

type Tell = (fault: Fault | undefined) => void

const unlessEmpty = (schedule: Schedule) => (schedule.length > 0 ? schedule : null)

function required<T>(value: T | null | undefined, pointer: string, tell: Tell): T | undefined {
  if (value !== null && value !== undefined) return value
  tell(fault(pointer, 'required', 'is required'))
  return undefined
}

function settleObjective(wish: Wish, tell: Tell): Objective {
  const name = required(wish.objective, '/objective', tell)
  if (name === undefined) return 'sales'
  const objective = objectiveOf(name)
  if (objective) return objective
  const allowed = objectiveNames
  tell(
    fault('/objective', 'invalid_enum_value', 'is not a known objective', { allowed, given: name }),
  )
  return 'sales'
}

function settleProfile(wish: Wish, { profile }: Rules, tell: Tell): string {
  const id = required(wish.profile_id, '/profile_id', tell)
  if (id !== undefined && !profile) tell(invalidReference('/profile_id', id))
  return profile?.id ?? ''
}

function settleCurrency(
  wish: Wish,
  { profile, before }: Rules & Partial<Situation>,
  tell: Tell,
): string {
  const fromProfile = profile?.currency ?? null
  const currency = wish.currency ?? fromProfile
  if (currency === null) {
    tell(fault('/currency', 'required', 'is required, because the profile has none'))
    return ''
  }
  if (exponentOf(currency) === undefined) {
    tell(unsupportedCurrency('/currency', currency))
  } else if (fromProfile !== null && currency !== fromProfile && !isKept(wish, before)) {
    const allowed = [fromProfile]
    const message = `must be ${fromProfile}, the currency of the profile`
    tell(fault('/currency', 'currency_mismatch', message, { allowed, given: currency }))
  }
  return currency
}

/** A profile may have got another currency since: that keeps nobody from changing the rest. */
const isKept = ({ currency, profile_id }: Wish, before: Situation['before']) =>
  currency === before?.currency && profile_id === before?.profile_id

type BudgetField = 'daily_budget' | 'lifetime_budget'
type BudgetRules = { currency: string; rules: Rules; tell: Tell }

function settleBudget(wish: Wish, field: BudgetField, { currency, rules, tell }: BudgetRules) {
  const input: MoneyInput | null = wish[field] ?? null
  if (input === null) return null
  const pointer = `/${field}`
  const read = readMoney(input, currency, pointer)
  if ('fault' in read) {
    tell(read.fault)
    return null
  }
  const exponent = exponentFor(currency)
  const least = minimumMinor(currency, exponent, rules.minimumBudgets)
  if (read.minor < least) {
    const limit = majorOf(least, exponent)
    tell(
      fault(pointer, 'budget_below_minimum', `must be at least ${limit} ${currency}`.trimEnd(), {
        limit,
      }),
    )
  }
  return read.minor
}

function settleTime(text: string | null | undefined, pointer: string, tell: Tell): string | null {
  if (text === null || text === undefined) return null
  const read = readTime(text, pointer)
  if ('time' in read) return read.time
  tell(read.fault)
  return null
}

function settleTimeZone(wish: Wish, { profile }: Rules, tell: Tell): string {
  const zone = wish.time_zone ?? profile?.time_zone ?? 'UTC'
  if (!isTimeZone(zone)) tell(unknownTimeZone('/time_zone', zone))
  return zone
}

function missingBudget(wish: Wish): Fault[] {
  if ((wish.daily_budget ?? null) !== null || (wish.lifetime_budget ?? null) !== null) return []
  return [fault('/daily_budget', 'required', 'is required, unless lifetime_budget is given')]
}

type Pairs = Pick<Settled, 'daily_budget_minor' | 'lifetime_budget_minor' | 'start_at' | 'end_at'>

function overdue({ end_at }: Settled, { now, before }: Situation): Fault[] {
  if (end_at === null || end_at > now || end_at === before?.end_at) return []
  return [inThePast('/end_at')]
}

/** Faults between fields that each are fine. */
function contradictions(settled: Pairs): Fault[] {
  const { daily_budget_minor, lifetime_budget_minor, start_at, end_at } = settled
  const faults: Fault[] = []
  if (daily_budget_minor !== null && lifetime_budget_minor !== null) {
    if (lifetime_budget_minor < daily_budget_minor) {
      const message = 'must not be less than daily_budget'
      faults.push(fault('/lifetime_budget', 'lifetime_below_daily', message))
    }
  }
  if (start_at !== null && end_at !== null && end_at <= start_at) {
    faults.push(fault('/end_at', 'end_before_start', 'must be after start_at'))
  }
  return faults
}

/**
 * Some fields of a campaign, each checked as in a whole one and written as replies write it. An
 * amount whose currency neither the part nor its profile knows has the decimals of any.
 */
export function settlePart(part: Wish, rules: Rules): { part: Wish; faults: Fault[] } {
  const faults: Fault[] = []
  const tell = (found: Fault | undefined) => {
    if (found) faults.push(found)
  }
  const isGiven = (field: keyof Wish) => (part[field] ?? null) !== null
  const isPriced = isGiven('currency') || (rules.profile?.currency ?? null) !== null
  const currency = isPriced ? settleCurrency(part, rules, tell) : ''
  const exponent = exponentFor(currency)
  const pairs = {
    daily_budget_minor: settleBudget(part, 'daily_budget', { currency, rules, tell }),
    lifetime_budget_minor: settleBudget(part, 'lifetime_budget', { currency, rules, tell }),
    start_at: settleTime(part.start_at, '/start_at', tell),
    end_at: settleTime(part.end_at, '/end_at', tell),
  }
  if (isGiven('profile_id')) settleProfile(part, rules, tell)
  if (isGiven('time_zone')) settleTimeZone(part, rules, tell)
  const settled: Wish = {
    ...part,
    ...(isGiven('objective') ? { objective: settleObjective(part, tell) } : {}),
    daily_budget: amount(pairs.daily_budget_minor, exponent),
    lifetime_budget: amount(pairs.lifetime_budget_minor, exponent),
    ...(isGiven('schedule') ? { schedule: [...settleSchedule(part.schedule, tell)] } : {}),
    start_at: pairs.start_at,
    end_at: pairs.end_at,
  }
  faults.push(...contradictions(pairs))
  return { part: withoutNulls(settled), faults }
}

const withoutNulls = (wish: Wish): Wish =>
  Object.fromEntries(
    Object.entries(wish).filter(([, value]) => value !== null && value !== undefined),
  )

/** A stored campaign as a wish: what PUT and PATCH change a part of. */
export const wishOf = (row: Row<'campaigns'> | Row<'campaign_details'>): Wish => ({
  name: row.name,
  objective: row.objective,
  profile_id: row.profile_id,
  daily_budget: amount(row.daily_budget_minor, row.currency_exponent),
  lifetime_budget: amount(row.lifetime_budget_minor, row.currency_exponent),
  currency: row.currency,
  start_at: row.start_at,
  end_at: row.end_at,
  time_zone: row.time_zone,
  schedule: row.schedule as Wish['schedule'],
  external_id: row.external_id,
  labels: row.labels,
  metadata: row.metadata as Record<string, string>,
  notes: row.notes,
})

export const amount = (minor: number | null, exponent: number): number | null =>
  minor === null ? null : majorOf(minor, exponent)
