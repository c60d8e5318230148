import { describe, expect, test } from 'vitest'
import { accountOf, desired } from '../test/desired.ts'
import { type GoogleBody, planOf } from './plan.ts'

const account = accountOf()
const of = (change: Partial<typeof desired>) => planOf({ ...desired, ...change }, account)
const bodyOf = (change: Partial<typeof desired>): GoogleBody => {
  const planned = of(change)
  if ('refused' in planned) throw new Error(JSON.stringify(planned.refused))
  return planned.body
}
const refusedAt = (change: Partial<typeof desired>) => {
  const planned = of(change)
  return 'refused' in planned ? planned.refused.errors.map(({ pointer }) => pointer) : []
}

describe('a name', () => {
  test('is taken as it is', () => {
    expect(bodyOf({ name: 'Été 2026 🌞' }).name).toBe('Été 2026 🌞')
  })

  test.each(['', 'a\nb', 'a\rb', 'a\0b', 'é'.repeat(128)])('like %j is refused', (name) => {
    expect(refusedAt({ name })).toEqual(['/name'])
  })

  test('may have 255 bytes', () => {
    expect(refusedAt({ name: 'é'.repeat(127) })).toEqual([])
    expect(refusedAt({ name: 'a'.repeat(255) })).toEqual([])
    expect(refusedAt({ name: 'a'.repeat(256) })).toEqual(['/name'])
  })
})

describe('a budget', () => {
  test('by the day or for the whole time has its period', () => {
    expect(bodyOf({}).budget).toEqual({ period: 'DAILY', micros: '40000000' })
    const lifetime = { daily_budget_minor: null, lifetime_budget_minor: 90_000 }
    expect(bodyOf({ ...lifetime, end_at: '2027-01-31T23:00:00Z' }).budget).toEqual({
      ...{ period: 'CUSTOM_PERIOD', micros: '900000000' },
    })
    expect(refusedAt(lifetime)).toEqual(['/end_at'])
  })

  test('of both kinds is refused, unless Flightdeck keeps the lifetime one', () => {
    const both = { lifetime_budget_minor: 90_000 }
    expect(refusedAt(both)).toEqual(['/lifetime_budget'])
    const settings = { ...desired.settings, lifetime: 'pause_at_spend' }
    expect(bodyOf({ ...both, settings }).budget).toEqual({ period: 'DAILY', micros: '40000000' })
  })

  test('must be there', () => {
    expect(refusedAt({ daily_budget_minor: null })).toEqual(['/daily_budget'])
    expect(refusedAt({ daily_budget_minor: 0 })).toEqual(['/daily_budget'])
    const none = { daily_budget_minor: null, lifetime_budget_minor: 0 }
    expect(refusedAt({ ...none, end_at: '2027-01-31T23:00:00Z' })).toEqual(['/lifetime_budget'])
  })

  test('may be the least amount, and any where the account has no steps', () => {
    for (const minor of [1, 4_001])
      expect(bodyOf({ daily_budget_minor: minor }).budget.micros).toBe(`${minor}0000`)
  })
})

describe('dates', () => {
  test('are on the wall clock of the account; an end is a second earlier', () => {
    const dates = { start_at: '2026-12-01T23:00:00Z', end_at: '2026-12-24T23:00:00Z' }
    expect(bodyOf(dates)).toMatchObject({
      ...{ start: '2026-12-02 00:00:00', end: '2026-12-24 23:59:59' },
      startsAt: Date.parse(dates.start_at),
    })
    expect(bodyOf({})).toMatchObject({ start: null, end: null })
  })

  test('that the clock cannot name are refused', () => {
    expect(refusedAt({ start_at: '2026-10-25T01:30:00Z' })).toEqual(['/start_at'])
    expect(refusedAt({ end_at: '2026-10-25T00:30:01Z' })).toEqual(['/end_at'])
  })
})

test('hours of another zone are refused', () => {
  const schedule = [{ day: 'mon' as const, start: '08:00', end: '09:00' }]
  expect(bodyOf({ schedule }).schedule).toHaveLength(1)
  expect(refusedAt({ schedule, time_zone: 'UTC' })).toEqual(['/time_zone'])
  expect(refusedAt({ time_zone: 'UTC' })).toEqual([])
  const odd = [...schedule, { day: 'tue' as const, start: '08:10', end: '09:00' }]
  expect(refusedAt({ schedule: odd })).toEqual(['/schedule/1'])
})

test.each([
  [{ name: '' }, 'needs a name'],
  [{ name: 'a\nb' }, 'no line break'],
  [{ name: 'a'.repeat(256) }, 'at most 255 bytes'],
  [{ daily_budget_minor: null }, 'needs a budget'],
  [{ daily_budget_minor: 0 }, 'cannot hold this amount'],
  [{ daily_budget_minor: 4_001 }, 'budgets in USD in steps of 100 minor units'],
  [{ lifetime_budget_minor: 90_000 }, 'a daily budget or a lifetime budget'],
  [{ daily_budget_minor: null, lifetime_budget_minor: 90_000 }, 'needs an end'],
  [{ start_at: '2026-10-25T01:30:00Z' }, 'twice or not at all, in Europe/Zurich'],
  [{ end_at: '2026-10-25T00:30:01Z' }, 'twice or not at all, in Europe/Zurich'],
  [
    { time_zone: 'UTC', schedule: [{ day: 'mon' as const, start: '08:00', end: '09:00' }] },
    'which is in Europe/Zurich',
  ],
])('%o is refused, as: %s', (change, words) => {
  expect(planOf({ ...desired, ...change }, { ...account, budgetStepMinor: 100 })).toMatchObject({
    refused: { code: 'cannot_hold', errors: [{ message: expect.stringContaining(words) }] },
  })
})

test('run is the status', () => {
  expect([bodyOf({}).status, bodyOf({ run: 'paused' }).status]).toEqual(['ENABLED', 'PAUSED'])
})
