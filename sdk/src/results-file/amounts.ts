/** The sign before the decimals. */
export type Decimal = '.' | ','

/** An amount with what stands around it. */
type Stated = {
  /** Digits and separators alone. */
  readonly digits: string
  readonly isNegative: boolean
  /** Currencies that its symbol or code can mean; null where it has none. */
  readonly currencies: readonly string[] | null
}

export type Amount =
  | { readonly value: string; readonly currencies: readonly string[] | null }
  | { readonly readings: readonly [string, string] }
  | { readonly message: string }

const symbols: Readonly<Record<string, readonly string[]>> = {
  '€': ['EUR'],
  '£': ['GBP'],
  '₹': ['INR'],
  '₽': ['RUB'],
  '₺': ['TRY'],
  '₩': ['KRW'],
  '₪': ['ILS'],
  '₫': ['VND'],
  zł: ['PLN'],
  R$: ['BRL'],
  US$: ['USD'],
  CA$: ['CAD'],
  A$: ['AUD'],
  NZ$: ['NZD'],
  HK$: ['HKD'],
  S$: ['SGD'],
  MX$: ['MXN'],
  '¥': ['JPY', 'CNY'],
  kr: ['SEK', 'NOK', 'DKK', 'ISK'],
  $: ['USD', 'CAD', 'AUD', 'NZD', 'HKD', 'SGD', 'MXN', 'ARS', 'CLP', 'COP', 'TWD'],
}

const maxLength = 40

function stated(cell: string): Stated | undefined {
  const text = cell.replaceAll(/[\s'’\u00a0\u202f]/g, '').replaceAll(/[−–]/g, '-')
  const [, open = '', before = '', digits = '', after = '', close = ''] =
    /^(\(?)([^\d.,()]{0,5})([\d.,]+)([^\d.,()]{0,4})(\)?)$/.exec(text) ?? []
  if (digits === '' || (open === '') !== (close === '')) return undefined
  const minuses = `${before}${after}`.split('-').length - 1
  const sign = `${before}${after}`.replace('-', '').replace('+', '')
  if (minuses > 1 || (minuses === 1 && open !== '')) return undefined
  const currencies = sign === '' ? null : (symbols[sign] ?? codeIn(sign))
  if (currencies === undefined) return undefined
  return { digits, isNegative: open !== '' || minuses === 1, currencies }
}

const codeIn = (sign: string): readonly string[] | undefined =>
  /^[A-Z]{3}$/.test(sign) ? [sign] : undefined

/** Groups of three digits, or as in India of two before the last three. */
const plain = { '.': /^\d*(?:\.\d+)?$/, ',': /^\d*(?:,\d+)?$/ }
const grouped = {
  '.': /^\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?$/,
  ',': /^\d{1,3}(?:\.\d{2,3})*\.\d{3}(?:,\d+)?$/,
}

const isWritten = (digits: string, decimal: Decimal): boolean =>
  plain[decimal].test(digits) || grouped[decimal].test(digits)

const decimalText = (digits: string, decimal: Decimal): string =>
  withoutZeros(digits.replaceAll(decimal === '.' ? ',' : '.', '').replace(',', '.'))

/** `007.50` → `7.50`, `.5` → `0.5`, as amounts are written. */
function withoutZeros(value: string): string {
  let at = 0
  while (value[at] === '0' && /\d/.test(value[at + 1] ?? '')) at += 1
  const rest = value.slice(at)
  return rest.startsWith('.') ? `0${rest}` : rest
}

/**
 * An amount as text: none passes through binary numbers. Without a decimal sign, one that reads two
 * ways is answered with both readings.
 */
export function readAmount(cell: string, decimal: Decimal | null): Amount {
  const message = 'is not a number'
  const found = cell.length <= maxLength ? stated(cell) : undefined
  if (!found || !/\d/.test(found.digits)) return { message }
  const { digits, isNegative, currencies } = found
  const signed = (by: Decimal) => `${isNegative ? '-' : ''}${decimalText(digits, by)}`
  const possible = (decimal ? [decimal] : (['.', ','] as const)).filter((each) =>
    isWritten(digits, each),
  )
  const [first, second] = possible
  if (first === undefined) return { message }
  if (second === undefined || signed(first) === signed(second)) {
    return { value: signed(first), currencies }
  }
  return { readings: [signed(first), signed(second)] }
}

/** A count: separators of groups mean nothing in it, and it has no decimals. */
export function readCount(cell: string, decimal: Decimal | null): { value: number } | undefined {
  const amount = readAmount(cell, decimal)
  const texts = 'value' in amount ? [amount.value] : 'readings' in amount ? amount.readings : []
  const whole = texts.map((text) => /^(\d{1,13})(?:\.0{1,2})?$/.exec(text)?.[1]).filter(isText)
  const values = whole.map(Number).filter((value) => value <= mostCount)
  return values.length > 0 ? { value: Math.max(...values) } : undefined
}

const mostCount = 1_000_000_000_000

const isText = (text: string | undefined): text is string => text !== undefined

/**
 * The decimal sign that cells prove, if all that prove one prove the same: `12.50` and `1.234,5` do,
 * `1,500` does not. A count has no decimals, so that its `1,234` proves the comma to separate groups.
 */
export function decimalOf(amounts: readonly string[], counts: readonly string[]): Decimal | null {
  const proved = new Set<Decimal>()
  for (const cell of amounts) {
    const amount = readBoth(cell)
    if (amount) proved.add(amount)
  }
  for (const cell of counts) {
    const sign = /^\d{1,3}([.,])(?!000$)\d{3}$/.exec(cell)?.[1]
    const proof = sign === undefined ? readBoth(cell) : sign === ',' ? '.' : ','
    if (proof) proved.add(proof)
  }
  const [first, second] = proved
  return second === undefined ? (first ?? null) : null
}

function readBoth(cell: string): Decimal | undefined {
  const digits = cell.length <= maxLength ? (stated(cell)?.digits ?? '') : ''
  if (!/[.,]/.test(digits)) return undefined
  const possible = (['.', ','] as const).filter((each) => isWritten(digits, each))
  return possible.length === 1 ? possible[0] : undefined
}
