import currencyCodes from 'currency-codes'
import { type Fault, fault } from '../problems/fault.ts'
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

export const largestExponent = Math.max(...exponents.values())

/** For a currency that may be unknown yet: the largest number of decimals. */
export const exponentFor = (currency: string): number => exponentOf(currency) ?? largestExponent

export const maximumMajor = 1_000_000_000

/** Longer than any valid amount. */
export const maxAmountLength = 64
const decimalText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
const jsonNumberText = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Amounts in minor units, by currency. */
export type Amounts = Readonly<Record<string, number>>

export type Amount = { minor: number } | { fault: Fault }

/** Budgets are positive; of what was spent, some is zero, and corrections have either sign. */
export type Sign = 'positive' | 'not negative' | 'any'

/** Converts an amount to minor units without floating-point arithmetic. */
export function readMoney(
  input: MoneyInput,
  currency: string,
  pointer: string,
  sign: Sign = 'positive',
): Amount {
  const read = digitsOf(input, pointer)
  if ('fault' in read) return read
  const exponent = exponentFor(currency)
  return amountOf(read.digits, { exponent, currency, pointer, sign, given: digitsTextOf(input) })
}

/** A quantity that is not money, as an integer of its last decimal; what is beyond is rounded. */
export function readQuantity(input: MoneyInput, decimals: number, pointer: string): Amount {
  const read = digitsOf(input, pointer)
  if ('fault' in read) return read
  const { negative, digits, decimals: given } = read.digits
  if (negative && digits > 0n) return refused(pointer, 'out_of_range', 'must be at least 0')
  const divisor = 10n ** BigInt(Math.max(0, given - decimals))
  const scaled = digits * 10n ** BigInt(Math.max(0, decimals - given))
  const rounded = (scaled + divisor / 2n) / divisor
  if (rounded > BigInt(maximumMajor) * 10n ** BigInt(decimals)) {
    const limit = { limit: maximumMajor }
    return refused(pointer, 'out_of_range', `must be at most ${maximumMajor}`, limit)
  }
  return { minor: Number(rounded) }
}

/** The fault of an amount as text that is no decimal number, whatever its currency. */
export function unreadableAmount(text: string, pointer: string): Fault | undefined {
  const read = digitsOf(text, pointer)
  return 'fault' in read ? read.fault : undefined
}

function digitsOf(input: MoneyInput, pointer: string): { digits: Digits } | { fault: Fault } {
  if (typeof input === 'string' && !isDecimal(input)) {
    const message = 'must be a number or a plain decimal such as "33.51"'
    return { fault: fault(pointer, 'invalid_format', message) }
  }
  const digits = decimalDigits(digitsTextOf(input))
  return digits
    ? { digits }
    : { fault: fault(pointer, 'invalid_format', 'is not a decimal number') }
}

const isDecimal = (text: string) => text.length <= maxAmountLength && decimalText.test(text)

/** Numbers of up to 15 digits convert to text exactly; longer ones arrive as text. */
const digitsTextOf = (input: MoneyInput): string =>
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

type MoneyRules = { exponent: number; currency: string; pointer: string; sign: Sign; given: string }

function amountOf({ negative, digits, decimals }: Digits, rules: MoneyRules): Amount {
  const { exponent, currency, pointer, sign, given } = rules
  const more = { given: given.slice(0, 40) }
  if (sign === 'positive' && (negative || digits === 0n)) {
    return refused(pointer, 'out_of_range', 'must be greater than 0', more)
  }
  if (sign === 'not negative' && negative && digits > 0n) {
    return refused(pointer, 'out_of_range', 'must be at least 0', more)
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
  const minor = Number(digits * 10n ** BigInt(exponent - decimals))
  return { minor: negative && minor > 0 ? -minor : minor }
}

const refused = (...args: Parameters<typeof fault>): Amount => ({ fault: fault(...args) })

/**
 * A stored amount as the same number of another currency: 33.00 USD (3300) → 33 JPY (33). Refused as
 * if it were sent where that currency has too few decimals.
 */
export function moneyIn(
  currency: string,
  { minor, exponent: decimalsBefore }: { minor: number; exponent: number },
  pointer: string,
): Amount {
  const exponent = exponentFor(currency)
  if (exponent === decimalsBefore) return { minor }
  const given = String(toMajor(minor, decimalsBefore))
  let [digits, decimals] = [BigInt(minor), decimalsBefore]
  for (; decimals > 0 && digits % 10n === 0n; decimals -= 1) digits /= 10n
  const rules = { exponent, currency, pointer, sign: 'positive', given } as const
  return amountOf({ negative: false, digits, decimals }, rules)
}

/** Minor units to a decimal number, via text: 3351 → 33.51. */
export function toMajor(minor: number, exponent: number): number
export function toMajor(minor: number | null, exponent: number): number | null
export function toMajor(minor: number | null, exponent: number): number | null {
  if (minor === null || exponent === 0) return minor
  if (minor < 0) return -toMajor(-minor, exponent)
  const digits = String(minor).padStart(exponent + 1, '0')
  return Number(`${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`)
}

/** The minimum budget of a currency in minor units: one major unit unless configured. */
export const minimumMinor = (
  currency: string,
  exponent: number,
  minimums: Readonly<Record<string, number>>,
): number => minimums[currency] ?? 10 ** exponent
