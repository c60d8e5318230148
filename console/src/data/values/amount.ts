/**
 * Amounts as people type and paste them. What reads one way is taken; what reads two ways is
 * refused with both readings, as a guess may cost a thousand times as much.
 */
export type Reading =
  /** Decimal text with a point, and nothing else. */
  | { kind: 'amount'; decimal: string }
  /** With a decimal mark, and with a mark of thousands. */
  | { kind: 'two'; decimals: readonly [string, string] }
  /** Left for the service to refuse, as it was typed. */
  | { kind: 'none' }

type Notation = {
  /** Decimals of the currency; null where it is not known. */
  exponent: number | null
  /** The reader's own decimal mark. */
  mark: Mark
  /** Texts that may stand before or behind the amount: the currency's code and sign. */
  names?: readonly string[]
}

export type Mark = '.' | ','

const longest = 64
const plain = /^-?[\d.,' ]{1,64}$/
const spaces = /[\s\u00a0\u2007\u2009\u202f]/g
const apostrophes = /[’ʼ]/g

export function readAmount(typed: string, notation: Notation): Reading {
  const text = withoutNames(tidied(typed), notation.names ?? [])
  if (!plain.test(text)) return { kind: 'none' }
  const sign = text.startsWith('-') ? '-' : ''
  const digits = text.slice(sign.length)
  const whole = wholeOf(digits)
  const fraction = withFraction(digits)
  if (whole !== null && fraction !== null) {
    if (!isDecided(digits, notation))
      return { kind: 'two', decimals: [sign + fraction, sign + whole] }
    const isFraction = digits.includes(notation.mark)
    return { kind: 'amount', decimal: sign + (isFraction ? fraction : whole) }
  }
  const only = whole ?? fraction
  return only === null ? { kind: 'none' } : { kind: 'amount', decimal: sign + only }
}

const tidied = (typed: string): string =>
  typed
    .slice(0, longest + 1)
    .replaceAll(spaces, ' ')
    .replaceAll(apostrophes, "'")
    .trim()

function withoutNames(text: string, names: readonly string[]): string {
  const upper = text.toUpperCase()
  for (const name of names) {
    if (upper.startsWith(name)) return text.slice(name.length).trim()
    if (upper.endsWith(name)) return text.slice(0, -name.length).trim()
  }
  return text
}

/** Three digits behind a mark are decimals, or thousands: the reader's notation and the currency agree. */
const isDecided = (digits: string, { exponent, mark }: Notation): boolean =>
  exponent !== null && digits.includes(mark) === exponent >= 3

const byThrees = /^[1-9]\d{0,2}(?:([.,' ])\d{3})(?:\1\d{3}){0,5}$/
/** Lakhs and crores. */
const byTwos = /^[1-9]\d?(?:,\d{2}){1,6},\d{3}$/
const most = /^\d{1,15}$/

/** Digits in groups or none: `1,234`, `12 345`; null for what is no whole number. */
function wholeOf(digits: string): string | null {
  if (!most.test(digits) && !byThrees.test(digits) && !byTwos.test(digits)) return null
  const bare = digits.replaceAll(/\D/g, '')
  return most.test(bare) ? bare : null
}

/** A whole number, one mark that is not among its groups, and decimals. A mark at the end is none yet. */
function withFraction(digits: string): string | null {
  const at = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  const mark = digits[at]
  if (mark === undefined) return null
  const [before, after] = [digits.slice(0, at), digits.slice(at + 1)]
  if (!/^\d{0,15}$/.test(after) || before.includes(mark)) return null
  if (before === '') return after === '' ? null : `0.${after}`
  const whole = wholeOf(before)
  if (whole === null) return null
  return after === '' ? whole : `${whole}.${after}`
}

/** As it is typed in the reader's notation, so that it reads one way. */
export function typedOf(decimal: string, { exponent, mark }: Notation): string {
  const [whole = '', part] = decimal.split('.')
  if (part === undefined) return whole
  const isPlainest = part.length !== 3 || isDecided(mark, { exponent, mark })
  return `${whole}${mark}${part}${isPlainest ? '' : '0'}`
}

/** The notation of a column of a file is that of its cells that read one way. */
export function columnReader(cells: Iterable<string>): (cell: string) => Reading {
  const marks = new Set<Mark>()
  for (const cell of cells) {
    const mark = markShownIn(cell)
    if (mark) marks.add(mark)
  }
  const [mark, other] = marks
  return (cell) => {
    const reading = readAmount(cell, unknown)
    if (reading.kind !== 'two' || mark === undefined || other !== undefined) return reading
    const [fraction, whole] = reading.decimals
    return { kind: 'amount', decimal: cell.includes(mark) ? fraction : whole }
  }
}

const unknown: Notation = { exponent: null, mark: '.' }

/** The decimal mark that a cell shows by itself; null for a plain number and for a doubtful one. */
function markShownIn(cell: string): Mark | null {
  const last = /[.,](?=[^.,]*$)/.exec(cell.slice(0, longest))?.[0]
  const reading = readAmount(cell, unknown)
  if (reading.kind !== 'amount' || (last !== '.' && last !== ',')) return null
  const isDecimal = reading.decimal.includes('.')
  return isDecimal === (last === '.') ? '.' : ','
}
