import { exactDigits, isExact } from '../../values/exact-number.ts'

const maxDepth = 32
const maxNumberLength = 400

/** Facts about a text, if it is valid JSON; validity is left to the parser. */
type JsonFindings = {
  depth: number
  /** Number of object members and array items. */
  members: number
  keys: number
  maxNumberLength: number
  /** Whether a number would be rounded as a double. */
  hasInexactNumbers: boolean
  /** The previous character, ignoring whitespace. */
  last: number
}

const quote = 0x22
const comma = 0x2c
const minus = 0x2d
const colon = 0x3a
const backslash = 0x5c

const isBlank = (code: number) => code <= 0x20
const isDigit = (code: number) => code >= 0x30 && code <= 0x39
const isExponent = (code: number) => (code | 0x20) === 0x65
const opens = (code: number) => code === 0x5b || code === 0x7b
const closes = (code: number) => code === 0x5d || code === 0x7d

/** Checks bounds in one pass, before the text is parsed; `excess` describes the exceeded bound. */
export function scanJson(text: string, maxMembers: number): JsonFindings & { excess?: string } {
  const found: JsonFindings = {
    depth: 0,
    members: 0,
    keys: 0,
    maxNumberLength: 0,
    hasInexactNumbers: false,
    last: 0,
  }
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    const end = noteToken(found, text, at)
    const excess = isBlank(code) ? undefined : excessOf(found, maxMembers)
    if (excess) return { ...found, excess }
    at = end
  }
  return found
}

function excessOf(found: JsonFindings, maxMembers: number): string | undefined {
  if (found.depth > maxDepth) return `is nested deeper than ${maxDepth}`
  if (found.members > maxMembers) return `has more than ${maxMembers} members and items`
  if (found.maxNumberLength <= maxNumberLength) return undefined
  return `has a number with more than ${maxNumberLength} characters`
}

/** Returns the position of the next token. */
function noteToken(found: JsonFindings, text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (isBlank(code)) return at + 1
  const isFirst = opens(found.last) && !closes(code)
  if (isFirst || code === comma) found.members += 1
  found.last = code
  if (code === quote) return endOfText(text, at)
  if (code === minus || isDigit(code)) return noteNumber(found, text, at)
  if (code === colon) found.keys += 1
  else if (opens(code)) found.depth += 1
  else if (closes(code)) found.depth -= 1
  return at + 1
}

/** The position after the next unescaped quote. */
function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? text.length : end + 1
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1
  return backslashes % 2 === 1
}

function noteNumber(found: JsonFindings, text: string, start: number): number {
  let end = start + 1
  let hasExponent = false
  for (; isInNumber(text.charCodeAt(end)); end += 1)
    hasExponent ||= isExponent(text.charCodeAt(end))
  const length = end - start
  found.maxNumberLength = Math.max(found.maxNumberLength, length)
  const mayBeInexact = (hasExponent || length > exactDigits) && length <= maxNumberLength
  if (mayBeInexact) found.hasInexactNumbers ||= !isExact(text.slice(start, end))
  return end
}

/** Digits, signs, the decimal point and the exponent. */
const isInNumber = (code: number) =>
  isDigit(code) || isExponent(code) || code === 0x2b || code === minus || code === 0x2e
