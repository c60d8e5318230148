import { expect, test } from 'vitest'
import { isTest, sourcesOf, upward } from '../../server/test/support/sources.ts'

/** The rooms. Each imports only those above it. */
const rooms = [
  'faults.ts',
  'operations.ts',
  'nearest.ts',
  'read-all.ts',
  'schema.ts',
  'terminal.ts',
  'output',
  'exit.ts',
  'account',
  'api',
  'listen',
  'results',
  'fixtures',
  'project',
  'by-hand',
  'program.ts',
  'main.ts',
  'flightdeck.ts',
]

test('the command line is a client of the SDK alone, and its rooms import only those above them', async () => {
  const all = await sourcesOf('cli/src/**/*.ts')
  const sources = all.filter(({ path }) => !isTest(path))
  const allowed =
    /^(?:node:|@flightdeckhq\/sdk(?:\/results-file|\/webhooks)?$|sdk\/|commander$|string-width$|yaml$|@michaelhomer\/jqjs$|cli\/)/
  const outside = sources.flatMap(({ path, imports }) =>
    imports.filter((target) => !allowed.test(target)).map((target) => `${path} → ${target}`),
  )
  expect(outside).toEqual([])
  expect(upward(sources, 'cli/src', rooms)).toEqual([])
})
