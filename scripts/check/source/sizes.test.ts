import { expect, test } from 'vitest'
import { sizesOf } from './sizes.ts'

test('a function has the lines of its body, whatever its form', () => {
  const text = `const sum = (
  one: number,
  other: number,
) =>
  one +
  other

class Counter {
  count() {
    return 1
  }
}

function nothing(this: void) {}
`
  const { lines, functions } = sizesOf('a.ts', text)
  expect(lines).toBe(14)
  expect(functions).toEqual([
    { line: 1, lines: 2 },
    { line: 9, lines: 3 },
    { line: 14, lines: 1 },
  ])
})

test('overloads and types have no body', () => {
  const text = `declare function read(text: string): number
type Read = (text: string) => number
`
  expect(sizesOf('a.ts', text).functions).toEqual([])
})

test('each assertion counts, a double one twice, and as const not at all', () => {
  const text = `import * as all from 'all'
const one = all as unknown as string
const two = ['a'] as const
const three = ('a as b' satisfies string)
export { one as two }
const four = (
  two as readonly string[]
)
`
  expect(sizesOf('a.ts', text).assertions).toEqual([2, 2, 7])
})
