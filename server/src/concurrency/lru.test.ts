import { expect, test } from 'vitest'
import { LRUMap } from './lru.ts'

const most = 100

test('holds a bounded number of entries, and those that were used last', () => {
  const map = new LRUMap<number, string>(most)
  for (let key = 0; key < 10 * most; key += 1) {
    map.set(key, `value ${key}`)
    map.get(0)
  }
  expect(map.size).toBe(most)
  expect(map.get(0)).toBe('value 0')
  expect(map.get(1)).toBeUndefined()
  expect(map.get(10 * most - 1)).toBe('value 999')
})

test('drops what is over from the oldest on, and stops at what is not', () => {
  const map = new LRUMap<string, number>(most)
  for (const [at, key] of ['a', 'b', 'c', 'd'].entries()) map.set(key, at === 2 ? 9 : at)
  const asked: number[] = []
  map.dropWhile((value) => asked.push(value) > 0 && value < 9)
  expect(asked).toEqual([0, 1, 9])
  expect([map.size, map.get('c'), map.get('d')]).toEqual([2, 9, 3])
})
