import { describe, expect, test } from 'vitest'
import { NetworkFault } from '../../kit/src/connect.ts'
import { accountOf, desired } from '../test/desired.ts'
import { changeOperations, creationOperations } from './operations.ts'
import { planOf } from './plan.ts'
import type { CampaignRow, ScheduleRow, Whole } from './seen.ts'

const now = Date.parse('2026-11-26T12:00:00Z')
const customer = '1234567890'

function bodyOf(change: Partial<typeof desired>) {
  const planned = planOf({ ...desired, ...change }, accountOf())
  if ('refused' in planned) throw new Error(JSON.stringify(planned.refused))
  return planned.body
}

const created = (change: Partial<typeof desired> = {}, label: string | null = null) =>
  creationOperations({ customer, body: bodyOf(change), marker: 'fd:1', label, now })

const row: CampaignRow = {
  ...{ id: '7', name: 'Autumn Sale', status: 'ENABLED', primaryStatus: 'ELIGIBLE' },
  ...{ primaryStatusReasons: [], channel: 'SEARCH', biddingType: 'MAXIMIZE_CONVERSION_VALUE' },
  ...{ portfolio: '', experiment: 'BASE', start: '2026-11-01 00:00:00', end: null },
  budget: {
    ...{ resourceName: 'customers/1/campaignBudgets/3', amountMicros: '40000000' },
    ...{ totalMicros: null, period: 'DAILY', isShared: false },
  },
  isUndeclared: false,
}

type Change = Partial<typeof desired>
const changed = (
  change: Change,
  seen: Partial<CampaignRow> = {},
  schedules: ScheduleRow[] = [],
) => {
  const whole: Whole = { row: { ...row, ...seen }, schedules, markers: [] }
  return changeOperations({ customer, body: bodyOf(change), whole, now })
}

const faultOf = (act: () => unknown) => {
  try {
    act()
  } catch (error) {
    if (error instanceof NetworkFault)
      return { code: error.code, pointers: error.errors.map(({ pointer }) => pointer) }
    throw error
  }
  return null
}

describe('a creation', () => {
  test('is budget, campaign, hours and label in one request, with temporary ids', () => {
    const schedule = [{ day: 'mon' as const, start: '08:00', end: '09:00' }]
    expect(created({ run: 'paused', schedule })).toEqual([
      {
        campaignBudgetOperation: {
          create: {
            resourceName: 'customers/1234567890/campaignBudgets/-1',
            ...{ explicitlyShared: false, period: 'DAILY', amountMicros: '40000000' },
          },
        },
      },
      {
        campaignOperation: {
          create: {
            resourceName: 'customers/1234567890/campaigns/-2',
            ...{ name: 'Autumn Sale', status: 'PAUSED' },
            campaignBudget: 'customers/1234567890/campaignBudgets/-1',
            ...{ advertisingChannelType: 'SEARCH', maximizeConversionValue: {} },
            networkSettings: expect.anything(),
            containsEuPoliticalAdvertising: 'DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING',
          },
        },
      },
      {
        campaignCriterionOperation: {
          create: {
            campaign: 'customers/1234567890/campaigns/-2',
            adSchedule: expect.objectContaining({ dayOfWeek: 'MONDAY' }),
          },
        },
      },
      {
        labelOperation: {
          create: { resourceName: 'customers/1234567890/labels/-3', name: 'fd:1' },
        },
      },
      {
        campaignLabelOperation: {
          create: {
            campaign: 'customers/1234567890/campaigns/-2',
            label: 'customers/1234567890/labels/-3',
          },
        },
      },
    ])
  })

  test('uses a label that is there', () => {
    const operations = created({}, 'customers/1/labels/9')
    expect(operations.some((each) => 'labelOperation' in each)).toBe(false)
    expect(operations.at(-1)).toMatchObject({
      campaignLabelOperation: { create: { label: 'customers/1/labels/9' } },
    })
  })

  test('has a start that is ahead, and no other', () => {
    const at = (start_at: string) => JSON.stringify(created({ start_at }))
    expect(at('2026-12-01T23:00:00Z')).toContain('"startDateTime":"2026-12-02 00:00:00"')
    expect(at('2026-11-01T23:00:00Z')).not.toContain('startDateTime')
    const settings = { ...desired.settings, advertising_channel_type: 'DEMAND_GEN' }
    const instant = created({ start_at: new Date(now).toISOString(), settings })
    expect(JSON.stringify(instant)).not.toContain('startDateTime')
  })

  test('with a lifetime budget has its total, and its end', () => {
    const lifetime = { daily_budget_minor: null, lifetime_budget_minor: 90_000 }
    const dates = { start_at: '2026-12-01T23:00:00Z', end_at: '2026-12-31T23:00:00Z' }
    expect(created({ ...lifetime, ...dates })).toMatchObject([
      {
        campaignBudgetOperation: {
          create: { period: 'CUSTOM_PERIOD', totalAmountMicros: '900000000' },
        },
      },
      { campaignOperation: { create: { endDateTime: '2026-12-31 23:59:59' } } },
      {},
      {},
    ])
    const reach = { objective: 'reach' as const, ...lifetime, ...dates }
    expect(faultOf(() => created(reach))?.pointers).toEqual(['/lifetime_budget'])
    const short = { ...lifetime, ...dates, end_at: '2026-12-02T23:00:00Z' }
    expect(faultOf(() => created(short))?.pointers).toEqual(['/end_at'])
    const long = { ...lifetime, ...dates, end_at: '2027-04-01T22:00:00Z' }
    expect(faultOf(() => created(long))?.pointers).toEqual(['/end_at'])
  })

  test.each([
    [2, false],
    [3, true],
    [90, true],
    [91, false],
  ])('with a lifetime budget for %i days is held: %s', (days, isHeld) => {
    const start = Date.parse('2026-12-01T23:00:00Z')
    const dates = {
      start_at: new Date(start).toISOString(),
      end_at: new Date(start + days * 86_400_000).toISOString(),
    }
    const lifetime = { daily_budget_minor: null, lifetime_budget_minor: 90_000 }
    expect(faultOf(() => created({ ...lifetime, ...dates })) === null).toBe(isHeld)
  })

  test('of a type with whole days has no other times', () => {
    const noon = { start_at: '2026-12-02T11:00:00Z', end_at: '2026-12-24T11:00:00Z' }
    expect(faultOf(() => created(noon))).toEqual({
      ...{ code: 'cannot_hold', pointers: ['/start_at', '/end_at'] },
    })
    const settings = { ...desired.settings, advertising_channel_type: 'DEMAND_GEN' }
    expect(faultOf(() => created({ ...noon, settings }))).toBeNull()
  })

  test('without what only a person may say is refused', () => {
    expect(faultOf(() => created({ settings: {} }))).toEqual({
      ...{ code: 'declaration', pointers: ['/settings/contains_eu_political_advertising'] },
    })
  })
})

describe('a change', () => {
  const campaign = (members: object, updateMask: string) => ({
    campaignOperation: {
      update: { resourceName: 'customers/1234567890/campaigns/7', ...members },
      updateMask,
    },
  })
  const budget = (micros: string, member = 'amountMicros') => ({
    campaignBudgetOperation: {
      update: { resourceName: 'customers/1/campaignBudgets/3', [member]: micros },
      updateMask: member,
    },
  })

  test('of nothing is nothing', () => {
    expect(changed({})).toEqual([])
  })

  test('has only what differs, with its mask', () => {
    expect(changed({ name: 'New' })).toEqual([campaign({ name: 'New' }, 'name')])
    expect(changed({ daily_budget_minor: 500 })).toEqual([budget('5000000')])
  })

  test.each([
    ['sinks', 'enabled', 500, ['budget', 'ENABLED']],
    ['sinks', 'paused', 500, ['budget', 'PAUSED']],
    ['rises', 'enabled', 9_000, ['ENABLED', 'budget']],
    ['rises', 'paused', 9_000, ['PAUSED', 'budget']],
  ] as const)('of a budget that %s with the status %s of %i is %j', (_, run, minor, order) => {
    const status = run === 'enabled' ? 'PAUSED' : 'ENABLED'
    const operations = changed({ daily_budget_minor: minor, run }, { status })
    const parts = { budget: budget(`${minor}0000`) }
    const [one, other] = order.map((part) =>
      part === 'budget' ? parts.budget : campaign({ status: part }, 'status'),
    )
    expect(operations).toEqual([one, other])
  })

  test('of a lifetime budget sinks before the status, and rises after it', () => {
    const end_at = '2026-12-24T23:00:00Z'
    const whole = { period: 'CUSTOM_PERIOD', amountMicros: null, totalMicros: '900000000' }
    const to = (lifetime_budget_minor: number) =>
      changed(
        { daily_budget_minor: null, lifetime_budget_minor, end_at },
        { status: 'PAUSED', end: '2026-12-24 23:59:59', budget: { ...row.budget, ...whole } },
      )
    const enabled = campaign({ status: 'ENABLED' }, 'status')
    expect(to(80_000)).toEqual([budget('800000000', 'totalAmountMicros'), enabled])
    expect(to(95_000)).toEqual([enabled, budget('950000000', 'totalAmountMicros')])
  })

  test('has new hours before it enables, and after it pauses', () => {
    const schedule = [{ day: 'mon' as const, start: '08:00', end: '09:00' }]
    const order = (run: 'enabled' | 'paused', status: string) =>
      changed({ schedule, run }, { status }).flatMap((each) => Object.keys(each))
    expect(order('enabled', 'PAUSED')).toEqual(['campaignCriterionOperation', 'campaignOperation'])
    expect(order('paused', 'ENABLED')).toEqual(['campaignOperation', 'campaignCriterionOperation'])
  })

  test('takes an end away by naming it without a value', () => {
    expect(changed({}, { end: '2026-12-24 23:59:59' })).toEqual([campaign({}, 'endDateTime')])
    expect(changed({ end_at: '2026-12-24T23:00:00Z' })).toEqual([
      campaign({ endDateTime: '2026-12-24 23:59:59' }, 'endDateTime'),
    ])
  })

  test('moves a start that is ahead, and leaves one that is over', () => {
    const start_at = '2026-12-01T23:00:00Z'
    expect(changed({ start_at }, { start: '2026-12-05 00:00:00' })).toEqual([
      campaign({ startDateTime: '2026-12-02 00:00:00' }, 'startDateTime'),
    ])
    expect(changed({ start_at: '2026-10-01T22:00:00Z' })).toEqual([])
    expect(changed({ start_at }, { start: '2026-12-02 00:00:00' })).toEqual([])
    const instant = { start_at: new Date(now).toISOString() }
    expect(changed(instant, { start: '2026-12-05 00:00:00', channel: 'VIDEO' })).toEqual([])
  })

  test('removes and makes hours, and leaves those that stay', () => {
    const monday: ScheduleRow = {
      ...{ resourceName: 'customers/1/campaignCriteria/7~1', hasBidModifier: false },
      ...{ dayOfWeek: 'MONDAY', startHour: 8, startMinute: 'ZERO', endHour: 9, endMinute: 'ZERO' },
    }
    const friday = {
      ...monday,
      resourceName: 'customers/1/campaignCriteria/7~2',
      dayOfWeek: 'FRIDAY',
    }
    const schedule = [
      { day: 'mon' as const, start: '08:00', end: '09:00' },
      { day: 'sun' as const, start: '10:15', end: '11:00' },
    ]
    expect(changed({ schedule }, {}, [monday, friday])).toEqual([
      { campaignCriterionOperation: { remove: 'customers/1/campaignCriteria/7~2' } },
      {
        campaignCriterionOperation: {
          create: {
            campaign: 'customers/1234567890/campaigns/7',
            adSchedule: expect.objectContaining({ dayOfWeek: 'SUNDAY', startMinute: 'FIFTEEN' }),
          },
        },
      },
    ])
  })

  test('never touches the budget of several campaigns', () => {
    const isShared = { budget: { ...row.budget, isShared: true } }
    expect(changed({ daily_budget_minor: 500 }, isShared)).toEqual([])
  })

  test('between daily and lifetime budgets is refused', () => {
    const lifetime = { daily_budget_minor: null, lifetime_budget_minor: 90_000 }
    const change = { ...lifetime, end_at: '2026-12-31T23:00:00Z' }
    expect(faultOf(() => changed(change))).toEqual({
      ...{ code: 'cannot_change', pointers: ['/lifetime_budget'] },
    })
  })

  test('of an end to another time than midnight is refused for types with whole days', () => {
    const end_at = '2026-12-24T11:00:00Z'
    expect(faultOf(() => changed({ end_at }))?.pointers).toEqual(['/end_at'])
    expect(changed({ end_at }, { channel: 'VIDEO' })).toHaveLength(1)
    // An end that stays as it is does not keep others from changing.
    expect(changed({ end_at, name: 'New' }, { end: '2026-12-24 11:59:59' })).toHaveLength(1)
  })
})
