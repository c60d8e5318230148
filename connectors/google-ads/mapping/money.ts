import { exponentOf } from '../../kit/src/connect.ts'

/** Amounts in minor units and in micros, exactly: micros are millionths of the currency’s unit. */

/** Micros of one minor unit. */
const perMinor = (currency: string): bigint => 10n ** BigInt(6 - exponentOf(currency))

/** As the network writes 64-bit numbers: a text. */
export const microsOf = (minor: number, currency: string): string =>
  String(BigInt(minor) * perMinor(currency))

const whole = /^-?\d{1,19}$/

/** The amount of micros; null where it is no whole number of minor units. */
export function minorOf(micros: string, currency: string): number | null {
  if (!whole.test(micros)) return null
  const unit = perMinor(currency)
  const amount = BigInt(micros)
  const minor = Number(amount / unit)
  return amount % unit === 0n && Number.isSafeInteger(minor) ? minor : null
}

/** Micros to the nearest minor unit: of spend, which the network counts finer than it bills. */
export function roundedMinorOf(micros: string, currency: string): number {
  if (!whole.test(micros)) return Number.NaN
  const unit = perMinor(currency)
  return Number((BigInt(micros) + unit / 2n) / unit)
}

/** Units of the currency to the nearest minor unit; null for what is no amount of conversions. */
export function roundedMinorOfUnits(units: number | null, currency: string): number | null {
  if (units === null || units < 0) return null
  const minor = Math.round(units * 10 ** exponentOf(currency))
  return Number.isSafeInteger(minor) ? minor : null
}

const divisor = (one: bigint, other: bigint): bigint =>
  other === 0n ? one : divisor(other, one % other)

/** The step of budgets in minor units, for the least amount that the network bills. */
export function stepOf(billableMicros: string, currency: string): number {
  if (!whole.test(billableMicros)) return 1
  const billable = BigInt(billableMicros)
  if (billable <= 0n) return 1
  const unit = perMinor(currency)
  return Number(billable / divisor(billable, unit))
}
