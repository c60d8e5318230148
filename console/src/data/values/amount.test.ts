import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { columnReader, type Mark, readAmount, typedOf } from './amount.ts'
import { minorOf } from './money.ts'

const exponents = { JPY: 0, USD: 2, BHD: 3 }
type Currency = keyof typeof exponents

const read = (typed: string, currency: Currency | null, mark: Mark = '.') => {
  const exponent = currency && exponents[currency]
  const names = currency === null ? [] : [currency, '$']
  const reading = readAmount(typed, { exponent, mark, names })
  if (reading.kind === 'two') return reading.decimals.join(' or ')
  return reading.kind === 'amount' ? reading.decimal : null
}

describe('an amount reads', () => {
  test.each<[string, Currency | null, string | null, string | null]>([
    // The typed text, the currency, and how it reads where decimals have a point, and a comma.
    ['50', 'USD', '50', '50'],
    ['1500', 'BHD', '1500', '1500'],
    ['12.5', 'USD', '12.5', '12.5'],
    ['1,50', 'USD', '1.50', '1.50'],
    ['1,5', 'JPY', '1.5', '1.5'],
    ['1.500,00', 'USD', '1500.00', '1500.00'],
    ['1,500.00', 'USD', '1500.00', '1500.00'],
    ['1500,50', 'USD', '1500.50', '1500.50'],
    ['1,234,567', 'USD', '1234567', '1234567'],
    ['1.234.567', 'BHD', '1234567', '1234567'],
    ['12,34,567', 'USD', '1234567', '1234567'],
    ['12 345,67', 'USD', '12345.67', '12345.67'],
    ['12\u202f345', 'USD', '12345', '12345'],
    ['12’345.67', 'USD', '12345.67', '12345.67'],
    ['1 500,000', 'BHD', '1500.000', '1500.000'],
    ['1.500,000', 'BHD', '1500.000', '1500.000'],
    ['0.500', 'USD', '0.500', '0.500'],
    ['0,125', 'BHD', '0.125', '0.125'],
    ['1234.567', 'BHD', '1234.567', '1234.567'],
    ['1234,5678', 'BHD', '1234.5678', '1234.5678'],
    ['.5', 'USD', '0.5', '0.5'],
    ['5.', 'USD', '5', '5'],
    ['-5', 'USD', '-5', '-5'],
    ['USD 1,250.50', 'USD', '1250.50', '1250.50'],
    ['1.250,50 usd', 'USD', '1250.50', '1250.50'],
    ['$1,250.50', 'USD', '1250.50', '1250.50'],
    // Three digits behind one mark: both the reader's notation and the currency must say the same.
    ['12,000', 'USD', '12000', '12.000 or 12000'],
    ['1.500', 'USD', '1.500 or 1500', '1500'],
    ['20.000', 'JPY', '20.000 or 20000', '20000'],
    ['20,000', 'JPY', '20000', '20.000 or 20000'],
    ['1,500', 'BHD', '1.500 or 1500', '1.500'],
    ['1.500', 'BHD', '1.500', '1.500 or 1500'],
    ['-1.500', 'USD', '-1.500 or -1500', '-1500'],
    ['1.500', null, '1.500 or 1500', '1.500 or 1500'],
    ['1,500', null, '1.500 or 1500', '1.500 or 1500'],
    // Left for the service to refuse.
    ['', 'USD', null, null],
    ['abc', 'USD', null, null],
    ['1 5', 'USD', null, null],
    ['1,50,0', 'USD', null, null],
    ['1.2.3', 'USD', null, null],
    ['1,234,56', 'USD', null, null],
    ['1,2.3,4', 'USD', null, null],
    ['1e3', 'USD', null, null],
    ['EUR 50', 'USD', null, null],
    [',', 'USD', null, null],
    ['1'.repeat(65), 'USD', null, null],
  ])('%s in %s as %s or %s', (typed, currency, byPoint, byComma) => {
    expect([read(typed, currency, '.'), read(typed, currency, ',')]).toEqual([byPoint, byComma])
  })
})

const marks = fc.constantFrom<Mark>('.', ',')
const currencies = fc.constantFrom<Currency>('JPY', 'USD', 'BHD')

test('a taken amount has the digits that were typed, and its mark stands where one was typed', () => {
  const texts = fc.string({ unit: fc.constantFrom(..."0123456789.,' "), maxLength: 14 })
  fc.assert(
    fc.property(texts, currencies, marks, (typed, currency, mark) => {
      const reading = readAmount(typed, { exponent: exponents[currency], mark })
      if (reading.kind !== 'amount') return
      const digitsOf = (text: string) => text.replaceAll(/\D/g, '')
      expect(digitsOf(reading.decimal).replace(/^0+/, '')).toBe(digitsOf(typed).replace(/^0+/, ''))
      const [, part = ''] = reading.decimal.split('.')
      if (part === '') return
      const text = typed.trim()
      expect(text.slice(-part.length)).toBe(part)
      expect(text.at(-part.length - 1)).toMatch(/[.,]/)
    }),
    { numRuns: 5_000 },
  )
})

test('an amount in any notation is taken as it is, or refused; never as another', () => {
  const locales = fc.constantFrom('en-US', 'de-DE', 'fr-FR', 'de-CH', 'en-IN', 'pl-PL', 'pt-BR')
  const amounts = fc.integer({ min: 0, max: 10_000_000_000 })
  const groups = fc.boolean()
  fc.assert(
    fc.property(amounts, currencies, marks, locales, groups, (minor, currency, mark, locale, g) => {
      const exponent = exponents[currency]
      const options = { minimumFractionDigits: exponent, useGrouping: g }
      const typed = new Intl.NumberFormat(locale, options).format(minor / 10 ** exponent)
      const reading = readAmount(typed, { exponent, mark })
      if (reading.kind === 'two')
        expect(reading.decimals.map((each) => minorOf(each, exponent))).toContain(minor)
      else expect(reading.kind === 'amount' && minorOf(reading.decimal, exponent)).toBe(minor)
    }),
    { numRuns: 5_000 },
  )
})

test('what a field begins with reads as what is stored', () => {
  const known = fc.option(currencies)
  const parts = [
    fc.bigInt({ min: 0n, max: 999_999_999n }),
    fc.integer({ min: 0, max: 999 }),
  ] as const
  fc.assert(
    fc.property(
      ...parts,
      fc.integer({ min: 0, max: 3 }),
      known,
      marks,
      (whole, part, digits, currency, mark) => {
        const tail = `${part}`.padStart(3, '0').slice(3 - digits)
        const decimal = digits === 0 ? `${whole}` : `${whole}.${tail}`
        const exponent = currency && exponents[currency]
        const typed = typedOf(decimal, { exponent, mark })
        const reading = readAmount(typed, { exponent, mark })
        expect(reading.kind === 'amount' && Number(reading.decimal)).toBe(Number(decimal))
      },
    ),
    { numRuns: 2_000 },
  )
})

describe('a column of a file', () => {
  const readAll = (...cells: string[]) => {
    const reader = columnReader(cells)
    return cells.map((cell) => {
      const reading = reader(cell)
      return reading.kind === 'amount' ? reading.decimal : reading.kind
    })
  }

  test('is read as its clear cells are written', () => {
    expect(readAll('1,234', '12.50')).toEqual(['1234', '12.50'])
    expect(readAll('1.234', '12,5')).toEqual(['1234', '12.5'])
    expect(readAll('1.234', '1.234.567')).toEqual(['1234', '1234567'])
    expect(readAll('1,234', '1.234,56')).toEqual(['1.234', '1234.56'])
  })

  test('is doubtful where no cell is clear, or cells contradict each other', () => {
    expect(readAll('1,234', '120')).toEqual(['two', '120'])
    expect(readAll('1,234', '1.5', '1,5')).toEqual(['two', '1.5', '1.5'])
    expect(readAll('', 'n/a')).toEqual(['none', 'none'])
  })
})
