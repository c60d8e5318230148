import { isLosslessNumber, LosslessNumber, parse } from 'lossless-json'
import { type Fault, fault, Problem } from '../kernel/errors.ts'

const deepest = 32
/** Every decimal of so many digits survives the way through a double and back to text. */
const exactDigits = 15

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Parses a body strictly: UTF-8, no duplicate keys, depth 32, numbers never rounded. */
export function parseJson(bytes: Buffer): unknown {
  const value = parseText(decode(bytes))
  checkDepth(value, 1)
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
    .replace(/^0+/, '')
  const number = Number(text)
  const isExact = digits.length <= exactDigits && Number.isFinite(number)
  return isExact ? number : new LosslessNumber(text)
}

function refuseDuplicate({ key }: { key: string }): never {
  throw new SyntaxError(`duplicate key "${key.slice(0, 80)}"`)
}

function checkDepth(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return
  if (depth > deepest) throw malformed(`The body is nested deeper than ${deepest}.`)
  // The parser sets properties by assignment, so this key would have replaced the prototype.
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) {
    throw malformed('The key "__proto__" is not accepted.')
  }
  for (const part of Object.values(value)) checkDepth(part, depth + 1)
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
