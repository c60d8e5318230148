/** A new database on an existing PostgreSQL, and a Redis: what replicas share. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { DatabaseAddress } from '../../server/src/database/address.ts'
import { markAsOld } from '../../server/test/support/machines/redis.ts'

export type Outside = {
  dataDir: string
  address: DatabaseAddress
  /** The environment of a service that uses them. */
  env: Record<string, string>
  close(): Promise<void>
}

const serverUrl = process.env.BENCH_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const redisUrl = process.env.BENCH_REDIS_URL ?? 'redis://127.0.0.1:6379'

export async function openOutside(): Promise<Outside> {
  const name = `flightdeck_bench_${process.pid}`
  const admin = async (sql: string) => {
    const client = new pg.Client(serverUrl)
    await client.connect()
    await client.query(sql)
    await client.end()
  }
  await admin(`create database ${name}`)
  await markAsOld(redisUrl)
  const dataDir = await mkdtemp(join(tmpdir(), 'flightdeck-bench-'))
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return {
    dataDir,
    address: { connectionString: url.href },
    env: {
      FLIGHTDECK_DATABASE_URL: url.href,
      FLIGHTDECK_REDIS_URL: redisUrl,
      // The issuer of tokens, the same for all processes.
      FLIGHTDECK_PUBLIC_URL: 'http://flightdeck.example',
    },
    close: async () => {
      await admin(`drop database ${name} with (force)`)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
