import { expect, test } from 'vitest'
import { bannedWords, compare, folderOf } from './words.ts'

test('banned words are found in prose, in comments and inside names', () => {
  const text = 'Nobody is told. /* so many */ const isTold = told_at; whoeverTells()'
  const found = ['nobody', 'told', 'so many', 'told', 'told', 'whoever', 'tells']
  expect(bannedWords(text)).toEqual(found)
})

test('longer words that contain a banned word, and Promise.allSettled, are allowed', () => {
  expect(bannedWords('teller, unsettled, beside, await Promise.allSettled([])')).toEqual([])
})

test('a file counts for its room, its feature or its part of the project', () => {
  const files = [
    'server/src/features/campaigns/bulk/verbs.ts',
    'server/src/database/driver/client.ts',
    'server/test/http/limits.test.ts',
    'README.md',
  ]
  const folders = ['server/src/features/campaigns', 'server/src/database', 'server/test', '.']
  expect(files.map(folderOf)).toEqual(folders)
})

test('a count above its allowance and an allowance above its count are both reported', () => {
  expect(compare({ docs: 3, sdk: 1, bench: 2 }, { docs: 3, sdk: 2, '.': 1 })).toEqual({
    above: ['bench: 2 banned words, 0 allowed'],
    lower: ['.: 0 banned words, 1 allowed', 'sdk: 1 banned words, 2 allowed'],
  })
})
