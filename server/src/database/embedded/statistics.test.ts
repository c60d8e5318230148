import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startEmbedded } from './start.ts'

const analyzedSql = `select last_autoanalyze is not null as "isKnown"
  from pg_stat_user_tables where relname = 'loaded'`

test('statistics of what was just loaded are made within seconds', {
  timeout: 60_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-statistics-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const dataDir = join(folder, 'data')
  const running = await startEmbedded({ dataDir, owner: 'test', settings: { fsync: 'off' } })
  onTestFinished(running.stop)
  const client = new pg.Client(running.address)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('create table loaded as select n from generate_series(1, 10000) as n')
  await vi.waitFor(
    async () => expect((await client.query(analyzedSql)).rows).toEqual([{ isKnown: true }]),
    { timeout: 40_000, interval: 500 },
  )
})
