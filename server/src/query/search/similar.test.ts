import { describe, expect, test } from 'vitest'
import { lettersIn, nearestWords, similarity } from './similar.ts'

const nearest = (words: string, ...known: string[]) =>
  nearestWords(
    words.split(' ').map((word) => [word]),
    async () => known,
  )

describe('similarity is the share of parts that both have', () => {
  test.each([
    ['espreso', 'espresso', 0.7],
    ['autunm', 'autumn', 0.4],
    ['same', 'same', 1],
    ['kettle', 'autumn', 0],
  ])('of %s and %s', (one, other, expected) => {
    expect(similarity(one, other)).toBeCloseTo(expected)
    expect(similarity(other, one)).toBeCloseTo(expected)
  })
})

describe('the nearest words', () => {
  test('stand for those that nothing has; the others stay', async () => {
    expect(await nearest('espreso', 'kettle', 'espresso')).toEqual([['espresso']])
    expect(await nearest('espreso mach', 'espresso', 'machine')).toEqual([['espresso'], ['mach']])
  })

  test('are several where several are as near', async () => {
    expect(await nearest('winder', 'winter', 'wander', 'window', 'kettle')).toEqual([
      ['wander', 'window', 'winter'],
    ])
  })

  test('are none where all words are known, or where nothing is like one', async () => {
    expect(await nearest('espresso', 'espresso')).toBeUndefined()
    expect(await nearest('espreso zqxv', 'espresso')).toBeUndefined()
  })

  test('are not guessed for numbers, ids and words of two letters', async () => {
    expect(await nearest('crm-4711', 'crm')).toBeUndefined()
    expect(await nearest('ox', 'oxen')).toBeUndefined()
    expect(await nearest('espreso 49', 'espresso')).toEqual([['espresso'], ['49']])
  })
})

test('the letters of a text are its words without numbers and marks', () => {
  expect(lettersIn('grinder – ol 500 (kaffee-muhle) x2 grinder')).toEqual([
    'grinder',
    'kaffee',
    'muhle',
  ])
})
