import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { folded } from './folded.ts'

describe('a folded text', () => {
  test.each([
    ['Spring SALE', 'spring sale'],
    ['ÄRZTE & Ångström', 'ärzte & ångström'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
    ['Οδυσσεύς', 'οδυσσεύσ'],
    ['МОСКВА', 'москва'],
    ['Straße', 'straße'],
    ['広告 😀', '広告 😀'],
  ])('of %s is %s', (text, expected) => {
    expect(folded(text)).toBe(expected)
  })

  test('is the same for upper and lower case, letter by letter, and stays as it is', () => {
    const letters = fc.string({ unit: 'grapheme-composite', maxLength: 20 })
    const property = fc.property(letters, (text) => {
      expect(folded(folded(text))).toBe(folded(text))
      expect([...folded(text)]).toHaveLength([...text].length)
    })
    fc.assert(property, { seed: 4711 })
  })
})
