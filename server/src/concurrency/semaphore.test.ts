import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { keyedSemaphore, semaphore } from './semaphore.ts'

/** Records how many run at once. */
function counting() {
  const counts = { running: 0, most: 0, done: 0 }
  const work = async () => {
    counts.running += 1
    counts.most = Math.max(counts.most, counts.running)
    await setImmediate()
    counts.running -= 1
    counts.done += 1
  }
  return { counts, work }
}

test('a newcomer does not overtake those who wait when a slot is freed', async () => {
  const { counts, work } = counting()
  const turns = semaphore({ atOnce: 2, waiting: 100 })
  const late: Promise<void>[] = []
  /** One in each of the next microtasks, during one of which the slot is freed. */
  async function comeOneByOne(): Promise<void> {
    for (let ticks = 0; ticks < 10; ticks += 1) {
      await null
      late.push(turns(work))
    }
  }
  const first = turns(() => work().finally(() => void comeOneByOne()))
  await Promise.all([first, turns(work), turns(work), turns(work)])
  await Promise.all(late)
  expect(counts).toEqual({ running: 0, most: 2, done: 14 })
})

test('work that fails frees its slot too', async () => {
  const { counts, work } = counting()
  const inLane = keyedSemaphore(10)
  const failing = () => Promise.reject(new Error('a fault'))
  const outcomes = await Promise.allSettled([
    inLane('a', failing),
    inLane('a', work),
    inLane('a', failing),
    inLane('a', work),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect(counts).toEqual({ running: 0, most: 1, done: 2 })
})

test('beyond the limit of waiting requests it is 503', async () => {
  const turns = semaphore({ atOnce: 1, waiting: 1 })
  const { counts, work } = counting()
  const asked = [turns(work), turns(work)]
  await expect(turns(work)).rejects.toMatchObject({ code: 'overloaded' })
  await Promise.all(asked)
  expect(counts.done).toBe(2)
})
