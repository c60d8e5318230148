import { describe, expect, test } from 'vitest'
import type { NetworkAnswer } from '../../kit/src/connect.ts'
import { isMessage, protos } from '../fake/protos.ts'
import { type ErrorItem, Refusal } from '../fake/refusal.ts'
import type { Operation } from '../mapping/operations.ts'
import { faultOf, kinds } from './errors.ts'

const answerOf = (status: number, text: string): NetworkAnswer => ({
  ...{ status, text, header: () => null },
  json: () => JSON.parse(text),
})

const faultFor = (items: ErrorItem[], isWrite = true, operations: Operation[] = []) => {
  const refusal = new Refusal(...items)
  const answer = answerOf(refusal.status(), JSON.stringify(refusal.body('request-1')))
  return faultOf(answer, { isWrite, operations })
}

const of = (word: string, isWrite = true) => faultFor([{ word, message: 'No.' }], isWrite)

test.each([
  ['authenticationError.OAUTH_TOKEN_EXPIRED', 'credential', 'credential'],
  ['authenticationError.DEVELOPER_TOKEN_INVALID', 'credential', 'credential'],
  ['authorizationError.USER_PERMISSION_DENIED', 'credential', 'permission'],
  ['authorizationError.DEVELOPER_TOKEN_NOT_ON_ALLOWLIST', 'credential', 'permission'],
  ['authorizationError.DEVELOPER_TOKEN_PROHIBITED', 'credential', 'permission'],
  ['authorizationError.DEVELOPER_TOKEN_NOT_APPROVED', 'credential', 'permission'],
  ['authorizationError.PROJECT_DISABLED', 'credential', 'permission'],
  ['authorizationError.CLOUD_PROJECT_NOT_APPROVED_FOR_PRODUCTION', 'credential', 'permission'],
  ['requestError.DEVELOPER_TOKEN_PARAMETER_MISSING', 'credential', 'credential'],
  ['requestError.CLOUD_PROJECT_NOT_FOUND', 'credential', 'credential'],
  ['authorizationError.CUSTOMER_NOT_ENABLED', 'blocked', 'account_suspended'],
  ['authorizationError.ACTION_NOT_PERMITTED_FOR_SUSPENDED_ACCOUNT', 'blocked', 'account_suspended'],
  ['mutateError.EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED', 'blocked', 'declaration'],
  ['criterionError.MISSING_EU_POLITICAL_ADVERTISING_SELF_DECLARATION', 'blocked', 'declaration'],
  ['quotaError.RESOURCE_EXHAUSTED', 'rate_limited', 'rate_limited'],
  ['quotaError.RESOURCE_TEMPORARILY_EXHAUSTED', 'rate_limited', 'rate_limited'],
  ['quotaError.ACCESS_PROHIBITED', 'credential', 'credential'],
  ['internalError.INTERNAL_ERROR', 'unknown_outcome', 'unknown_outcome'],
  ['internalError.TRANSIENT_ERROR', 'unknown_outcome', 'unknown_outcome'],
  ['internalError.DEADLINE_EXCEEDED', 'unknown_outcome', 'unknown_outcome'],
  ['databaseError.CONCURRENT_MODIFICATION', 'conflict', 'transient'],
  ['mutateError.RESOURCE_NOT_FOUND', 'conflict', 'transient'],
  ['requestError.RESOURCE_NOT_FOUND', 'conflict', 'transient'],
  [
    'operationAccessDeniedError.OPERATION_NOT_PERMITTED_FOR_REMOVED_RESOURCE',
    'conflict',
    'transient',
  ],
  ['campaignError.CANNOT_CHANGE_BUDGET_PERIOD', 'blocked', 'cannot_change'],
  ['campaignError.CANNOT_MODIFY_START_DATE_IF_ALREADY_STARTED', 'blocked', 'cannot_change'],
  ['dateRangeError.CANNOT_MODIFY_START_DATE_IF_ALREADY_STARTED', 'blocked', 'cannot_change'],
  ['fieldError.IMMUTABLE_FIELD', 'blocked', 'cannot_change'],
  ['requestError.IMMUTABLE_FIELD', 'blocked', 'cannot_change'],
  ['campaignError.DUPLICATE_CAMPAIGN_NAME', 'invalid', 'invalid'],
  ['campaignBudgetError.BUDGET_BELOW_PER_DAY_MINIMUM', 'invalid', 'invalid'],
  ['criterionError.AD_SCHEDULE_TIME_INTERVALS_OVERLAP', 'invalid', 'invalid'],
  ['campaignError.INVALID_STATUS_CHANGE', 'invalid', 'invalid'],
  ['fieldError.REQUIRED', 'invalid', 'invalid'],
])('%s is %s, %s', (word, kind, code) => {
  const fault = of(word)
  expect([fault.kind, fault.code]).toEqual([kind, code])
  const [error, subcode] = word.split('.')
  expect(fault.network).toEqual({ code: error, subcode, request_id: 'request-1' })
})

test('each error that is named is one of the definition', () => {
  const type = protos().lookup('google.ads.googleads.v25.errors.ErrorCode')
  if (!isMessage(type)) throw new Error('it is no message')
  const snake = (name: string) => name.replace(/[A-Z]/g, (each) => `_${each.toLowerCase()}`)
  for (const [error = '', word] of Object.keys(kinds).map((each) => each.split('.'))) {
    const field = type.fields[snake(error)]?.resolve()
    expect(field, error).toBeDefined()
    const values = Object.keys((field?.resolvedType as { values?: object } | null)?.values ?? {})
    if (word !== undefined) expect(values).toContain(word)
  }
})

test('what failed inside of the network was, of a read, not done', () => {
  expect(of('internalError.TRANSIENT_ERROR', false).kind).toBe('transient')
})

test('of a limit the network’s own wait counts', () => {
  const quota = (details: object) => {
    const word = 'quotaError.RESOURCE_EXHAUSTED'
    return faultFor([{ word, message: 'Slow.', details: { quotaErrorDetails: details } }])
  }
  expect(quota({ rateScope: 'ACCOUNT', retryDelay: '12.5s' }).retryAfterSeconds).toBe(13)
  expect(quota({ rateScope: 'DEVELOPER', retryDelay: '900s' }).retryAfterSeconds).toBe(900)
  expect(quota({}).retryAfterSeconds).toBe(30)
})

test('of several errors the one that a person must act on counts', () => {
  const invalid = { word: 'fieldError.REQUIRED', message: 'A.' }
  const suspended = { word: 'authorizationError.CUSTOMER_NOT_ENABLED', message: 'B.' }
  expect(faultFor([invalid, suspended]).message).toBe('B.')
})

describe('a pointer', () => {
  const hour = { campaignCriterionOperation: { create: {} } }
  const operations = [{ campaignOperation: { update: {} } }, hour, hour]
  const at = (index: number, ...names: string[]) => [
    { fieldName: 'mutate_operations', index },
    ...names.map((fieldName) => ({ fieldName })),
  ]
  const pointersOf = (path: ReturnType<typeof at>, word = 'fieldError.REQUIRED') =>
    faultFor([{ word, message: 'No.', path }], true, operations).errors.map(
      ({ pointer }) => pointer,
    )

  test.each([
    ['name', '/name'],
    ['status', '/status'],
    ['amount_micros', '/daily_budget'],
    ['total_amount_micros', '/lifetime_budget'],
    ['start_date_time', '/start_at'],
    ['end_date_time', '/end_at'],
    ['contains_eu_political_advertising', '/settings/contains_eu_political_advertising'],
    ['advertising_channel_type', '/settings/advertising_channel_type'],
    ['network_settings', '/settings/network_settings'],
    ['app_campaign_setting', '/settings/app'],
    ['shopping_setting', '/settings/merchant'],
    ['campaign_bidding_strategy', '/settings/bidding'],
    ['target_spend', '/settings/bidding'],
    ['maximize_conversion_value', '/settings/bidding'],
  ])('of %s is %s', (name, pointer) => {
    expect(pointersOf(at(0, 'campaign_operation', 'create', name))).toEqual([pointer])
  })

  test('of hours is their window', () => {
    const path = at(2, 'campaign_criterion_operation', 'create', 'ad_schedule')
    expect(pointersOf(path)).toEqual(['/schedule/1'])
  })

  test('is that of the word where there is no path', () => {
    expect(pointersOf([], 'campaignError.DUPLICATE_CAMPAIGN_NAME')).toEqual(['/name'])
    expect(pointersOf([], 'campaignError.INVALID_CAMPAIGN_NAME')).toEqual(['/name'])
    expect(pointersOf([], 'campaignError.DURATION_TOO_LONG_FOR_TOTAL_BUDGET')).toEqual(['/end_at'])
    expect(pointersOf([], 'campaignError.END_DATE_TIME_REQUIRED_FOR_TOTAL_BUDGET')).toEqual([
      '/end_at',
    ])
    expect(pointersOf([], 'campaignError.APP_NOT_FOUND')).toEqual([])
  })

  test.each([
    ['amountMicros', '/daily_budget'],
    ['totalAmountMicros', '/lifetime_budget'],
  ])('of a budget with %s is %s', (member, pointer) => {
    const budget = [{ campaignBudgetOperation: { update: { [member]: '1' } } }]
    for (const name of ['BUDGET_BELOW_PER_DAY_MINIMUM', 'NON_MULTIPLE_OF_MINIMUM_CURRENCY_UNIT']) {
      const item = { word: `campaignBudgetError.${name}`, message: 'No.' }
      const fault = faultFor([{ ...item, path: at(0, 'campaign_budget_operation') }], true, budget)
      expect(fault.errors[0]?.pointer).toBe(pointer)
    }
  })
})

test('the least budget is said', () => {
  const details = { budgetPerDayMinimumErrorDetails: { minimumBudgetAmountMicros: '5000000' } }
  const word = 'campaignBudgetError.BUDGET_BELOW_PER_DAY_MINIMUM'
  const fault = faultFor([{ word, message: 'Low.', details }])
  expect(fault.errors).toEqual([
    { pointer: '/daily_budget', message: 'Low. The least is 5000000 micros.' },
  ])
})

test('the least lifetime budget is said, in its own place', () => {
  const details = {
    budgetPerDayMinimumErrorDetails: { minimumBudgetTotalAmountMicros: '90000000' },
  }
  const word = 'campaignBudgetError.BUDGET_BELOW_PER_DAY_MINIMUM'
  const budget = [{ campaignBudgetOperation: { update: { totalAmountMicros: '1' } } }]
  expect(faultFor([{ word, message: 'Low.', details }], true, budget).errors).toEqual([
    { pointer: '/lifetime_budget', message: 'Low. The least is 90000000 micros.' },
  ])
})

test.each([
  [401, 'credential'],
  [403, 'credential'],
  [429, 'rate_limited'],
  [502, 'unknown_outcome'],
])('a gateway’s %s is %s', (status, kind) => {
  expect(faultOf(answerOf(status, '<html>'), { isWrite: true, operations: [] }).kind).toBe(kind)
})

test('an error of a stream is in a list', () => {
  const refusal = new Refusal({ word: 'quotaError.RESOURCE_EXHAUSTED', message: 'Slow.' })
  const answer = answerOf(429, JSON.stringify([refusal.body('request-1')]))
  expect(faultOf(answer, { isWrite: false, operations: [] })).toMatchObject({
    ...{ kind: 'rate_limited', message: 'Slow.' },
  })
})
