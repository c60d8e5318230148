import { expect, test } from 'vitest'
import { bandOf, lineOf, scaleOf, ticksTo } from './scale.ts'

test.each([
  [0, [0]],
  [-3, [0]],
  [1, [0, 0.25, 0.5, 0.75, 1]],
  [100, [0, 25, 50, 75, 100]],
  [107_250, [0, 50_000, 100_000, 150_000]],
])('values up to %d have round ticks', (largest, ticks) => {
  expect(ticksTo(largest)).toEqual(ticks)
})

test('a scale maps one range to another, and an empty one to its start', () => {
  const y = scaleOf([0, 10], [200, 0])
  expect([0, 5, 10].map(y)).toEqual([200, 100, 0])
  expect(scaleOf([3, 3], [8, 20])(3)).toBe(8)
})

test('a line has a gap where nothing is known', () => {
  expect(lineOf([[0, 1], [1, 2], null, [3, 4]])).toBe('M0.0 1.0L1.0 2.0M3.0 4.0')
  expect(lineOf([])).toBe('')
})

test('a band goes along the upper line and back along the lower', () => {
  expect(
    bandOf(
      [
        [0, 2],
        [1, 2],
      ],
      [
        [0, 1],
        [1, 1],
      ],
    ),
  ).toBe('M0.0 2.0L1.0 2.0L1.0 1.0L0.0 1.0Z')
  expect(bandOf([], [])).toBe('')
})
