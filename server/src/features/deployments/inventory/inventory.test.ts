import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

async function connected() {
  const organization = await world.organization()
  const { owner } = organization
  const profile = await profileOf(organization, { platform: 'google_ads' })
  const connector = (await madeKey(world, owner, { role: 'connector' })).client
  const lease = await leased(connector, 'one')
  const send = (campaigns: object[], more: object = {}) =>
    connector.post('/connector/inventory', {
      ...lease,
      profile_id: profile,
      complete: true,
      campaigns,
      ...more,
    })
  const list = async (query = '') =>
    (await owner.get(`/profiles/${profile}/network_campaigns${query}`)).json()
  const shown = async (query = '') =>
    (await list(query)).data.map((each: { network_object_id: string; gone: boolean }) =>
      each.gone ? `${each.network_object_id} gone` : each.network_object_id,
    )
  const linked = async (object: string, body: object = {}) => {
    const id = await made(owner, '/campaigns', { ...campaignBody(profile), ...body })
    await owner.post(`/campaigns/${id}/launch`)
    const put = { mode: 'link', network_object_id: object }
    const reply = await owner.put(`/campaigns/${id}/deployment`, put)
    const report = { deployment_id: reply.json().id, generation: 1, outcome: 'applied' }
    await connector.post('/connector/reports', { ...lease, reports: [report] })
    world.clock.advance(1_000)
    return id
  }
  const deployment = async (id: string) => (await owner.get(`/campaigns/${id}/deployment`)).json()
  return { organization, owner, profile, connector, lease, send, list, shown, linked, deployment }
}

async function leased(connector: Client, instance: string) {
  const reply = await connector.post('/connector/leases', { ...about, instance })
  expect(reply.statusCode).toBe(200)
  const { lease_id, fence } = reply.json()
  return { lease_id, fence }
}

const recordsOf = async (owner: Client) =>
  (await owner.get('/audit_logs?include_total=true')).json().meta.total

describe('an inventory', () => {
  test('is listed as it was reported, and found by name, status and whether it is linked', async () => {
    const { organization, send, list, shown, linked, owner, profile } = await connected()
    const id = await linked('2')
    await send([held('1', { status: 'paused' }), held('2'), held('3', { name: 'Sommer' })])
    const { data } = await list()
    expect(data).toMatchObject([
      { ...held('1', { status: 'paused' }), campaign_id: null, gone: false },
      { network_object_id: '2', campaign_id: id },
      { network_object_id: '3', name: 'Sommer' },
    ])
    expect(await shown('?linked=true')).toEqual(['2'])
    expect(await shown('?linked=false')).toEqual(['1', '3'])
    expect(await shown('?status=paused,ended')).toEqual(['1'])
    expect(await shown('?q=somm')).toEqual(['3'])
    const first = await list('?limit=2')
    expect(first.meta.has_more).toBe(true)
    expect(await shown(`?limit=2&cursor=${first.meta.next_cursor}`)).toEqual(['3'])
    const other = await profileOf(organization, { platform: 'meta' })
    const elsewhere = await owner.get(
      `/profiles/${other}/network_campaigns?limit=2&cursor=${first.meta.next_cursor}`,
    )
    expect(elsewhere.statusCode).toBe(400)
    expect((await owner.get(`/profiles/${profile}/network_campaigns?linked=x`)).statusCode).toBe(
      400,
    )
  })

  test('is complete after several calls: what they do not name is gone', async () => {
    const { send, shown } = await connected()
    await send([held('1'), held('2'), held('3')])
    await send([held('1')], { complete: false })
    expect(await shown()).toEqual(['1', '2', '3'])
    await send([held('3')])
    expect(await shown()).toEqual(['1', '2 gone', '3'])
    await send([held('1'), held('2')])
    expect(await shown()).toEqual(['1', '2', '3 gone'])
  })

  test('is begun anew under a new fence', async () => {
    const { send, shown, connector, lease } = await connected()
    await send([held('1'), held('2')])
    await send([held('1')], { complete: false })
    await connector.delete(`/connector/leases/${lease.lease_id}`)
    const late = await send([held('2')])
    expect([late.statusCode, late.json().code]).toEqual([409, 'lease_lost'])
    const next = await leased(connector, 'two')
    await send([held('2')], next)
    expect(await shown()).toEqual(['1 gone', '2'])
  })

  test('says which of its campaigns are linked', async () => {
    const { send, linked, deployment } = await connected()
    const id = await linked('2')
    const reply = await send([held('1'), held('2')])
    const { id: deployment_id } = await deployment(id)
    expect(reply.json()).toEqual({
      linked: [{ network_object_id: '2', deployment_id, campaign_id: id, generation: 1 }],
      former: [],
    })
  })

  test('says which campaigns had what the account holds no longer', async () => {
    const { owner, send, linked, deployment, connector, lease } = await connected()
    const former = async (...there: string[]) =>
      (await send(there.map((each) => held(each)))).json().former
    const [lost, ended, detached] = [await linked('2'), await linked('3'), await linked('4')]
    expect(await former('2', '3', '4')).toEqual([])
    await owner.delete(`/campaigns/${detached}/deployment`)
    world.clock.advance(1_000)
    const two = { network_object_id: '2', campaign_id: lost }
    const three = { network_object_id: '3', campaign_id: ended }
    expect(await former()).toEqual([two, three])
    expect((await send([held('9')], { complete: false })).json().former).toEqual([])
    // It is made anew, and has both.
    await owner.post(`/campaigns/${lost}/deployment/retry`)
    const { id: deployment_id, generation } = await deployment(lost)
    const report = { deployment_id, generation, outcome: 'applied', network_object_id: '5' }
    await connector.post('/connector/reports', { ...lease, reports: [report] })
    expect(await former('5')).toEqual([two, three])
    // One that is detached once it is gone is remembered as well, until it comes back.
    await owner.delete(`/campaigns/${ended}/deployment`)
    expect(await former('5')).toEqual([two, three])
    expect(await former('3', '5')).toEqual([two])
    const months = 14 * 31 * 24 * 3_600_000
    world.clock.advance(months)
    const later = await leased(connector, 'one')
    expect((await send([held('5')], later)).json().former).toEqual([])
  })

  test('refuses what is named twice, is too large, or is not held', async () => {
    const { organization, send, shown } = await connected()
    const twice = await send([held('1'), held('1')])
    expect(twice.json().errors).toMatchObject([
      { pointer: '/campaigns/1/network_object_id', code: 'duplicate_item' },
    ])
    const large = await send([held('1', { settings: { text: 'x'.repeat(9_000) } })])
    expect(large.json().errors).toMatchObject([{ pointer: '/campaigns/0/settings' }])
    const foreign = await profileOf(organization, { platform: 'meta' })
    const other = await send([held('1')], { profile_id: foreign })
    expect(other.json().errors).toMatchObject([{ pointer: '/profile_id' }])
    const many = Array.from({ length: 501 }, (_, at) => held(`${at}`))
    expect((await send(many)).json().errors).toMatchObject([
      { pointer: '/campaigns', code: 'too_many_items' },
    ])
    expect(await shown()).toEqual([])
  })
})

describe('an account that is reported', () => {
  const facts = { ref: '1', currency: 'USD', time_zone: 'UTC', status: 'active' }

  test('wants its inventory until it has it, and again ten minutes later, or when more is linked', async () => {
    const { send, linked, connector, lease, profile } = await connected()
    const account = { account: facts }
    const report = async (more: object = account) => {
      const body = { ...lease, profile_id: profile, reports: [], ...more }
      return (await connector.post('/connector/reports', body)).json().inventory_wanted
    }
    const listed = async (...there: string[]) => {
      world.clock.advance(1_000)
      await send(there.map((id) => held(id)))
      return report()
    }
    expect(await report({})).toBeUndefined()
    expect(await report()).toBe(true)
    await send([held('1')], { complete: false })
    expect(await report()).toBe(true)
    expect(await listed('2')).toBe(false)
    await linked('2')
    expect(await report()).toBe(true)
    // News that a listing brought of a campaign is a change of it.
    expect(await listed('2')).toBe(true)
    expect(await listed('2')).toBe(false)
    world.clock.advance(10 * 60_000)
    expect(await report({ ...account, ...(await leased(connector, 'one')) })).toBe(true)
  })
})

describe('an inventory of linked campaigns', () => {
  test('is an observation: a difference drifts, and is recorded once', async () => {
    const { send, linked, deployment, owner } = await connected()
    const id = await linked('2', { daily_budget: 33.51 })
    await send([held('2', { name: 'Spring Sale 2026' })])
    const before = await recordsOf(owner)
    await send([held('2', { name: 'Spring Sale 2026' })])
    expect(await recordsOf(owner)).toBe(before)
    const changed = held('2', { name: 'Spring Sale 2026', daily_budget_minor: 9_900 })
    await send([changed])
    expect(await deployment(id)).toMatchObject({
      state: 'drifted',
      drift: expect.arrayContaining([expect.objectContaining({ field: 'budget' })]),
    })
    const drifted = await recordsOf(owner)
    await send([changed])
    expect(await recordsOf(owner)).toBe(drifted)
  })

  test('blocks what a complete pass does not name, until it is named again', async () => {
    const { send, linked, deployment } = await connected()
    const id = await linked('2')
    await send([held('1')], { complete: false })
    expect(await deployment(id)).not.toMatchObject({ error: { code: 'gone' } })
    world.clock.advance(1_000)
    await send([])
    expect(await deployment(id)).toMatchObject({ state: 'blocked', error: { code: 'gone' } })
    world.clock.advance(1_000)
    await send([held('2')])
    expect(await deployment(id)).toMatchObject({ error: null })
  })

  test('leaves alone what was bound after the pass began', async () => {
    const { send, linked, deployment } = await connected()
    await send([held('1')], { complete: false })
    world.clock.advance(1_000)
    const id = await linked('2')
    await send([])
    expect(await deployment(id)).toMatchObject({ error: null })
  })
})
