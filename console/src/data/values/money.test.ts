import { expect, test } from 'vitest'
import { decimalOf, formatMoney, formatNumber, minorOf } from './money.ts'

test.each([
  [1234, 2, '12.34'],
  [5, 2, '0.05'],
  [-5, 2, '-0.05'],
  [0, 2, '0.00'],
  [1500, 0, '1500'],
  [-1500, 0, '-1500'],
  [10_125, 3, '10.125'],
  [Number.MAX_SAFE_INTEGER, 2, '90071992547409.91'],
])('%d with %d decimals is %s, and back', (minor, exponent, decimal) => {
  expect(decimalOf(minor, exponent)).toBe(decimal)
  expect(minorOf(decimal, exponent)).toBe(minor)
})

test.each([
  ['12', 2, 1200],
  ['12.', 2, 1200],
  ['12.3', 2, 1230],
  ['12.340000', 2, 1234],
  ['7', 0, 7],
])('%s with %d decimals is %d', (decimal, exponent, minor) => {
  expect(minorOf(decimal, exponent)).toBe(minor)
})

test.each([
  ['12.345', 2],
  ['0.5', 0],
  ['', 2],
  ['1,200', 2],
  ['1e3', 2],
  ['.5', 2],
  ['1234567890123456', 2],
])('%s is no amount with %d decimals', (decimal, exponent) => {
  expect(minorOf(decimal, exponent)).toBeNull()
})

test('amounts are exact where a number is not', () => {
  const text = formatMoney({ minor: Number.MAX_SAFE_INTEGER, currency: 'USD', exponent: 2 })
  expect(text.replaceAll(/[^\d.,]/g, '')).toBe('90,071,992,547,409.91')
  expect(formatMoney({ minor: 10_125, currency: 'BHD', exponent: 3 })).toMatch(/^BHD.10\.125$/)
  expect(formatNumber('1234.50')).toBe('1,234.50')
})
