import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJson } from '../http/request/json.ts'
import { ExactNumber } from './exact-number.ts'
import { currencies, exponentOf, type MoneyInput, readMoney, toMajor } from './money.ts'

const read = (input: MoneyInput, currency = 'USD') => readMoney(input, currency, '/amount')
/** A JSON number as it arrives: through the parser of bodies. */
const fromJson = (text: string, currency = 'USD') =>
  read(parseJson(Buffer.from(text), 1) as MoneyInput, currency)
const codeOf = (input: MoneyInput, currency?: string) => {
  const amount = read(input, currency)
  return 'fault' in amount ? amount.fault.code : amount.minor
}
const jsonCode = (text: string, currency?: string) => {
  const amount = fromJson(text, currency)
  return 'fault' in amount ? amount.fault.code : amount.minor
}

describe('an amount', () => {
  test.each([
    ['33.51', 3351],
    ['19.99', 1999],
    ['1.07', 107],
    ['33.510', 3351],
    ['1e3', 100_000],
    ['1E3', 100_000],
    ['1.5e1', 1500],
    ['150e-2', 150],
    ['1000000000', 100_000_000_000],
    ['1000000000.00', 100_000_000_000],
    ['0.29', 29],
    ['4.35', 435],
    ['999999999.99', 99_999_999_999],
    ['100000000000000000000e-12', 10_000_000_000],
  ])('%s as a JSON number is %i cents', (text, minor) => {
    expect(jsonCode(text)).toBe(minor)
  })

  test.each([
    ['JPY', '100', 100],
    ['XCG', '1.05', 105],
    ['XCG', '1.055', 'budget_precision'],
    ['JPY', '100.0', 100],
    ['JPY', '100.5', 'budget_precision'],
    ['KWD', '1.234', 1234],
    ['KWD', '1.2345', 'budget_precision'],
    ['USD', '1.001', 'budget_precision'],
    ['USD', '1.0010', 'budget_precision'],
    ['USD', '1.00000000000000000000001', 'budget_precision'],
    ['USD', '33.50999999999999999999', 'budget_precision'],
  ])('in %s, %s is %s', (currency, text, expected) => {
    expect(jsonCode(text, currency)).toBe(expected)
    expect(codeOf(text, currency)).toBe(expected)
  })

  test.each([
    '0',
    '-0',
    '-1',
    '0e9',
    '-1e400',
    '1000000000.01',
    '1e10',
    '1e400',
    '1e999999999',
    '9'.repeat(400),
  ])('%s is out of range', (text) => {
    expect(jsonCode(text)).toBe('out_of_range')
  })

  test.each(['1e-400', '0.000000001', '1e-999999999'])('%s is too precise', (text) => {
    expect(jsonCode(text)).toBe('budget_precision')
  })

  test.each([
    '',
    ' 1',
    '1 ',
    '1e3',
    '1,5',
    '.5',
    '5.',
    '+5',
    '01',
    '0x10',
    'NaN',
    'Infinity',
    '½',
    '１',
    '1_000',
    '--1',
  ])('the text "%s" is not an amount', (text) => {
    expect(codeOf(text)).toBe('invalid_format')
  })
})

test('an amount as text has at most 64 characters', () => {
  expect(codeOf(`33.51${'0'.repeat(59)}`)).toBe(3351)
  expect(codeOf(`33.51${'0'.repeat(60)}`)).toBe('invalid_format')
  expect(codeOf('1'.repeat(65))).toBe('invalid_format')
})

/** A decimal written in one of the many ways that JSON allows. */
const spelled = fc
  .record({
    units: fc.bigInt({ min: 1n, max: 10n ** 20n }),
    decimals: fc.integer({ min: 0, max: 6 }),
    zeros: fc.integer({ min: 0, max: 6 }),
    shift: fc.integer({ min: -25, max: 25 }),
  })
  .map(({ units, decimals, zeros, shift }) => {
    const digits = String(units).padStart(decimals + 1, '0') + '0'.repeat(zeros)
    const places = decimals + zeros
    const at = digits.length - places
    const plain = places === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`
    // units / 10^decimals, times 10^shift.
    return { units, decimals: decimals - shift, text: shift === 0 ? plain : `${plain}e${shift}` }
  })

/** The same by plain integer arithmetic: units / 10^decimals in minor units of the exponent. */
function expected(units: bigint, decimals: number, exponent: number) {
  const scale = 10n ** 60n
  const scaled =
    decimals >= 0 ? (units * scale) / 10n ** BigInt(decimals) : units * 10n ** BigInt(60 - decimals)
  if (scaled > 1_000_000_000n * scale) return 'out_of_range'
  const inMinor = scaled * 10n ** BigInt(exponent)
  return inMinor % scale === 0n ? Number(inMinor / scale) : 'budget_precision'
}

describe('in any notation', () => {
  test.each(['USD', 'JPY', 'KWD'])('an amount in %s is read exactly', (currency) => {
    const exponent = exponentOf(currency) ?? 2
    fc.assert(
      fc.property(spelled, ({ units, decimals, text }) => {
        expect([text, jsonCode(text, currency)]).toEqual([
          text,
          expected(units, decimals, exponent),
        ])
        expect(codeOf(new ExactNumber(text), currency)).toBe(expected(units, decimals, exponent))
      }),
      { numRuns: 400, seed: 4711 },
    )
  })

  test('a shown amount is read back unchanged, as a number and as text', () => {
    const amounts = fc.integer({ min: 1, max: 100_000_000_000 })
    fc.assert(
      fc.property(amounts, fc.constantFrom(...currencies), (minor, currency) => {
        const exponent = exponentOf(currency) ?? 2
        const major = toMajor(minor, exponent)
        const most = 10 ** (9 + exponent)
        const same = minor > most ? 'out_of_range' : minor
        expect(jsonCode(JSON.stringify(major), currency)).toBe(same)
        expect(codeOf(major, currency)).toBe(same)
        if (!/e/.test(String(major))) expect(codeOf(String(major), currency)).toBe(same)
      }),
      { numRuns: 500, seed: 4711 },
    )
  })
})
