import fc from 'fast-check'
import { fromString, toUUID as uuidOf } from 'typeid-js'
import { describe, expect, test } from 'vitest'
import { signingKeyIds } from '../crypto/signing-keys.ts'
import { features } from '../features/index.ts'
import * as coreIds from './core-ids.ts'
import { firstIdAt, isId, isWellFormedId, newId, newIdAt } from './ids.ts'

const { newRequestId, ...core } = coreIds
const { eventIds, organizationIds } = core
const declared = features.flatMap(({ ids = {} }) => Object.values(ids))
// Names that clients choose have no prefix: they are no ids.
const types = [...new Set([...declared, ...Object.values(core), signingKeyIds])].filter(
  ({ prefix }) => prefix !== '',
)
const typesOf = fc.constantFrom(...types)

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
  test.each(types)('of a new $noun has that type, and matches its documented pattern', (type) => {
    const id = newId(type)
    expect(id.slice(0, 4)).toBe(`${type.prefix}_`)
    expect([isId(type, id), isWellFormedId(id)]).toEqual([true, true])
    expect(id).toMatch(new RegExp(type.pattern))
  })

  test('with another prefix is of another type', () => {
    for (const type of types) {
      for (const other of types) {
        expect(isId(other, newId(type))).toBe(other.prefix === type.prefix)
      }
    }
  })

  test.each([
    ['an object', () => newId(organizationIds)],
    ['an event', () => newIdAt(eventIds, new Date())],
    ['a request', newRequestId],
  ])('of %s draws all random bits anew: it reveals neither order nor count', (_, make) => {
    const uuids = Array.from({ length: 4000 }, () => bitsOf(make()))
    expect(new Set(uuids).size).toBe(uuids.length)
    const flips = Array.from({ length: 128 }, (_, bit) => flipsOf(uuids, bit))
    const random = flips.filter((_, bit) => bit >= 48 && !fixedBits.has(bit))
    expect(random).toHaveLength(74)
    // About 2,000 of 3,999 coin tosses are heads: ten standard deviations are 316.
    for (const count of random) expect(Math.abs(count - 2000)).toBeLessThan(316)
    expect([...fixedBits].map((bit) => flips[bit])).toEqual([0, 0, 0, 0, 0, 0])
  })

  test.each(types)('of a new $noun is a UUID of version 7 to other TypeID libraries', (type) => {
    expect(toUUID(newId(type))).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/)
  })

  test('of a time sorts among times', () => {
    const times = fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(times, typesOf, (time, type) => {
        const id = newIdAt(type, time)
        const after = firstIdAt(type, new Date(time.getTime() + 1))
        const ids = [firstIdAt(type, time), id, after]
        expect([...ids].sort()).toEqual(ids)
        expect([id, isId(type, id)]).toEqual([id, true])
      }),
    )
    const now = Date.now()
    expect(newId(eventIds) >= firstIdAt(eventIds, new Date(now))).toBe(true)
    expect(newId(eventIds) < firstIdAt(eventIds, new Date(now + 60_000))).toBe(true)
  })

  test('is what its pattern says, and nothing else', () => {
    const anyPattern = /^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/
    const near = fc
      .tuple(typesOf, fc.stringMatching(/^[0-9a-z]{24,28}$/))
      .map(([{ prefix }, suffix]) => `${prefix}_${suffix}`)
    const any = fc.oneof(near, fc.string(), fc.stringMatching(/^[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}$/))
    fc.assert(
      fc.property(typesOf, any, (type, text) => {
        expect([text, isId(type, text)]).toEqual([text, new RegExp(type.pattern).test(text)])
        expect([text, isWellFormedId(text)]).toEqual([text, anyPattern.test(text)])
      }),
      { numRuns: 1000, seed: 4711 },
    )
  })

  test('is lower case, without whitespace or anything around it', () => {
    const id = newId(organizationIds)
    for (const text of [id.toUpperCase(), ` ${id}`, `${id} `, `${id}\n`, `${id}\u0000`, `x${id}`]) {
      expect([text, isId(organizationIds, text), isWellFormedId(text)]).toEqual([
        text,
        false,
        false,
      ])
    }
  })
})
