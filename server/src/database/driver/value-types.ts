import pg from 'pg'

/** `2026-11-21 06:51:47.1+00` → `2026-11-21T06:51:47.100Z`. Sessions run in UTC. */
function isoTime(text: string): string {
  if (text.length === 26) return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`
  const fraction = text.length > 22 ? text.slice(20, -3) : ''
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
}

type Parse = (text: string) => unknown

const textArray: number = 1009
const parseTextArray = pg.types.getTypeParser(textArray, 'text')

/** The library reads character by character: quoted texts and nulls need that, most arrays do not. */
function texts(text: string): unknown {
  if (text === '{}') return []
  return /["N]/.test(text) ? parseTextArray(text) : text.slice(1, -1).split(',')
}

/** Columns of numbers have no nulls in them. */
const numbers = (text: string): number[] =>
  text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)

// Dates stay text too.
const textOids = new Set([18, 19, 25, 1042, 1043, 1082])

const ours: Record<number, Parse> = {
  16: (text) => text === 't',
  // Constraints keep every bigint column under 2^53.
  20: Number,
  21: Number,
  23: Number,
  [textArray]: texts,
  1016: numbers,
  1184: isoTime,
}

/** The parser for values of this type; undefined for texts. */
export function parserOf(oid: number): Parse | undefined {
  if (textOids.has(oid)) return undefined
  return ours[oid] ?? pg.types.getTypeParser(oid, 'text')
}
