import { describe, expect, test } from 'vitest'
import { many, one, parseSearch, queryOf, stringifySearch } from './search.ts'

describe('the state in the address', () => {
  test.each([
    ['', {}],
    ['?status=active', { status: 'active' }],
    ['?status=active&q=a+b%26c&status=paused', { status: ['active', 'paused'], q: 'a b&c' }],
    ['?columns=', { columns: '' }],
  ])('%s is read', (text, search) => {
    expect(parseSearch(text)).toEqual(search)
  })

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'a parameter that is called %s is one like any other',
    (name) => {
      expect(Object.entries(parseSearch(`?${name}=x`))).toEqual([[name, 'x']])
      expect(Object.entries(parseSearch(`?${name}=x&${name}=y`))).toEqual([[name, ['x', 'y']]])
    },
  )

  test('it is written as it is read, without what is not set', () => {
    const search = { q: 'ä &=?', status: ['active', 'paused'], open: undefined, sort: '', page: 2 }
    const text = stringifySearch(search)
    expect(text).toBe('?q=%C3%A4+%26%3D%3F&status=active&status=paused&page=2')
    expect(parseSearch(text)).toEqual({ q: 'ä &=?', status: ['active', 'paused'], page: '2' })
    expect(stringifySearch({ open: undefined, labels: [] })).toBe('')
  })
})

test('a name that may repeat is read as one value or as all', () => {
  expect([one('a'), one(['a', 'b']), one(undefined)]).toEqual(['a', 'a', undefined])
  expect([many('a'), many(['a', 'b']), many(undefined)]).toEqual([['a'], ['a', 'b'], []])
})

test('a list is asked for by the members of the search that it takes', () => {
  const search = { q: 'shoes', status: ['active', 'paused'], open: 'cmp_1', label: [] }
  expect(queryOf(search, ['q', 'status', 'label', 'client'])).toEqual({
    q: ['shoes'],
    status: ['active', 'paused'],
  })
})
