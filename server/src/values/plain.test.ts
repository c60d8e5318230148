import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plain } from './plain.ts'

describe('a plain text', () => {
  test.each([
    ['Spring SALE', 'spring sale'],
    ['ÄRZTE & Ångström', 'arzte & angstrom'],
    ['Οδυσσεύς', 'οδυσσευσ'],
    ['МОСКВА', 'москва'],
    ['Ёлка', 'елка'],
    ['Straße', 'strasse'],
    ['STRAẞE', 'strasse'],
    ['ﬁne ｆｕｌｌ', 'fine full'],
    ['İstanbul ılık', 'istanbul ilik'],
    ['ガラス', 'カラス'],
    ['広告 😀', '広告 😀'],
  ])('of %s is %s', (text, expected) => {
    expect(plain(text)).toBe(expected)
  })

  test('is the same for other cases and forms, and stays as it is', () => {
    const texts = fc.string({ unit: 'grapheme', maxLength: 20 })
    const property = fc.property(texts, (text) => {
      expect(plain(plain(text))).toBe(plain(text))
      for (const form of ['NFC', 'NFD'] as const)
        expect(plain(text.normalize(form))).toBe(plain(text))
    })
    fc.assert(property, { seed: 4711 })
  })
})
