import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Environment, openEnvironment } from './environment.ts'
import type { OwnPostgres } from './own-postgres.ts'
import { expectRecovery } from './recovery.ts'

let environment: Environment
let successor: OwnPostgres | undefined

beforeAll(async () => {
  environment = await openEnvironment({ replicas: [{}, {}] })
})
afterAll(async () => {
  await environment.close()
  await successor?.close()
})

const settings = {
  refuse: ['alter database flightdeck set default_transaction_read_only = on'],
  take: ['set default_transaction_read_only = off', 'alter database flightdeck reset all'],
}

async function set(what: keyof typeof settings): Promise<void> {
  const client = new pg.Client(environment.postgres.address)
  await client.connect()
  for (const sql of settings[what]) await client.query(sql)
  await client.end()
}

test('PostgreSQL is read-only for a while: connections from that time are dropped', async () => {
  const load = await environment.load()
  await set('refuse')
  for (const each of environment.line.carried()) each.break('reset')
  await sleep(1_000)
  await set('take')
  await expectRecovery(environment, load)
  expect(load.incidentLog.incidents).not.toEqual([])
})

test('another PostgreSQL takes over while the name still points to the old one, now a standby', async () => {
  const { line, postgres } = environment
  const load = await environment.load()
  await postgres.stop()
  successor = await postgres.copy()
  await postgres.demote()
  await Promise.all([postgres.start(), successor.start()])
  // For as long as DNS answers may be cached.
  await sleep(1_500)
  line.leadTo(successor.address)
  // The old server stays up, for connections that still use it.
  await expectRecovery(environment, load)
  expect(load.incidentLog.incidents).not.toEqual([])
})
