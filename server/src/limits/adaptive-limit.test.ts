import { beforeEach, expect, test } from 'vitest'
import { type AdaptiveLimit, adaptiveLimit } from './adaptive-limit.ts'

let now: number
let size: AdaptiveLimit

beforeEach(() => {
  now = 0
  size = adaptiveLimit({ most: 640, patienceMs: 500 }, () => now)
})

/** A quarter of a second in which this much completes. */
function pass(done: number, { isFull = true } = {}): number {
  if (isFull) size.noteFull()
  for (let at = 0; at < done; at += 1) size.noteDone(1)
  now += 250
  return size.now()
}

test('all may run while there is capacity for everyone', () => {
  expect([size.now(), pass(1, { isFull: false }), pass(0, { isFull: false })]).toEqual([
    640, 640, 640,
  ])
})

test('under overload, as many run as can complete within the target time', () => {
  expect([pass(100), pass(150), pass(60)]).toEqual([200, 300, 120])
})

test('never more than the maximum, nor so few that nothing overlaps', () => {
  expect([pass(10_000), pass(3), pass(0)]).toEqual([640, 64, 64])
})

test('once there is capacity again, all may run', () => {
  expect([pass(50), pass(50, { isFull: false })]).toEqual([100, 640])
})

test('expensive work counts for its cost', () => {
  size.noteDone(90)
  expect(pass(10)).toBe(200)
})

test('old measurements are ignored', () => {
  pass(10)
  size.noteFull()
  now += 60_000
  expect(size.now()).toBe(640)
})
