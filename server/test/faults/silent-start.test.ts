import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { begin, type Running } from '../support/machines/command-line.ts'
import {
  type FreshDatabase,
  freshDatabase,
  migratedDatabase,
} from '../support/machines/fresh-database.ts'
import { type SilentLine, silentLine } from './silent-line.ts'

// A database that stops to answer at some moment of the start, on connections that stay open.
const life = new AsyncDisposableStack()
let home: string

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'flightdeck-silent-'))
})
afterAll(async () => {
  await life.disposeAsync()
  await rm(home, { recursive: true, force: true })
})

type Started = { running: Running; line: SilentLine; close(): Promise<void> }

async function startOn(database: FreshDatabase, command: string, bytes: number): Promise<Started> {
  const line = await silentLine(database, bytes)
  const env = { FLIGHTDECK_DATABASE_URL: line.url, FLIGHTDECK_PORT: '0' }
  const close = async () => {
    line.close()
    await database.drop()
  }
  return { running: begin(home, [command], env), line, close }
}

type Moment = {
  name: string
  make: () => Promise<FreshDatabase>
  bytesOf(migration: number): number
}

const onEmpty = (name: string, part: number): Moment => ({
  name,
  make: () => freshDatabase(),
  bytesOf: (migration) => Math.floor(migration * part),
})

const moments: Moment[] = [
  onEmpty('before the login', 0),
  onEmpty('in the login', 0.002),
  onEmpty('before the migrations', 0.006),
  onEmpty('in the first migrations', 0.02),
  onEmpty('in later migrations', 0.5),
  {
    name: 'after the migrations',
    make: migratedDatabase,
    // Half of a login more.
    bytesOf: (migration) => migration + 100,
  },
]

/** The bytes that `flightdeck migrate` sends to such a database. */
async function bytesOfMigration({ make }: Moment): Promise<number> {
  const { running, line, close } = await startOn(await make(), 'migrate', Number.POSITIVE_INFINITY)
  await running.ended
  await close()
  return line.carriedBytes()
}

async function serveUntil(moment: Moment): Promise<Started & { bytes: number }> {
  const bytes = moment.bytesOf(await bytesOfMigration(moment))
  const started = await startOn(await moment.make(), 'serve', bytes)
  life.defer(started.close)
  return { ...started, bytes }
}

test.concurrent.each(moments)(
  'a database that falls silent $name ends the start with one line',
  async (moment) => {
    const { running } = await serveUntil(moment)
    const { code, stderr } = await running.ended
    expect(code).toBe(1)
    expect(stderr).toMatch(/^flightdeck: The database .*cannot be used: .*\n$/)
  },
  120_000,
)

test.concurrent.each(moments)(
  'the start obeys SIGTERM when the database has fallen silent $name',
  async (moment) => {
    const { running, line, bytes } = await serveUntil(moment)
    await vi.waitFor(() => expect(line.carriedBytes()).toBeGreaterThan(bytes), 30_000)
    const began = performance.now()
    running.signal('SIGTERM')
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' })
    // Five seconds, and what a busy machine adds.
    expect(performance.now() - began).toBeLessThan(8_000)
  },
  60_000,
)
