import { expect, test } from 'vitest'
import { isTest, sourcesOf } from '../support/sources.ts'
import { differences } from './differences.ts'

const marks = /\bhasCitus\(\)|\bisUnsupported\(|citus\/instead\.ts'/

test('each file that asks Citus otherwise than one PostgreSQL is listed with its reason', async () => {
  const all = await sourcesOf('server/src/**/*.ts')
  const differing = all.filter(
    ({ path, text }) => !path.includes('/upkeep/citus/') && !isTest(path) && marks.test(text),
  )
  expect(differing.map(({ path }) => path)).toEqual(Object.keys(differences))
})
