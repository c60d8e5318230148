import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { storedList } from './stored-list.ts'

const names = storedList((entry): entry is string => typeof entry === 'string')

let stored: Map<string, string>

beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
    removeItem: (key: string) => stored.delete(key),
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

test('what is written is read, each key by itself, and the same array until it changes', () => {
  names.write('a', ['Ada'])
  names.write('b', ['Grace', 'Edsger'])
  expect([names.read('a'), names.read('b'), names.read('c')]).toEqual([
    ['Ada'],
    ['Grace', 'Edsger'],
    [],
  ])
  expect(names.read('a')).toBe(names.read('a'))
  names.write('a', ['Alan'])
  expect(names.read('a')).toEqual(['Alan'])
})

test('an empty list leaves nothing behind', () => {
  names.write('a', ['Ada'])
  names.write('a', [])
  expect([...stored.keys()]).toEqual([])
})

test.each(['null', '{}', '{"length":1}', '7', '"Ada"', '[{}', ''])(
  'what is no list is none: %s',
  (text) => {
    stored.set('a', text)
    expect(names.read('a')).toEqual([])
  },
)

test('entries of another kind are left out', () => {
  stored.set('a', '["Ada",null,{"name":"Grace"}]')
  expect(names.read('a')).toEqual(['Ada'])
})
