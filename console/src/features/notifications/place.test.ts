import { expect, test } from 'vitest'
import { pathOf } from '../../../../server/src/features/notifications/notifying/path.ts'
import { placeOf } from './place.ts'

/** Prefixes of all that notifications are about. */
const prefixes = ['cmp', 'chs', 'cli', 'prf', 'prx', 'tpl', 'rpt', 'key', 'usr', 'whe', 'nch']

test('every path of a notification leads to a screen', () => {
  const paths = prefixes.map((prefix) => pathOf(`${prefix}_1`))
  expect(paths.filter((path) => placeOf(path) === null)).toEqual([])
  expect(placeOf('/campaigns/cmp_1')).toMatchObject({
    place: { to: '/campaigns/$id' },
    id: 'cmp_1',
  })
})

test('what has no screen has no link', () => {
  expect(placeOf(null)).toBeNull()
  expect(placeOf('/elsewhere/cmp_1')).toBeNull()
})
