import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { begin, type Running } from '../support/command-line.ts'
import { freshDatabase } from '../support/fresh-database.ts'
import { type SilentLine, silentLine } from './silent-line.ts'

// A database that stops to answer at some moment of the start, on connections that stay open.
let home: string
/** The bytes that a first start sends to its database. */
let allBytes: number

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'flightdeck-silent-'))
  const { service, line } = await startOn(Number.POSITIVE_INFINITY)
  await vi.waitFor(() => expect(service.output.stdout).toContain('listening'), 50_000)
  allBytes = line.carriedBytes()
  service.signal('SIGTERM')
  await service.ended
  await line.close()
})
afterAll(() => rm(home, { recursive: true, force: true }))

type Started = { service: Running; line: SilentLine }

async function startOn(afterBytes: number): Promise<Started> {
  const database = await freshDatabase()
  const { url, carriedBytes, close } = await silentLine(database, afterBytes)
  const env = { FLIGHTDECK_DATABASE_URL: url, FLIGHTDECK_PORT: '0' }
  const service = begin(home, ['serve'], env)
  const closeAll = async () => {
    close()
    await database.drop()
  }
  return { service, line: { url, carriedBytes, close: closeAll } }
}

/** Parts of a start: before the login, in it, between connections, in migrations, in what follows. */
const parts = [0, 0.002, 0.005, 0.02, 0.5, 0.9]

test.concurrent.each(parts)(
  'after %d of its bytes the start ends with one line',
  async (part) => {
    const { service, line } = await startOn(Math.floor(allBytes * part))
    onTestFinished(() => line.close())
    const { code, stderr } = await service.ended
    expect(code).toBe(1)
    expect(stderr).toMatch(/^flightdeck: The database .*cannot be used: .*\n$/)
  },
  120_000,
)

test.concurrent.each(parts)(
  'after %d of its bytes the start obeys SIGTERM',
  async (part) => {
    const bytes = Math.floor(allBytes * part)
    const { service, line } = await startOn(bytes)
    onTestFinished(() => line.close())
    await vi.waitFor(() => expect(line.carriedBytes()).toBeGreaterThan(bytes), 30_000)
    const began = performance.now()
    service.signal('SIGTERM')
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' })
    // Five seconds, and what a busy machine adds.
    expect(performance.now() - began).toBeLessThan(8_000)
  },
  60_000,
)
