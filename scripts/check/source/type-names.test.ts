import { expect, test } from 'vitest'
import { sharedNames, typeNamesIn } from './type-names.ts'

test('the types, interfaces and classes of a file are found, inside functions too', () => {
  const text =
    'type A = 1; export interface B {}; class C {}; function f() { type D = A }; const e = 1'
  expect([...typeNamesIn('a.ts', text)]).toEqual(['A', 'B', 'C', 'D'])
})

test('a type name is reported when more files declare it than are allowed', () => {
  const files = new Map([
    ['b.ts', new Set(['Row', 'State'])],
    ['a.ts', new Set(['Row'])],
    ['c.ts', new Set(['State'])],
    ['d.ts', new Set(['Row'])],
  ])
  expect(sharedNames(files, 2)).toEqual([{ name: 'Row', files: ['a.ts', 'b.ts', 'd.ts'] }])
})
