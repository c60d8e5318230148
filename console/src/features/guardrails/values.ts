import type { Body } from '@flightdeckhq/sdk'
import { decimalIn, doubtOf, typedDecimal } from '../../data/typed.ts'
import type { Schema } from '../../flightdeck.ts'
import type { CurrencyAmount } from '../../ui/fields/amounts-field.tsx'

export type Guardrails = Schema<'Guardrails'>

/** The rules as the form has them: amounts as lists of decimal text. */
export const valuesOf = (rules: Guardrails) => ({
  max_daily_budget: listOf(rules.max_daily_budget),
  max_lifetime_budget: listOf(rules.max_lifetime_budget),
  unlisted_currencies: rules.unlisted_currencies,
  max_increase_percent: rules.max_increase_percent,
  max_increase_percent_24h: rules.max_increase_percent_24h,
  approval_mode: rules.approval.mode,
  approval_amounts: listOf(rules.approval.amounts),
  approver_roles: rules.approver_roles,
  change_set_approval: rules.change_sets.approval,
  raises_above: listOf(rules.change_sets.raises_above),
  required_for: rules.change_sets.required_for,
  performance_bound: rules.performance_bound as number | null,
  stop_at_percent: rules.stop_at_percent,
  stop_scopes: rules.stop_scopes,
  under_percent: rules.pacing.under_percent as number | null,
  over_percent: rules.pacing.over_percent as number | null,
  critical_percent: rules.pacing.critical_percent as number | null,
})

export type GuardrailValues = ReturnType<typeof valuesOf>

const listOf = (amounts: Readonly<Record<string, number>>): readonly CurrencyAmount[] =>
  Object.entries(amounts).map(([currency, amount]) => ({
    currency,
    amount: typedDecimal(`${amount}`, currency),
  }))

const mapOf = (amounts: readonly CurrencyAmount[]): Record<string, string> =>
  Object.fromEntries(amounts.map(({ currency, amount }) => [currency, decimalIn(amount, currency)]))

/** The amounts that read two ways, by the pointers of the service. */
export function doubtsIn(values: GuardrailValues): ReadonlyMap<string, string> {
  const lists = {
    '/max_daily_budget': values.max_daily_budget,
    '/max_lifetime_budget': values.max_lifetime_budget,
    '/approval/amounts': values.approval_amounts,
    '/change_sets/raises_above': values.raises_above,
  }
  return new Map(
    Object.entries(lists).flatMap(([pointer, list]) =>
      list.flatMap(({ currency, amount }) => {
        const doubt = doubtOf(amount, currency)
        return doubt === undefined ? [] : [[`${pointer}/${currency}`, doubt] as const]
      }),
    ),
  )
}

/** Only what was changed is sent. */
export function bodyOf(changes: Partial<GuardrailValues>): Body<'updateGuardrails'> {
  const { max_daily_budget, max_lifetime_budget } = changes
  return {
    ...pick(changes, 'unlisted_currencies', 'approver_roles', 'stop_at_percent', 'stop_scopes'),
    ...pick(changes, 'max_increase_percent', 'max_increase_percent_24h', 'performance_bound'),
    ...(max_daily_budget && { max_daily_budget: mapOf(max_daily_budget) }),
    ...(max_lifetime_budget && { max_lifetime_budget: mapOf(max_lifetime_budget) }),
    ...group('approval', {
      ...(changes.approval_mode && { mode: changes.approval_mode }),
      ...(changes.approval_amounts && { amounts: mapOf(changes.approval_amounts) }),
    }),
    ...group('change_sets', {
      ...(changes.change_set_approval && { approval: changes.change_set_approval }),
      ...(changes.raises_above && { raises_above: mapOf(changes.raises_above) }),
      ...pick(changes, 'required_for'),
    }),
    ...group('pacing', pick(changes, 'under_percent', 'over_percent', 'critical_percent')),
  } as Body<'updateGuardrails'>
}

const pick = <Name extends keyof GuardrailValues>(
  changes: Partial<GuardrailValues>,
  ...names: Name[]
) => Object.fromEntries(names.flatMap((name) => (name in changes ? [[name, changes[name]]] : [])))

/** A group of rules is sent where one of them was changed. */
const group = (name: string, members: object) =>
  Object.keys(members).length > 0 ? { [name]: members } : {}
