import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'
import type { DatabaseAddress } from '../../../src/database/address.ts'
import { sessionSettings } from '../../../src/database/upkeep/citus/settings.ts'
import { citusAddress, copyOnCitus, dropOnCitus } from './citus.ts'

/** A database of one test file, on the run's PostgreSQL: it may be broken at will. */
export type FreshDatabase = {
  address: Exclude<DatabaseAddress, { connectionString: string }>
  query<Row = Record<string, unknown>>(sql: string, parameters?: unknown[]): Promise<Row[]>
  /** Runs a statement on a connection of its own, which keeps its locks until the function is called. */
  lock(sql: string, parameters: unknown[]): Promise<() => Promise<void>>
  drop(): Promise<void>
}

/** Empty: `migrate()` it first. */
export const freshDatabase = (template = 'template1'): Promise<FreshDatabase> =>
  databaseLike(template)

/** An empty database with the schema: a copy of one that the run has migrated. */
export const migratedDatabase = (): Promise<FreshDatabase> => databaseLike(inject('migrated'))

async function databaseLike(template: string): Promise<FreshDatabase> {
  const shared = inject('address')
  if (!('host' in shared)) throw new Error('the run has no PostgreSQL of its own')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const coordinator = citusAddress()
  const isDistributed = coordinator !== null && template === inject('migrated')
  if (isDistributed) await copyOnCitus(coordinator, { template, name })
  else await run(shared, `create database ${name} template ${template}`)
  const address = { ...shared, database: name }
  const client = new pg.Client(address)
  await client.connect()
  // Tests break rows by triggers, which Citus takes from such sessions only.
  if (isDistributed) for (const setting of sessionSettings) await client.query(setting)
  return {
    address,
    query: async <Row>(sql: string, parameters: unknown[] = []) =>
      (await client.query(sql, parameters)).rows as Row[],
    lock: (sql, parameters) => lock(address, sql, parameters),
    drop: async () => {
      await client.end()
      await (isDistributed ? dropOnCitus(coordinator, name) : drop(shared, name))
    },
  }
}

async function lock(address: DatabaseAddress, sql: string, parameters: unknown[]) {
  const holder = new pg.Client(address)
  // The database may be dropped first, where a test fails.
  holder.on('error', () => {})
  await holder.connect()
  await holder.query('begin')
  await holder.query(sql, parameters)
  return () => holder.end()
}

/** Waits for autovacuum to finish: only a superuser may end it. */
async function drop(shared: DatabaseAddress, name: string, tries = 100): Promise<void> {
  try {
    await run(shared, `drop database ${name} with (force)`)
  } catch (error) {
    const isVacuumed = (error as { code?: string }).code === '42501'
    if (!isVacuumed || tries === 0) throw error
    await sleep(100)
    await drop(shared, name, tries - 1)
  }
}

/** For a separate process. */
export function urlOf({ address }: Pick<FreshDatabase, 'address'>): string {
  const { host, port, user, password, database } = address
  const login = `${user}:${encodeURIComponent(password)}`
  return `postgres://${login}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
}

async function run(address: DatabaseAddress, sql: string): Promise<void> {
  const client = new pg.Client(address)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
