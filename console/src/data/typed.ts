import { type Mark, type Reading, readAmount, typedOf } from './values/amount.ts'
import { exponentOf } from './values/currencies.ts'
import { decimalOf, formatMoney, formatNumber, minorOf } from './values/money.ts'

/** The one door between what a field of an amount shows and what the service gets. */

const ownMark: Mark =
  new Intl.NumberFormat().formatToParts(1.5).find(({ type }) => type === 'decimal')?.value === ','
    ? ','
    : '.'

function notationOf(currency: string | null) {
  const names = currency === null ? [] : [currency, signOf(currency)]
  return { exponent: exponentOf(currency), mark: ownMark, names }
}

function signOf(currency: string): string {
  const format = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  })
  const sign = format.formatToParts(1).find(({ type }) => type === 'currency')?.value
  return (sign ?? currency).toUpperCase()
}

/** Without a currency: of a percentage, and while none is chosen. */
const readTyped = (typed: string, currency: string | null): Reading =>
  readAmount(typed, notationOf(currency))

/** The text with which a field begins. */
export const typedMinor = (minor: number, exponent: number): string =>
  typedOf(decimalOf(minor, exponent), { exponent, mark: ownMark })

export const typedDecimal = (decimal: string, currency: string | null): string =>
  typedOf(decimal, { exponent: exponentOf(currency), mark: ownMark })

/** As the API takes it; what is no amount goes as it is, for the service to refuse. */
export function decimalIn(typed: string, currency: string | null): string {
  const reading = readTyped(typed, currency)
  if (reading.kind === 'amount') return reading.decimal
  if (reading.kind === 'none') return typed
  throw new Error('An amount that reads two ways is not sent.')
}

/** In minor units; null for what does not read as exactly one amount of the currency. */
export function minorIn(typed: string, currency: string | null): number | null {
  const reading = readTyped(typed, currency)
  const exponent = exponentOf(currency)
  return reading.kind === 'amount' && exponent !== null ? minorOf(reading.decimal, exponent) : null
}

/** The reason for refusing an amount here, before anything is sent. */
export function doubtOf(typed: string | null, currency: string | null): string | undefined {
  const reading = typed === null ? null : readTyped(typed, currency)
  if (reading?.kind !== 'two') return undefined
  const readings = reading.decimals.map((decimal) => shown(decimal, currency))
  const clear = reading.decimals.flatMap((decimal) => typedPlainly(decimal, currency) ?? [])
  return `Reads two ways: ${readings.join(' or ')}? Type ${clear.join(' or ')}.`
}

function shown(decimal: string, currency: string | null): string {
  const exponent = exponentOf(currency)
  const minor = exponent === null ? null : minorOf(decimal, exponent)
  if (minor === null || currency === null || exponent === null) return formatNumber(decimal)
  return formatMoney({ minor, currency, exponent })
}

/** So that it reads one way; null for what is finer than the currency. */
function typedPlainly(decimal: string, currency: string | null): string | null {
  const exponent = exponentOf(currency)
  if (exponent === null) return typedDecimal(decimal.replace(/(?<=\.\d\d)0$/, ''), currency)
  const minor = minorOf(decimal, exponent)
  return minor === null ? null : typedMinor(minor, exponent)
}

type Pointers = Readonly<Record<string, string | null>>

/** The doubts of some amounts, by the pointer of their field. */
export function doubtsOf(amounts: Pointers, currency: string | null): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(amounts).flatMap(([pointer, typed]) => {
      const doubt = doubtOf(typed, currency)
      return doubt === undefined ? [] : [[pointer, doubt] as const]
    }),
  )
}

/** `= BHD 1,500.000 a day, was 10.125`; null where there is nothing to add to what was typed. */
export function readingText(
  typed: string | null,
  { currency, per, was }: { currency: string | null; per?: string; was?: string | null },
): string | null {
  if (typed === null || currency === null || typed === was) return null
  const exponent = exponentOf(currency)
  const minor = minorIn(typed, currency)
  if (minor === null || exponent === null) return null
  const before = was ? minorIn(was, currency) : null
  const change = before === null ? '' : `, was ${formatNumber(decimalOf(before, exponent))}`
  return `= ${formatMoney({ minor, currency, exponent })}${per ? ` ${per}` : ''}${change}`
}
