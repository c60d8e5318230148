import { expect, test } from 'vitest'
import { type Commit, commitFaults, commitsIn } from './commits.ts'

const small: Commit = { id: 'a1', subject: 'Page campaigns', body: '', files: ['a.ts'] }
const many = Array.from({ length: 11 }, (_, at) => `${at}.ts`)

test('a small commit needs no body', () => {
  expect(commitFaults(small)).toEqual([])
})

test('a subject has at most 72 characters, and no full stop', () => {
  expect(commitFaults({ ...small, subject: '–'.repeat(72) })).toEqual([])
  expect(commitFaults({ ...small, subject: 'a'.repeat(73) })).toHaveLength(1)
  expect(commitFaults({ ...small, subject: 'Page campaigns.' })).toHaveLength(1)
})

test('a commit of more than ten files says why', () => {
  expect(commitFaults({ ...small, files: many })).toEqual([
    'a1 Page campaigns: 11 files change, and no body says why',
  ])
  expect(commitFaults({ ...small, files: many, body: 'Lists were slow.' })).toEqual([])
})

test('a list of authors is no reason', () => {
  const body = 'Co-authored-by: A <a@example.com>\n'
  expect(commitFaults({ ...small, files: many, body })).toHaveLength(1)
})

test('generated files are not counted', () => {
  const files = [...many.slice(1), 'openapi.json', 'sdk/src/openapi.ts']
  expect(commitFaults({ ...small, files })).toEqual([])
})

test('commits are read from the log of git', () => {
  const log =
    '\u001ea1\u001fOne\u001fWhy.\n\nMore.\n\u001f\n\na.ts\nb c.ts\n\u001eb2\u001fTwo\u001f\u001f'
  expect(commitsIn(log)).toEqual([
    { id: 'a1', subject: 'One', body: 'Why.\n\nMore.\n', files: ['a.ts', 'b c.ts'] },
    { id: 'b2', subject: 'Two', body: '', files: [] },
  ])
})
