import { describe, expect, test } from 'vitest'
import { followsPacing, gridQuery, isFiltered, sortedFieldOf, withoutFilters } from './query.ts'

describe('the query of the grid', () => {
  test('has the filters and the order of the address, and nothing else of it', () => {
    const search = { q: 'shoes', status: ['active', 'paused'], sort: '-end_at', open: 'cmp_1' }
    expect(gridQuery(search)).toEqual({
      q: ['shoes'],
      status: ['active', 'paused'],
      sort: ['-end_at'],
    })
  })

  test.each([
    ['no currency', {}, false],
    ['one currency', { currency: 'EUR' }, true],
    ['two currencies', { currency: ['EUR', 'JPY'] }, false],
  ])('has the bounds of a budget with %s: %o', (_, currency, has) => {
    const query = gridQuery({ ...currency, daily_budget_min: '1000' })
    expect(query.daily_budget_min !== undefined).toBe(has)
  })

  test('has bounds of what is no money with any currency', () => {
    const bounds = { 'metric.roas_min': '2', 'metric.spend_max': '9', 'metric.clicks_min': '5' }
    expect(gridQuery(bounds)).toEqual({ 'metric.roas_min': ['2'], 'metric.clicks_min': ['5'] })
    expect(gridQuery({ ...bounds, currency: 'EUR' })).toMatchObject({ 'metric.spend_max': ['9'] })
  })

  test.each([
    ['name', 'name'],
    ['-daily_budget', 'daily_budget_minor'],
    ['-money_at_risk', 'created_at'],
    [undefined, 'created_at'],
  ])('sorted by %s its rows are in the order of %s', (sort, field) => {
    expect(sortedFieldOf(gridQuery({ sort }))).toBe(field)
  })

  test('follows pacing where it decides on the rows or their order', () => {
    expect(followsPacing(gridQuery({ pacing_status: 'over' }))).toBe(true)
    expect(followsPacing(gridQuery({ sort: '-money_at_risk' }))).toBe(true)
    expect(followsPacing(gridQuery({ status: 'active', sort: 'name' }))).toBe(false)
  })
})

test('filters are taken away, and the rest of the view stays', () => {
  const search = { q: 'shoes', currency: 'EUR', sort: 'name' }
  expect([isFiltered(search), isFiltered({ ...search, ...withoutFilters(search) })]).toEqual([
    true,
    false,
  ])
  expect(gridQuery({ ...search, ...withoutFilters(search) })).toEqual({ sort: ['name'] })
})
