import { expect, test } from 'vitest'
import { addMonths, formatMonth, isMonth } from './months.ts'

test('months are counted over the ends of years', () => {
  expect(addMonths('2026-11', 2)).toBe('2027-01')
  expect(addMonths('2026-01', -1)).toBe('2025-12')
  expect(addMonths('2026-11', 0)).toBe('2026-11')
})

test('a month is said in words, and what is none is left', () => {
  expect(formatMonth('2026-12')).toBe('Dec 2026')
  expect(formatMonth('soon')).toBe('soon')
})

test.each([undefined, '', '2026-13', '2026-1', '1999-12', '2026-12-01'])(
  '%s is no month',
  (text) => {
    expect(isMonth(text)).toBe(false)
  },
)
