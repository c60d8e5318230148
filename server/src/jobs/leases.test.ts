import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { msUntil } from '../../test/support/machines/replica.ts'
import { type OwnWorld, openOwnWorld } from '../../test/support/own-world.ts'
import type { Statement } from '../database/driver/protocol.ts'
import { openFailureLog } from '../observability/failure-log.ts'
import { type Lease, type Leases, openLeases, type Pace } from './leases.ts'

let world: OwnWorld

beforeAll(async () => {
  world = await openOwnWorld()
})
afterAll(() => world.close())

/** One process on the database, and its connection, which can be cut. */
type Process = Leases & { sent: Statement[]; logged: string[]; line: { isCut: boolean } }

function openProcess(): Process {
  const { reader, leaseQuery } = world.services.database
  const [sent, logged, line]: [Statement[], string[], { isCut: boolean }] = [
    [],
    [],
    { isCut: false },
  ]
  const query: typeof leaseQuery = async (statement) => {
    sent.push(statement)
    if (line.isCut) throw new Error('cut')
    return leaseQuery(statement)
  }
  const logger = pino({}, { write: (text) => void logged.push(JSON.parse(text).msg) })
  const failures = openFailureLog(reader)
  failures.reportTo(logger)
  const leases = openLeases(
    { database: { reader, leaseQuery: query }, observability: { failures } },
    logger,
  )
  return { ...leases, sent, logged, line }
}

const newName = () => `test.${randomUUID()}`

async function held(process: Leases, name: string, pace?: Pace): Promise<Lease> {
  const lease = await process.acquire(name, pace)
  if (!lease) throw new Error(`${name} was not acquired`)
  return lease
}

const namesOf = async (process: Leases, prefix: string, state: 'live' | 'expired') =>
  (await process.find(prefix, state)).map(({ name }) => name)

/** Milliseconds until the process has the lease. */
const msToAcquire = (process: Leases, name: string, withinMs = 11_000) =>
  msUntil(async () => (await process.acquire(name)) !== undefined, withinMs)

describe.concurrent('a lease', () => {
  test('has one holder, and is free at once when it is released', async () => {
    const [one, other, name] = [openProcess(), openProcess(), newName()]
    const lease = await held(one, name)
    expect(await other.acquire(name)).toBeUndefined()
    expect(await one.acquire(name)).toBeUndefined()
    expect(await namesOf(one, name, 'live')).toEqual([name])
    await lease.release()
    expect(lease.isHeld()).toBe(false)
    expect(await namesOf(one, name, 'live')).toEqual([])
    expect(await held(other, name)).toBeDefined()
    await other.close()
  })

  test('is kept for as long as its holder lives', async () => {
    const [one, other, name] = [openProcess(), openProcess(), newName()]
    const lease = await held(one, name)
    await expect(msToAcquire(other, name, 12_000)).rejects.toThrow('still not so')
    expect(lease.isHeld()).toBe(true)
    await one.close()
    expect(await held(other, name)).toBeDefined()
    await other.close()
  })

  test('of a process cut off is taken over within ten seconds, and given up by it before', async () => {
    const [one, other, name] = [openProcess(), openProcess(), newName()]
    const lease = await held(one, name)
    one.line.isCut = true
    let lostMs = Number.POSITIVE_INFINITY
    const begun = performance.now()
    lease.lost.addEventListener('abort', () => {
      lostMs = performance.now() - begun
    })
    const takenMs = await msToAcquire(other, name)
    expect(lostMs).toBeLessThan(takenMs)
    expect(lease.isHeld()).toBe(false)
    expect(takenMs).toBeLessThan(10_000)
    expect(one.logged).toEqual([
      'background work fails, and is tried again',
      'leases lost: this process stops their work',
    ])
    await other.close()
  })

  test('that is swift, of a process cut off, is taken over within two seconds, and given up before', async () => {
    const [one, other, name] = [openProcess(), openProcess(), newName()]
    const lease = await held(one, name, 'swift')
    await expect(msToAcquire(other, name, 2_500)).rejects.toThrow('still not so')
    expect(lease.isHeld()).toBe(true)
    one.line.isCut = true
    const takenMs = await msToAcquire(other, name)
    expect([lease.isHeld(), lease.lost.aborted]).toEqual([false, true])
    expect(takenMs).toBeLessThan(2_000)
    await other.close()
  })

  test('whose renewals are answered late is given up before another process gets it', async () => {
    const { reader, leaseQuery } = world.services.database
    const name = newName()
    let isSlow = false
    // The last renewals take effect, but the holder learns of them too late.
    const slowly: typeof leaseQuery = async <Row>(statement: Statement) => {
      const rows = await leaseQuery<Row>(statement)
      if (isSlow) await sleep(7_000)
      return rows
    }
    const logger = pino({ level: 'silent' })
    const failures = openFailureLog(reader)
    const one = openLeases(
      { database: { reader, leaseQuery: slowly }, observability: { failures } },
      logger,
    )
    const other = openProcess()
    const lease = await held(one, name)
    isSlow = true
    let wasHeldByBoth = false
    await msUntil(async () => {
      const taken = await other.acquire(name)
      wasHeldByBoth ||= taken !== undefined && lease.isHeld()
      return taken !== undefined
    }, 20_000)
    expect([wasHeldByBoth, lease.lost.aborted]).toEqual([false, true])
    await other.close()
  })

  test('that another process took is lost within seconds; the name is then in use until it is released', async () => {
    const [one, name] = [openProcess(), newName()]
    const lease = await held(one, name)
    await world.database.query(`update leases set holder = 'another' where name = $1`, [name])
    expect(await msUntil(() => lease.lost.aborted)).toBeLessThan(4_000)
    expect(lease.isHeld()).toBe(false)
    await world.database.query('delete from leases where name = $1', [name])
    expect(await one.acquire(name)).toBeUndefined()
    await lease.release()
    expect(await held(one, name)).toBeDefined()
    await one.close()
  })

  test('handed over is found as left behind, and free at once', async () => {
    const [one, other, name] = [openProcess(), openProcess(), newName()]
    const lease = await held(one, name)
    expect(await namesOf(other, name, 'expired')).toEqual([])
    await lease.handOver()
    expect(await namesOf(other, name, 'expired')).toEqual([name])
    expect(await held(other, name)).toBeDefined()
    await other.close()
  })

  test('that many ask for at once goes to one of them', async () => {
    const processes = Array.from({ length: 8 }, openProcess)
    const names = Array.from({ length: 100 }, newName)
    const asked = processes.flatMap((process, at) =>
      // Each in another order.
      [...names.slice(at * 12), ...names.slice(0, at * 12)].map(async (name) =>
        (await process.acquire(name)) ? [name] : [],
      ),
    )
    const acquired = (await Promise.all(asked)).flat()
    expect(acquired.sort()).toEqual([...names].sort())
    await Promise.all(processes.map((process) => process.close()))
    for (const name of names) expect(await namesOf(openProcess(), name, 'live')).toEqual([])
  })

  test('costs nothing by itself: hundreds are acquired, renewed and released in a statement each', async () => {
    const process = openProcess()
    const prefix = `many.${randomUUID()}.`
    const names = Array.from({ length: 400 }, (_, at) => `${prefix}${at}`)
    const leases = await Promise.all(names.map((name) => held(process, name)))
    expect(process.sent).toHaveLength(1)
    await sleep(5_500)
    expect(leases.every((lease) => lease.isHeld())).toBe(true)
    // Every two seconds.
    expect(process.sent).toHaveLength(3)
    expect(process.sent[2]?.parameters[0]).toHaveLength(400)
    await Promise.all(leases.map((lease) => lease.release()))
    expect(process.sent).toHaveLength(4)
    expect(await namesOf(process, prefix, 'live')).toEqual([])
    expect(await namesOf(process, prefix, 'expired')).toEqual([])
  })
})
