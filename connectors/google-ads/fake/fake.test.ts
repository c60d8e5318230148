import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { wallClock } from './clock.ts'
import { type GoogleFake, openFake } from './server.ts'

// The fake refuses what the network would: each rule of rules.md has a request that it refuses.

let fake: GoogleFake
const of = 'customers/1'

beforeEach(async () => {
  fake = await openFake({ recordDir: undefined })
  fake.control.openAccount({
    id: '1',
    currency: 'USD',
    timeZone: 'UTC',
    perDayMinimumMicros: '1000000',
  })
  fake.issuer.issued.add('token')
})
afterEach(() => fake.close())

const headers = { authorization: 'Bearer token' }

async function post(method: string, body: unknown, more: Record<string, string> = {}) {
  const answer = await fetch(`${fake.url}/v25/customers/1/googleAds:${method}`, {
    ...{ method: 'POST', headers: { ...headers, ...more } },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: answer.status, text: await answer.text() }
}

const mutate = (...mutateOperations: unknown[]) => post('mutate', { mutateOperations })
const search = (query: string) => post('searchStream', { query })

const budget = (change: object = {}) => ({
  campaignBudgetOperation: {
    create: {
      resourceName: `${of}/campaignBudgets/-1`,
      ...{ explicitlyShared: false, amountMicros: '5000000', ...change },
    },
  },
})
const campaign = (change: object = {}) => ({
  campaignOperation: {
    create: {
      resourceName: `${of}/campaigns/-2`,
      ...{ name: 'One', advertisingChannelType: 'SEARCH', targetSpend: {} },
      ...{ campaignBudget: `${of}/campaignBudgets/-1`, status: 'PAUSED' },
      containsEuPoliticalAdvertising: 'DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING',
      ...change,
    },
  },
})
const hours = (change: object = {}) => ({
  campaignCriterionOperation: {
    create: {
      campaign: `${of}/campaigns/-2`,
      adSchedule: {
        ...{ dayOfWeek: 'MONDAY', startHour: 8, startMinute: 'ZERO' },
        ...{ endHour: 9, endMinute: 'ZERO', ...change },
      },
    },
  },
})
const update = (change: object, updateMask: string, id = theId()) => ({
  campaignOperation: { update: { resourceName: `${of}/campaigns/${id}`, ...change }, updateMask },
})

/** The id of the campaign that was made. */
const theId = () => String(fake.control.campaigns('1')[0]?.campaign.id)
const theBudget = () => String(fake.control.campaigns('1')[0]?.budget.resourceName)
const made = async (change: object = {}, ofBudget: object = {}, ...more: object[]) =>
  expect(await mutate(budget(ofBudget), campaign(change), ...more)).toMatchObject({ status: 200 })

const total = { amountMicros: undefined, period: 'CUSTOM_PERIOD', totalAmountMicros: '900000000' }
const inDays = (days: number) => wallClock(Date.now() + days * 86_400_000, 'UTC').slice(0, 10)
const long = { startDateTime: `${inDays(1)} 00:00:00`, endDateTime: `${inDays(20)} 23:59:59` }

describe('a new campaign', () => {
  test.each<[string, () => unknown[], string]>([
    ['R04 without a name', () => [budget(), campaign({ name: undefined })], 'REQUIRED'],
    [
      'R04 without a type',
      () => [budget(), campaign({ advertisingChannelType: undefined })],
      'REQUIRED',
    ],
    ['R04 without a budget', () => [campaign({ campaignBudget: undefined })], 'REQUIRED'],
    [
      'R05 without bidding',
      () => [budget(), campaign({ targetSpend: undefined })],
      'campaign_bidding_strategy',
    ],
    [
      'R06 without the declaration',
      () => [budget(), campaign({ containsEuPoliticalAdvertising: undefined })],
      'contains_eu_political',
    ],
    [
      'R29 without a network',
      () => [budget(), campaign({ networkSettings: { targetGoogleSearch: false } })],
      'CAMPAIGN_MUST_TARGET',
    ],
    [
      'R07 with a line break',
      () => [budget(), campaign({ name: 'a\nb' })],
      'INVALID_CAMPAIGN_NAME',
    ],
    [
      'R10 that is removed',
      () => [budget(), campaign({ status: 'REMOVED' })],
      'INVALID_STATUS_CHANGE',
    ],
    [
      'R11 with a total and no end',
      () => [budget(total), campaign()],
      'END_DATE_TIME_REQUIRED_FOR_TOTAL_BUDGET',
    ],
    [
      'R11 with a total for too long',
      () => [budget(total), campaign({ ...long, endDateTime: `${inDays(100)} 23:59:59` })],
      'DURATION_TOO_LONG',
    ],
    [
      'R11 with a total for display',
      () => [budget(total), campaign({ ...long, advertisingChannelType: 'DISPLAY' })],
      'DURATION_TOO_LONG',
    ],
    [
      'R12 with a date alone',
      () => [budget(), campaign({ endDateTime: inDays(3) })],
      'INVALID_STRING_DATE_TIME_SECONDS',
    ],
    [
      'R12 with a day that is none',
      () => [budget(), campaign({ endDateTime: '2030-02-30 23:59:59' })],
      'INVALID_FIELD_VALUES_IN_DATE_TIME',
    ],
    [
      'R13 that ends at noon',
      () => [budget(), campaign({ endDateTime: `${inDays(3)} 12:00:00` })],
      'END_TIME_MUST_BE_THE_END_OF_A_DAY',
    ],
    [
      'R13 that starts at noon',
      () => [budget(), campaign({ startDateTime: `${inDays(3)} 12:00:00` })],
      'START_TIME_MUST_BE_THE_START_OF_A_DAY',
    ],
    [
      'R14 in far days',
      () => [budget(), campaign({ endDateTime: '2040-01-01 23:59:59' })],
      'AFTER_MAXIMUM_ALLOWABLE_DATE',
    ],
    [
      'R14 in the past',
      () => [budget(), campaign({ startDateTime: '2020-01-01 00:00:00' })],
      'CANNOT_SET_DATE_TO_PAST',
    ],
    [
      'R14 that ends first',
      () => [
        budget(),
        campaign({ startDateTime: `${inDays(9)} 00:00:00`, endDateTime: `${inDays(3)} 23:59:59` }),
      ],
      'START_DATE_AFTER_END_DATE',
    ],
    [
      'R15 with two amounts',
      () => [budget({ totalAmountMicros: '5000000' }), campaign()],
      'TOTAL_BUDGET_AMOUNT_MUST_BE_UNSET',
    ],
    [
      'R15 with a daily amount for a period',
      () => [budget({ period: 'CUSTOM_PERIOD' }), campaign(long)],
      'BUDGET_AMOUNT_MUST_BE_UNSET',
    ],
    ['R15 without an amount', () => [budget({ amountMicros: undefined }), campaign()], 'REQUIRED'],
    [
      'R16 with parts of a cent',
      () => [budget({ amountMicros: '5000001' }), campaign()],
      'NON_MULTIPLE_OF_MINIMUM_CURRENCY_UNIT',
    ],
    [
      'R16 with less than nothing',
      () => [budget({ amountMicros: '-10000' }), campaign()],
      'NEGATIVE_MONEY_AMOUNT',
    ],
    [
      'R17 with too little a day',
      () => [budget({ amountMicros: '900000' }), campaign()],
      '"minimumBudgetAmountMicros":"1000000"',
    ],
    [
      'R17 with too little in total',
      () => [budget({ ...total, totalAmountMicros: '5000000' }), campaign(long)],
      'minimumBudgetTotalAmountMicros',
    ],
    [
      'R18 that shares without a name',
      () => [budget({ explicitlyShared: undefined }), campaign()],
      'A shared budget needs a name',
    ],
    [
      'R18 that shares a total',
      () => [budget({ ...total, explicitlyShared: true, name: 'B' }), campaign(long)],
      'CAMPAIGN_BUDGET_CANNOT_BE_SHARED',
    ],
    [
      'R21 with hours that end first',
      () => [budget(), campaign(), hours({ endHour: 7 })],
      'AD_SCHEDULE_INVALID_TIME_INTERVAL',
    ],
    [
      'R21 with hours without a day',
      () => [budget(), campaign(), hours({ dayOfWeek: undefined })],
      'REQUIRED',
    ],
    [
      'R22 with hours twice',
      () => [budget(), campaign(), hours(), hours()],
      'AD_SCHEDULE_TIME_INTERVALS_OVERLAP',
    ],
    [
      'R23 with seven windows a day',
      () => [
        budget(),
        campaign(),
        ...[0, 1, 2, 3, 4, 5, 6].map((at) => hours({ startHour: at * 2, endHour: at * 2 + 1 })),
      ],
      'AD_SCHEDULE_EXCEEDED_INTERVALS_PER_DAY_LIMIT',
    ],
    [
      'S4 with an id of its own',
      () => [budget({ resourceName: `${of}/campaignBudgets/7` })],
      'CANNOT_SET_ID_FOR_CREATE',
    ],
    [
      'S4 with a name that is none',
      () => [budget({ resourceName: 'budget 7' })],
      'RESOURCE_NAME_MALFORMED',
    ],
    [
      'S3 with what only the network sets',
      () => [budget(), campaign({ id: '7' })],
      'VALUE_MUST_BE_UNSET',
    ],
    [
      'S5 with a mask',
      () => [
        { campaignBudgetOperation: { ...budget().campaignBudgetOperation, updateMask: 'name' } },
      ],
      'FIELD_MASK_NOT_ALLOWED',
    ],
    ['S6 before its budget', () => [campaign(), budget()], 'RESOURCE_NOT_FOUND'],
    ['S7 with a temporary id twice', () => [budget(), budget()], 'DUPLICATE_TEMP_IDS'],
  ])('%s is refused, and nothing is made', async (_, operations, word) => {
    const { status, text } = await mutate(...operations())
    expect([status, text]).toEqual([400, expect.stringContaining(word)])
    expect(fake.control.account('1').held.campaignBudget.size).toBe(0)
  })

  test('R08 of a name that is taken is refused, until that is removed', async () => {
    await made()
    expect((await mutate(budget(), campaign())).text).toContain('DUPLICATE_CAMPAIGN_NAME')
    await mutate({ campaignOperation: { remove: `${of}/campaigns/${theId()}` } })
    await made()
  })

  test('R09 starts today where it has no start', async () => {
    await made()
    expect(fake.control.campaigns('1')[0]?.campaign.startDateTime).toBe(`${inDays(0)} 00:00:00`)
  })

  test('R13 of some types ends at any second', async () => {
    const video = { advertisingChannelType: 'DEMAND_GEN', endDateTime: `${inDays(3)} 12:34:56` }
    await made(video)
  })

  test('R24, R25 has labels of names of their own, each once', async () => {
    const label = (at = -3) => ({
      labelOperation: { create: { resourceName: `${of}/labels/${at}`, name: 'fd:1' } },
    })
    const on = {
      campaignLabelOperation: {
        create: { campaign: `${of}/campaigns/-2`, label: `${of}/labels/-3` },
      },
    }
    const { text } = await mutate(budget(), campaign(), label(), label(-4))
    expect(text).toContain('"labelError":"DUPLICATE_NAME"')
    expect((await mutate(budget(), campaign(), label(), on, on)).text).toContain(
      'CAMPAIGN_LABEL_ALREADY_EXISTS',
    )
    await made({}, {}, label(), on)
  })
})

describe('a change', () => {
  beforeEach(async () => {
    await made(long)
  })

  test.each<[string, () => unknown, string]>([
    ['S5 without a mask', () => update({ name: 'Two' }, ''), 'FIELD_MASK_MISSING'],
    ['S5 with a mask of nothing', () => update({}, 'nothing'), 'FIELD_NOT_FOUND'],
    [
      'S5 with a mask in snake case',
      () => update({ endDateTime: long.endDateTime }, 'end_date_time'),
      'it is no FieldMask',
    ],
    [
      'S5 beside its mask',
      () => update({ name: 'Two', status: 'ENABLED' }, 'name'),
      'status is not in the mask',
    ],
    [
      'S5 of a whole message',
      () => update({ networkSettings: {} }, 'networkSettings'),
      'FIELD_HAS_SUBFIELDS',
    ],
    [
      'S3 of what is fixed',
      () => update({ advertisingChannelType: 'DISPLAY' }, 'advertisingChannelType'),
      'IMMUTABLE_FIELD',
    ],
    ['S4 of another’s', () => update({ name: 'Two' }, 'name', '77'), 'RESOURCE_NOT_FOUND'],
    ['R10 to removed', () => update({ status: 'REMOVED' }, 'status'), 'INVALID_STATUS_CHANGE'],
    [
      'R18 of the name of its own budget',
      () => ({
        campaignBudgetOperation: {
          update: { resourceName: theBudget(), name: 'B' },
          updateMask: 'name',
        },
      }),
      'CANNOT_MODIFY_FIELD_OF_IMPLICITLY_SHARED',
    ],
    [
      'S3 of a period',
      () => ({
        campaignBudgetOperation: {
          update: { resourceName: theBudget(), period: 'CUSTOM_PERIOD' },
          updateMask: 'period',
        },
      }),
      'IMMUTABLE_FIELD',
    ],
  ])('%s is refused', async (_, operation, word) => {
    const { status, text } = await mutate(operation())
    expect([status, text]).toEqual([400, expect.stringContaining(word)])
  })

  test('S7 of a resource twice is refused', async () => {
    const twice = [update({ name: 'Two' }, 'name'), update({ status: 'ENABLED' }, 'status')]
    expect((await mutate(...twice)).text).toContain('ID_EXISTS_IN_MULTIPLE_MUTATES')
  })

  test('R14 of a start that is over is refused', async () => {
    fake.control.setClock(3 * 86_400_000)
    const later = update({ startDateTime: `${inDays(9)} 00:00:00` }, 'startDateTime')
    expect((await mutate(later)).text).toContain('CANNOT_MODIFY_START_DATE_IF_ALREADY_STARTED')
  })

  test('R10 of what is removed is refused', async () => {
    const id = theId()
    await mutate({ campaignOperation: { remove: `${of}/campaigns/${id}` } })
    const { text } = await mutate(update({ name: 'Two' }, 'name', id))
    expect(text).toContain('OPERATION_NOT_PERMITTED_FOR_REMOVED_RESOURCE')
  })

  test('R19, R20 to a budget of another campaign or period is refused', async () => {
    await mutate(budget(), campaign({ name: 'Two' }))
    const [one, two] = fake.control.campaigns('1')
    const swapped = { campaignBudget: one?.budget.resourceName }
    const id = String(two?.campaign.id)
    expect((await mutate(update(swapped, 'campaignBudget', id))).text).toContain(
      'CANNOT_USE_IMPLICITLY_SHARED',
    )
    await mutate(budget({ ...total }))
    const custom = [...fake.control.account('1').held.campaignBudget.values()].at(-1)
    const { text } = await mutate(
      update({ campaignBudget: custom?.resourceName }, 'campaignBudget', id),
    )
    expect(text).toContain('CANNOT_CHANGE_BUDGET_PERIOD')
  })

  test('that is only validated changes nothing, and answers nothing', async () => {
    const body = { mutateOperations: [update({ name: 'Two' }, 'name')], validateOnly: true }
    expect(await post('mutate', body)).toEqual({ status: 200, text: '{}' })
    expect(fake.control.campaigns('1')[0]?.campaign.name).toBe('One')
  })
})

describe('a request', () => {
  test.each([
    ['S2 unknown names', { mutateOperations: [{ campaignOperation: { create: { nme: 'One' } } }] }],
    ['S2 numbers of 64 bits', { mutateOperations: [budget({ amountMicros: 5_000_000 })] }],
    ['S2 enums as numbers', { mutateOperations: [campaign({ status: 3 })] }],
    ['S2 names in snake case', { mutate_operations: [] }],
    ['S2 two of a oneof', { mutateOperations: [budget(), campaign({ manualCpc: {} })] }],
    ['S2 null', { mutateOperations: [budget({ name: null })] }],
    ['S2 what is no JSON', '{'],
    ['S2 what is no object', '[]'],
  ])('with %s is refused', async (_, body) => {
    expect(await post('mutate', body)).toMatchObject({ status: 400 })
  })

  test('S1 to another path or version is refused', async () => {
    const path = (text: string) =>
      fetch(`${fake.url}/${text}`, { method: 'POST', headers, body: '{}' })
    expect((await path('v24/customers/1/googleAds:mutate')).status).toBe(404)
    expect((await path('v25/customers/1/googleAds:delete')).status).toBe(404)
  })

  test('R01, R02 to an account that may not is refused', async () => {
    const account = fake.control.account('1')
    const word = async (change: object) => {
      Object.assign(account, change)
      return (await mutate(budget())).text
    }
    expect(await word({ isDeclarationOverdue: true })).toContain(
      'EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED',
    )
    expect(await word({ status: 'SUSPENDED' })).toContain(
      'ACTION_NOT_PERMITTED_FOR_SUSPENDED_ACCOUNT',
    )
    expect(await word({ status: 'CANCELED' })).toContain('CUSTOMER_NOT_ENABLED')
  })

  test('R03 of too many operations or none is refused', async () => {
    expect((await mutate()).text).toContain('REQUIRED')
    const many = Array.from({ length: 10_001 }, () => ({ labelOperation: { remove: 'x' } }))
    expect((await mutate(...many)).text).toContain('TOO_MANY_MUTATE_OPERATIONS')
  })

  test('R26–R28 without a right to the account is refused', async () => {
    const query = { query: 'SELECT customer.id FROM customer' }
    const ask = (more: Record<string, string>) => post('searchStream', query, more)
    expect((await ask({ authorization: 'Bearer other' })).status).toBe(401)
    expect((await ask({ 'developer-token': '' })).status).toBe(401)
    fake.control.account('1').manager = '9'
    expect((await ask({})).text).toContain('USER_PERMISSION_DENIED')
    expect((await ask({ 'login-customer-id': '9-9' })).text).toContain('INVALID_LOGIN_CUSTOMER_ID')
    expect((await ask({ 'login-customer-id': '9' })).status).toBe(200)
  })
})

describe('a query', () => {
  test.each([
    ['SELECT campaign.nme FROM campaign', 'UNRECOGNIZED_FIELD'],
    ['SELECT campaign.network_settings FROM campaign', 'PROHIBITED_FIELD_IN_SELECT_CLAUSE'],
    [
      'SELECT campaign_budget.id FROM campaign_criterion',
      'PROHIBITED_RESOURCE_TYPE_IN_SELECT_CLAUSE',
    ],
    ['SELECT ad_group.id FROM ad_group', 'BAD_RESOURCE_TYPE_IN_FROM_CLAUSE'],
    ["SELECT campaign.id FROM campaign WHERE campaign.status = 'ON'", 'BAD_ENUM_CONSTANT'],
    [
      'SELECT campaign.id FROM campaign WHERE campaign.id IN ()',
      'PROHIBITED_EMPTY_LIST_IN_CONDITION',
    ],
    ['SELECT campaign.id FROM campaign WHERE campaign.id = x', 'BAD_NUMBER'],
    ['SELECT campaign.id FROM campaign WHERE campaign.name = x', 'INVALID_STRING_VALUE'],
    ['SELECT campaign.id FROM campaign WHERE campaign.name ~ 1', 'BAD_OPERATOR'],
    ['DELETE FROM campaign', 'EXPECTED_SELECT'],
  ])('%s is refused', async (query, word) => {
    expect(await search(query)).toEqual({ status: 400, text: expect.stringContaining(word) })
  })

  test('R30 shows removed campaigns with their figures, unless it leaves them out', async () => {
    await made()
    const id = theId()
    fake.control.setFigures('1', id, '2026-01-02', { costMicros: '5' })
    await mutate({ campaignOperation: { remove: `${of}/campaigns/${id}` } })
    const rows = async (where: string) => {
      const { text } = await search(`SELECT metrics.cost_micros FROM campaign WHERE ${where}`)
      return JSON.parse(text)[0].results
    }
    const ofDay = "segments.date BETWEEN '2026-01-01' AND '2026-01-31'"
    expect(await rows(ofDay)).toMatchObject([{ metrics: { costMicros: '5' } }])
    expect(await rows(`${ofDay} AND campaign.status != 'REMOVED'`)).toEqual([])
  })

  test('answers only what it was asked for, and names', async () => {
    await made()
    const { text } = await search(
      "SELECT campaign.name FROM campaign WHERE campaign.status != 'REMOVED'",
    )
    expect(JSON.parse(text)).toEqual([
      {
        results: [{ campaign: { resourceName: `${of}/campaigns/${theId()}`, name: 'One' } }],
        fieldMask: 'campaign.name',
      },
    ])
  })
})
