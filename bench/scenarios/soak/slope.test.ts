import { expect, test } from 'vitest'
import { mediansByMinute, type Sample, slopeOf } from './slope.ts'

const samplesOf = (valueAt: (minute: number) => number): Sample[] =>
  Array.from({ length: 20 * 12 }, (_, at) => ({ minute: at / 12, value: valueAt(at / 12) }))

const slope = (valueAt: (minute: number) => number) => slopeOf(mediansByMinute(samplesOf(valueAt)))

test('the slope of steadily growing memory is its growth', () => {
  expect(slope((minute) => 200 + 0.5 * minute)).toBeCloseTo(0.5)
})

test('memory that rises and falls with garbage collections has no slope', () => {
  expect(Math.abs(slope((minute) => 200 + 30 * ((minute * 7.3) % 1)))).toBeLessThan(0.3)
})

test('growth is found beneath garbage collections', () => {
  const found = slope((minute) => 200 + 2 * minute + 30 * ((minute * 7.3) % 1))
  expect(Math.abs(found - 2)).toBeLessThan(0.3)
})

test('a burst of a few seconds does not change the slope', () => {
  expect(slope((minute) => (minute > 19.7 ? 900 : 200))).toBe(0)
})
