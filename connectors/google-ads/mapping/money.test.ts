import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accountOf, desired } from '../test/desired.ts'
import { microsOf, minorOf, roundedMinorOf, roundedMinorOfUnits, stepOf } from './money.ts'
import { planOf } from './plan.ts'

/** A minor unit in micros, and the least that the network bills. */
const currencies = [
  ['USD', 10_000, 10_000, 1],
  ['EUR', 10_000, 10_000, 1],
  ['GBP', 10_000, 10_000, 1],
  ['CHF', 10_000, 10_000, 1],
  ['SEK', 10_000, 10_000, 1],
  ['PLN', 10_000, 10_000, 1],
  ['BRL', 10_000, 10_000, 1],
  ['INR', 10_000, 10_000, 1],
  ['MXN', 10_000, 10_000, 1],
  ['ZAR', 10_000, 10_000, 1],
  ['TWD', 10_000, 1_000_000, 100],
  ['COP', 10_000, 1_000_000, 100],
  ['HUF', 10_000, 1_000_000, 100],
  ['JPY', 1_000_000, 1_000_000, 1],
  ['KRW', 1_000_000, 1_000_000, 1],
  ['CLP', 1_000_000, 1_000_000, 1],
  ['KWD', 1_000, 10_000, 10],
  ['BHD', 1_000, 10_000, 10],
] as const

describe.each(currencies)('amounts in %s', (currency, unit, billable, step) => {
  test('are the same in both directions, and whole micros only where they are whole', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_000_000_000 }), (minor) => {
        const micros = microsOf(minor, currency)
        expect(micros).toBe(String(BigInt(minor) * BigInt(unit)))
        expect(minorOf(micros, currency)).toBe(minor)
        expect(minorOf(String(BigInt(micros) + 1n), currency)).toBeNull()
      }),
      { numRuns: 50 },
    )
  })

  test(`are held in steps of ${step}, or refused`, () => {
    expect(stepOf(String(billable), currency)).toBe(step)
    const account = { ...accountOf({ currency }), budgetStepMinor: step }
    const held = planOf({ ...desired, currency, daily_budget_minor: 7 * step }, account)
    expect(held).toMatchObject({
      body: { budget: { period: 'DAILY', micros: String(7 * step * unit) } },
    })
    if (step === 1) return
    const other = planOf({ ...desired, currency, daily_budget_minor: 7 * step + 1 }, account)
    expect(other).toMatchObject({
      refused: { code: 'cannot_hold', errors: [{ pointer: '/daily_budget' }] },
    })
  })
})

test.each(['x', '', '0', '-10000'])('a least amount of %j is no step', (billable) => {
  expect(stepOf(billable, 'USD')).toBe(1)
})

test.each([
  [0, 0],
  [0.01, 1],
  [0.005, 1],
  [0.5, 50],
  [12.345, 1_235],
  [-0.01, null],
  [null, null],
  [1e300, null],
])('a conversion value of %s is %s minor units', (units, minor) => {
  expect(roundedMinorOfUnits(units, 'USD')).toBe(minor)
})

test('spend is rounded to the nearest minor unit, half up', () => {
  expect(roundedMinorOf('1234999', 'USD')).toBe(123)
  expect(roundedMinorOf('1235000', 'USD')).toBe(124)
  expect(roundedMinorOf('1499999', 'JPY')).toBe(1)
})

test('what is no number is no amount', () => {
  for (const text of ['', 'x', 'x10000', '10000x']) {
    expect(minorOf(text, 'USD')).toBeNull()
    expect(roundedMinorOf(text, 'USD')).toBeNaN()
  }
})
