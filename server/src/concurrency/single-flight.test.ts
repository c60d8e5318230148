import { afterEach, expect, test, vi } from 'vitest'
import { singleFlight } from './single-flight.ts'

afterEach(() => void vi.useRealTimers())

/** Work that ends on demand. */
function deferred() {
  const calls: PromiseWithResolvers<number>[] = []
  const work = () => {
    const call = Promise.withResolvers<number>()
    calls.push(call)
    return call.promise
  }
  return { calls, work }
}

test('shares a call while it is under way, and starts another after it', async () => {
  const { calls, work } = deferred()
  const flight = singleFlight(work)
  const both = [flight(), flight()]
  calls[0]?.resolve(1)
  expect(await Promise.all(both)).toEqual([1, 1])
  const next = flight()
  calls[1]?.resolve(2)
  expect(await next).toBe(2)
  expect(calls).toHaveLength(2)
})

test('shares a failure, and does not keep it', async () => {
  const { calls, work } = deferred()
  const flight = singleFlight(work, { keepMs: 1000 })
  const both = Promise.allSettled([flight(), flight()])
  const idle = flight.idle()
  calls[0]?.reject(new Error('a fault'))
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await idle
  void flight()
  expect(calls).toHaveLength(2)
})

test('keeps a result for as long as it should', async () => {
  vi.useFakeTimers()
  const { calls, work } = deferred()
  const flight = singleFlight(work, { keepMs: 1000 })
  const first = flight()
  calls[0]?.resolve(1)
  await first
  await vi.advanceTimersByTimeAsync(999)
  expect(await flight()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  void flight()
  expect(calls).toHaveLength(2)
})

test('shares no call from before it was made to forget, and forgets none from after', async () => {
  const { calls, work } = deferred()
  const flight = singleFlight(work)
  const before = flight()
  flight.forgetAll()
  const after = flight()
  calls[0]?.resolve(1)
  expect(await before).toBe(1)
  const shared = flight()
  calls[1]?.resolve(2)
  expect(await Promise.all([after, shared])).toEqual([2, 2])
  expect(calls).toHaveLength(2)
})

test('keeps keys apart', async () => {
  const keys: string[] = []
  const flight = singleFlight(async (key: string) => keys.push(key))
  await Promise.all([flight('a'), flight('b'), flight('a')])
  expect(keys).toEqual(['a', 'b'])
})
