import { expect, test } from 'vitest'
import { currencies, exponentOf as exponentOfService } from '../../../../server/src/values/money.ts'
import { amountOf, decimalOf, exponentOf } from './money.ts'

test('each currency has the decimals that the service gives it', () => {
  const own = currencies.map((currency) => [currency, exponentOf(currency)])
  expect(own).toEqual(currencies.map((currency) => [currency, exponentOfService(currency)]))
})

test('amounts are written and read in major units, exactly', () => {
  expect(decimalOf(123_456, 'COP')).toBe('1234.56')
  expect(decimalOf(-5, 'KWD')).toBe('-0.005')
  expect(decimalOf(500, 'JPY')).toBe('500')
  expect(amountOf('HUF=12.5')).toEqual(['HUF', 1_250])
  expect(() => amountOf('JPY=12.5')).toThrow('JPY has 0 decimals')
})
