import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openWatch, type Written } from './watch.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

/** Two campaigns that should run with 40.00 a day, the second of which is lowered to 10.00. */
function lowered() {
  const all: Written[] = []
  const watch = openWatch({ written: () => all, marks: () => all.map(({ mark }) => mark) })
  for (const name of ['a', 'b']) watch.want(`cmp_${name}`, { run: 'enabled', daily: 4_000 })()
  const write = (mark: string, isEnabled: boolean, daily: number) => {
    const revision = 1 + all.filter((each) => each.mark === mark).length
    all.push({ id: mark, mark, revision, at: Date.now(), isEnabled, daily })
    // A network lists its campaigns one after the other, not its writes.
    all.sort((one, other) => one.mark.localeCompare(other.mark))
    watch.judge()
    return watch.findings().excesses
  }
  for (const name of ['a', 'b']) expect(write(name, true, 4_000)).toEqual([])
  watch.want('cmp_b', { daily: 1_000 })()
  vi.advanceTimersByTime(5_000)
  return { watch, write }
}

test('what a network is made to spend may be as old as a poll interval, and no older', () => {
  const { watch, write } = lowered()
  expect(write('b', true, 1_000)).toEqual([])
  watch.want('cmp_b', { daily: 500 })()
  vi.advanceTimersByTime(1_000)
  expect(write('b', true, 1_000)).toEqual([])
  vi.advanceTimersByTime(2_000)
  expect(write('b', true, 1_000)).toEqual(['b had a budget of 1000, wanted was 500'])
})

test('each write is judged once, whichever campaigns are written after it', () => {
  const { write } = lowered()
  const finding = 'b had a budget of 4000, wanted was 1000'
  expect(write('b', true, 4_000)).toEqual([finding])
  expect(write('a', true, 4_000)).toEqual([finding])
  expect(write('a', true, 4_100)).toEqual([finding, 'a had a budget of 4100, wanted was 4000'])
})

test('pausing may leave a budget that is too high, and may not raise it', () => {
  const { watch, write } = lowered()
  watch.want('cmp_b', { run: 'paused' })()
  vi.advanceTimersByTime(5_000)
  expect(write('b', false, 4_000)).toEqual([])
  expect(write('b', false, 4_500)).toEqual(['b had a budget of 4500, wanted was 1000'])
  expect(write('b', true, 1_000)).toContain('b was enabled, and wanted paused')
})

test('two campaigns with one mark are one made twice', () => {
  const { watch } = lowered()
  expect(watch.findings().duplicates).toEqual([])
  expect(openWatch({ written: () => [], marks: () => ['a', 'b', 'a'] }).findings()).toEqual({
    duplicates: ['a'],
    excesses: [],
  })
})
