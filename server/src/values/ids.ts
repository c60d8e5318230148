/** TypeID prefixes by resource: prefix, `_`, UUIDv7 in base32. */
export const idPrefixes = {
  organization: 'org',
  user: 'usr',
  session: 'ses',
  signing_key: 'key',
  api_key: 'key',
  campaign: 'cmp',
  profile: 'prf',
  proxy: 'prx',
  template: 'tpl',
  webhook_endpoint: 'whe',
  event: 'evt',
  delivery: 'dlv',
  audit_log: 'aud',
  request: 'req',
} as const

export type IdKind = keyof typeof idPrefixes

/** An id for examples; no such object exists. */
export const exampleId = (kind: IdKind): string => `${idPrefixes[kind]}_01m7yez275fk1a52pr5qevn8kn`

const digits = '0123456789abcdefghjkmnpqrstvwxyz'

const timeLength = 10

/** The common prefix of all ids of a time: the milliseconds in base32. Sorts before all of them. */
export function firstIdAt(kind: IdKind, time: Date): string {
  return `${idPrefixes[kind]}_${timeText(time.getTime())}`
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
export function newId(kind: IdKind): string {
  const now = Date.now()
  if (now !== knownMs) {
    knownMs = now
    knownText = timeText(now)
  }
  return `${idPrefixes[kind]}_${knownText}${randomText()}`
}

export const newRequestId = (): string => newId('request')

/** An id for this time, for rows partitioned by it. */
export const newIdAt = (kind: IdKind, time: Date): string =>
  `${firstIdAt(kind, time)}${randomText()}`

/** JSON Schema pattern of an id; the first character of the suffix is at most 7 (128 bits). */
export const idPattern = (kind: IdKind) => `^${idPrefixes[kind]}_[0-7][0-9a-hjkmnp-tv-z]{25}$`

const patterns = Object.fromEntries(
  Object.entries(idPrefixes).map(([kind]) => [kind, new RegExp(idPattern(kind as IdKind))]),
) as Record<IdKind, RegExp>

export const isId = (kind: IdKind, text: string): boolean => patterns[kind].test(text)
