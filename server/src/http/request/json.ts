import { Problem } from '../../problems/problem.ts'
import { errorMessage } from '../../values/errors.ts'
import { ExactNumber, isExact } from '../../values/exact-number.ts'
import { scanJson } from './json-scan.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/**
 * Parses a body strictly: bounded, valid UTF-8, no duplicate keys, no unpaired surrogates, no
 * rounded numbers.
 */
export function parseJson(bytes: Buffer, maxMembers: number): unknown {
  const text = decode(bytes)
  const { excess, keys, hasInexactNumbers } = scanJson(text, maxMembers)
  if (excess) throw malformed(`The body ${excess}.`)
  const value = parseText(text, hasInexactNumbers)
  // The parser keeps the last of duplicate keys.
  if (countKeys(value) !== keys) throw malformed('An object has a duplicate key.')
  return value
}

const malformed = (detail: string, cause?: unknown) =>
  new Problem('malformed_json', detail, { cause })

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw malformed('The body is not well-formed UTF-8.', cause)
  }
}

function parseText(text: string, hasInexactNumbers: boolean): unknown {
  try {
    return hasInexactNumbers ? JSON.parse(text, exactly) : JSON.parse(text)
  } catch (cause) {
    throw malformed(`The body is not valid JSON: ${reasonOf(cause)}.`, cause)
  }
}

/** A reviver makes parsing several times slower, so it is used only if needed. */
const exactly = (_: string, value: unknown, { source = '' }: { source?: string } = {}): unknown =>
  typeof value === 'number' && !isExact(source) ? new ExactNumber(source) : value

/** V8's message without the quoted part of the body. */
const reasonOf = (error: unknown) =>
  (errorMessage(error).split(/, (?:\.\.\.)?"/, 1)[0] ?? '').toWellFormed()

/** The number of keys in all objects of the value; refuses keys and texts that cannot be stored. */
function countKeys(value: unknown): number {
  if (typeof value === 'string') checkText(value)
  if (!isObject(value) || value instanceof ExactNumber) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) count += countKeys(item)
    return count
  }
  for (const key of Object.keys(value)) {
    checkText(key)
    // Assigning this key would replace a prototype.
    if (key === '__proto__') throw malformed('The key "__proto__" is not accepted.')
    count += 1 + countKeys(value[key])
  }
  return count
}

/** Iterates keys: entries of a large object take twice as long. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function checkText(text: string): void {
  if (!text.isWellFormed()) throw malformed('The body has an unpaired surrogate.')
}
