import { expect, test } from 'vitest'
import { unnamedOpenings } from './openings.ts'

test('a comment that begins with a pronoun or a question word is found by its line', () => {
  const text = [
    '/** What was spent. */',
    '// Of the last read.',
    '/**',
    ' * Who did it.',
    ' */',
    '/** Its name. */',
  ]
  expect(unnamedOpenings('a.ts', text.join('\n'))).toEqual([1, 2, 3, 6])
})

test('a comment that begins with a noun or a verb is in order', () => {
  const text = ['/** Whether it runs. */', '/** The spend of a day. */', '// Often it is late.']
  expect(unnamedOpenings('a.ts', text.join('\n'))).toEqual([])
})

test('a line that goes on with the comment above it may begin with any word', () => {
  const text =
    'f() // What is left.\n  // The client sends it again,\n  // which the service refuses.'
  expect(unnamedOpenings('a.ts', text)).toEqual([1])
})

test('a line comment may begin with a word for the statement below it', () => {
  expect(unnamedOpenings('a.ts', '// It crosses shards, so it is dropped.')).toEqual([])
})
