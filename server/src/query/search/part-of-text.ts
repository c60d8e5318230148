import { type Expression, sql } from 'kysely'
import { isAscii } from '../../values/folded.ts'

/**
 * Case-insensitive substring match, independent of the database's collations: case variants are
 * computed here. Beyond ASCII it uses a regular expression.
 */
export const isPartOf = (column: Expression<unknown>, part: string) =>
  isAscii(part)
    ? ilike(column, part)
    : sql<boolean>`(${column}) collate "C" ~ ${[...part].map(anyCaseOf).join('')}`

/** The case of ASCII letters does not matter. */
export const ilike = (column: Expression<unknown>, part: string) =>
  sql<boolean>`(${column}) collate "C" ilike ${likePart(part)}`

/** The pattern of `like` that a text with this part matches. */
export const likePart = (part: string): string => `%${part.replace(/[\\%_]/g, '\\$&')}%`

/** Letters with case variants become bracket expressions, where no other character is special. */
function anyCaseOf(letter: string): string {
  const alike = casesOf(letter)
  if (alike.length > 1) return `[${alike.join('')}]`
  return /[\w\s\P{ASCII}]/u.test(letter) ? letter : `\\${letter}`
}

/** Letters that case conversion does not connect: the final sigma and the capital sharp s. */
const apart = ['σςΣ', 'ßẞ']

function casesOf(letter: string): string[] {
  const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()]
  const known = apart.find((alike) => alike.includes(letter)) ?? ''
  const cases = [letter, lower, upper, upper.toLowerCase(), ...known]
  // Drops variants that expand to two letters, such as ß and SS.
  return [...new Set(cases)].filter((each) => [...each].length === 1)
}
