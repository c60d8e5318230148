import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson, sha256Hex } from './canonical-json.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** RFC 8785 for I-JSON, written from the RFC: keys in order of their UTF-16 units. */
function written(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${written(value[key] as Json)}`)
  return `{${members.join(',')}}`
}

const shuffled = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, part]) => [key, shuffled(part)] as const)
  return Object.fromEntries(entries.reverse())
}

const values = fc.jsonValue({
  maxDepth: 4,
  stringUnit: 'grapheme',
  noUnicodeString: false,
} as object)
const settings = { numRuns: 300, seed: 4711 }

describe('canonical JSON', () => {
  test('matches the example in RFC 8785, section 3.2.2', () => {
    const value = {
      // 333333333.33333329, of which a double keeps this much.
      numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    }
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  test('sorts keys by UTF-16 units, as in section 3.2.3', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    }
    const order = Object.values(JSON.parse(canonicalJson(value)))
    // A parser puts whole numbers first; in the text the carriage return precedes them.
    expect(canonicalJson(value).indexOf('Carriage')).toBeLessThan(
      canonicalJson(value).indexOf('One'),
    )
    expect(order.slice(2)).toEqual([
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ])
  })

  test.each([
    [-0, '0'],
    [5e-324, '5e-324'],
    [1.7976931348623157e308, '1.7976931348623157e+308'],
    [9007199254740992, '9007199254740992'],
    [295147905179352830000, '295147905179352830000'],
    [1e21, '1e+21'],
    [1e-7, '1e-7'],
    [0.000001, '0.000001'],
  ])('writes the number %d as %s', (number, text) => {
    expect(canonicalJson(number)).toBe(text)
  })

  test('matches the RFC for any value', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(canonicalJson(value)).toBe(written(value as Json))
      }),
      settings,
    )
  })

  test('does not depend on the order of keys, and survives parsing', () => {
    fc.assert(
      fc.property(values, (value) => {
        const text = canonicalJson(value)
        expect(canonicalJson(shuffled(value as Json))).toBe(text)
        expect(canonicalJson(JSON.parse(text))).toBe(text)
      }),
      settings,
    )
  })

  test('does not exist for values that are not JSON', () => {
    for (const value of [undefined, Number.NaN, Number.POSITIVE_INFINITY, () => 1]) {
      expect(() => canonicalJson(value)).toThrow()
    }
  })
})

test('the digest is SHA-256 of the UTF-8 bytes, in hex', () => {
  expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(sha256Hex('grüße')).toBe(createHash('sha256').update('grüße', 'utf8').digest('hex'))
})
