/** Amounts in minor units, as ISO 4217 has them. */

/** Decimals other than two. Those of `Intl` are of everyday prices, and another for a dozen currencies. */
const exponents: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
}

const exponentsBy = new Map(
  Object.entries(exponents).flatMap(([digits, codes]) =>
    codes.split(' ').map((code): [string, number] => [code, Number(digits)]),
  ),
)

export const exponentOf = (currency: string): number => exponentsBy.get(currency) ?? 2

/** An amount of minor units in major ones, exactly. */
export function decimalOf(minor: number, currency: string): string {
  const exponent = exponentOf(currency)
  if (exponent === 0) return String(minor)
  const sign = minor < 0 ? '-' : ''
  const digits = String(Math.abs(minor)).padStart(exponent + 1, '0')
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`
}

/** `USD=500` as its currency and minor units; throws for what is no amount of it. */
export function amountOf(text: string): [currency: string, minor: number] {
  const [, currency = '', whole = '', part = ''] =
    /^([A-Z]{3})=(\d{1,12})(?:\.(\d{1,4}))?$/.exec(text) ?? []
  if (whole === '') throw new Error('must be a currency and an amount, such as USD=500')
  const exponent = exponentOf(currency)
  if (part.length > exponent) throw new Error(`${currency} has ${exponent} decimals`)
  const minor = Number(`${whole}${part.padEnd(exponent, '0')}`)
  if (!Number.isSafeInteger(minor)) throw new Error('is too large')
  return [currency, minor]
}
