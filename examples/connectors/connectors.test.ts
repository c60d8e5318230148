import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packSdk } from '../../scripts/release/pack-sdk.ts'
import { root, run as runProgram } from '../../scripts/run.ts'
import { madeKey } from '../../server/test/support/api-keys.ts'
import { campaignAfter } from '../../server/test/support/cases/writes.ts'
import {
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../../server/test/support/world.ts'

// Each program in its own process, with a key that only reports, in a directory of its own: copied
// there, with the client that the service serves.
let world: World
let organization: TestOrganization
let home: string
let copy: string
let env: Record<string, string>

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'flightdeck-connectors-'))
  world = await openWorld({ env: unlimited })
  organization = await world.organization()
  const url = await world.app.listen({ host: '127.0.0.1', port: 0 })
  copy = await copiedWithSdk(url)
  const key = await madeKey(world, organization.owner, { name: 'Connector', role: 'reporter' })
  env = { FLIGHTDECK_URL: url, FLIGHTDECK_TOKEN: key.client.token ?? '' }
})
afterAll(async () => {
  await world.close()
  await rm(home, { recursive: true, force: true })
})

/** Follows the README in an empty directory. */
async function copiedWithSdk(url: string): Promise<string> {
  const directory = join(home, 'connectors')
  await mkdir(directory)
  await writeFile(join(directory, 'package.json'), '{ "type": "module", "private": true }')
  const files = await readdir(import.meta.dirname)
  const programs = files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  for (const name of programs) await cp(join(import.meta.dirname, name), join(directory, name))
  await packSdk(join(root, 'server/sdk'))
  const install = ['install', '--no-audit', '--no-fund', `${url}/sdk/flightdeckhq-sdk.tgz`]
  const { ok, output } = await runProgram('npm', install, directory)
  if (!ok) throw new Error(output)
  return directory
}

type Ended = { code: number; stdout: string; stderr: string }

const run = (program: string, args: string[], more: Record<string, string> = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const path = join(copy, program)
    const options = { env: { ...process.env, ...env, ...more } }
    execFile(process.execPath, [path, ...args], options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })

const dayAgo = (days: number) =>
  new Date(world.clock.now().getTime() - days * 86_400_000).toISOString().slice(0, 10)

type Period = { date: string; spend: number; is_final: boolean; clicks: number | null }

const storedOf = async (id: string): Promise<Period[]> => {
  const path = `/campaigns/${id}/results?from=${dayAgo(90)}&to=${dayAgo(-2)}`
  return (await organization.owner.get(path)).json().data
}

test('a folder of CSV files: the later download of a day counts, in any order', async () => {
  const id = await campaignAfter(organization, [], { external_id: 'csv-1' })
  const header = 'Day,Campaign,Campaign ID,Cost,Impressions,Clicks'
  const write = async (name: string, lines: string[], minutesAgo: number) => {
    const path = join(home, name)
    await writeFile(path, [header, ...lines].join('\r\n'))
    await utimes(path, new Date(), new Date(Date.now() - minutesAgo * 60_000))
  }
  const line = (days: number, cost: string) =>
    `${dayAgo(days)},"Spring, ""new""",csv-1,${cost},900,`
  await write('google_ads-2.csv', [line(3, '10.00')], 50)
  await write('google_ads-1.csv', [line(3, '12.50'), line(2, '"1,012.50"')], 5)
  const first = await run('csv-folder.ts', [home])
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(first.stdout).toContain('google_ads { created: 2 }')
  expect(first.stdout).toContain('google_ads { ignored_older: 1 }')
  expect(await storedOf(id)).toMatchObject([{ spend: 12.5, clicks: null }, { spend: 1012.5 }])
  const again = await run('csv-folder.ts', [home])
  expect(again.stdout).toContain('google_ads { unchanged: 2 }')
})

/** A network’s API with a row a page. */
async function network(rows: object[]): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost')
    const page = Number(searchParams.get('page') ?? 0)
    const isKnown = request.headers.authorization === 'Bearer network-key'
    const next = page + 1 < rows.length ? `/reports?page=${page + 1}` : null
    const body = { rows: rows.slice(page, page + 1), next }
    response.writeHead(isKnown && searchParams.size > 0 ? 200 : 401).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/reports` }
}

test('a JSON API is read to its last page, and what fails is shown', async () => {
  const id = await campaignAfter(organization, [], { external_id: 'json-1' })
  const row = (days: number, campaign = 'json-1') => ({ campaign, day: dayAgo(days), cost: '7.25' })
  const { server, url } = await network([row(40), row(2), row(1), row(1, 'unknown')])
  const ended = await run('json-api.ts', [url, 'network'], { API_KEY: 'network-key' })
  server.close()
  expect(ended.code).toBe(1)
  expect(ended.stdout).toContain('network { created: 3, failed: 1 }')
  expect(ended.stderr).toMatch(/unknown[\s\S]*invalid_reference/)
  expect((await storedOf(id)).map(({ is_final }) => is_final)).toEqual([true, false, false])
})

test('the simulator spends about what is planned, and the same each time', async () => {
  const start_at = `${dayAgo(10)}T00:00:00Z`
  const id = await campaignAfter(organization, ['launch'], { start_at, daily_budget: 100 })
  const first = await run('simulator.ts', ['--days', '30'])
  expect(first).toMatchObject({ code: 0, stderr: '' })
  const days = await storedOf(id)
  expect(days.slice(0, 10).every(({ spend }) => spend >= 90 && spend <= 115)).toBe(true)
  expect([days.length, days[0]?.date]).toEqual([11, dayAgo(10)])
  expect(days.filter(({ is_final }) => is_final)).toHaveLength(7)
  const again = await run('simulator.ts', ['--days', '30'])
  expect(again.stdout).toMatch(/unchanged: 1[01]/)
})

test('without a token each says what it needs', async () => {
  for (const program of ['csv-folder.ts', 'json-api.ts', 'simulator.ts']) {
    const ended = await run(program, [], { FLIGHTDECK_TOKEN: '' })
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('FLIGHTDECK_TOKEN') })
  }
})
