import type { Operation } from '../mapping/operations.ts'
import type { GoogleError, PathElement } from './failure.ts'
import { isObject } from './rows.ts'

/** The member of the plan that an error is about, by the path in the request. */

/** By the field’s name in the network; the innermost that is known counts. */
const pointers: Readonly<Record<string, string>> = {
  name: '/name',
  status: '/status',
  amount_micros: '/daily_budget',
  total_amount_micros: '/lifetime_budget',
  start_date_time: '/start_at',
  end_date_time: '/end_at',
  contains_eu_political_advertising: '/settings/contains_eu_political_advertising',
  advertising_channel_type: '/settings/advertising_channel_type',
  network_settings: '/settings/network_settings',
  app_campaign_setting: '/settings/app',
  shopping_setting: '/settings/merchant',
  campaign_bidding_strategy: '/settings/bidding',
}

/** Errors whose place is known without a path. */
const byWord: Readonly<Record<string, string>> = {
  DUPLICATE_CAMPAIGN_NAME: '/name',
  INVALID_CAMPAIGN_NAME: '/name',
  END_DATE_TIME_REQUIRED_FOR_TOTAL_BUDGET: '/end_at',
  DURATION_TOO_LONG_FOR_TOTAL_BUDGET: '/end_at',
}

const bidding = /_(?:spend|cpc|cpm|cpv|cpa|roas|conversions|conversion_value)$/

export function pointerOf(
  { path, word }: GoogleError,
  operations: readonly Operation[],
): string | null {
  const hour = hourOf(path, operations)
  if (hour !== null) return hour
  for (const { fieldName } of path.toReversed()) {
    const pointer = pointers[fieldName]
    if (pointer !== undefined) return pointer
    if (bidding.test(fieldName)) return '/settings/bidding'
  }
  return byWord[word] ?? budgetOf(word, path, operations)
}

const operationAt = (path: readonly PathElement[]): number | null =>
  path.find(({ fieldName }) => fieldName === 'mutate_operations')?.index ?? null

const isHour = (operation: Operation | undefined): boolean => {
  const criterion = operation?.campaignCriterionOperation
  return isObject(criterion) && criterion.create !== undefined
}

/** The window that an operation makes, by its place among them. */
function hourOf(path: readonly PathElement[], operations: readonly Operation[]): string | null {
  const at = operationAt(path)
  if (at === null || !isHour(operations[at])) return null
  return `/schedule/${operations.slice(0, at).filter(isHour).length}`
}

function budgetOf(
  word: string,
  path: readonly PathElement[],
  operations: readonly Operation[],
): string | null {
  const budgets = ['BUDGET_BELOW_PER_DAY_MINIMUM', 'NON_MULTIPLE_OF_MINIMUM_CURRENCY_UNIT']
  if (!budgets.includes(word)) return null
  const text = JSON.stringify(operations[operationAt(path) ?? 0] ?? {})
  return text.includes('totalAmountMicros') ? '/lifetime_budget' : '/daily_budget'
}
