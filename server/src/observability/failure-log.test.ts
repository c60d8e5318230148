import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Reader } from '../database/database.ts'
import { NoAnswer } from '../database/unavailable.ts'
import { type FailureLog, openFailureLog } from './failure-log.ts'

let isDown: boolean
let lines: object[]
let failures: FailureLog

beforeEach(() => {
  vi.useFakeTimers()
  isDown = false
  lines = []
  const query = async () => {
    if (isDown) throw refused()
    return []
  }
  const log = (level: string) => (facts: object, msg: string) =>
    void lines.push({ level, msg, ...facts })
  failures = openFailureLog({ query } as unknown as Reader)
  failures.reportTo({ error: log('error'), warn: log('warn'), info: log('info') })
})
afterEach(() => {
  failures.close()
  vi.useRealTimers()
})

const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

/** Fails once a second. */
async function fail(seconds: number, part: string, error: () => Error): Promise<void> {
  for (let at = 0; at < seconds; at += 1) {
    failures.note(part, error())
    await vi.advanceTimersByTimeAsync(1_000)
  }
}

test('work that fails again and again has a line when it begins to fail, and one when it works again', async () => {
  const broken = new Error('relation "lost" does not exist')
  await fail(30, 'a task', () => broken)
  const begins = { part: 'a task', err: broken, msg: 'background work fails, and is tried again' }
  expect(lines).toEqual([{ level: 'warn', ...begins }])
  await vi.advanceTimersByTimeAsync(15_000)
  const summary = { part: 'a task', seconds: 29, failures: { 'a task': 30 } }
  expect(lines.slice(1)).toEqual([
    { level: 'info', msg: 'background work succeeds again', ...summary },
  ])
})

test('all failures of an outage are counted together, by part', async () => {
  isDown = true
  failures.isOutage('requests', refused(), { path: '/api/v1/campaigns' })
  await fail(5, 'a task', refused)
  isDown = false
  await vi.advanceTimersByTimeAsync(5_000)
  expect(lines).toEqual([
    {
      level: 'error',
      msg: 'the database is unavailable: failures are counted until it is back',
      part: 'requests',
      reason: 'connect ECONNREFUSED',
      path: '/api/v1/campaigns',
    },
    {
      level: 'info',
      msg: 'the database is available again',
      seconds: 4,
      failures: { requests: 1, 'a task': 5 },
    },
  ])
})

test('an outage lasts while the database does not answer, even if nothing asks it', async () => {
  isDown = true
  failures.isOutage('requests', refused())
  await vi.advanceTimersByTimeAsync(60_000)
  expect(lines).toHaveLength(1)
  isDown = false
  await vi.advanceTimersByTimeAsync(2_000)
  expect(lines).toHaveLength(2)
})

test('what an outage leaves behind begins no other; another outage does', async () => {
  isDown = true
  failures.isOutage('requests', refused())
  isDown = false
  await vi.advanceTimersByTimeAsync(5_000)
  failures.isOutage('queue', new Error('Query read timeout'))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(lines).toHaveLength(2)
  isDown = true
  failures.isOutage('requests', refused())
  await vi.advanceTimersByTimeAsync(1_000)
  expect(lines[2]).toMatchObject({ level: 'error', part: 'requests' })
})

test('work that is late is no outage while the database answers', async () => {
  failures.isOutage('requests', new NoAnswer())
  await vi.advanceTimersByTimeAsync(5_000)
  expect(lines).toEqual([
    {
      level: 'warn',
      msg: 'work ended late, though the database answers: the service has too much to do',
      seconds: 0,
      failures: { requests: 1 },
    },
  ])
  isDown = true
  failures.isOutage('requests', new NoAnswer())
  await vi.advanceTimersByTimeAsync(1_000)
  expect(lines[1]).toMatchObject({ level: 'error', part: 'requests' })
})

test('an error of the statement alone is no outage', () => {
  for (const code of ['40001', '40P01', '55P03', '57014', '42P01', '23505']) {
    expect(failures.isOutage('requests', Object.assign(new Error(code), { code }))).toBe(false)
  }
  expect(lines).toEqual([])
})
