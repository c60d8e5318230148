import fc from 'fast-check'
import { fromString, toUUID as uuidOf } from 'typeid-js'
import { describe, expect, test } from 'vitest'
import {
  firstIdAt,
  type IdKind,
  idPattern,
  idPrefixes,
  isId,
  newId,
  newIdAt,
  newRequestId,
} from './ids.ts'

const kinds = Object.keys(idPrefixes) as IdKind[]
const kindsOf = fc.constantFrom(...kinds)

/** Version and variant. */
const fixedBits = new Set([48, 49, 50, 51, 64, 65])

const toUUID = (id: string): string => uuidOf(fromString(id))

const bitsOf = (id: string): string =>
  BigInt(`0x${toUUID(id).replaceAll('-', '')}`)
    .toString(2)
    .padStart(128, '0')

/** How often the bit differs from the previous id. */
const flipsOf = (all: readonly string[], bit: number): number =>
  all.filter((bits, at) => at > 0 && bits[bit] !== all[at - 1]?.[bit]).length

describe('an id', () => {
  test.each(kinds)('of a new %s has that kind, and matches its documented pattern', (kind) => {
    const id = newId(kind)
    expect(id.slice(0, 4)).toBe(`${idPrefixes[kind]}_`)
    expect(isId(kind, id)).toBe(true)
    expect(id).toMatch(new RegExp(idPattern(kind)))
  })

  test('with another prefix has no kind', () => {
    for (const kind of kinds) {
      for (const other of kinds) {
        expect(isId(other, newId(kind))).toBe(idPrefixes[other] === idPrefixes[kind])
      }
    }
  })

  test.each([
    ['an object', () => newId('campaign')],
    ['an event', () => newIdAt('event', new Date())],
    ['a request', newRequestId],
  ])('of %s draws all random bits anew: it reveals neither order nor count', (_, make) => {
    const uuids = Array.from({ length: 4000 }, () => bitsOf(make()))
    expect(new Set(uuids).size).toBe(uuids.length)
    const flips = Array.from({ length: 128 }, (_, bit) => flipsOf(uuids, bit))
    const random = flips.filter((_, bit) => bit >= 48 && !fixedBits.has(bit))
    expect(random).toHaveLength(74)
    // Of 3,999 coin tosses, nearly 2,000: ten standard deviations are 316.
    for (const count of random) expect(Math.abs(count - 2000)).toBeLessThan(316)
    expect([...fixedBits].map((bit) => flips[bit])).toEqual([0, 0, 0, 0, 0, 0])
  })

  test.each(kinds)('of a new %s is a UUID of version 7 to other TypeID libraries', (kind) => {
    expect(toUUID(newId(kind))).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/)
  })

  test('of a time sorts among times', () => {
    const times = fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(times, kindsOf, (time, kind) => {
        const id = newIdAt(kind, time)
        const after = firstIdAt(kind, new Date(time.getTime() + 1))
        const ids = [firstIdAt(kind, time), id, after]
        expect([...ids].sort()).toEqual(ids)
        expect([id, isId(kind, id)]).toEqual([id, true])
      }),
    )
    const now = Date.now()
    expect(newId('event') >= firstIdAt('event', new Date(now))).toBe(true)
    expect(newId('event') < firstIdAt('event', new Date(now + 60_000))).toBe(true)
  })

  test('is what its pattern says, and nothing else', () => {
    const near = fc
      .tuple(kindsOf, fc.stringMatching(/^[0-9a-z]{24,28}$/))
      .map(([kind, suffix]) => `${idPrefixes[kind]}_${suffix}`)
    const any = fc.oneof(near, fc.string(), fc.stringMatching(/^[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}$/))
    fc.assert(
      fc.property(kindsOf, any, (kind, text) => {
        expect([text, isId(kind, text)]).toEqual([text, new RegExp(idPattern(kind)).test(text)])
      }),
      { numRuns: 1000, seed: 4711 },
    )
  })

  test('is lower case, without whitespace or anything around it', () => {
    const id = newId('campaign')
    for (const text of [id.toUpperCase(), ` ${id}`, `${id} `, `${id}\n`, `${id}\u0000`, `x${id}`]) {
      expect([text, isId('campaign', text)]).toEqual([text, false])
    }
  })
})
