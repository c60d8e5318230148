import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type OwnWorld, openOwnWorld } from '../../test/support/own-world.ts'
import { healthOf } from './write-health.ts'

let world: OwnWorld

// A database of its own: all of it refuses.
beforeAll(async () => {
  world = await openOwnWorld({ env: { FLIGHTDECK_METRICS_TOKEN: 'scrape-me' } })
  await world.database.query(`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$`)
})
afterAll(() => world.close())

/** As a full disk does: what is stored is read, and small updates may succeed. */
const fillDisk = async () => {
  for (const table of ['audit_logs', 'write_probes'])
    await world.database.query(`create trigger full_disk before insert on ${table}
      for each row execute function refuse()`)
}
const makeSpace = async () => {
  for (const table of ['audit_logs', 'write_probes'])
    await world.database.query(`drop trigger full_disk on ${table}`)
}

async function asked(path = '/readyz') {
  const { statusCode, body } = await world.app.inject(path)
  const { status, checks } = JSON.parse(body)
  return { statusCode, status, writes: checks.writes }
}

const metric = async (name: string) => {
  const headers = { authorization: 'Bearer scrape-me' }
  const { body } = await world.app.inject({ url: '/metrics', headers })
  return Number(new RegExp(`^flightdeck_${name} (\\d+)$`, 'm').exec(body)?.[1])
}

test('a full disk shows with the first write that it refuses, and for as long as it lasts', async () => {
  const { owner } = await world.organization()
  const fine = { statusCode: 200, status: 'ready', writes: 'ok' }
  expect(await asked()).toEqual(fine)
  // An idle process asks by itself, in the background: now it has.
  await vi.waitFor(async () => expect(await metric('writes_failing')).toBe(0), 10_000)
  await fillDisk()
  expect((await owner.post('/templates', { name: 'A', defaults: {} })).statusCode).toBe(503)
  const failing = { statusCode: 200, status: 'ready', writes: 'failed' }
  await vi.waitFor(async () => expect(await asked()).toEqual(failing), 10_000)
  expect(await asked('/readyz?for=writes')).toEqual({
    statusCode: 503,
    status: 'not_ready',
    writes: 'failed',
  })
  expect(await metric('writes_failing')).toBe(1)
  expect(await metric('writes_refused_total')).toBeGreaterThan(0)
  expect((await owner.get('/templates')).statusCode).toBe(200)
  await makeSpace()
  await vi.waitFor(async () => expect(await asked('/readyz?for=writes')).toEqual(fine), 10_000)
  expect((await owner.post('/templates', { name: 'A', defaults: {} })).statusCode).toBe(201)
  expect(await world.database.query('select * from write_probes')).toEqual([])
})

describe('the state', () => {
  type WriteOutcome = Awaited<ReturnType<Parameters<typeof healthOf>[0]>>

  /** The states after each of these outcomes of the probe. */
  async function states(...outcomes: WriteOutcome[]): Promise<boolean[]> {
    let next: WriteOutcome = 'succeeded'
    const health = healthOf(async () => next)
    const seen: boolean[] = []
    for (next of outcomes) {
      health.suspect()
      await new Promise(setImmediate)
      seen.push(health.isFailing())
    }
    health.close()
    return seen
  }

  test('is failing from the first refused probe until three in a row have succeeded', async () => {
    const failing = await states('refused', 'succeeded', 'succeeded', 'refused', 'succeeded')
    expect(failing).toEqual([true, true, true, true, true])
    const back = await states('refused', 'succeeded', 'succeeded', 'succeeded', 'succeeded')
    expect(back).toEqual([true, true, true, false, false])
  })

  test('is left as it is by a probe without an answer: that is for the database check', async () => {
    expect(await states('unknown', 'unknown')).toEqual([false, false])
    expect(await states('refused', 'unknown', 'succeeded')).toEqual([true, true, true])
  })
})
