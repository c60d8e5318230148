import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { madeKey } from '../../../../test/support/api-keys.ts'
import { profileOf } from '../../../../test/support/cases/writes.ts'
import { watch } from '../../../../test/support/documented.ts'
import { openWorld, unlimited, type World } from '../../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
})
afterAll(() => world.close())

const about = {
  instance: 'one',
  adapter: 'sim',
  adapter_version: '1.0.0',
  platform: 'google_ads',
  api_version: 'v25',
  ttl_seconds: 300,
}

const held = (id: string, more: object = {}) => ({
  network_object_id: id,
  name: `Campaign ${id}`,
  status: 'active',
  objective: 'sales',
  daily_budget_minor: 3351,
  lifetime_budget_minor: null,
  currency: 'USD',
  start_at: null,
  end_at: null,
  time_zone: 'UTC',
  schedule: [],
  ...more,
})

async function holding(campaigns: object[], fields: object = {}) {
  const organization = await world.organization()
  const { owner } = organization
  const profile = await profileOf(organization, { platform: 'google_ads', ...fields })
  const connector = (await madeKey(world, owner, { role: 'connector' })).client
  const { lease_id, fence } = (await connector.post('/connector/leases', about)).json()
  const send = (campaigns: object[]) =>
    connector.post('/connector/inventory', {
      ...{ lease_id, fence, profile_id: profile, complete: true },
      campaigns,
    })
  expect((await send(campaigns)).statusCode).toBe(200)
  const take = async (ids: string[], more: object = {}, query = '') =>
    owner.post(`/profiles/${profile}/take_over${query}`, { network_object_ids: ids, ...more })
  const taken = async (ids: string[], more: object = {}) => {
    const reply = await take(ids, more)
    expect([reply.statusCode, reply.body]).toEqual([207, reply.body])
    return reply.json().results
  }
  const shown = async (id: string) => ({
    campaign: (await owner.get(`/campaigns/${id}`)).json(),
    deployment: (await owner.get(`/campaigns/${id}/deployment`)).json(),
  })
  return { organization, owner, profile, connector, send, take, taken, shown }
}

const codesOf = (results: { problem?: { code: string; errors: { pointer: string }[] } }[]) =>
  results.map(({ problem }) => problem && [problem.code, ...problem.errors.map((e) => e.pointer)])

const hours = [
  { day: 'tue', start: '09:00', end: '17:00' },
  { day: 'mon', start: '09:00', end: '17:30' },
]

describe('taking over', () => {
  test('makes campaigns and linked deployments as they run, and nothing to send', async () => {
    const all = await holding([
      held('1', { schedule: hours, settings: { network: 'search' } }),
      held('2', { status: 'paused', daily_budget_minor: null, lifetime_budget_minor: 90_000 }),
      held('3', { status: 'scheduled', start_at: '2099-01-01T00:00:00+01:00' }),
    ])
    const results = await all.taken(['1', '2', '3'], { labels: ['theirs'] })
    expect(results).toMatchObject(
      ['1', '2', '3'].map((network_object_id, index) => ({
        ...{ index, network_object_id, outcome: 'created', warnings: [] },
        campaign_id: expect.stringMatching(/^cmp_/),
        deployment_id: expect.stringMatching(/^dpl_/),
      })),
    )
    const [one, two, three] = await Promise.all(
      results.map(({ campaign_id }: { campaign_id: string }) => all.shown(campaign_id)),
    )
    expect(one).toMatchObject({
      campaign: {
        ...{ name: 'Campaign 1', status: 'active', status_reason: 'taken_over' },
        ...{ daily_budget: 33.51, labels: ['theirs'], schedule: hours.toReversed() },
      },
      deployment: {
        ...{ mode: 'link', network_object_id: '1', state: 'in_sync', drift: [] },
        ...{ applied_generation: 1, drift_policy: 'report', settings: { network: 'search' } },
      },
    })
    expect(two).toMatchObject({
      campaign: { status: 'paused', daily_budget: null, lifetime_budget: 900 },
      deployment: { state: 'in_sync' },
    })
    expect(three).toMatchObject({
      campaign: { status: 'scheduled', start_at: '2098-12-31T23:00:00.000Z' },
      deployment: { state: 'in_sync' },
    })
    const paced = (await all.owner.get('/pacing?limit=3')).json().data
    expect(paced.map(({ campaign_id }: { campaign_id: string }) => campaign_id).sort()).toEqual(
      results.map(({ campaign_id }: { campaign_id: string }) => campaign_id).sort(),
    )
    await all.send([held('1', { schedule: hours }), held('2', { status: 'paused' }), held('3')])
    expect((await all.shown(one.campaign.id)).deployment.state).toBe('in_sync')
    const list = await all.owner.get(`/profiles/${all.profile}/network_campaigns?linked=true`)
    expect(list.json().data).toHaveLength(3)
    const found = await all.owner.get('/campaigns?status_reason=taken_over')
    expect(found.json().data).toHaveLength(3)
  })

  test('fails with the reason what cannot be held exactly, and takes the rest', async () => {
    const all = await holding([
      held('long', { name: 'x'.repeat(300) }),
      held('spaces', { name: ' x ' }),
      held('none', { daily_budget_minor: null }),
      held('aim', { objective: null }),
      held('other', { currency: 'EUR' }),
      held('ended', { status: 'ended' }),
      held('past', { end_at: '2001-01-01T00:00:00Z' }),
      held('hours', { schedule: [{ day: 'mon', start: '09:07', end: '17:00' }] }),
      held('good'),
    ])
    await all.owner.patch(`/profiles/${all.profile}`, { currency: 'USD' })
    const ids = ['long', 'spaces', 'none', 'aim', 'other', 'ended', 'past', 'hours', 'no', 'good']
    const results = await all.taken(ids)
    expect(codesOf(results)).toEqual([
      ['validation_failed', '/name'],
      ['validation_failed', '/name'],
      ['validation_failed', '/daily_budget'],
      ['validation_failed', '/objective'],
      ['validation_failed', '/currency'],
      ['validation_failed', '/status'],
      ['validation_failed', '/end_at'],
      ['validation_failed', '/schedule/0/start'],
      ['validation_failed', '/network_object_ids/8'],
      undefined,
    ])
    expect((await all.owner.get('/campaigns')).json().data).toHaveLength(1)
  })

  test('takes each object once, also by two requests at once', async () => {
    const all = await holding([held('1'), held('2')])
    const twice = await all.taken(['1', '1'])
    expect(codesOf(twice)).toEqual([undefined, ['network_object_taken']])
    const both = await Promise.all([all.taken(['2']), all.taken(['2'])])
    expect(both.map(codesOf).toSorted()).toEqual(
      [[undefined], [['network_object_taken']]].toSorted(),
    )
    expect((await all.owner.get('/campaigns')).json().data).toHaveLength(2)
  })

  test('warns of guardrails and the cap of the profile, and counts as approved', async () => {
    const all = await holding([held('1')], { daily_budget_cap: 10, currency: 'USD' })
    const { version } = (await all.owner.get('/organization')).json()
    await all.owner.put(
      '/organization/guardrails',
      { max_daily_budget: { USD: 20 }, approval: { mode: 'always' } },
      { 'if-match': `"${version}"` },
    )
    const [result] = await all.taken(['1'])
    const codes = result.warnings.map(({ code }: { code: string }) => code)
    expect(codes).toEqual(['profile_daily_budget_cap', 'max_daily_budget'])
    const { campaign } = await all.shown(result.campaign_id)
    expect(campaign).toMatchObject({ status: 'active', approved: { daily_budget_minor: 3351 } })
    const raised = await all.owner.patch(`/campaigns/${campaign.id}`, { daily_budget: 40 })
    expect(raised.statusCode).toBe(409)
  })

  test('tries out and stores nothing', async () => {
    const all = await holding([held('1'), held('2', { objective: null })])
    const reply = await all.take(['1', '2'], {}, '?validate_only=true')
    expect(reply.statusCode).toBe(200)
    expect(reply.json().results).toMatchObject([{ outcome: 'created' }, { outcome: 'failed' }])
    expect((await all.owner.get('/campaigns')).json().data).toEqual([])
  })

  test('answers a repeated request with the same reply', async () => {
    const all = await holding(Array.from({ length: 60 }, (_, at) => held(`${at}`)))
    const ids = Array.from({ length: 60 }, (_, at) => `${at}`)
    const send = () =>
      all.owner.post(
        `/profiles/${all.profile}/take_over`,
        { network_object_ids: ids },
        { 'idempotency-key': 'once' },
      )
    const first = await send()
    expect(first.json().results).toHaveLength(60)
    expect((await send()).json()).toEqual(first.json())
  })

  test('keeps to the managed fields and the policy that are asked for', async () => {
    const all = await holding([held('1')])
    const terms = { managed_fields: ['status'], drift_policy: 'overwrite' }
    const [{ campaign_id }] = await all.taken(['1'], terms)
    expect((await all.shown(campaign_id)).deployment).toMatchObject(terms)
  })

  test('keeps only what the connector shows where nothing is asked for', async () => {
    const { schedule: _, ...rest } = held('1')
    const all = await holding([rest])
    const [{ campaign_id }] = await all.taken(['1'])
    const { managed_fields } = (await all.shown(campaign_id)).deployment
    expect(managed_fields).toEqual(['name', 'status', 'budget', 'dates'])
  })
})
