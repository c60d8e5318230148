import { expect, test } from 'vitest'
import { ScimProblem } from '../../../problems/scim-problem.ts'
import { readFilter } from './filter.ts'
import { readPatch } from './patch.ts'

const typeOf = (work: () => unknown): string => {
  try {
    work()
    return 'taken'
  } catch (error) {
    return error instanceof ScimProblem ? error.scimType : String(error)
  }
}

test('a filter is comparisons joined by and', () => {
  expect(readFilter('userName eq "a\\"b" AND externalId EQ "c"')).toEqual([
    { attribute: 'username', value: 'a"b' },
    { attribute: 'externalid', value: 'c' },
  ])
  expect(readFilter('emails[type eq "work"].value eq "a"')).toEqual([
    { attribute: 'emails.value', value: 'a' },
  ])
  expect(readFilter('active eq True')).toEqual([{ attribute: 'active', value: 'true' }])
  const refused = ['', 'a', 'a eq', 'a eq b', 'a sw "b"', 'a eq "b" c eq "d"', 'a eq "b" and']
  for (const filter of refused) expect(typeOf(() => readFilter(filter))).toBe('invalidFilter')
})

test('operations are the same however they are spelled', () => {
  const one = (operation: object) => readPatch({ Operations: [operation] })
  const replaced = [{ op: 'replace', attribute: 'name.givenname', where: [], value: 'Ada' }]
  expect(one({ op: 'Replace', path: 'name.givenName', value: 'Ada' })).toEqual(replaced)
  expect(one({ op: 'replace', value: { 'name.givenName': 'Ada' } })).toEqual(replaced)
  const path = 'urn:ietf:params:scim:schemas:core:2.0:User:name.givenName'
  expect(one({ op: 'REPLACE', path, value: 'Ada' })).toEqual(replaced)
  expect(one({ op: 'Remove', path: 'members[value eq "usr_1"]' })).toEqual([
    { op: 'remove', attribute: 'members', where: [{ attribute: 'value', value: 'usr_1' }] },
  ])
  const extension = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
  expect(one({ op: 'add', value: { [extension]: { department: 'x' } } })).toEqual([])
})

test('the time to refuse a path or a filter is bounded', () => {
  const start = performance.now()
  const paths = [`${'a.'.repeat(100_000)}`, `urn:${'a:'.repeat(240)}`, `a[${'b'.repeat(480)}`]
  for (const path of paths) {
    expect(typeOf(() => readPatch({ Operations: [{ op: 'add', path, value: 1 }] }))).not.toBe(
      'taken',
    )
  }
  for (const filter of [`${'a'.repeat(999)}`, `${'a.'.repeat(499)}`, `a[${'b '.repeat(400)}`]) {
    expect(typeOf(() => readFilter(filter))).toBe('invalidFilter')
  }
  expect(performance.now() - start).toBeLessThan(500)
})
