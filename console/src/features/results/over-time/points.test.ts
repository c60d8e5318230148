import { expect, test } from 'vitest'
import { figureOf, otherParts, partsOf, pointsOf, type Row, startOf, totalOf } from './points.ts'

const day = (date: string, more: Partial<Row> = {}, platform?: string): Row => ({
  groups: [
    { by: 'day', key: date, name: null },
    ...(platform ? [{ by: 'platform' as const, key: platform, name: null }] : []),
  ],
  ...{ spend_minor: 100, adjustment_minor: -10, conversions: 2, is_final: true },
  ...more,
})
const none = { spend_minor: null, adjustment_minor: null, conversions: null, is_final: null }

test('weeks begin on Monday, and months on their first day', () => {
  expect(startOf('2026-11-22', 'week')).toBe('2026-11-16')
  expect(startOf('2026-11-23', 'week')).toBe('2026-11-23')
  expect(startOf('2026-11-23', 'month')).toBe('2026-11-01')
  expect(startOf('2026-11-23', 'day')).toBe('2026-11-23')
})

test('days add up, and what is not known is not zero', () => {
  const rows = [
    day('2026-11-22', { planned_minor: 120 }),
    day('2026-11-23', { planned_minor: null, is_final: false }),
    day('2026-11-24', { ...none, planned_minor: 80 }),
    day('2026-12-01', none),
  ]
  expect(pointsOf(rows, 'week')).toEqual([
    {
      ...{ id: '2026-11-16', first: '2026-11-22', last: '2026-11-22', planned: 120 },
      now: { net: 90, spend: 100, conversions: 2 },
      before: { net: null, spend: null, conversions: null },
      isFinal: true,
    },
    {
      ...{ id: '2026-11-23', first: '2026-11-23', last: '2026-11-24', planned: 80 },
      now: { net: 90, spend: 100, conversions: 2 },
      before: { net: null, spend: null, conversions: null },
      isFinal: false,
    },
    {
      ...{ id: '2026-11-30', first: '2026-12-01', last: '2026-12-01', planned: null },
      now: { net: null, spend: null, conversions: null },
      before: { net: null, spend: null, conversions: null },
      isFinal: true,
    },
  ])
})

test('the cost of a conversion is that of all days, and not defined without any', () => {
  const previous = { data: true, spend_minor: 300, adjustment_minor: 0, conversions: 0 }
  const points = pointsOf(
    [day('2026-11-02', { previous }), day('2026-11-03', { spend_minor: 500, conversions: 8 })],
    'month',
  )
  expect(points.map(({ now }) => figureOf(now, 'cpa'))).toEqual([60])
  expect(figureOf(totalOf(points, 'before'), 'cpa')).toBeNull()
  expect(figureOf(totalOf(points, 'before'), 'spend')).toBe(300)
  expect(figureOf(totalOf(points, 'now'), 'conversions')).toBe(10)
})

test('the largest platforms are shown, and the rest as one', () => {
  const rows = ['a', 'b', 'c', 'd'].flatMap((platform, at) => [
    day('2026-11-02', { spend_minor: 100 * (at + 1) }, platform),
    day('2026-11-03', none, platform),
  ])
  const points = pointsOf(rows, 'day')
  const nets = (most: number) =>
    partsOf(rows, { points, step: 'day', most }).map(({ key, sums }) => [
      key,
      ...sums.map(({ net }) => net),
    ])
  expect(nets(3)).toEqual([
    ['d', 390, null],
    ['c', 290, null],
    [otherParts, 280, null],
  ])
  expect(nets(4).map(([key]) => key)).toEqual(['d', 'c', 'b', 'a'])
})
