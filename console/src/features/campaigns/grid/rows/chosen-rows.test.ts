import { expect, test } from 'vitest'
import { ChosenRows } from './chosen-rows.ts'

const rowsOf = (ids: string) => [...ids].map((id) => ({ id }))

/** A list of rows, each named by a letter, and the ids that are chosen of it. */
function listOf(ids: string) {
  let chosen = ''
  const rows = new ChosenRows((next) => {
    chosen = [...next].sort().join('')
  })
  const show = (next: string) => {
    rows.show(rowsOf(next))
    rows.onRead(next.length)
  }
  show(ids)
  return { ...rows.actions, show, chosen: () => chosen }
}

test('a row is chosen, and let go again', () => {
  const { toggle, chosen } = listOf('abc')
  toggle(1)
  expect(chosen()).toBe('b')
  toggle(1)
  expect(chosen()).toBe('')
})

test('a range grows and shrinks around the row that was chosen first', () => {
  const { toggle, extendTo, chosen } = listOf('abcdef')
  toggle(2)
  extendTo(4)
  expect(chosen()).toBe('cde')
  extendTo(3)
  expect(chosen()).toBe('cd')
  extendTo(0)
  expect(chosen()).toBe('abc')
})

test('a range leaves what was chosen before', () => {
  const { toggle, extendTo, chosen } = listOf('abcdef')
  toggle(0)
  toggle(3)
  extendTo(5)
  extendTo(4)
  expect(chosen()).toBe('ade')
})

test('the keyboard goes on with the range that ends at its row, and else begins another', () => {
  const { toggle, extend, chosen } = listOf('abcdef')
  toggle(1)
  extend(1, 2)
  extend(2, 3)
  extend(3, 2)
  expect(chosen()).toBe('bc')
  extend(4, 5)
  expect(chosen()).toBe('bcef')
})

test('a range begins at the same row, wherever the list has it now', () => {
  const { toggle, extendTo, show, chosen } = listOf('abcdef')
  toggle(1)
  show('bacdef')
  extendTo(2)
  expect(chosen()).toBe('abc')
})

test('a range that ends at rows not read yet takes them as they come', () => {
  const { toggle, extendTo, show, chosen } = listOf('abc')
  toggle(1)
  extendTo(5)
  expect(chosen()).toBe('bc')
  show('abcdefg')
  expect(chosen()).toBe('bcdef')
})

test('all are those that were read, beside those of another list', () => {
  const { toggle, all, only, clear, show, chosen } = listOf('abc')
  toggle(0)
  show('xy')
  all()
  expect(chosen()).toBe('axy')
  only('z')
  expect(chosen()).toBe('z')
  clear()
  expect(chosen()).toBe('')
})
