import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstIdAt, type IdKind, idPattern, idPrefixes, isId, newId, newIdAt } from './ids.ts'

const kinds = Object.keys(idPrefixes) as IdKind[]
const kindsOf = fc.constantFrom(...kinds)

describe('an id', () => {
  test.each(kinds)(
    'of a new %s is one of that kind, and matches its documented pattern',
    (kind) => {
      const id = newId(kind)
      expect(id.slice(0, 4)).toBe(`${idPrefixes[kind]}_`)
      expect(isId(kind, id)).toBe(true)
      expect(id).toMatch(new RegExp(idPattern(kind)))
    },
  )

  test('is of no kind with another prefix', () => {
    for (const kind of kinds) {
      for (const other of kinds) {
        expect(isId(other, newId(kind))).toBe(idPrefixes[other] === idPrefixes[kind])
      }
    }
  })

  test('is never given twice, and later ones sort after earlier ones', () => {
    const ids = Array.from({ length: 5000 }, () => newId('campaign'))
    expect(new Set(ids).size).toBe(ids.length)
    expect([...ids].sort()).toEqual(ids)
  })

  test('of a time sorts among times, and in order within one', () => {
    const times = fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(times, kindsOf, (time, kind) => {
        const [one, other] = [newIdAt(kind, time), newIdAt(kind, time)]
        const after = firstIdAt(kind, new Date(time.getTime() + 1))
        const ids = [firstIdAt(kind, time), one, other, after]
        expect([...ids].sort()).toEqual(ids)
        expect([one, isId(kind, one)]).toEqual([one, true])
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

  test('is lower case, without blanks or anything around it', () => {
    const id = newId('campaign')
    for (const text of [id.toUpperCase(), ` ${id}`, `${id} `, `${id}\n`, `${id}\u0000`, `x${id}`]) {
      expect([text, isId('campaign', text)]).toEqual([text, false])
    }
  })
})
