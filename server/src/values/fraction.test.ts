import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compare, fraction, plus, rounded, times, toDecimal } from './fraction.ts'

test('is kept in lowest terms, with the sign above', () => {
  expect(fraction(6, 4)).toEqual({ over: 3n, under: 2n })
  expect(fraction(6, -4)).toEqual({ over: -3n, under: 2n })
  expect(fraction(0, -4)).toEqual({ over: 0n, under: 1n })
  expect(() => fraction(1, 0)).toThrow('zero')
})

test('thirds add up to a whole', () => {
  const third = fraction(1, 3)
  expect(plus(plus(third, third), third)).toEqual(fraction(1))
  expect(times(third, fraction(3))).toEqual(fraction(1))
})

test('rounds halves away from zero', () => {
  const cases: [number, number, bigint][] = [
    [1, 2, 1n],
    [-1, 2, -1n],
    [3, 2, 2n],
    [7, 3, 2n],
    [8, 3, 3n],
    [-8, 3, -3n],
    [0, 5, 0n],
  ]
  for (const [over, under, expected] of cases) expect(rounded(fraction(over, under))).toBe(expected)
})

test('becomes a decimal number by its digits', () => {
  expect(toDecimal(fraction(1), 4)).toBe(1)
  expect(toDecimal(fraction(7, 3), 4)).toBe(2.3333)
  expect(toDecimal(fraction(1, 30_000), 4)).toBe(0)
  expect(toDecimal(fraction(-1, 8), 2)).toBe(-0.13)
  expect(toDecimal(fraction(11, 10), 4)).toBe(1.1)
})

test('sums and comparisons are those of the integers', () => {
  const integer = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n })
  const below = fc.bigInt({ min: 1n, max: 10n ** 9n })
  fc.assert(
    fc.property(integer, integer, below, (one, other, under) => {
      const [a, b] = [fraction(one, under), fraction(other, under)]
      expect(compare(plus(a, b), fraction(one + other, under))).toBe(0)
      expect(compare(a, b)).toBe(one < other ? -1 : Number(one > other))
    }),
  )
})
