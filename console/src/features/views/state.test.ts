import { expect, test } from 'vitest'
import { isSame, searchOf, viewOf } from './state.ts'

test('a view keeps filters, order and columns, and opens them again', () => {
  const search = { q: 'a & b', status: ['active', 'paused'], sort: '-name', columns: 'name,spend' }
  const view = viewOf({ ...search, open: 'new', peek: 'cmp_1', client_id: 'cli_1', view: 'viw_1' })
  expect(view).toEqual({
    query: 'q=a+%26+b&status=active&status=paused&sort=-name',
    columns: ['name', 'spend'],
  })
  expect(searchOf(view)).toEqual(search)
})

test('what was written by others opens no dialog, and no other client', () => {
  const query = 'open=new&peek=x&client_id=cli_1&view=viw_2&q=x'
  expect(searchOf({ query, columns: [] })).toEqual({ q: 'x' })
})

test('the order of parts makes no difference, their values do', () => {
  const view = { query: 'q=x&status=active', columns: [] }
  expect(isSame(view, { query: 'status=active&q=x', columns: [] })).toBe(true)
  expect(isSame(view, { query: 'status=active&q=x', columns: ['name'] })).toBe(false)
  expect(isSame({ query: '', columns: [] }, viewOf({ open: 'new' }))).toBe(true)
})
