import { readFile } from 'node:fs/promises'
import { UsageError } from '../faults.ts'
import type { Flag, Operation } from '../operations.ts'
import { readInput } from '../terminal.ts'
import { isPercentage } from './money.ts'

export type Values = Readonly<Record<string, unknown>>

/** The query parameters that the flags give. */
export function queryOf({ flags }: Operation, given: (word: string) => readonly string[]): Values {
  return Object.fromEntries(
    Object.entries(flags).flatMap(([word, flag]) => {
      const values = given(word)
      if (flag.in !== 'query' || values.length === 0) return []
      // As in an address: several values may stand in one.
      const all = values.flatMap((each) => each.split(','))
      return [[flag.name, flag.many ? all : values.at(-1)]]
    }),
  )
}

/** The fields of the body that the flags give. */
export async function fieldsOf(
  { flags }: Operation,
  given: (word: string) => readonly string[],
): Promise<Values> {
  const found: Record<string, unknown> = {}
  for (const [word, flag] of Object.entries(flags)) {
    const values = given(word)
    if (flag.in !== 'body' || values.length === 0) continue
    // A percentage is of what the object has.
    if (flag.type === 'number' && values.some(isPercentage)) continue
    found[flag.name] = flag.many ? [...values] : await valueIn(word, flag, values.at(-1) ?? '')
  }
  return found
}

async function valueIn(word: string, { type }: Flag, text: string): Promise<unknown> {
  if (type === 'number') return numberIn(word, text)
  if (type === 'flag') return flagIn(word, text)
  return type === 'json' ? parsed(`--${word}`, await textOf(text), text) : text
}

/** As a JSON number where that is exact, else as the text, which the service takes too. */
function numberIn(word: string, text: string): number | string {
  if (!/^-?\d+(\.\d+)?$/.test(text))
    throw new UsageError(`--${word} is a number such as 40 or 33.51, not "${text}".`)
  return text.replace(/\D/g, '').length > 15 ? text : Number(text)
}

function flagIn(word: string, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw new UsageError(`--${word} is true or false, not "${text}".`)
}

/** `@file`, `-` for standard input, or the text itself. */
export async function textOf(text: string): Promise<string> {
  if (text === '-') return await readInput()
  if (!text.startsWith('@')) return text
  try {
    return await readFile(text.slice(1), 'utf8')
  } catch {
    throw new UsageError(`${text.slice(1)} cannot be read.`)
  }
}

export function parsed(what: string, text: string, shown: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(
      `${what} is no JSON${shown.startsWith('@') ? ` (${shown.slice(1)})` : ''}: ${reason}`,
    )
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
