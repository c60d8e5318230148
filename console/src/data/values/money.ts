/** Amounts are exact integers of the currency's minor unit, and decimal text; never floats. */

type Amount = { minor: number; currency: string; exponent: number }

/** `1234`, 2 → `12.34`: exact. */
export function decimalOf(minor: number, exponent: number): string {
  const digits = `${Math.abs(minor)}`.padStart(exponent + 1, '0')
  const sign = minor < 0 ? '-' : ''
  if (exponent === 0) return sign + digits
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`
}

/** Decimal text to minor units; null where it is none, or is finer than the currency. */
export function minorOf(decimal: string, exponent: number): number | null {
  const match = /^(-?)(\d{1,15})(?:\.(\d*))?$/.exec(decimal)
  if (!match) return null
  const [, sign = '', whole = '', part = ''] = match
  if (!/^0*$/.test(part.slice(exponent))) return null
  return Number(`${sign}${whole}${part.slice(0, exponent).padEnd(exponent, '0')}`)
}

const formats = new Map<string, Intl.NumberFormat>()

function formatOf({ currency, exponent }: Omit<Amount, 'minor'>): Intl.NumberFormat {
  const key = `${currency} ${exponent}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.NumberFormat(undefined, {
      style: 'currency',
      currency,
      currencyDisplay: 'code',
      minimumFractionDigits: exponent,
      maximumFractionDigits: exponent,
    })
    formats.set(key, format)
  }
  return format
}

/** `USD 1,234.50`, in the notation of the browser's language. */
export const formatMoney = ({ minor, currency, exponent }: Amount): string =>
  // The text is formatted exactly; a number might not be.
  formatOf({ currency, exponent }).format(decimalOf(minor, exponent) as Intl.StringNumericLiteral)

const numbers = new Map<number, Intl.NumberFormat>()

/** `1,234.50`, in the notation of the browser's language, with the decimals that it has. */
export function formatNumber(decimal: string): string {
  const digits = decimal.split('.')[1]?.length ?? 0
  let format = numbers.get(digits)
  if (!format) {
    format = new Intl.NumberFormat(undefined, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
    numbers.set(digits, format)
  }
  return format.format(decimal as Intl.StringNumericLiteral)
}
