import { daysBetween, today } from './clock.ts'
import type { Json } from './json.ts'
import type { Next } from './mutate.ts'
import { refuse } from './refusal.ts'
import type { At, Ruling } from './rules.ts'
import { textOf } from './state.ts'

/** Rules of budgets, and of what a campaign may have one for. The numbers are those of rules.md. */

export function budgetRules(ruling: Ruling): void {
  checkPeriod(ruling)
  checkShared(ruling)
  const { after, next, at } = ruling
  for (const [member, field] of amounts) {
    const micros = textOf(after, member)
    if (micros !== '') checkAmount(ruling, BigInt(micros), field)
  }
  for (const campaign of next.held.campaign.values())
    if (campaign.campaignBudget === after.resourceName && campaign.status !== 'REMOVED')
      checkFlight({ campaign, budget: after, next, at })
}

const amounts = [
  ['amountMicros', 'amount_micros'],
  ['totalAmountMicros', 'total_amount_micros'],
] as const

/** R15: daily or total, as the period says. */
function checkPeriod({ after, at }: Ruling): void {
  const [daily, total] = [textOf(after, 'amountMicros'), textOf(after, 'totalAmountMicros')]
  const isCustom = after.period === 'CUSTOM_PERIOD'
  if (!isCustom && total !== '')
    refuse(
      'campaignBudgetError.TOTAL_BUDGET_AMOUNT_MUST_BE_UNSET_FOR_BUDGET_PERIOD_DAILY',
      'A daily budget has no total.',
      at('total_amount_micros'),
    )
  if (isCustom && daily !== '')
    refuse(
      'campaignBudgetError.BUDGET_AMOUNT_MUST_BE_UNSET_FOR_CUSTOM_BUDGET_PERIOD',
      'A total budget has no daily amount.',
      at('amount_micros'),
    )
  if (daily === '' && total === '')
    refuse(
      'fieldError.REQUIRED',
      'An amount is required.',
      at(isCustom ? 'total_amount_micros' : 'amount_micros'),
    )
}

/** R18: shared unless it is said not to be; shared ones have a name, and no total. */
function checkShared({ after, before, mask = [], at }: Ruling): void {
  const isShared = after.explicitlyShared !== false
  if (before && mask.includes('name') && !isShared)
    refuse(
      'campaignBudgetError.CANNOT_MODIFY_FIELD_OF_IMPLICITLY_SHARED_CAMPAIGN_BUDGET',
      'The name of a budget of its own cannot be changed.',
      at('name'),
    )
  if (before && before.explicitlyShared === true && !isShared)
    refuse(
      'campaignBudgetError.CANNOT_UPDATE_CAMPAIGN_BUDGET_TO_IMPLICITLY_SHARED',
      'It is shared.',
      at('explicitly_shared'),
    )
  if (isShared && textOf(after, 'name') === '')
    refuse('fieldError.REQUIRED', 'A shared budget needs a name.', at('name'))
  if (isShared && after.period === 'CUSTOM_PERIOD')
    refuse(
      'campaignBudgetError.CAMPAIGN_BUDGET_CANNOT_BE_SHARED',
      'It cannot be shared.',
      at('explicitly_shared'),
    )
}

/** R16: multiples of the least unit of the currency, above nothing. */
function checkAmount({ next, at }: Ruling, micros: bigint, field: string): void {
  if (micros < 0n)
    refuse('campaignBudgetError.NEGATIVE_MONEY_AMOUNT', 'The amount is negative.', at(field))
  if (micros % BigInt(next.account.billableUnitMicros) !== 0n)
    refuse(
      'campaignBudgetError.NON_MULTIPLE_OF_MINIMUM_CURRENCY_UNIT',
      'The amount is no multiple of the minimum unit of the currency.',
      at(field),
    )
}

const flights: Readonly<Record<string, readonly [number, number]>> = {
  SEARCH: [3, 90],
  SHOPPING: [3, 90],
  PERFORMANCE_MAX: [3, 90],
  DEMAND_GEN: [7, 366],
}

type Flight = { campaign: Json; budget: Json; next: Next; at: At }

/** R11: a total budget needs an end, and days that its type may run. R17: the least of a day. */
export function checkFlight({ campaign, budget, next, at }: Flight): void {
  if (budget.period !== 'CUSTOM_PERIOD') {
    checkLeast({ days: 1, member: 'amountMicros', field: 'amount_micros', budget, next, at })
    return
  }
  const end = textOf(campaign, 'endDateTime')
  if (end === '')
    refuse(
      'campaignError.END_DATE_TIME_REQUIRED_FOR_TOTAL_BUDGET',
      'An end is required.',
      at('end_date_time'),
    )
  const start = textOf(campaign, 'startDateTime') || today(next.now, next.account.timeZone)
  const days = daysBetween(start, end)
  const [least, most] = flights[textOf(campaign, 'advertisingChannelType')] ?? [0, 0]
  if (days > most)
    refuse(
      'campaignError.DURATION_TOO_LONG_FOR_TOTAL_BUDGET',
      `${days} days are too long.`,
      at('end_date_time'),
    )
  if (days < least)
    refuse(
      'campaignError.INCOMPATIBLE_BUDGET_TYPE',
      `${days} days are too short.`,
      at('end_date_time'),
    )
  checkLeast({ days, member: 'totalAmountMicros', field: 'total_amount_micros', budget, next, at })
}

type Least = Omit<Flight, 'campaign'> & {
  days: number
  member: 'amountMicros' | 'totalAmountMicros'
  field: string
}

function checkLeast({ days, member, field, budget, next: { account }, at }: Least): void {
  const amount = textOf(budget, member)
  const least = BigInt(account.perDayMinimumMicros) * BigInt(days)
  if (amount === '' || BigInt(amount) >= least) return
  const isDaily = member === 'amountMicros'
  refuse('campaignBudgetError.BUDGET_BELOW_PER_DAY_MINIMUM', 'The budget is below the minimum.', {
    ...at(field),
    details: {
      budgetPerDayMinimumErrorDetails: {
        currencyCode: account.currency,
        budgetPerDayMinimumMicros: account.perDayMinimumMicros,
        ...(isDaily
          ? { minimumBudgetAmountMicros: String(least), failedBudgetAmountMicros: amount }
          : {
              minimumBudgetTotalAmountMicros: String(least),
              failedBudgetTotalAmountMicros: amount,
            }),
      },
    },
  })
}
