import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { collector } from './collector.ts'

test('works on everything once, in order, one run of the work at a time', async () => {
  const batches: (readonly number[])[] = []
  let running = 0
  const numbers = collector<number>(async ({ waiting, take }) => {
    running += 1
    expect([running, waiting.length > 0]).toEqual([1, true])
    await setImmediate()
    batches.push(take())
    await setImmediate()
    running -= 1
  })
  for (const each of [1, 2]) numbers.add(each)
  await Promise.resolve()
  numbers.add(3)
  await setImmediate()
  numbers.add(4)
  expect(numbers.isWorking).toBe(true)
  await numbers.idle()
  expect([numbers.isWorking, batches]).toEqual([false, [[1, 2, 3], [4]]])
})

test('an item that is added just as the work ends is not left behind', async () => {
  const taken: number[] = []
  const numbers = collector<number>(async ({ take }) => void taken.push(...take()))
  numbers.add(0)
  for (let at = 1; at < 20; at += 1) {
    await Promise.resolve()
    numbers.add(at)
  }
  await numbers.idle()
  expect(taken).toEqual(Array.from({ length: 20 }, (_, at) => at))
})
