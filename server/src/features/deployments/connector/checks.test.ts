import { afterAll, beforeAll, expect, test } from 'vitest'
import { madeKey } from '../../../../test/support/api-keys.ts'
import { campaignBody, made, profileOf } from '../../../../test/support/cases/writes.ts'
import { watch } from '../../../../test/support/documented.ts'
import { type Client, openWorld, type World } from '../../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld())
})
afterAll(() => world.close())

const about = {
  ...{ adapter: 'sim', adapter_version: '1.0.0', platform: 'google_ads', api_version: 'v25' },
  ...{ instance: 'one', ttl_seconds: 60 },
}

/** A change set on a deployed campaign, and the connector of its account. */
async function proposed() {
  const organization = await world.organization()
  const { owner } = organization
  const profile = await profileOf(organization, { platform: 'google_ads' })
  const campaign = await made(owner, '/campaigns', campaignBody(profile))
  await owner.post(`/campaigns/${campaign}/launch`)
  await owner.put(`/campaigns/${campaign}/deployment`, { mode: 'create' })
  const operations = [
    { op: 'update', resource: 'campaign', id: campaign, body: { daily_budget: 77 } },
  ]
  const id = await made(owner, '/change_sets', { title: 'More', operations })
  const { connector, lease } = await leased(owner)
  return { owner, profile, campaign, id, connector, lease }
}

async function leased(owner: Client) {
  const connector = (await madeKey(world, owner, { role: 'connector' })).client
  const { lease_id, fence } = (await connector.post('/connector/leases', about)).json()
  return { connector, lease: { lease_id, fence } }
}

type Proposed = Awaited<ReturnType<typeof proposed>>

async function workOf({ connector, lease: { lease_id, fence } }: Proposed, more = '&checks=true') {
  return (await connector.get(`/connector/work?lease_id=${lease_id}&fence=${fence}${more}`)).json()
}

const report = ({ connector, lease }: Proposed, more: object) =>
  connector.post('/connector/reports', { ...lease, reports: [], ...more })

/** Has done all work, so that there is only what is to be judged. */
async function withoutWork(): Promise<Proposed> {
  const set = await proposed()
  const { data } = await workOf(set)
  const reports = data.map(({ deployment_id, generation }: Record<string, unknown>) => ({
    ...{ deployment_id, generation, outcome: 'applied', network_object_id: '1' },
  }))
  expect((await report(set, { reports })).statusCode).toBe(207)
  return set
}

const checkOf = async ({ owner, id }: Proposed) =>
  (await owner.get(`/change_sets/${id}/operations`)).json().data[0].network_check

test('work comes first; a check is the deployment as it would be, and changes nothing of it', async () => {
  const set = await proposed()
  const first = await workOf(set)
  expect([first.data.length, first.checks]).toEqual([1, []])
  expect(first.data[0].desired.daily_budget_minor).toBe(3_351)
  const done = await withoutWork()
  // One that does not know of checks would not answer them.
  expect(await workOf(done, '')).toEqual({ data: [], checks: [] })
  const { data, checks } = await workOf(done)
  expect(data).toEqual([])
  expect(checks).toMatchObject([
    {
      ...{ change_set_id: done.id, index: 0, network_object_id: '1', why: 'changed' },
      desired: { daily_budget_minor: 7_700 },
    },
  ])
  const { change_set_id, index, tried_at } = checks[0]
  const audited = (await done.owner.get('/audit_logs?include_total=true')).json().meta.total
  const said = { change_set_id, index, tried_at, outcome: 'accepted' }
  expect((await report(done, { checks: [said] })).statusCode).toBe(207)
  expect(await checkOf(done)).toMatchObject({ outcome: 'accepted', error: null })
  expect(await checkOf(done)).not.toHaveProperty('desired')
  expect((await workOf(done)).checks).toEqual([])
  expect((await done.owner.get('/audit_logs?include_total=true')).json().meta.total).toBe(audited)
  expect((await done.owner.get(`/campaigns/${done.campaign}/deployment`)).json()).toMatchObject({
    ...{ state: 'in_sync', generation: 1 },
  })
})

test('a check whose deployment is gone does not stand before others', async () => {
  const set = await withoutWork()
  const other = await made(set.owner, '/campaigns', campaignBody(set.profile))
  await set.owner.post(`/campaigns/${other}/launch`)
  await set.owner.put(`/campaigns/${other}/deployment`, { mode: 'create' })
  const operations = [{ op: 'update', resource: 'campaign', id: other, body: { daily_budget: 78 } }]
  const id = await made(set.owner, '/change_sets', { title: 'Others', operations })
  expect((await set.owner.delete(`/campaigns/${set.campaign}/deployment`)).statusCode).toBe(204)
  const [{ deployment_id, generation }] = (await workOf(set)).data
  const done = { deployment_id, generation, outcome: 'applied', network_object_id: '2' }
  await report(set, { reports: [done] })
  expect((await workOf(set, '&checks=true&limit=1')).checks).toMatchObject([{ change_set_id: id }])
})

test('an answer to a former trial, of another account or under an older fence is not taken', async () => {
  const set = await withoutWork()
  const [{ change_set_id, index, tried_at }] = (await workOf(set)).checks
  const said = { change_set_id, index, tried_at, outcome: 'accepted' }
  world.clock.advance(1_000)
  expect((await set.owner.post(`/change_sets/${set.id}/refresh`)).statusCode).toBe(200)
  await report(set, { checks: [said] })
  expect(await checkOf(set)).toMatchObject({ outcome: 'open' })
  const other = await withoutWork()
  const [newer] = (await workOf(set)).checks
  await report(other, { checks: [{ ...said, tried_at: newer.tried_at }] })
  expect(await checkOf(set)).toMatchObject({ outcome: 'open' })
  const older = { ...set.lease, fence: set.lease.fence - 1, reports: [], checks: [said] }
  expect((await set.connector.post('/connector/reports', older)).statusCode).not.toBe(207)
})

test('a change set that is refused says so with the fields, until it is applied', async () => {
  const set = await withoutWork()
  const [{ change_set_id, index, tried_at }] = (await workOf(set)).checks
  const error = {
    ...{ code: 'invalid', message: 'The budget is too high.' },
    errors: [{ pointer: '/daily_budget', message: 'At most 50.' }],
  }
  await report(set, { checks: [{ change_set_id, index, tried_at, outcome: 'refused', error }] })
  expect(await checkOf(set)).toMatchObject({ outcome: 'refused', error })
  // It is the network's word, and people decide.
  expect((await set.owner.post(`/change_sets/${set.id}/apply`)).statusCode).toBe(200)
  expect(await checkOf(set)).toBeNull()
})

test('times and numbers of checks are bounded', async () => {
  const set = await withoutWork()
  const one = { change_set_id: set.id, index: 0, tried_at: '2026-01-01T00:00:00Z' }
  const said = { ...one, outcome: 'accepted' }
  for (const checks of [
    Array.from({ length: 101 }, () => said),
    [{ ...said, tried_at: 'never' }],
    [{ ...said, index: 1_000 }],
    [{ ...said, outcome: 'open' }],
  ])
    expect((await report(set, { checks })).statusCode).toBe(422)
})
