import { afterEach, expect, test, vi } from 'vitest'
import { counterIn } from './counter.ts'
import { countsInMemory, maxWindows } from './in-memory.ts'

const day = 24 * 60 * 60

afterEach(() => void vi.useRealTimers())

const failures = () => counterIn(countsInMemory(), { name: 'failures', seconds: day })

test('keeps a bounded number of windows, and drops those that opened first', async () => {
  const counter = failures()
  for (let at = 0; at < maxWindows + 2; at += 1) {
    if (at % 2 === 0) await counter.take(`account ${at}`, { limit: 4 })
    else await counter.take(`account ${at}`)
  }
  expect(await counter.look('account 0')).toMatchObject({ used: 0 })
  expect(await counter.look('account 1')).toMatchObject({ used: 0 })
  expect(await counter.look('account 2')).toMatchObject({ used: 1 })
  expect(await counter.look(`account ${maxWindows + 1}`)).toMatchObject({ used: 1 })
})

test('counting again in a window does not open a second one', async () => {
  const counter = failures()
  await counter.take('account 0')
  for (let at = 0; at <= maxWindows; at += 1) await counter.take('account 1')
  expect(await counter.look('account 0')).toMatchObject({ used: 1 })
})

test('counts whole or not at all, and gives back no more than was counted', async () => {
  const counter = failures()
  expect(await counter.take('account', { cost: 5, limit: 4 })).toEqual(unused(5))
  expect(await counter.take('account', { cost: 3, limit: 4 })).toEqual(unused(3))
  expect(await counter.take('account', { cost: 2, limit: 4 })).toMatchObject({ used: 5 })
  expect(await counter.look('account')).toMatchObject({ used: 3 })
  expect(await counter.giveBack('account', 9)).toMatchObject({ used: 0 })
  await counter.take('account')
  await counter.forget('account')
  expect(await counter.giveBack('account')).toEqual(unused(0))
})

const unused = (used: number) => ({ used, msLeft: day * 1000 })

test('a window lasts as long as it should, also beyond the longest timer', async () => {
  vi.useFakeTimers()
  const counter = counterIn(countsInMemory(), { name: 'months', seconds: 30 * day })
  await counter.take('account')
  vi.advanceTimersByTime(30 * day * 1000 - 1)
  expect(await counter.look('account')).toEqual({ used: 1, msLeft: 1 })
  vi.advanceTimersByTime(1)
  expect(await counter.look('account')).toEqual({ used: 0, msLeft: 30 * day * 1000 })
  expect(await counter.take('account')).toMatchObject({ used: 1 })
})
