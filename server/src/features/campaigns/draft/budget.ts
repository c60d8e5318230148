import { type Fault, fault } from '../../../problems/fault.ts'
import {
  type Amount,
  exponentFor,
  minimumMinor,
  moneyIn,
  readMoney,
  toMajor,
} from '../../../values/money.ts'
import type { AddFault, CampaignDraft, DraftRules, Situation } from './normalize.ts'

type BudgetField = 'daily_budget' | 'lifetime_budget'
type Priced = { currency: string; rules: DraftRules & Partial<Situation>; addFault: AddFault }

/** In minor units. */
export function normalizeBudget(
  draft: CampaignDraft,
  field: BudgetField,
  priced: Priced,
): number | null {
  const { currency, rules, addFault } = priced
  const amount = amountOf(draft, field, priced)
  if (amount === null) return null
  if ('fault' in amount) {
    addFault(amount.fault)
    return null
  }
  const { minor } = amount
  const isKept = rules.before?.currency === currency && rules.before[`${field}_minor`] === minor
  if (!isKept) addFault(belowMinimum(minor, `/${field}`, priced))
  return minor
}

/** A stored amount stays in minor units; in another currency it is the same number. */
function amountOf(
  draft: CampaignDraft,
  field: BudgetField,
  { currency, rules: { base } }: Priced,
): Amount | null {
  const sent = draft[field]
  const pointer = `/${field}`
  if (sent !== undefined) return sent === null ? null : readMoney(sent, currency, pointer)
  const minor = base?.[`${field}_minor`] ?? null
  if (!base || minor === null) return null
  return moneyIn(currency, { minor, exponent: base.currency_exponent }, pointer)
}

function belowMinimum(
  minor: number,
  pointer: string,
  { currency, rules }: Priced,
): Fault | undefined {
  const exponent = exponentFor(currency)
  const least = minimumMinor(currency, exponent, rules.minimumBudgets)
  if (minor >= least) return undefined
  const limit = toMajor(least, exponent)
  const message = `must be at least ${limit} ${currency}`.trimEnd()
  return fault(pointer, 'budget_below_minimum', message, { limit })
}

export function missingBudget(draft: CampaignDraft, base: Situation['base']): Fault[] {
  const { daily_budget = base?.daily_budget_minor, lifetime_budget = base?.lifetime_budget_minor } =
    draft
  if ((daily_budget ?? lifetime_budget ?? null) !== null) return []
  return [fault('/daily_budget', 'required', 'is required unless lifetime_budget is given')]
}
