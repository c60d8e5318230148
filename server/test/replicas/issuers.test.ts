import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Service, serve } from '../support/machines/command-line.ts'
import { type FreshDatabase, migratedDatabase, urlOf } from '../support/machines/fresh-database.ts'
import { msUntil } from '../support/machines/replica.ts'

let database: FreshDatabase
const started: Service[] = []

beforeAll(async () => {
  database = await migratedDatabase()
})
afterAll(async () => {
  await Promise.all(started.map((service) => service.stop('SIGKILL')))
  await database.drop()
})

async function start(publicUrl: string, ...args: string[]): Promise<Service> {
  const service = await serve(
    tmpdir(),
    {
      FLIGHTDECK_DATABASE_URL: urlOf(database),
      FLIGHTDECK_DATA_DIR: inject('dataDir'),
      FLIGHTDECK_PUBLIC_URL: publicUrl,
    },
    args,
  )
  started.push(service)
  return service
}

const ads = 'https://ads.example.com'
const other = 'https://other.example.com'

const warningsOf = ({ logged }: Service) => logged.filter(({ other }) => other !== undefined)

/** Long enough for a process to look whether others live. */
const untilLooked = (...leases: string[]) =>
  msUntil(async () => {
    const rows = await database.query<{ name: string }>(
      `select name from leases where name like 'issuer/%' and expires_at > clock_timestamp()`,
    )
    const live = rows.map(({ name }) => name.slice(name.indexOf('https')))
    return live.sort().join() === leases.sort().join()
  }, 15_000)

test('of two processes with different public URLs the later one warns, naming both', async () => {
  const first = await start(ads)
  await untilLooked(ads)
  const second = await start(other, '--role', 'api')
  await msUntil(() => warningsOf(second).length > 0, 10_000)
  expect(warningsOf(second)).toMatchObject([{ level: 'warn', issuer: other, other: ads }])
  const [{ msg } = {}] = warningsOf(second)
  expect(msg).toContain(ads)
  expect(msg).toContain(other)
  expect(warningsOf(first)).toEqual([])
  expect(await second.stop('SIGTERM')).toBe(0)
})

test('processes with the same public URL do not warn, nor one that starts after the other was killed', async () => {
  const [first] = started
  const second = await start(ads)
  await untilLooked(ads, ads)
  await Promise.all([first, second].map((service) => service?.stop('SIGKILL')))
  const third = await start(other)
  // The leases of the killed ones are gone.
  await untilLooked(other)
  expect([...warningsOf(second), ...warningsOf(third)]).toEqual([])
})
