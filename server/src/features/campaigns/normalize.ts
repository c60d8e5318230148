import type { Row } from '../../database/tenant-tables.ts'
import { type Fault, fault, inThePast, invalidReference } from '../../problems/problem.ts'
import {
  exponentFor,
  exponentOf,
  type MoneyInput,
  minimumMinor,
  readMoney,
  toMajor,
  unsupportedCurrency,
} from '../../values/money.ts'
import { isTimeZone, readTime, unknownTimeZone } from '../../values/times.ts'
import type { Schedule } from './dayparting.ts'
import { normalizeSchedule } from './normalize-schedule.ts'
import { type Objective, objectiveNames, objectiveOf } from './objectives.ts'
import type { CampaignChanges } from './schema.ts'

/** What a campaign should become, as clients write it; a field left out has nothing in it. */
export type CampaignDraft = {
  [Field in keyof CampaignChanges]?: CampaignChanges[Field] | undefined
}

/** The profile that the wish names, with what matters of its proxy. */
export type ProfileFacts = {
  id: string
  status: string
  currency: string | null
  time_zone: string
  proxy_status: string | null
}

/** The part of a row that clients decide. */
export type NormalizedCampaign = Pick<
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
export function normalize(
  wish: CampaignDraft,
  rules: Rules & Situation,
): { settled: NormalizedCampaign; faults: Fault[] } {
  const faults: Fault[] = []
  const tell = (found: Fault | undefined) => {
    if (found) faults.push(found)
  }
  const currency = normalizeCurrency(wish, rules, tell)
  const exponent = exponentFor(currency)
  const settled: NormalizedCampaign = {
    name: required(wish.name, '/name', tell) ?? '',
    objective: normalizeObjective(wish, tell),
    profile_id: normalizeProfile(wish, rules, tell),
    daily_budget_minor: normalizeBudget(wish, 'daily_budget', { currency, rules, tell }),
    lifetime_budget_minor: normalizeBudget(wish, 'lifetime_budget', { currency, rules, tell }),
    currency,
    currency_exponent: exponent,
    start_at: normalizeTime(wish.start_at, '/start_at', tell),
    end_at: normalizeTime(wish.end_at, '/end_at', tell),
    time_zone: normalizeTimeZone(wish, rules, tell),
    schedule: unlessEmpty(normalizeSchedule(wish.schedule, tell)),
    external_id: wish.external_id ?? null,
    labels: wish.labels ?? [],
    metadata: wish.metadata ?? {},
    notes: wish.notes ?? null,
  }
  faults.push(...missingBudget(wish), ...contradictions(settled), ...isPast(settled, rules))
  return { settled, faults }
}

type AddFault = (fault: Fault | undefined) => void

const unlessEmpty = (schedule: Schedule) => (schedule.length > 0 ? schedule : null)

function required<T>(value: T | null | undefined, pointer: string, tell: AddFault): T | undefined {
  if (value !== null && value !== undefined) return value
  tell(fault(pointer, 'required', 'is required'))
  return undefined
}

function normalizeObjective(wish: CampaignDraft, tell: AddFault): Objective {
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

function normalizeProfile(wish: CampaignDraft, { profile }: Rules, tell: AddFault): string {
  const id = required(wish.profile_id, '/profile_id', tell)
  if (id !== undefined && !profile) tell(invalidReference('/profile_id', id))
  return profile?.id ?? ''
}

function normalizeCurrency(
  wish: CampaignDraft,
  { profile, before }: Rules & Partial<Situation>,
  tell: AddFault,
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
const isKept = ({ currency, profile_id }: CampaignDraft, before: Situation['before']) =>
  currency === before?.currency && profile_id === before?.profile_id

type BudgetField = 'daily_budget' | 'lifetime_budget'
type BudgetRules = { currency: string; rules: Rules; tell: AddFault }

function normalizeBudget(
  wish: CampaignDraft,
  field: BudgetField,
  { currency, rules, tell }: BudgetRules,
) {
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
    const limit = toMajor(least, exponent)
    tell(
      fault(pointer, 'budget_below_minimum', `must be at least ${limit} ${currency}`.trimEnd(), {
        limit,
      }),
    )
  }
  return read.minor
}

function normalizeTime(
  text: string | null | undefined,
  pointer: string,
  tell: AddFault,
): string | null {
  if (text === null || text === undefined) return null
  const read = readTime(text, pointer)
  if ('time' in read) return read.time
  tell(read.fault)
  return null
}

function normalizeTimeZone(wish: CampaignDraft, { profile }: Rules, tell: AddFault): string {
  const zone = wish.time_zone ?? profile?.time_zone ?? 'UTC'
  if (!isTimeZone(zone)) tell(unknownTimeZone('/time_zone', zone))
  return zone
}

function missingBudget(wish: CampaignDraft): Fault[] {
  if ((wish.daily_budget ?? null) !== null || (wish.lifetime_budget ?? null) !== null) return []
  return [fault('/daily_budget', 'required', 'is required, unless lifetime_budget is given')]
}

type Pairs = Pick<
  NormalizedCampaign,
  'daily_budget_minor' | 'lifetime_budget_minor' | 'start_at' | 'end_at'
>

function isPast({ end_at }: NormalizedCampaign, { now, before }: Situation): Fault[] {
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
export function normalizePartial(
  part: CampaignDraft,
  rules: Rules,
): { part: CampaignDraft; faults: Fault[] } {
  const faults: Fault[] = []
  const tell = (found: Fault | undefined) => {
    if (found) faults.push(found)
  }
  const isGiven = (field: keyof CampaignDraft) => (part[field] ?? null) !== null
  const isPriced = isGiven('currency') || (rules.profile?.currency ?? null) !== null
  const currency = isPriced ? normalizeCurrency(part, rules, tell) : ''
  const exponent = exponentFor(currency)
  const pairs = {
    daily_budget_minor: normalizeBudget(part, 'daily_budget', { currency, rules, tell }),
    lifetime_budget_minor: normalizeBudget(part, 'lifetime_budget', { currency, rules, tell }),
    start_at: normalizeTime(part.start_at, '/start_at', tell),
    end_at: normalizeTime(part.end_at, '/end_at', tell),
  }
  if (isGiven('profile_id')) normalizeProfile(part, rules, tell)
  if (isGiven('time_zone')) normalizeTimeZone(part, rules, tell)
  const settled: CampaignDraft = {
    ...part,
    ...(isGiven('objective') ? { objective: normalizeObjective(part, tell) } : {}),
    daily_budget: amount(pairs.daily_budget_minor, exponent),
    lifetime_budget: amount(pairs.lifetime_budget_minor, exponent),
    ...(isGiven('schedule') ? { schedule: [...normalizeSchedule(part.schedule, tell)] } : {}),
    start_at: pairs.start_at,
    end_at: pairs.end_at,
  }
  faults.push(...contradictions(pairs))
  return { part: withoutNulls(settled), faults }
}

const withoutNulls = (wish: CampaignDraft): CampaignDraft =>
  Object.fromEntries(
    Object.entries(wish).filter(([, value]) => value !== null && value !== undefined),
  )

/** A stored campaign as a wish: what PUT and PATCH change a part of. */
export const draftFromRow = (row: Row<'campaigns'> | Row<'campaign_details'>): CampaignDraft => ({
  name: row.name,
  objective: row.objective,
  profile_id: row.profile_id,
  daily_budget: amount(row.daily_budget_minor, row.currency_exponent),
  lifetime_budget: amount(row.lifetime_budget_minor, row.currency_exponent),
  currency: row.currency,
  start_at: row.start_at,
  end_at: row.end_at,
  time_zone: row.time_zone,
  schedule: row.schedule && [...row.schedule],
  external_id: row.external_id,
  labels: row.labels,
  metadata: row.metadata,
  notes: row.notes,
})

export const amount = (minor: number | null, exponent: number): number | null =>
  minor === null ? null : toMajor(minor, exponent)
