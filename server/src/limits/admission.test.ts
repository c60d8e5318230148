import { describe, expect, test } from 'vitest'
import { type AdmissionControl, admissionControl, type Slot } from './admission.ts'

const overloaded = expect.objectContaining({
  code: 'overloaded',
  headers: { 'retry-after': '1' },
})

function come(room: AdmissionControl, organizationId: string, weight = 1): Slot {
  const place = room.place()
  place.acquire()
  try {
    place.assign(organizationId, weight)
  } catch (error) {
    place.leave()
    throw error
  }
  return place
}

/** None when it is refused. */
function letIn(comes: () => Slot): Slot[] {
  try {
    return [comes()]
  } catch {
    return []
  }
}

/** As many as are admitted. */
function flood(room: AdmissionControl, organizationId: string, weight = 1): Slot[] {
  const places: Slot[] = []
  for (;;) {
    const [place] = letIn(() => come(room, organizationId, weight))
    if (!place) return places
    places.push(place)
  }
}

const bounds = { most: 25, perTenantBeforeQueueing: 2 }

describe('admission', () => {
  test('gives one organization alone four fifths; others still find a slot', () => {
    const room = admissionControl(bounds)
    expect(flood(room, 'a')).toHaveLength(20)
    expect(flood(room, 'b')).toHaveLength(4)
    expect(flood(room, 'c')).toHaveLength(1)
    expect(flood(room, 'd')).toHaveLength(0)
    expect(room.taken).toBe(25)
  })

  test('counts expensive requests by their cost', () => {
    const room = admissionControl(bounds)
    expect(flood(room, 'a', 3)).toHaveLength(7)
    expect(room.taken).toBe(21)
  })

  test('admits unauthenticated requests up to the limit, and no further', () => {
    const room = admissionControl(bounds)
    const places = Array.from({ length: bounds.most }, () => room.place())
    for (const place of places) place.acquire()
    expect(() => room.place().acquire()).toThrow(overloaded)
    for (const place of places) place.leave()
    expect(room.taken).toBe(0)
  })

  test('charges work beyond the request itself, repeatedly', async () => {
    const room = admissionControl(bounds)
    const place = come(room, 'a', 3)
    const { promise, resolve } = Promise.withResolvers<void>()
    const worked = place.work(() => promise)
    place.leave()
    expect(room.taken).toBe(3)
    resolve()
    await worked
    expect(room.taken).toBe(0)
    await place.work(async () => expect(room.taken).toBe(3))
    expect(room.taken).toBe(0)
    await expect(place.work(() => Promise.reject(new Error('a fault')))).rejects.toThrow('a fault')
    expect(room.taken).toBe(0)
  })

  test.each([
    ['left before it is known whose it is', ['acquire', 'leave', 'claim']],
    ['left, and come again', ['acquire', 'leave', 'claim', 'acquire', 'leave']],
    ['come twice', ['acquire', 'claim', 'acquire', 'leave']],
    ['left twice', ['acquire', 'claim', 'leave', 'leave']],
    ['known before it comes', ['claim', 'acquire', 'leave', 'claim']],
    ['known twice', ['acquire', 'claim', 'claim', 'leave']],
  ] as const)('leaks no slot: %s', (_, steps) => {
    const room = admissionControl(bounds)
    for (let times = 0; times < 2 * bounds.most; times += 1) {
      const place = room.place()
      for (const step of steps) {
        if (step === 'claim') place.assign('a', 3)
        else place[step]()
      }
    }
    expect(room.taken).toBe(0)
    expect(flood(room, 'a')).toHaveLength(20)
    const missingPath = Array.from({ length: bounds.most }, () => room.place())
    for (const place of missingPath) place.acquire()
    expect(() => room.place().acquire()).toThrow(overloaded)
  })

  test('leaves no trace of a refusal', () => {
    const room = admissionControl(bounds)
    const all = flood(room, 'a')
    expect(() => come(room, 'a')).toThrow(overloaded)
    for (const place of all) place.leave()
    expect(room.taken).toBe(0)
    expect(flood(room, 'a')).toHaveLength(20)
  })

  test('runs a few of one organization’s simultaneous requests, and queues the rest', async () => {
    const room = admissionControl(bounds)
    const places = flood(room, 'a')
    let running = 0
    let most = 0
    const work = async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
    }
    await Promise.all(places.map((place) => place.inTurn(work)))
    expect(most).toBe(bounds.perTenantBeforeQueueing)
    for (const place of places) place.leave()
  })

  test('limits running requests; own queues do not block newcomers until all slots are used', () => {
    const room = admissionControl({ ...bounds, running: { most: 5, patienceMs: 500 } })
    const all = [...flood(room, 'a'), ...flood(room, 'b')]
    expect([all.length, room.isFull]).toEqual([24, false])
    all.push(...flood(room, 'c'))
    expect([all.length, room.isFull]).toEqual([25, true])
    for (const place of all) place.leave()
    expect(room.isFull).toBe(false)
    for (const organizationId of ['a', 'b', 'c']) flood(room, organizationId).map(leave)
    expect([room.isFull, room.taken]).toEqual([false, 0])
  })

  test('does not count a request that is only being received as running', () => {
    const room = admissionControl({ ...bounds, running: { most: 2, patienceMs: 500 } })
    const streams = Array.from({ length: 10 }, () => {
      const place = room.place()
      place.assign('a', 1, false)
      place.acquire()
      return place
    })
    expect([room.taken, room.isFull]).toEqual([10, false])
    const all = [...streams, come(room, 'a'), come(room, 'b')]
    expect(room.isFull).toBe(true)
    all.map(leave)
    expect([room.taken, room.isFull]).toEqual([0, false])
  })

  test('adapts the running limit to throughput', async () => {
    let now = 0
    const few = { most: 1_000, perTenantBeforeQueueing: 1, running: { most: 100, patienceMs: 500 } }
    const room = admissionControl(few, () => now)
    const floodOfMany = () => {
      const each = Array.from({ length: 200 }, (_, at) => () => come(room, `org${at}`))
      return each.flatMap((comes) => letIn(comes))
    }
    const before = floodOfMany()
    expect([before.length, room.isFull]).toEqual([100, true])
    for (const place of before.slice(0, 40)) await place.work(async () => {})
    before.map(leave)
    now += 250
    expect(floodOfMany()).toHaveLength(80)
  })
})

const leave = (place: Slot) => place.leave()
