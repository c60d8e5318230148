import { type Expression, sql } from 'kysely'

/**
 * Part of a text, in any case, letter by letter, on any PostgreSQL: which letters are alike is known
 * here, since what the collations of a database know differs. Beyond ASCII a regular expression asks.
 */
export const isPartOf = (column: Expression<unknown>, part: string) =>
  isAscii(part)
    ? sql<boolean>`(${column}) collate "C" ilike ${`%${part.replace(/[\\%_]/g, '\\$&')}%`}`
    : sql<boolean>`(${column}) collate "C" ~ ${[...part].map(anyCaseOf).join('')}`

const isAscii = (text: string) => /^\p{ASCII}*$/u.test(text)

/** Letters that have another case stand in brackets, where no other character has a meaning. */
function anyCaseOf(letter: string): string {
  const alike = casesOf(letter)
  if (alike.length > 1) return `[${alike.join('')}]`
  return /[\w\s\P{ASCII}]/u.test(letter) ? letter : `\\${letter}`
}

/** Those that do not become each other: the sigma that ends a word, and the rare capital sharp s. */
const apart = ['σςΣ', 'ßẞ']

function casesOf(letter: string): string[] {
  const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()]
  const known = apart.find((alike) => alike.includes(letter)) ?? ''
  const cases = [letter, lower, upper, upper.toLowerCase(), ...known]
  // What becomes two letters is another text: ß and SS.
  return [...new Set(cases)].filter((each) => [...each].length === 1)
}
