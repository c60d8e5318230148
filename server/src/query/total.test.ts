import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaignBody, profileOf } from '../../test/support/cases/writes.ts'
import { type Client, openWorld, unlimited, type World } from '../../test/support/world.ts'
import type { LargeLists } from '../limits/large-lists.ts'

/** Every total that is not counted already is an estimate, if the sample has any row. */
const largeLists: LargeLists = {
  has: async () => true,
  hasVeryMany: async () => true,
  countedUpTo: 0,
  firstRows: () => 500,
}

let world: World
let owner: Client
let organizationId: string
let profileId: string
let ids: string[]

beforeAll(async () => {
  world = await openWorld({
    env: unlimited,
    alter: (services) => ({ ...services, limits: { ...services.limits, largeLists } }),
  })
  const organization = await world.organization()
  owner = organization.owner
  organizationId = organization.id
  profileId = await profileOf(organization, { client: 'Acme' })
  const operations = Array.from({ length: 100 }, (_, at) => ({
    op: 'create',
    body: { ...campaignBody(profileId), name: `Campaign ${at}`, labels: ['emea'] },
  }))
  const { results } = (await owner.post('/campaigns/bulk', { mode: 'atomic', operations })).json()
  ids = results.map((result: { id: string }) => result.id)
})
afterAll(() => world.close())

const metaOf = async (path: string) => (await owner.get(`${path}include_total=true`)).json().meta

/** Sums up the rows whose id ends in 0. */
function estimated(ofThese: readonly string[]) {
  const inSample = ofThese.filter((id) => id.endsWith('0')).length
  if (inSample === 0) return { total: ofThese.length }
  return { total: Number((32 * inSample).toPrecision(2)), total_is_estimate: true }
}

test('a total of very many rows is estimated, and says so', async () => {
  const { total, total_is_estimate } = await metaOf('/campaigns?label=emea&limit=1&')
  expect({ total, total_is_estimate }).toEqual(estimated(ids))
  expect((await metaOf('/campaigns?label=none&')).total).toBe(0)
})

test('what is counted already is exact, and stays so', async () => {
  const [first, second] = ids
  const totalsBy = (filters: string[]) =>
    Promise.all(filters.map(async (filter) => (await metaOf(`/campaigns?limit=1&${filter}`)).total))
  const filters = ['', 'status=active&', 'status=draft&', `profile_id=${profileId}&client=Acme&`]
  expect(await totalsBy(filters)).toEqual([100, 0, 100, 100])
  await owner.post(`/campaigns/${first}/launch`)
  await owner.post(`/campaigns/${second}/archive`)
  await owner.patch(`/campaigns/${ids[3]}`, { objective: 'leads' })
  expect(await totalsBy([...filters, 'objective=leads&'])).toEqual([99, 1, 98, 99, 1])
  expect(await totalsBy(['include_archived=true&'])).toEqual([100])
  await owner.delete(`/campaigns/${ids[2]}`)
  await owner.post('/campaigns', campaignBody('prf_none'))
  expect(await totalsBy(filters)).toEqual([98, 1, 97, 98])
  expect(await metaOf('/campaigns?status=active&')).not.toHaveProperty('total_is_estimate')
})

test('a dry run, and a part that fails, count for nothing', async () => {
  const before = (await metaOf('/campaigns?')).total
  await owner.post('/campaigns?validate_only=true', campaignBody(profileId))
  const fine = { op: 'create', body: campaignBody(profileId) }
  const operations = [fine, { op: 'create', body: { ...campaignBody(profileId), objective: 'x' } }]
  await owner.post('/campaigns/bulk', { operations, mode: 'partial' })
  expect((await metaOf('/campaigns?')).total).toBe(before + 1)
})

test.each(['/events?', '/audit_logs?'])('all of %s are counted by their numbers', async (path) => {
  const { data } = (await owner.get(`${path}limit=1`)).json()
  const { total, total_is_estimate } = await metaOf(`${path}limit=1&`)
  expect({ total, total_is_estimate }).toEqual({ total: data[0].sequence })
})

const setPacing = `update campaign_pacing set status = 'on_track' where organization_id = $1`

test('campaigns by the status of their pacing are estimated by the same sample', async () => {
  const operations = ids.slice(10).map((id) => ({ op: 'action', id, action: 'launch' }))
  await owner.post('/campaigns/bulk', { mode: 'atomic', operations })
  await world.services.database.transaction(async (tx) => {
    tx.send({ sql: setPacing, parameters: [organizationId] })
  })
  const launched = [ids[0] ?? '', ...ids.slice(10)]
  const { total, total_is_estimate } = await metaOf('/campaigns?pacing_status=on_track&limit=1&')
  expect({ total, total_is_estimate }).toEqual(estimated(launched))
  expect((await metaOf('/campaigns?pacing_status=critical&limit=1&')).total).toBe(0)
})
