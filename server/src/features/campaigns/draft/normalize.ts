import type { Target, TemplateDefaults } from '../../../database/tables/json-columns.ts'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import { type Fault, fault } from '../../../problems/fault.ts'
import { inThePast, invalidReference } from '../../../problems/problem.ts'
import { exponentFor, exponentOf, toMajor, unsupportedCurrency } from '../../../values/money.ts'
import { isTimeZone, readTime, unknownTimeZone } from '../../../values/times.ts'
import { type Objective, objectiveNames, objectiveOf } from '../objectives.ts'
import type { Schedule } from '../schedule/dayparting.ts'
import type { CampaignChanges } from '../schema.ts'
import { normalizeTarget } from '../target/normalize.ts'
import { missingBudget, normalizeBudget } from './budget.ts'
import { normalizeSchedule } from './schedule.ts'

/** A campaign as clients write it; omitted fields are undefined. */
export type CampaignDraft = {
  [Field in keyof CampaignChanges]?: CampaignChanges[Field] | undefined
}

/** The draft's profile, with the relevant facts of its proxy. */
export type ProfileFacts = {
  id: string
  status: string
  currency: string | null
  time_zone: string
  proxy_status: string | null
}

/** The columns that clients control. */
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
> & { metadata: Record<string, string>; schedule: Schedule | null; target: Target | null }

export type DraftRules = {
  profile: ProfileFacts | undefined
  minimumBudgets: Readonly<Record<string, number>>
}

/**
 * `base` has the columns of fields that are not sent: the campaign before a change, or the original
 * of a copy. What a change leaves as it is in `before` may break today's rules.
 */
export type Situation = {
  now: string
  base: NormalizedCampaign | undefined
  before: NormalizedCampaign | undefined
}

/** Normalizes a draft to row fields, or returns every fault. */
export function normalize(
  draft: CampaignDraft,
  rules: DraftRules & Situation,
): { normalized: NormalizedCampaign; faults: Fault[] } {
  const faults: Fault[] = []
  const addFault = (found: Fault | undefined) => {
    if (found) faults.push(found)
  }
  const { base } = rules
  const storedOr = <Field extends keyof CampaignDraft & keyof NormalizedCampaign>(
    field: Field,
    read: () => NormalizedCampaign[Field],
  ) => (base && draft[field] === undefined ? base[field] : read())
  const currency = normalizeCurrency(draft, rules, addFault)
  const priced = { currency, rules, addFault }
  const normalized: NormalizedCampaign = {
    name: storedOr('name', () => required(draft.name, '/name', addFault) ?? ''),
    objective: storedOr('objective', () => normalizeObjective(draft, addFault)),
    profile_id: normalizeProfile(draft.profile_id ?? base?.profile_id, rules, addFault),
    daily_budget_minor: normalizeBudget(draft, 'daily_budget', priced),
    lifetime_budget_minor: normalizeBudget(draft, 'lifetime_budget', priced),
    currency,
    currency_exponent: exponentFor(currency),
    start_at: storedOr('start_at', () => normalizeTime(draft.start_at, '/start_at', addFault)),
    end_at: storedOr('end_at', () => normalizeTime(draft.end_at, '/end_at', addFault)),
    time_zone: storedOr('time_zone', () => normalizeTimeZone(draft, rules, addFault)),
    schedule: storedOr('schedule', () => unlessEmpty(normalizeSchedule(draft.schedule, addFault))),
    external_id: storedOr('external_id', () => draft.external_id ?? null),
    labels: storedOr('labels', () => draft.labels ?? []),
    metadata: storedOr('metadata', () => draft.metadata ?? {}),
    notes: storedOr('notes', () => draft.notes ?? null),
    target: normalizeTarget(draft.target, { currency, base, addFault }),
  }
  faults.push(
    ...missingBudget(draft, base),
    ...contradictions(normalized),
    ...isPast(normalized, rules),
  )
  return { normalized, faults }
}

export type AddFault = (fault: Fault | undefined) => void

const unlessEmpty = (schedule: Schedule) => (schedule.length > 0 ? schedule : null)

function required<T>(
  value: T | null | undefined,
  pointer: string,
  addFault: AddFault,
): T | undefined {
  if (value !== null && value !== undefined) return value
  addFault(fault(pointer, 'required', 'is required'))
  return undefined
}

function normalizeObjective(draft: CampaignDraft, addFault: AddFault): Objective {
  const name = required(draft.objective, '/objective', addFault)
  if (name === undefined) return 'sales'
  const objective = objectiveOf(name)
  if (objective) return objective
  const allowed = objectiveNames
  addFault(
    fault('/objective', 'invalid_enum_value', 'is not a known objective', { allowed, given: name }),
  )
  return 'sales'
}

function normalizeProfile(
  given: string | undefined,
  { profile }: DraftRules,
  addFault: AddFault,
): string {
  const id = required(given, '/profile_id', addFault)
  if (id !== undefined && !profile) addFault(invalidReference('/profile_id', id))
  return profile?.id ?? ''
}

const noCurrency = fault('/currency', 'required', 'is required because the profile has none')

function normalizeCurrency(
  draft: CampaignDraft,
  { profile, base, before }: DraftRules & Partial<Situation>,
  addFault: AddFault,
): string {
  const fromProfile = profile?.currency ?? null
  const given = draft.currency === undefined ? base?.currency : draft.currency
  const currency = given ?? fromProfile
  // The profile's currency may have changed since; that must not block unrelated edits.
  const isKept = currency === before?.currency && profile?.id === before?.profile_id
  if (currency === null) {
    // An unknown profile is a fault already.
    if (profile) addFault(noCurrency)
    return ''
  }
  if (exponentOf(currency) === undefined) {
    addFault(unsupportedCurrency('/currency', currency))
  } else if (fromProfile !== null && currency !== fromProfile && !isKept) {
    const allowed = [fromProfile]
    const message = `must be ${fromProfile}, the currency of the profile`
    addFault(fault('/currency', 'currency_mismatch', message, { allowed, given: currency }))
  }
  return currency
}

function normalizeTime(
  text: string | null | undefined,
  pointer: string,
  addFault: AddFault,
): string | null {
  if (text === null || text === undefined) return null
  const read = readTime(text, pointer)
  if ('time' in read) return read.time
  addFault(read.fault)
  return null
}

function normalizeTimeZone(
  draft: CampaignDraft,
  { profile }: DraftRules,
  addFault: AddFault,
): string {
  const zone = draft.time_zone ?? profile?.time_zone ?? 'UTC'
  if (!isTimeZone(zone)) addFault(unknownTimeZone('/time_zone', zone))
  return zone
}

type Pairs = Pick<
  NormalizedCampaign,
  'daily_budget_minor' | 'lifetime_budget_minor' | 'start_at' | 'end_at'
>

function isPast({ end_at }: NormalizedCampaign, { now, before }: Situation): Fault[] {
  if (end_at === null || end_at > now || end_at === before?.end_at) return []
  return [inThePast('/end_at')]
}

/** Faults between fields that are valid individually. */
function contradictions(normalized: Pairs): Fault[] {
  const { daily_budget_minor, lifetime_budget_minor, start_at, end_at } = normalized
  const faults: Fault[] = []
  if (daily_budget_minor !== null && lifetime_budget_minor !== null) {
    if (lifetime_budget_minor < daily_budget_minor) {
      const message = 'must be at least daily_budget'
      faults.push(fault('/lifetime_budget', 'lifetime_below_daily', message))
    }
  }
  if (start_at !== null && end_at !== null && end_at <= start_at) {
    faults.push(fault('/end_at', 'end_before_start', 'must be after start_at'))
  }
  return faults
}

/**
 * Checks and normalizes some fields of a campaign, in the form replies use. If neither the draft
 * nor its profile gives a currency, amounts may have any currency's decimals.
 */
export function normalizePartial(
  part: CampaignDraft,
  rules: DraftRules,
): { part: TemplateDefaults; faults: Fault[] } {
  const faults: Fault[] = []
  const addFault = (found: Fault | undefined) => {
    if (found) faults.push(found)
  }
  const isGiven = (field: keyof CampaignDraft) => (part[field] ?? null) !== null
  const isPriced = isGiven('currency') || (rules.profile?.currency ?? null) !== null
  const currency = isPriced ? normalizeCurrency(part, rules, addFault) : ''
  const exponent = exponentFor(currency)
  const pairs = {
    daily_budget_minor: normalizeBudget(part, 'daily_budget', { currency, rules, addFault }),
    lifetime_budget_minor: normalizeBudget(part, 'lifetime_budget', { currency, rules, addFault }),
    start_at: normalizeTime(part.start_at, '/start_at', addFault),
    end_at: normalizeTime(part.end_at, '/end_at', addFault),
  }
  if (isGiven('profile_id')) normalizeProfile(part.profile_id, rules, addFault)
  if (isGiven('time_zone')) normalizeTimeZone(part, rules, addFault)
  const normalized = {
    ...part,
    objective: isGiven('objective') ? normalizeObjective(part, addFault) : null,
    daily_budget: toMajor(pairs.daily_budget_minor, exponent),
    lifetime_budget: toMajor(pairs.lifetime_budget_minor, exponent),
    schedule: isGiven('schedule') ? [...normalizeSchedule(part.schedule, addFault)] : null,
    target: normalizeTarget(part.target, { currency, base: undefined, addFault }),
    start_at: pairs.start_at,
    end_at: pairs.end_at,
  }
  faults.push(...contradictions(pairs))
  return { part: withoutNulls(normalized), faults }
}

type WithNulls<T> = { [Field in keyof T]?: T[Field] | null | undefined }

const withoutNulls = (draft: WithNulls<TemplateDefaults>): TemplateDefaults =>
  Object.fromEntries(
    Object.entries(draft).filter(([, value]) => value !== null && value !== undefined),
  )

/** A stored row in the form of a body, for templates and their locks. */
export const draftFromRow = (row: Row<'campaigns'> | Row<'campaign_details'>): CampaignDraft => ({
  name: row.name,
  objective: row.objective,
  profile_id: row.profile_id,
  daily_budget: toMajor(row.daily_budget_minor, row.currency_exponent),
  lifetime_budget: toMajor(row.lifetime_budget_minor, row.currency_exponent),
  currency: row.currency,
  start_at: row.start_at,
  end_at: row.end_at,
  time_zone: row.time_zone,
  schedule: row.schedule && [...row.schedule],
  external_id: row.external_id,
  labels: row.labels,
  metadata: row.metadata,
  notes: row.notes,
  target: row.target,
})
