import currencyCodes from 'currency-codes'
import { type Fault, fault } from '../problems/problem.ts'
import { ExactNumber } from './exact-number.ts'
import { trimEnd } from './trim-end.ts'

/**
 * An amount as sent by a client, in major units: a JSON number or a plain decimal string. A number
 * that a double cannot represent exactly arrives as ExactNumber.
 */
export type MoneyInput = number | string | ExactNumber

/** Funds codes, metals, and codes for testing or for no currency: not billable. */
const notBillable = new Set(['BOV', 'CHE', 'CHW', 'COU', 'MXV', 'USN', 'UYI', 'UYW', 'CLF'])
const isBillable = (code: string) => !notBillable.has(code) && !/^X(?!AF|CD|CG|OF|PF)/.test(code)

/** Introduced in 2025, missing in the package. */
const newer = [{ code: 'XCG', digits: 2 }]

/** ISO 4217: the decimals of each currency. */
const exponents = new Map(
  [...currencyCodes.data.filter(({ code }) => isBillable(code)), ...newer].map(
    ({ code, digits }) => [code, digits] as const,
  ),
)

export const currencies: readonly string[] = [...exponents.keys()].sort()

export const exponentOf = (currency: string): number | undefined => exponents.get(currency)

export const unsupportedCurrency = (pointer: string, given: string): Fault =>
  fault(pointer, 'unsupported_currency', 'is not a currency of budgets (ISO 4217)', {
    allowed: currencies,
    given,
  })

const largestExponent = Math.max(...exponents.values())

/** For a currency that may be unknown yet: the largest number of decimals. */
export const exponentFor = (currency: string): number => exponentOf(currency) ?? largestExponent

export const maximumMajor = 1_000_000_000

/** Longer than any valid amount. */
export const maxAmountLength = 64
const decimalText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
const jsonNumberText = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

export type Amount = { minor: number } | { fault: Fault }

/** Converts an amount to minor units without floating-point arithmetic. */
export function readMoney(input: MoneyInput, currency: string, pointer: string): Amount {
  const text = textOf(input)
  if (typeof input === 'string' && !isDecimal(input)) {
    return refused(pointer, 'invalid_format', 'must be a number or a plain decimal such as "33.51"')
  }
  const exponent = exponentFor(currency)
  const digits = decimalDigits(text)
  if (!digits) return refused(pointer, 'invalid_format', 'is not a decimal number')
  return amountOf(digits, { exponent, currency, pointer, given: text })
}

const isDecimal = (text: string) => text.length <= maxAmountLength && decimalText.test(text)

/** Numbers of up to 15 digits convert to text exactly; longer ones arrive as text. */
const textOf = (input: MoneyInput): string =>
  input instanceof ExactNumber ? input.text : String(input)

type Digits = { negative: boolean; digits: bigint; decimals: number }

/** Larger exponents are out of range anyway and must not be computed. */
const maxShift = 400

/** `1.50e1` → 15 with 0 decimals: the value as a minimal integer and count of decimals. */
export function decimalDigits(text: string): Digits | undefined {
  const match = jsonNumberText.exec(text)
  if (!match) return undefined
  const [, sign, whole = '', fraction = '', shift = '0'] = match
  const significant = `${whole}${fraction}`.replace(/^0+/, '')
  const trimmed = trimEnd(significant, '0')
  const dropped = significant.length - trimmed.length
  const decimals = fraction.length - dropped - clampShift(shift)
  const negative = sign === '-'
  if (trimmed === '') return { negative, digits: 0n, decimals: 0 }
  if (decimals >= 0) return { negative, digits: BigInt(trimmed.slice(0, maxShift)), decimals }
  const zeros = Math.min(-decimals, maxShift)
  return { negative, digits: BigInt(trimmed.slice(0, maxShift) + '0'.repeat(zeros)), decimals: 0 }
}

const clampShift = (shift: string) => Math.max(-maxShift, Math.min(maxShift, Number(shift)))

type Rules = { exponent: number; currency: string; pointer: string; given: string }

function amountOf({ negative, digits, decimals }: Digits, rules: Rules): Amount {
  const { exponent, currency, pointer, given } = rules
  const more = { given: given.slice(0, 40) }
  if (negative || digits === 0n) {
    return refused(pointer, 'out_of_range', 'must be greater than 0', more)
  }
  if (digits > BigInt(maximumMajor) * 10n ** BigInt(Math.min(decimals, maxShift))) {
    const limit = { ...more, limit: maximumMajor }
    return refused(pointer, 'out_of_range', `must be at most ${maximumMajor}`, limit)
  }
  if (decimals > exponent) {
    const limit = { ...more, limit: exponent }
    const whose = currency || 'an amount without a currency'
    return refused(pointer, 'budget_precision', `${whose} has at most ${exponent} decimals`, limit)
  }
  return { minor: Number(digits * 10n ** BigInt(exponent - decimals)) }
}

const refused = (...args: Parameters<typeof fault>): Amount => ({ fault: fault(...args) })

/** Minor units to a decimal number, via text: 3351 → 33.51. */
export function toMajor(minor: number, exponent: number): number {
  if (exponent === 0) return minor
  const digits = String(minor).padStart(exponent + 1, '0')
  return Number(`${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`)
}

/** The minimum budget of a currency in minor units: one major unit unless configured. */
export const minimumMinor = (
  currency: string,
  exponent: number,
  minimums: Readonly<Record<string, number>>,
): number => minimums[currency] ?? 10 ** exponent
