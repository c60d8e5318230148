const suffixPattern = '[0-7][0-9a-hjkmnp-tv-z]{25}'

/** A kind of id: a prefix of three letters, `_`, and a UUIDv7 in base32, as TypeID defines it. */
export type IdType = {
  /** The word for an object: `webhook endpoint`. */
  readonly noun: string
  readonly prefix: string
  /** JSON Schema pattern; the first character of the suffix is at most 7 (128 bits). */
  readonly pattern: string
  readonly expression: RegExp
  /** An example, for names, which have no prefix. */
  readonly example?: string
}

export function idType(noun: string, prefix: string): IdType {
  const pattern = `^${prefix}_${suffixPattern}$`
  return { noun, prefix, pattern, expression: new RegExp(pattern) }
}

/** A name that clients chose, in a path in place of an id. */
export function nameType(noun: string, { maxLength, example }: NameRules): IdType {
  const pattern = `^[^\\u0000-\\u001f\\u007f]{1,${maxLength}}$`
  return { noun, prefix: '', pattern, expression: new RegExp(pattern, 'u'), example }
}

type NameRules = { maxLength: number; example: string }

export const isId = ({ expression }: IdType, text: string): boolean => expression.test(text)

const ofAnyType = new RegExp(`^[a-z]{3}_${suffixPattern}$`)

/** Whether it can be an id at all. */
export const isWellFormedId = (text: string): boolean => ofAnyType.test(text)

/** An id for examples; no such object exists. */
export const exampleId = ({ prefix, example }: IdType): string =>
  example ?? `${prefix}_01m7yez275fk1a52pr5qevn8kn`

const digits = '0123456789abcdefghjkmnpqrstvwxyz'

const timeLength = 10

/** The common prefix of all ids of a time: the milliseconds in base32. Sorts before all of them. */
export function firstIdAt({ prefix }: IdType, time: Date): string {
  return `${prefix}_${timeText(time.getTime())}`
}

function timeText(ms: number): string {
  let text = ''
  let rest = ms
  for (let at = 0; at < timeLength; at += 1) {
    text = `${digits[rest % 32]}${text}`
    rest = Math.floor(rest / 32)
  }
  return text
}

/** Two characters per ten bits. */
const pairs = [...digits].flatMap((first) => [...digits].map((second) => `${first}${second}`))
const pairsOfId = 8

/** Random numbers drawn in bulk, as each draw has a fixed cost. Ten bits of each are used. */
const drawn = new Uint16Array(pairsOfId * 512)
let used = drawn.length

/** The last 80 bits of a UUIDv7, fully random: a counter would reveal activity. */
function randomText(): string {
  if (used === drawn.length) {
    crypto.getRandomValues(drawn)
    used = 0
  }
  const end = used + pairsOfId
  // Version 7 (0111) comes first, the variant (10) twelve bits later.
  let text = `${pair(0b01110_00000, 0b00001_11111)}${pair(0b00000_01000, 0b11111_10011)}`
  while (used < end) text += pair(0, 0b11111_11111)
  return text
}

/** The next ten bits: some fixed, the rest random. */
function pair(fixed: number, random: number): string {
  const bits = drawn[used] ?? 0
  used += 1
  return pairs[fixed | (bits & random)] ?? ''
}

let knownMs = Number.NaN
let knownText = ''

/** Ids of the same millisecond have no order. */
export function newId({ prefix }: IdType): string {
  const now = Date.now()
  if (now !== knownMs) {
    knownMs = now
    knownText = timeText(now)
  }
  return `${prefix}_${knownText}${randomText()}`
}

/** An id for this time, for rows partitioned by it. */
export const newIdAt = (type: IdType, time: Date): string =>
  `${firstIdAt(type, time)}${randomText()}`
