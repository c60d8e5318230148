/** Exact fractions, for shares of money. Pure. */

/** The denominator is positive. */
export type Fraction = { readonly over: bigint; readonly under: bigint }

export const zero: Fraction = { over: 0n, under: 1n }

export function fraction(over: bigint | number, under: bigint | number = 1n): Fraction {
  const [top, bottom] = [BigInt(over), BigInt(under)]
  if (bottom === 0n) throw new RangeError('a fraction of zero')
  const divisor = commonDivisor(top < 0n ? -top : top, bottom < 0n ? -bottom : bottom)
  const sign = bottom < 0n ? -1n : 1n
  return { over: (sign * top) / divisor, under: (sign * bottom) / divisor }
}

const commonDivisor = (one: bigint, other: bigint): bigint => {
  let [a, b] = [one, other]
  while (b > 0n) [a, b] = [b, a % b]
  return a === 0n ? 1n : a
}

export const plus = (one: Fraction, other: Fraction): Fraction =>
  one.under === other.under
    ? fraction(one.over + other.over, one.under)
    : fraction(one.over * other.under + other.over * one.under, one.under * other.under)

export const times = (one: Fraction, other: Fraction): Fraction =>
  fraction(one.over * other.over, one.under * other.under)

/** Below, at or above: -1, 0 or 1. */
export function compare(one: Fraction, other: Fraction): number {
  const difference = one.over * other.under - other.over * one.under
  return difference < 0n ? -1 : Number(difference > 0n)
}

/** The nearest integer; halves away from zero. */
export function rounded({ over, under }: Fraction): bigint {
  const magnitude = over < 0n ? -over : over
  const whole = (2n * magnitude + under) / (2n * under)
  return over < 0n ? -whole : whole
}

/** As a decimal number, rounded to some places: 7/3 → 2.3333. */
export function toDecimal(value: Fraction, places: number): number {
  const scaled = rounded(times(value, fraction(10n ** BigInt(places))))
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(places + 1, '0')
  const text = `${digits.slice(0, digits.length - places)}.${digits.slice(digits.length - places)}`
  return scaled < 0n ? -Number(text) : Number(text)
}
