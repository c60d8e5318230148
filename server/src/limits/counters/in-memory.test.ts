import { expect, test } from 'vitest'
import { CounterInMemory, mostWindows } from './in-memory.ts'

const day = 24 * 60 * 60

test('keeps a bounded number of windows, and drops those that opened first', async () => {
  const counter = new CounterInMemory({ name: 'failures', seconds: day })
  for (let at = 0; at < mostWindows + 2; at += 1) {
    if (at % 2 === 0) await counter.consume(`account ${at}`)
    else await counter.penalty(`account ${at}`)
  }
  expect(counter.dump().storage).toHaveLength(mostWindows)
  expect(await counter.get('account 0')).toBeNull()
  expect(await counter.get('account 1')).toBeNull()
  expect(await counter.get('account 2')).toMatchObject({ consumedPoints: 1 })
  expect(await counter.get(`account ${mostWindows + 1}`)).toMatchObject({ consumedPoints: 1 })
})

test('a window that is counted in again is no second one', async () => {
  const counter = new CounterInMemory({ name: 'failures', seconds: day })
  await counter.consume('account 0')
  for (let at = 0; at <= mostWindows; at += 1) await counter.consume('account 1')
  expect(await counter.get('account 0')).toMatchObject({ consumedPoints: 1 })
})
