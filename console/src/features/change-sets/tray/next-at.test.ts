import { expect, test } from 'vitest'
import { nextAt } from './next-at.ts'

const [apply_at, revert_at] = ['2026-11-27T00:00:00Z', '2026-11-30T00:00:00Z']

test('what is scheduled is next applied, and what is applied is set back', () => {
  expect(nextAt({ status: 'scheduled', apply_at, revert_at })).toBe(Date.parse(apply_at))
  expect(nextAt({ status: 'applied', apply_at, revert_at })).toBe(Date.parse(revert_at))
})

test('what the clock leaves alone comes last', () => {
  expect(nextAt({ status: 'applied', apply_at, revert_at: null })).toBe(Number.POSITIVE_INFINITY)
})
