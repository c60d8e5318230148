import { describe, expect, test } from 'vitest'
import { type Reading, reportOf, type Soaked } from './report.ts'

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
  const answers = new Map([[200, 1_000]])
  return { minutes, readings, answers, before: held, after: held, ...more }
}

const brokenIn = (run: Soaked) => reportOf(run).broken

describe('a soak run passes', () => {
  test('when memory levels off and everything is closed', () => {
    expect(brokenIn(soaked({ growth: 0.2 }))).toEqual([])
  })

  test('when less is open than before and some requests were refused', () => {
    const answers = new Map(Object.entries({ 200: 9, 404: 9, 429: 9, 503: 9 }))
    const after = { ...held, 'database sessions': 6 }
    const byStatus = new Map([...answers].map(([status, count]) => [Number(status), count]))
    expect(brokenIn(soaked({ answers: byStatus, after }))).toEqual([])
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
    const answers = new Map([
      [0, 1],
      [200, 9],
      [500, 2],
    ])
    expect(brokenIn(soaked({ answers }))).toEqual(['3 requests had no answer, or 5xx.'])
  })
})
