import { expect, test } from 'vitest'
import { type CampaignRow, cannotHold, type ScheduleRow, seenOf } from './seen.ts'

const now = Date.parse('2026-11-26T12:00:00Z')

const row: CampaignRow = {
  ...{ id: '7', name: 'Autumn Sale', status: 'ENABLED', primaryStatus: 'ELIGIBLE' },
  ...{ primaryStatusReasons: [], channel: 'SEARCH', biddingType: 'TARGET_SPEND' },
  ...{ portfolio: '', experiment: 'BASE', start: '2026-11-01 00:00:00', end: null },
  budget: {
    ...{ resourceName: 'customers/1/campaignBudgets/3', amountMicros: '40000000' },
    ...{ totalMicros: null, period: 'DAILY', isShared: false },
  },
  isUndeclared: false,
}

const hours: ScheduleRow = {
  ...{ resourceName: 'customers/1/campaignCriteria/7~1', hasBidModifier: false },
  ...{ dayOfWeek: 'MONDAY', startHour: 8, startMinute: 'ZERO', endHour: 24, endMinute: 'ZERO' },
}

const profile = {
  ...{ id: 'prf_01m7yk4mzveh7t7n0ras7brxqh', name: 'A', account_ref: '1', currency: 'USD' },
  ...{ time_zone: 'Europe/Zurich', status: 'active', credential_ref: null, proxy: null },
}

const seen = (
  change: Partial<CampaignRow> = {},
  schedules: ScheduleRow[] = [],
  markers: string[] = [],
) => seenOf({ row: { ...row, ...change }, schedules, markers }, { profile }, now)

const budget = (change: Partial<CampaignRow['budget']>) => ({
  budget: { ...row.budget, ...change },
})

test('a campaign is seen as Flightdeck has it', () => {
  expect(seen({ end: '2026-12-24 23:59:59' }, [hours], ['fd:1'])).toEqual({
    id: '7',
    url: 'https://ads.google.com/aw/campaigns?campaignId=7',
    marker: 'fd:1',
    status: 'active',
    delivery: { state: 'delivering', reasons: [] },
    observed: {
      ...{ name: 'Autumn Sale', run: 'enabled', objective: 'traffic', currency: 'USD' },
      ...{ daily_budget_minor: 4_000, end_at: '2026-12-24T23:00:00.000Z' },
      schedule: [{ day: 'mon', start: '08:00', end: '24:00' }],
      settings: { advertising_channel_type: 'SEARCH', bidding_strategy_type: 'TARGET_SPEND' },
    },
  })
})

test('a campaign is scheduled before its start, and has ended after its end', () => {
  expect(seen({ start: '2026-12-01 00:00:00' }).status).toBe('scheduled')
  expect(seen({ end: '2026-11-25 23:59:59' }).status).toBe('ended')
  expect(seen().marker).toBeNull()
})

test('a start that is ahead is seen; one that is over is fixed, and left out', () => {
  expect(seen({ start: '2026-12-01 00:00:00' }).observed.start_at).toBe('2026-11-30T23:00:00.000Z')
  expect(seen()).not.toHaveProperty('observed.start_at')
  // Now is not ahead.
  expect(seen({ start: '2026-11-26 13:00:00' })).not.toHaveProperty('observed.start_at')
  expect(seen({ start: '2026-11-26 13:00:01' })).toHaveProperty('observed.start_at')
})

test('a lifetime budget is seen as one, and no daily one beside', () => {
  const total = { period: 'CUSTOM_PERIOD', amountMicros: null, totalMicros: '900000000' }
  expect(seen(budget(total)).observed).toMatchObject({
    ...{ daily_budget_minor: null, lifetime_budget_minor: 90_000 },
  })
  expect(seen(budget(total)).observed.settings).not.toHaveProperty('cannot_hold')
  expect(seen(budget({ ...total, totalMicros: '900000001' })).observed.settings).toMatchObject({
    cannot_hold: ['Its budget is no whole number of minor units.'],
  })
})

test('a budget whose amount is not shown is left out, and nothing is said against it', () => {
  for (const period of ['DAILY', 'CUSTOM_PERIOD']) {
    const { observed } = seen(budget({ period, amountMicros: null }))
    expect(Object.keys(observed).filter((name) => name.includes('budget'))).toEqual([])
    expect(observed.settings).not.toHaveProperty('cannot_hold')
  }
})

test.each([
  [budget({ isShared: true }), 'Its budget is shared with other campaigns.'],
  [budget({ amountMicros: '40000001' }), 'Its budget is no whole number of minor units.'],
  [budget({ period: 'UNKNOWN' }), 'Its budget is neither by the day nor for the whole time.'],
])('a budget that cannot be held is left out: %#', (change, reason) => {
  const { observed } = seen(change)
  expect(observed).not.toHaveProperty('daily_budget_minor')
  expect(observed).not.toHaveProperty('lifetime_budget_minor')
  expect(observed.settings).toMatchObject({ cannot_hold: [reason] })
})

test('why a campaign cannot be held exactly is said', () => {
  const reasons = (change: Partial<CampaignRow>, modified = false) =>
    cannotHold({ ...row, ...change }, [{ ...hours, hasBidModifier: modified }], profile)
  expect(reasons({})).toEqual([])
  expect(reasons({ portfolio: 'customers/1/biddingStrategies/2' })).toEqual([
    'Its bidding is a portfolio strategy, which may share budgets.',
  ])
  for (const experiment of ['', 'UNSPECIFIED']) expect(reasons({ experiment })).toEqual([])
  expect(reasons({ experiment: 'EXPERIMENT' })).toEqual(['It is part of an experiment.'])
  expect(reasons({}, true)).toEqual(['Its hours change bids.'])
})

test('hours that cannot be held are said: more than six a day, and words that are new', () => {
  const windows = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ ...hours, startHour: at, endHour: at + 1 }))
  expect(cannotHold(row, windows(6), profile)).toEqual([])
  const tuesday = { ...hours, dayOfWeek: 'TUESDAY' }
  expect(cannotHold(row, [...windows(6), tuesday], profile)).toEqual([])
  expect(cannotHold(row, windows(7), profile)).toEqual(['It has more than 6 windows a day.'])
  const unread = ['Its hours have windows of an unknown day or minute.']
  expect(cannotHold(row, [{ ...hours, endMinute: 'UNKNOWN' }], profile)).toEqual(unread)
  expect(cannotHold(row, [{ ...hours, dayOfWeek: 'UNKNOWN' }], profile)).toEqual(unread)
  const { observed } = seen({}, [{ ...hours, dayOfWeek: 'UNKNOWN' }, hours])
  expect(observed.schedule).toEqual([{ day: 'mon', start: '08:00', end: '24:00' }])
})

test.each([
  ['start', 'start_at'],
  ['end', 'end_at'],
] as const)('a %s that is no time is left out and said, never taken for none', (member, field) => {
  const { observed } = seen({ [member]: '2026-12-24T23:59' })
  expect(observed).not.toHaveProperty(field)
  expect(observed.settings).toMatchObject({ cannot_hold: ['Its start or its end is no time.'] })
  expect(seen({ [member]: null }).observed).toHaveProperty(field, null)
})

test('a missing declaration is said', () => {
  expect(seen({ isUndeclared: true }).observed.settings).toMatchObject({
    missing_eu_political_advertising_declaration: true,
  })
})

test.each([
  ['2027-03-28 02:30:00', null],
  ['2027-03-28 01:59:59', '2027-03-28T00:59:59.000Z'],
  ['2027-03-28 03:00:00', '2027-03-28T01:00:00.000Z'],
])('a start and an end at %s, when the clock skips an hour, are exact or said', (text, at) => {
  const reason = 'Its start or its end is a time that the clock of Europe/Zurich skips.'
  for (const member of ['start', 'end'] as const) {
    const { observed } = seen({ [member]: text })
    const cannot_hold = observed.settings?.cannot_hold
    if (at === null) {
      expect(observed).not.toHaveProperty(`${member}_at`)
      expect(cannot_hold).toEqual([reason])
    } else {
      const next = member === 'end' ? new Date(Date.parse(at) + 1_000).toISOString() : at
      expect(observed).toHaveProperty(`${member}_at`, next)
      expect(cannot_hold).toBeUndefined()
    }
  }
})
