import { nameOf } from '../../data/choices.ts'
import { minorIn } from '../../data/typed.ts'
import { formatMoney } from '../../data/values/money.ts'
import { formatPercent } from '../../data/values/numbers.ts'
import type { CurrencyAmount } from '../../ui/fields/amounts-field.tsx'
import type { GuardrailValues } from './values.ts'

type ExponentOf = (currency: string) => number

/** Describes the effect of the rules. */
export function sentencesOf(values: GuardrailValues, exponentOf: ExponentOf): readonly string[] {
  const amounts = (list: readonly CurrencyAmount[], junction: 'or' | 'and' = 'or') =>
    listed(
      list.map((each) => amountText(each, exponentOf)),
      junction,
    )
  return [
    ...capSentences(values, amounts),
    ...increaseSentences(values),
    ...approvalSentences(values, amounts),
    ...changeSetSentences(values, amounts),
    ...spendSentences(values),
  ]
}

type Amounts = (list: readonly CurrencyAmount[]) => string

function capSentences(values: GuardrailValues, amounts: Amounts): string[] {
  const { max_daily_budget: daily, max_lifetime_budget: lifetime, unlisted_currencies } = values
  const named = [...new Set([...daily, ...lifetime].map(({ currency }) => currency))]
  const isRefused = unlisted_currencies === 'refuse'
  return [
    daily.length > 0
      ? `No campaign may cost more than ${amounts(daily)} in a day.`
      : 'What a campaign costs in a day has no limit.',
    lifetime.length > 0
      ? `No lifetime budget may exceed ${amounts(lifetime)}.`
      : 'Lifetime budgets have no limit.',
    ...(isRefused && named.length > 0
      ? [`Campaigns in other currencies than ${listed(named, 'and')} are refused.`]
      : []),
    ...(isRefused && named.length === 0
      ? ['Campaigns are refused in every currency, because none has an amount.']
      : []),
    ...(!isRefused && named.length > 0 ? ['Other currencies have no limit.'] : []),
  ]
}

function increaseSentences({
  max_increase_percent,
  max_increase_percent_24h,
}: GuardrailValues): string[] {
  const once = max_increase_percent
  const day = max_increase_percent_24h
  return [
    once === null
      ? 'One change may raise the budget of a running campaign by any percentage.'
      : `One change may raise the budget of a running campaign by ${percent(once)} at most.`,
    ...(day === null ? [] : [`Within 24 hours it may rise by ${percent(day)} at most.`]),
  ]
}

function approvalSentences(values: GuardrailValues, amounts: Amounts): string[] {
  const { approval_mode: mode, approval_amounts, approver_roles } = values
  const by = `Approved by another person: ${listed(approver_roles.map(nameOf), 'or')}.`
  if (mode === 'never') return ['Campaigns are launched without an approval.']
  if (mode === 'always') return ['Every campaign needs an approval before it runs.', by]
  if (approval_amounts.length === 0) return ['No amount above which an approval is needed is set.']
  return [`Campaigns above ${amounts(approval_amounts)} need an approval before they run.`, by]
}

function changeSetSentences(values: GuardrailValues, amounts: Amounts): string[] {
  const { change_set_approval: mode, raises_above, required_for } = values
  const above = raises_above.length > 0 ? `more than ${amounts(raises_above)}` : 'anything'
  const approvals: Readonly<Record<string, string>> = {
    never: 'Change sets are applied without an approval.',
    always: 'Every change set needs an approval before it is applied.',
    raises: `Change sets that raise what running campaigns cost in a day by ${above} need an approval.`,
  }
  return [
    approvals[mode] ?? `Approvals of change sets: ${nameOf(mode)}.`,
    required_for.length > 0
      ? `Raises and launches by change set only: ${listed(required_for.map(whom), 'and')}.`
      : 'Raises and launches need no change set: direct edits are free.',
  ]
}

const whom = (writer: string): string => (writer === 'member' ? 'members' : 'API keys')

function spendSentences(values: GuardrailValues): string[] {
  const { under_percent, over_percent, critical_percent, performance_bound } = values
  return [
    ...stopSentences(values),
    `Pacing is under below ${bound(under_percent)}, over above ${bound(over_percent)}, and critical above ${bound(critical_percent)}.`,
    `A campaign is off its target when it is worse by more than ${bound(performance_bound)}.`,
  ]
}

function stopSentences({ stop_at_percent, stop_scopes }: GuardrailValues): string[] {
  const isOn = (scope: string) => stop_scopes.some((each) => each === scope)
  const share = stop_at_percent === null ? 'all' : percent(stop_at_percent)
  const sums = [
    ...(isOn('profile') ? ['the monthly cap of its profile'] : []),
    ...(isOn('client') ? ['the budget of its client for the month'] : []),
  ]
  return [
    isOn('lifetime') && stop_at_percent !== null
      ? `A campaign is paused once ${share} of its lifetime budget is spent.`
      : 'No campaign is paused for what it has spent of its lifetime budget.',
    sums.length > 0
      ? `It is paused once ${share} of ${listed(sums, 'or')} is spent.`
      : 'What its profile and its client have spent pauses no campaign.',
  ]
}

const bound = (value: number | null) => (value === null ? '…' : percent(value))

const listed = (texts: readonly string[], junction: 'or' | 'and') =>
  new Intl.ListFormat('en', {
    type: junction === 'or' ? 'disjunction' : 'conjunction',
  }).format(texts)

const percent = (value: number) => formatPercent(value / 100, 2)

function amountText({ currency, amount }: CurrencyAmount, exponentOf: ExponentOf): string {
  const exponent = exponentOf(currency)
  const minor = minorIn(amount, currency)
  return minor === null ? `${currency} …` : formatMoney({ minor, currency, exponent })
}
