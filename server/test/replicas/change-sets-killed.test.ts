import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { proposed } from '../support/cases/change-sets.ts'
import { campaignBody, profileOf } from '../support/cases/writes.ts'
import { citusAddress } from '../support/machines/citus.ts'
import { type Service, serve } from '../support/machines/command-line.ts'
import { urlOf } from '../support/machines/fresh-database.ts'
import { type OwnWorld, openOwnWorld } from '../support/own-world.ts'
import { type TestOrganization, unlimited } from '../support/world.ts'

let world: OwnWorld
const started: Service[] = []

beforeAll(async () => {
  world = await openOwnWorld({ env: unlimited })
})
afterAll(async () => {
  await Promise.all(started.map((service) => service.stop('SIGKILL')))
  await world.close()
})

async function start(): Promise<Service> {
  const url = urlOf(world.database)
  const own = { FLIGHTDECK_DATABASE_URL: url, FLIGHTDECK_DATA_DIR: inject('dataDir') }
  const service = await serve(tmpdir(), { ...unlimited, ...own })
  started.push(service)
  return service
}

const many = citusAddress() ? 100 : 500

async function changeSetOf(organization: TestOrganization): Promise<string> {
  const profile = await profileOf(organization)
  const operations = Array.from({ length: many }, () => ({
    op: 'create',
    body: campaignBody(profile),
  }))
  return (await proposed(organization.owner, operations)).changeSet.id
}

const countOf = async ({ owner }: TestOrganization): Promise<number> =>
  (await owner.get('/campaigns?include_total=true&limit=1')).json().meta.total

const applying = ({ url }: Service, token: string | null, id: string) =>
  fetch(`${url}/api/v1/change_sets/${id}/apply`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })

test('a service killed while it applies a change set has applied all of it or nothing', async () => {
  const organization = await world.organization()
  const { owner } = organization
  for (const afterMs of [20, 80, 200, 400]) {
    const before = await countOf(organization)
    const id = await changeSetOf(organization)
    const service = await start()
    const request = applying(service, owner.token, id).catch(() => undefined)
    await sleep(afterMs)
    await service.stop('SIGKILL')
    await request
    const isApplied = (await owner.get(`/change_sets/${id}`)).json().status === 'applied'
    expect(await countOf(organization)).toBe(isApplied ? before + many : before)
    const again = await owner.post(`/change_sets/${id}/apply`)
    expect([again.statusCode, again.json().status]).toEqual([200, 'applied'])
    expect(await countOf(organization)).toBe(before + many)
  }
  expect((await owner.get('/audit_logs/verify')).json().valid).toBe(true)
}, 120_000)
