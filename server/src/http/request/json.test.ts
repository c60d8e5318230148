import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../problems/problem.ts'
import { ExactNumber } from '../../values/exact-number.ts'
import { parseJson } from './json.ts'
import { pointerToken } from './pointers.ts'
import { textFaults } from './text-faults.ts'

const mostMembers = 1_000

const parsed = (text: string) => parseJson(Buffer.from(text), mostMembers)

function codeOf(bytes: Buffer | string): string | undefined {
  try {
    parseJson(Buffer.from(bytes as string), mostMembers)
    return undefined
  } catch (error) {
    return error instanceof Problem ? error.code : String(error)
  }
}

const hasProto = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProto))

/** Distinct texts, with characters that could confuse a scan. */
const texts = (count: number) =>
  Array.from({ length: count }, (_, at) => JSON.stringify(`${at}",[{\\`))

const settings = { numRuns: 500, seed: 4711 }

/** Any document whose numbers have at most fifteen digits. */
const documents = fc
  .jsonValue({ maxDepth: 5, stringUnit: 'grapheme' })
  .filter((value) => !hasProto(value))
  .map((value) => JSON.parse(JSON.stringify(value), (_, part) => shortened(part)))

function shortened(part: unknown): unknown {
  if (typeof part !== 'number') return part
  const size = Math.abs(part)
  return size < 1e-300 || size >= 1e15 ? 0 : Number(part.toPrecision(12))
}

describe('a body', () => {
  test('is parsed like JSON.parse does, with any whitespace', () => {
    fc.assert(
      fc.property(documents, fc.constantFrom(0, 1, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space)
        expect(parsed(text)).toEqual(JSON.parse(text))
      }),
      settings,
    )
  })

  test('that JSON.parse refuses is refused', () => {
    const mangled = fc
      .record({
        value: documents,
        at: fc.nat(),
        inserted: fc.constantFrom(...'{}[]",:x0-.e\\/\u0001'),
      })
      .map(({ value, at, inserted }) => {
        const text = JSON.stringify(value)
        const place = at % (text.length + 1)
        return text.slice(0, place) + inserted + text.slice(place)
      })
    const isJson = (text: string) => {
      try {
        JSON.parse(text)
        return true
      } catch {
        return false
      }
    }
    fc.assert(
      fc.property(mangled, (text) => {
        if (!isJson(text)) expect([text, codeOf(text)]).toEqual([text, 'malformed_json'])
      }),
      settings,
    )
  })

  test('always becomes a value or `malformed_json`', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect([undefined, 'malformed_json']).toContain(codeOf(Buffer.from(bytes)))
      }),
      settings,
    )
  })

  test.each([
    ['{"a":1,"a":2}'],
    ['{"a":1,"a":1}'],
    ['{"a":{"b":1,"\\u0062":1}}'],
    ['[{"a":[],"a":[]}]'],
    ['{"":1,"":1}'],
    ['{"a:":":","a:":":"}'],
  ])('%s has a duplicate key', (text) => {
    expect(codeOf(text)).toBe('malformed_json')
  })

  test.each([['{"a":":","b:":"::"}'], ['{"a\\"":"\\\\","b":{"a":{"a":":\\":"}}}'], ['[":",":"]']])(
    '%s has no duplicate key',
    (text) => {
      expect(parsed(text)).toEqual(JSON.parse(text))
    },
  )

  test.each([['{"__proto__":{}}'], ['{"a":[{"__proto__":1}]}'], ['{"\\u005f_proto__":null}']])(
    '%s is refused for its key',
    (text) => {
      expect(codeOf(text)).toBe('malformed_json')
    },
  )

  test('is nested 32 deep at most', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(codeOf(nested(32))).toBeUndefined()
    expect(codeOf(nested(33))).toBe('malformed_json')
    expect(codeOf(nested(200_000))).toBe('malformed_json')
    expect(codeOf(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`)).toBe('malformed_json')
  })

  test('has no unpaired surrogates, in keys or in values', () => {
    for (const text of [
      '["\\ud800"]',
      '{"\\uDFFF":1}',
      '{"a":{"b\\udc00\\ud800":1}}',
      '"\\ud83d"',
    ]) {
      expect([text, codeOf(text)]).toEqual([text, 'malformed_json'])
    }
    expect(parsed('["\\ud83d\\ude00"]')).toEqual(['😀'])
  })

  test.each([
    ['members', (count: number) => `{${texts(count).map((key) => `${key}:1`)}}`],
    ['items', (count: number) => `[${texts(count)}]`],
    ['empty ones', (count: number) => `[${Array(count).fill('[ ]')}]`],
    ['both', (count: number) => `{"a":[${texts(count - 1)}]}`],
  ])('has a limited number of %s', (_, textOf) => {
    expect(codeOf(textOf(mostMembers))).toBeUndefined()
    expect(codeOf(textOf(mostMembers + 1))).toBe('malformed_json')
  })

  test('has numbers of at most 400 characters', () => {
    for (const textOf of [
      (length: number) => `1${'0'.repeat(length - 2)}1`,
      (length: number) => `-0.${'0'.repeat(length - 3)}`,
      (length: number) => `1e${'9'.repeat(length - 2)}`,
    ]) {
      expect(codeOf(`{"a":[${textOf(400)}]}`)).toBeUndefined()
      expect(codeOf(`{"a":[${textOf(401)}]}`)).toBe('malformed_json')
    }
    expect(codeOf(`"${'1'.repeat(401)}"`)).toBeUndefined()
  })

  test('that is not JSON is refused without quoting it', () => {
    const secret = 'hunter2'
    expect(() => parsed(`{"password":"x",${secret}}`)).toThrow(/^The body is not valid JSON: .+\.$/)
    expect(() => parsed(`{"password":"x",${secret}}`)).not.toThrow(secret)
  })

  test('is UTF-8: a byte order mark is skipped, anything else is refused', () => {
    expect(parseJson(Buffer.from([0xef, 0xbb, 0xbf, 0x5b, 0x5d]), mostMembers)).toEqual([])
    for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]]) {
      expect(codeOf(Buffer.from([0x22, ...bytes, 0x22]))).toBe('malformed_json')
    }
  })
})

describe('a number', () => {
  test('that a double cannot hold keeps its text', () => {
    for (const text of [
      '12345678901234567890',
      '0.1234567890123456',
      '1e400',
      '-1e400',
      '1e-400',
      '3e-310',
    ]) {
      const value = parsed(text)
      expect(value instanceof ExactNumber && value.text).toBe(text)
    }
    expect(parsed('33.51')).toBe(33.51)
    expect(parsed('[1e2,-0.5,0]')).toEqual([100, -0.5, 0])
  })

  test('is never rounded, however it is written', () => {
    const digits = fc.stringMatching(/^[1-9]\d{0,24}(\.\d{1,24})?(e[+-]?\d{1,3})?$/)
    fc.assert(
      fc.property(digits, (text) => {
        const value = parsed(text)
        if (value instanceof ExactNumber) expect(value.text).toBe(text)
        else expect(significantOf(String(value))).toBe(significantOf(text))
      }),
      settings,
    )
  })
})

/** The digits of a number without outer zeros, its point and its exponent. */
const significantOf = (text: string) =>
  text
    .replace(/e.*$/, '')
    .replace('.', '')
    .replace(/^0+|0+$/g, '')

describe('texts that cannot be stored', () => {
  test('are reported with a pointer to them', () => {
    const value = { 'a/b~c': ['fine', 'a\u0000b'], inner: { last: '\u0000' }, ok: '😀' }
    expect(textFaults(value).map(({ pointer }) => pointer)).toEqual(['/a~1b~0c/1', '/inner/last'])
    expect(textFaults({ a: [{ '\u0000': 1 }] }).map(({ pointer }) => pointer)).toEqual([
      '/a/0/\u0000',
    ])
  })

  test('a pointer’s token decodes to the key', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('~', '/', '0', '1', 'a') }), (key) => {
        const token = pointerToken(key)
        expect(token).not.toContain('/')
        expect(token.replaceAll('~1', '/').replaceAll('~0', '~')).toBe(key)
      }),
    )
  })
})
