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
  ['campaignBudgetError.NON_MULTIPLE_OF_MINIMUM_CURRENCY_UNIT', 'invalid', 'invalid'],
  ['criterionError.AD_SCHEDULE_TIME_INTERVALS_OVERLAP', 'invalid', 'invalid'],
  ['campaignError.CANNOT_SET_DATE_TO_PAST', 'invalid', 'invalid'],
  ['dateRangeError.START_DATE_AFTER_END_DATE', 'invalid', 'invalid'],
  ['dateRangeError.AFTER_MAXIMUM_ALLOWABLE_DATE', 'invalid', 'invalid'],
  ['dateError.INVALID_STRING_DATE_TIME_SECONDS', 'invalid', 'invalid'],
  ['dateError.DATE_RANGE_ERROR_START_TIME_MUST_BE_THE_START_OF_A_DAY', 'invalid', 'invalid'],
  ['dateError.DATE_RANGE_ERROR_END_TIME_MUST_BE_THE_END_OF_A_DAY', 'invalid', 'invalid'],
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

test('errors are in the order of what a person must do, and then of how long they last', () => {
  const words = [
    ...['authenticationError.OAUTH_TOKEN_EXPIRED', 'authorizationError.USER_PERMISSION_DENIED'],
    ...['authorizationError.CUSTOMER_NOT_ENABLED'],
    ...['mutateError.EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED'],
    ...['quotaError.RESOURCE_EXHAUSTED', 'mutateError.RESOURCE_NOT_FOUND'],
    ...['databaseError.CONCURRENT_MODIFICATION', 'fieldError.IMMUTABLE_FIELD'],
    ...['fieldError.REQUIRED', 'internalError.TRANSIENT_ERROR'],
  ]
  words.slice(1).forEach((word, at) => {
    const both = [word, words[at] ?? ''].map((each) => ({ word: each, message: each }))
    expect(faultFor(both).message).toBe(words[at])
  })
})

test('an error that comes of another says nothing beside it', () => {
  const word = 'newResourceCreationError.TEMP_ID_RESOURCE_HAD_ERRORS'
  const path = [{ fieldName: 'status' }]
  const name = { word: 'fieldError.REQUIRED', message: 'A.', path: [{ fieldName: 'name' }] }
  const fault = faultFor([{ word, message: 'B.', path }, name])
  expect([fault.message, fault.errors.length]).toEqual(['A.', 1])
  expect(faultFor([{ word, message: 'B.', path }])).toMatchObject({ message: 'B.' })
})

test('of several limits the longest counts', () => {
  const limit = (retryDelay?: string) => ({
    ...{ word: 'quotaError.RESOURCE_EXHAUSTED', message: 'Slow.' },
    ...(retryDelay && { details: { quotaErrorDetails: { retryDelay } } }),
  })
  expect(faultFor([limit('5s'), limit(), limit('90s')]).retryAfterSeconds).toBe(90)
  expect(faultFor([limit('5s')]).retryAfterSeconds).toBe(5)
})

test('a missing declaration is said in its place', () => {
  expect(of('mutateError.EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED').errors).toEqual([
    { pointer: '/settings/contains_eu_political_advertising', message: 'No.' },
  ])
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
    const path = at(0, 'campaign_operation', 'create', name)
    const error = { word: 'fieldError.REQUIRED', message: 'No.', path }
    expect(faultFor([error], true, operations).errors).toEqual([{ pointer, message: 'No.' }])
  })

  test('of hours is their window', () => {
    const path = at(2, 'campaign_criterion_operation', 'create', 'ad_schedule')
    expect(pointersOf(path)).toEqual(['/schedule/1'])
    const first = { word: 'fieldError.REQUIRED', message: 'No.' }
    const at0 = [{ fieldName: 'mutate_operations', index: 1 }]
    const two = [hour, hour]
    expect(faultFor([{ ...first, path: at0 }], true, two).errors[0]?.pointer).toBe('/schedule/1')
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

test('a gateway’s answer says what it says', () => {
  const bare = (status: number, isWrite: boolean, text = '<html>', after: string | null = null) =>
    faultOf(
      { ...answerOf(status, text), header: (name) => (name === 'retry-after' ? after : null) },
      {
        ...{ isWrite, operations: [] },
      },
    )
  expect(bare(403, false).code).toBe('permission')
  expect(bare(502, false)).toMatchObject({
    ...{ kind: 'transient', message: 'Google Ads answers 502.' },
    network: { code: '502', subcode: null },
  })
  expect(bare(429, false, '', '77').retryAfterSeconds).toBe(77)
  expect(bare(429, false, '', 'soon').retryAfterSeconds).toBe(30)
  expect(bare(429, false)).toMatchObject({ retryAfterSeconds: 30, network: { code: '429' } })
  const info = { details: [{ '@type': 'x' }, { reason: 'SERVICE_DISABLED' }], message: 'Off.' }
  expect(bare(403, false, JSON.stringify({ error: info }))).toMatchObject({
    ...{ message: 'Off.', network: { subcode: 'SERVICE_DISABLED' } },
  })
})

test.each([
  [[{ errors: [] }], 'Google Ads answers 400.'],
  [[{ errors: [{}] }], 'Google Ads refuses it: unknownError.'],
  [[null, { errors: 7 }], 'Google Ads answers 400.'],
  [[{ errors: [{ message: 'x'.repeat(2_000) }] }], 'x'.repeat(1_000)],
])('an answer with the details %j is still a fault', (details, message) => {
  const answer = answerOf(400, JSON.stringify({ error: { details } }))
  expect(faultOf(answer, { isWrite: true, operations: [] }).message).toBe(message)
})

test('an error of a stream is in a list', () => {
  const refusal = new Refusal({ word: 'quotaError.RESOURCE_EXHAUSTED', message: 'Slow.' })
  const answer = answerOf(429, JSON.stringify([refusal.body('request-1')]))
  expect(faultOf(answer, { isWrite: false, operations: [] })).toMatchObject({
    ...{ kind: 'rate_limited', message: 'Slow.' },
  })
})
