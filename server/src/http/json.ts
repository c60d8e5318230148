import { isLosslessNumber, LosslessNumber, parse } from 'lossless-json'
import { type Fault, fault, Problem } from '../kernel/errors.ts'

const deepest = 32
/** Every decimal of so many digits survives the way through a double and back to text. */
const exactDigits = 15

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Parses a body strictly: UTF-8, no duplicate keys, depth 32, numbers never rounded. */
export function parseJson(bytes: Buffer): unknown {
  const text = decode(bytes)
  const value = parseText(text)
  // The parser tells of a key that stands twice only where its values differ.
  if (countMembers(value, 1) !== colonsIn(text)) throw malformed('An object has a key twice.')
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

function parseText(text: string): unknown {
  try {
    return parse(text, null, { parseNumber: readNumber, onDuplicateKey: refuseDuplicate })
  } catch (cause) {
    if (cause instanceof RangeError) throw malformed('The body is nested too deeply.', cause)
    throw malformed(`The body is not valid JSON: ${(cause as Error).message}.`, cause)
  }
}

function readNumber(text: string): number | LosslessNumber {
  const digits = text
    .replace(/[eE].*$/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '')
  const number = Number(text)
  const isInRange = digits === '' || (Math.abs(number) > 1e-300 && Number.isFinite(number))
  return isInRange && digits.length <= exactDigits ? number : new LosslessNumber(text)
}

function refuseDuplicate({ key }: { key: string }): never {
  throw new SyntaxError(`duplicate key "${key.slice(0, 80)}"`)
}

/** How many keys all objects of the value have; refuses what is nested too deeply on the way. */
function countMembers(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return 0
  if (depth > deepest) throw malformed(`The body is nested deeper than ${deepest}.`)
  // Nobody means it well, and code that assigns it replaces a prototype.
  if (Object.hasOwn(value, '__proto__')) throw malformed('The key "__proto__" is not accepted.')
  const parts = Object.values(value)
  const own = Array.isArray(value) ? 0 : parts.length
  return parts.reduce((count, part) => count + countMembers(part, depth + 1), own)
}

/** Outside of texts, valid JSON has a colon for each key. */
function colonsIn(text: string): number {
  let count = 0
  let isText = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (isText && character === '\\') at += 1
    else if (character === '"') isText = !isText
    else if (!isText && character === ':') count += 1
  }
  return count
}

/** Texts that cannot be stored as they are: lone surrogates, and the character NUL. */
export function textFaults(value: unknown, pointer = ''): Fault[] {
  if (typeof value === 'string') return isStorable(value) ? [] : [unstorable(pointer)]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => {
    const inner = `${pointer}/${pointerToken(key)}`
    return isStorable(key) ? textFaults(part, inner) : [unstorable(pointer || '/')]
  })
}

const isStorable = (text: string) => text.isWellFormed() && !text.includes('\u0000')

const unstorable = (pointer: string) =>
  fault(pointer, 'invalid_format', 'must be well-formed Unicode without the character U+0000')

/** A key as a token of a JSON pointer (RFC 6901). */
export const pointerToken = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')
