import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cipherWith, newMasterKey } from './cipher.ts'
import { type CursorState, cursorsWith } from './cursors.ts'

const cursors = cursorsWith(cipherWith(newMasterKey()))

const texts = fc.string({ unit: 'grapheme' })
const states: fc.Arbitrary<CursorState> = fc.record({
  organization: texts,
  resource: texts,
  sort: texts,
  filters: fc.dictionary(fc.stringMatching(/^[a-z_]{1,12}$/), texts, { noNullPrototype: true }),
  last: fc.tuple(fc.oneof(texts, fc.integer()), texts),
})
const settings = { numRuns: 200, seed: 4711 }

describe('a cursor', () => {
  test('carries its whole state, in URL-safe characters', () => {
    fc.assert(
      fc.property(states, (state) => {
        const text = cursors.write(state)
        expect(text).toMatch(/^[\w-]+$/)
        expect(cursors.read(text)).toEqual(state)
      }),
      settings,
    )
  })

  test('is refused with any bit changed', () => {
    const changes = fc.record({ state: states, at: fc.nat(), bit: fc.integer({ min: 0, max: 7 }) })
    fc.assert(
      fc.property(changes, ({ state, at, bit }) => {
        const bytes = Buffer.from(cursors.write(state), 'base64url')
        const place = at % bytes.length
        bytes[place] = (bytes[place] ?? 0) ^ (1 << bit)
        expect(cursors.read(bytes.toString('base64url'))).toBeUndefined()
      }),
      settings,
    )
  })

  test('is refused truncated, extended or encoded differently', () => {
    fc.assert(
      fc.property(states, fc.nat(), (state, cut) => {
        const text = cursors.write(state)
        const others = [text.slice(0, cut % text.length), `${text}A`, ` ${text}`, `${text}=`]
        for (const other of others) expect(cursors.read(other)).toBeUndefined()
      }),
      settings,
    )
  })

  test('of another service is refused, and so is any other text', () => {
    const foreign = cursorsWith(cipherWith(newMasterKey()))
    fc.assert(
      fc.property(states, fc.string(), (state, text) => {
        expect(cursors.read(foreign.write(state))).toBeUndefined()
        expect(cursors.read(text)).toBeUndefined()
      }),
      settings,
    )
  })
})
