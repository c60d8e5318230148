import { expect, test } from 'vitest'
import type { Observed, Plan } from '../contract/plan.ts'
import { keptFields, stepsTo } from './compare.ts'

const native = {
  name: 'native',
  status: 'native',
  budget: 'native',
  dates: 'native',
  schedule: 'native',
} as const

const desired: Plan = {
  name: 'A',
  objective: 'sales',
  run: 'enabled',
  daily_budget_minor: 4_000,
  lifetime_budget_minor: null,
  currency: 'USD',
  start_at: null,
  end_at: '2026-12-24T00:00:00.000Z',
  time_zone: 'UTC',
  schedule: [],
  settings: {},
}

const seen: Observed = {
  name: 'A',
  run: 'enabled',
  daily_budget_minor: 4_000,
  lifetime_budget_minor: null,
  start_at: null,
  end_at: '2026-12-24T00:00:00Z',
  schedule: [],
}

const all = keptFields(['name', 'status', 'budget', 'dates', 'schedule'], native)
const membersIn = (plan: Partial<Plan>, observed: Partial<Observed>) =>
  stepsTo({ ...desired, ...plan }, { ...seen, ...observed }, all).map((step) => Object.keys(step))

const budget = ['daily_budget_minor', 'lifetime_budget_minor']
const dates = ['start_at', 'end_at']

test('what is the same needs no step', () => {
  expect(membersIn({}, {})).toEqual([])
})

test('what cannot be seen does not differ', () => {
  const { name: _, ...others } = seen
  expect(stepsTo({ ...desired, name: 'B' }, others, all)).toEqual([])
})

test('pausing comes first and alone, and enabling last', () => {
  const changes = { name: 'B', daily_budget_minor: 5_000 }
  expect(membersIn({ ...changes, run: 'paused' }, {})).toEqual([['run'], ['name', ...budget]])
  expect(membersIn(changes, { run: 'paused' })).toEqual([['name', ...budget], ['run']])
})

test.each([
  [{ daily_budget_minor: 3_000 }, true],
  [{ daily_budget_minor: 5_000 }, false],
  [{ lifetime_budget_minor: 90_000 }, true],
  [{ daily_budget_minor: null, lifetime_budget_minor: 90_000 }, false],
])('a budget of %o sinks: %s', (change, sinks) => {
  const steps = membersIn({ ...change, name: 'B' }, {})
  expect(steps).toEqual(sinks ? [budget, ['name']] : [['name', ...budget]])
})

test.each([
  ['2026-12-01T00:00:00Z', true],
  ['2026-12-31T00:00:00Z', false],
  [null, false],
])('an end of %s sinks: %s', (end_at, sinks) => {
  const steps = membersIn({ end_at, name: 'B' }, {})
  expect(steps).toEqual(sinks ? [dates, ['name']] : [['name', ...dates]])
})

test('what the network does not keep itself is not sent, but for the status', () => {
  const coverage = { ...native, schedule: 'emulated', name: 'refused', status: 'emulated' } as const
  expect(keptFields(['name', 'status', 'schedule', 'budget'], coverage)).toEqual([
    'status',
    'budget',
  ])
})
