import { describe, expect, test } from 'vitest'
import { type Reading, reportOf, type Soaked } from './report.ts'
import type { State } from './steady.ts'

const held = {
  'files and pipes': 23,
  'TCP sockets': 1,
  'other sockets': 12,
  timers: 24,
  'database sessions': 12,
}

/** Memory that grows by this many MB a minute, and three times as fast in the first ten. */
const readingsOf = (minutes: number, growth: number): Reading[] =>
  Array.from({ length: minutes * 12 }, (_, at) => {
    const minute = at / 12
    const stable = 170 + growth * (minute + 2 * Math.min(minute, 10))
    const young = 8 + 20 * ((minute * 0.37) % 1)
    return { minute, memory: { stable, resident: stable + young, heap: 60, external: 7 } }
  })

const soaked = (given: Partial<Soaked> & { growth?: number } = {}): Soaked => {
  const { minutes = 30, growth = 0, ...more } = given
  const readings = readingsOf(minutes, growth)
  const run = { minutes, perSecond: 120, states: statesOf(minutes), tables: null, readings }
  return { ...run, outcome: outcomeOf({ 200: 1_000 }), before: held, after: held, ...more }
}

const statesOf = (minutes: number): State[] =>
  Array.from({ length: minutes * 12 }, (_, at) => {
    const steady = { memory: 200, descriptors: 60, connections: 12, oldestDue: 1 }
    return { ...steady, minute: at / 12, served: at * 600 }
  })

function outcomeOf(byStatus: Record<number, number>): Soaked['outcome'] {
  const answers = new Map(Object.entries(byStatus).map(([status, n]) => [Number(status), n]))
  return { answers, reports: { sent: 100, done: 99 }, changeSets: { sent: 100, done: 80 } }
}

const brokenIn = (run: Soaked) => reportOf(run).broken

describe('a soak run passes', () => {
  test('when memory levels off and everything is closed', () => {
    expect(brokenIn(soaked({ growth: 0.2 }))).toEqual([])
  })

  test('when less is open than before and some requests were refused', () => {
    const outcome = outcomeOf({ 200: 9, 404: 9, 429: 9, 503: 9 })
    const after = { ...held, 'database sessions': 6 }
    expect(brokenIn(soaked({ outcome, after }))).toEqual([])
  })

  test('when it was too short to distinguish a leak from warm-up', () => {
    expect(brokenIn(soaked({ minutes: 9, growth: 5 }))).toEqual([])
  })
})

describe('a soak run fails', () => {
  test('when memory keeps growing', () => {
    expect(brokenIn(soaked({ growth: 0.4 }))).toEqual(['Memory grows by 0.40 MB a minute.'])
  })

  test('when resources stay open', () => {
    const after = { ...held, 'TCP sockets': 3, timers: 25 }
    expect(brokenIn(soaked({ after }))).toEqual(['2 TCP sockets were left.', '1 timers were left.'])
  })

  test('when there were faults or lost connections', () => {
    const outcome = outcomeOf({ 0: 1, 200: 9, 500: 2 })
    expect(brokenIn(soaked({ outcome }))).toEqual(['3 requests had no answer, or 5xx.'])
  })

  test('when reports or change sets were not done', () => {
    const outcome = { ...outcomeOf({ 200: 9 }), reports: { sent: 100, done: 98 } }
    const none = { ...outcome, changeSets: { sent: 0, done: 0 } }
    expect(brokenIn(soaked({ outcome: none }))).toEqual([
      'Only 98 of 100 reports stored.',
      'Only 0 of 0 change sets applied.',
    ])
  })
})

describe('a soak run holds its rate and stays as it was in its fifth minute', () => {
  const table = { name: 'public.events', bytes: 10e6, live: 10_000, dead: 100 }
  /** From the sixth minute on. */
  const later = (more: Partial<State>): State[] =>
    statesOf(30).map((state) => (state.minute >= 5 ? { ...state, ...more } : state))
  const tablesOf = (more: object) => ({ fifth: [table], last: [{ ...table, ...more }] })

  test('when a table grows with its rows', () => {
    const tables = tablesOf({ bytes: 60e6, live: 60_000 })
    expect(brokenIn(soaked({ tables }))).toEqual([])
  })

  test('not when a minute served less', () => {
    const slow = statesOf(30).map((state) =>
      state.minute >= 20 ? { ...state, served: state.served - 300 } : state,
    )
    expect(brokenIn(soaked({ states: slow }))).toEqual(['A minute had 115.0 requests a second.'])
  })

  test('but a short run, which has no fifth minute, is not judged by its speed', () => {
    const states = statesOf(1).map((state) => ({ ...state, served: state.served / 2 }))
    const outcome = { ...outcomeOf({ 200: 9 }), reports: { sent: 100, done: 9 } }
    expect(brokenIn(soaked({ minutes: 1, states, outcome }))).toEqual([])
  })

  test.each([
    [{ memory: 221 }, 'The stable memory rose from 200 MB to 221 MB.'],
    [{ descriptors: 64 }, 'The descriptors rose from 60 to 64.'],
    [{ connections: 13 }, 'The database connections rose from 12 to 13.'],
    [{ oldestDue: 6.5 }, 'The age of the oldest due work rose from 1 s to 6.5 s.'],
  ])('not with %o', (more, words) => {
    const states = later(more)
    expect(brokenIn(soaked({ states, tables: tablesOf({}) }))).toEqual([words])
  })

  test('when a table that was nearly empty takes what its copy takes', () => {
    const before = { ...table, bytes: 100e3, live: 20 }
    const copied = (bytes: number) => {
      const last = [{ ...before, bytes: 12e6, live: 9_000, copied: bytes }]
      return brokenIn(soaked({ tables: { fifth: [before], last } }))
    }
    expect(copied(10e6)).toEqual([])
    expect(copied(8e6)).toEqual(['public.events takes 1.50 × what its rows explain.'])
  })

  test('not when a table takes more than its rows explain', () => {
    const tables = tablesOf({ bytes: 26e6, live: 20_000 })
    expect(brokenIn(soaked({ tables }))).toEqual([
      'public.events takes 1.30 × what its rows explain.',
    ])
  })
})
