import { decimalIn, doubtOf, minorIn } from '../../../../data/typed.ts'

/** Changes of amounts, in whole minor units: exact, but for the one rounding that is stated. */

const percentPattern = /^(\d{1,6})(?:\.(\d{1,4}))?$/

export type Direction = 'up' | 'down'

export const isPercent = (typed: string): boolean =>
  doubtOf(typed, null) === undefined && percentPattern.test(decimalIn(typed, null))

/** Rounded to the smallest unit of the currency, halves up; null where it is no percentage. */
export function byPercent(minor: number, typed: string, direction: Direction): number | null {
  const match = isPercent(typed) && percentPattern.exec(decimalIn(typed, null))
  if (!match) return null
  const [, whole = '', part = ''] = match
  const hundred = 100n * 10n ** BigInt(part.length)
  const share = BigInt(whole + part)
  const factor = direction === 'up' ? hundred + share : hundred - share
  const doubled = 2n * BigInt(minor) * factor + hundred
  return Number(floorOf(doubled, 2n * hundred))
}

const floorOf = (amount: bigint, by: bigint): bigint =>
  amount < 0n && amount % by !== 0n ? amount / by - 1n : amount / by

/** Null where it is no amount of the currency. */
export function byAmount(
  minor: number,
  typed: string,
  { currency, direction }: { currency: string; direction: Direction },
): number | null {
  const by = minorIn(typed, currency)
  if (by === null) return null
  return direction === 'up' ? minor + by : minor - by
}
