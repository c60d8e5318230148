import { expect, test } from 'vitest'
import { daysIn, daysText } from './period.ts'

test.each([
  ['today', '2026-03-31', '2026-03-31', '2026-04-01'],
  ['yesterday', '2026-03-01', '2026-02-28', '2026-03-01'],
  ['last_7_days', '2026-11-24', '2026-11-17', '2026-11-24'],
  ['last_30_days', '2026-11-24', '2026-10-25', '2026-11-24'],
  ['this_month', '2026-12-31', '2026-12-01', '2027-01-01'],
  ['last_month', '2026-03-31', '2026-02-01', '2026-03-01'],
  ['last_month', '2026-01-01', '2025-12-01', '2026-01-01'],
  ['nonsense', '2026-02-10', '2026-02-01', '2026-03-01'],
])('%s on %s is from %s until before %s', (period, day, from, to) => {
  expect(daysIn({ period }, day)).toEqual({ from, to })
})

test('chosen days count both ends, and win over a period', () => {
  const search = { period: 'today', from: '2026-11-01', until: '2026-11-03' }
  expect(daysIn(search, '2026-11-24')).toEqual({ from: '2026-11-01', to: '2026-11-04' })
  expect(daysText({ from: '2026-11-01', to: '2026-11-04' })).toMatch(
    /^Nov 01, 2026 to Nov 03, 2026\./,
  )
})

test.each([
  [{ from: '2026-11-03' }, { from: '2026-11-03', to: undefined }],
  [{ until: '2026-11-03' }, { from: '2026-11-01', to: '2026-11-04' }],
  [{ from: '2026-11-03', until: '2026-11-02' }, null],
])('%j alone', (search, days) => {
  expect(daysIn(search, '2026-11-24')).toEqual(days)
})
