import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { madeKey } from '../../../../test/support/api-keys.ts'
import { campaignBody, made, profileOf } from '../../../../test/support/cases/writes.ts'
import { watch } from '../../../../test/support/documented.ts'
import { openOwnWorld } from '../../../../test/support/own-world.ts'
import {
  type Client,
  openWorld,
  type TestOrganization,
  type World,
} from '../../../../test/support/world.ts'
import { warnOfExpiring } from './due.ts'

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
  ttl_seconds: 60,
}

const codeOf = (reply: { statusCode: number; json(): { code: string } }) => [
  reply.statusCode,
  reply.json().code,
]

/** An active campaign that is deployed in an account which a connector holds. */
async function connected(body: object = { mode: 'create' }, of = world) {
  const organization = await of.organization()
  const { owner } = organization
  const profile = await profileOf(organization, { platform: 'google_ads' })
  const id = await made(owner, '/campaigns', campaignBody(profile))
  await owner.post(`/campaigns/${id}/launch`)
  const path = `/campaigns/${id}/deployment`
  const deployment = (await owner.put(path, body)).json()
  const connector = (await madeKey(of, owner, { role: 'connector' })).client
  const lease = await leased(connector, 'one')
  const report = async (outcome: object, more: object = {}) => {
    const report = { deployment_id: deployment.id, generation: 1, ...outcome }
    const reply = await connector.post('/connector/reports', {
      ...lease,
      ...more,
      reports: [report],
    })
    return reply.json().results?.[0] ?? reply.json()
  }
  const shown = async () => (await owner.get(path)).json()
  return { organization, owner, profile, id, path, deployment, connector, lease, report, shown }
}

async function leased(connector: Client, instance: string) {
  const reply = await connector.post('/connector/leases', { ...about, instance })
  expect(reply.statusCode).toBe(200)
  const { lease_id, fence } = reply.json()
  return { lease_id, fence }
}

const workOf = async (
  connector: Client,
  { lease_id, fence }: { lease_id: string; fence: number },
) => (await connector.get(`/connector/work?lease_id=${lease_id}&fence=${fence}`)).json().data

const eventsOf = async ({ owner }: Pick<TestOrganization, 'owner'>) =>
  (await owner.get('/events?type=deployment.*,profile.*&limit=50'))
    .json()
    .data.map(({ type }: { type: string }) => type)

const observed = { run: 'enabled', daily_budget_minor: 3351, currency: 'USD' }
const applied = { outcome: 'applied', network_object_id: '218', observed }

describe('a connector', () => {
  test('takes work, does it, and reports it', async () => {
    const { organization, connector, lease, report, shown, id } = await connected()
    expect(await workOf(connector, lease)).toMatchObject([
      {
        campaign_id: id,
        generation: 1,
        why: 'changed',
        marker: `fd:${id.slice(-26)}`,
        intent: null,
      },
    ])
    expect(await report(applied)).toMatchObject({ index: 0, status: 200, state: 'in_sync' })
    expect(await shown()).toMatchObject({
      state: 'in_sync',
      applied_generation: 1,
      network_object_id: '218',
      drift: [],
      stale: false,
    })
    expect(await workOf(connector, lease)).toEqual([])
    expect((await eventsOf(organization)).slice(0, 3)).toEqual([
      'deployment.synced',
      'deployment.bound',
      'profile.connected',
    ])
  })

  test('may do nothing else', async () => {
    const { connector, owner, profile, id } = await connected()
    expect((await connector.get(`/profiles/${profile}`)).statusCode).toBe(200)
    for (const path of ['/campaigns', `/campaigns/${id}`, '/proxies', '/events', '/deployments'])
      expect(codeOf(await connector.get(path))).toEqual([403, 'insufficient_role'])
    expect(codeOf(await connector.post(`/campaigns/${id}/pause`))).toEqual([
      403,
      'insufficient_role',
    ])
    const body = { ...about, instance: 'mine' }
    expect(codeOf(await owner.post('/connector/leases', body))).toEqual([403, 'insufficient_role'])
  })

  test('hears of a change while it waits', async () => {
    const { connector, owner, lease, report, id } = await connected()
    await report(applied)
    const { lease_id, fence } = lease
    const waiting = connector.get(
      `/connector/work?lease_id=${lease_id}&fence=${fence}&wait_seconds=30`,
    )
    await owner.patch(`/campaigns/${id}`, { daily_budget: 50 })
    expect((await waiting).json().data).toMatchObject([{ generation: 2, why: 'changed' }])
  })

  test('renews its lease, which no other can have', async () => {
    const { owner, connector, lease } = await connected()
    expect(await leased(connector, 'one')).toEqual(lease)
    const other = (await madeKey(world, owner, { role: 'connector' })).client
    for (const client of [connector, other]) {
      const reply = await client.post('/connector/leases', { ...about, instance: 'two' })
      expect(codeOf(reply)).toEqual([409, 'lease_held'])
    }
    expect((await connector.delete(`/connector/leases/${lease.lease_id}`)).statusCode).toBe(204)
    const next = await leased(other, 'two')
    expect(next.fence).toBeGreaterThan(lease.fence)
    const late = await connector.post('/connector/reports', { ...lease, reports: [] })
    expect(codeOf(late)).toEqual([409, 'lease_lost'])
    const { lease_id, fence } = lease
    const work = await connector.get(`/connector/work?lease_id=${lease_id}&fence=${fence}`)
    expect(codeOf(work)).toEqual([409, 'lease_lost'])
  })
})

describe('a report', () => {
  test('of other values is drift, which is overwritten or adopted', async () => {
    const { owner, report, shown, connector, lease, path, id } = await connected()
    await report(applied)
    const seen = { outcome: 'observed', observed: { ...observed, daily_budget_minor: 9900 } }
    expect(await report(seen)).toMatchObject({ state: 'drifted' })
    expect((await shown()).drift).toMatchObject([
      {
        field: 'budget',
        desired: { daily_budget_minor: 3351 },
        observed: { daily_budget_minor: 9900 },
      },
    ])
    const campaign = (await owner.get(`/campaigns/${id}`)).json()
    expect(campaign.deployment).toMatchObject({ state: 'drifted', drift_fields: ['budget'] })
    expect(campaign.delivery).toEqual({ state: 'eligible', reasons: ['network_drift'] })
    expect(await workOf(connector, lease)).toEqual([])
    await owner.post(`${path}/overwrite`)
    expect(await workOf(connector, lease)).toMatchObject([{ why: 'drift' }])
    expect((await owner.post(`${path}/adopt`)).json()).toMatchObject({
      state: 'in_sync',
      generation: 2,
    })
    expect((await owner.get(`/campaigns/${id}`)).json().daily_budget).toBe(99)
  })

  test('of a failure is tried again later, and of a block by a person', async () => {
    const { owner, report, shown, connector, lease, path } = await connected()
    const error = { code: 'rate_limited', message: 'Too many requests.' }
    await report({ outcome: 'failed', error, retry_after_seconds: 60 })
    expect(await shown()).toMatchObject({
      state: 'failed',
      attempts: 1,
      error: { ...error, retry: 'transient' },
    })
    expect(await workOf(connector, lease)).toEqual([])
    await report({ outcome: 'blocked', error: { code: 'declaration', message: 'EU declaration.' } })
    expect(await shown()).toMatchObject({ state: 'blocked', retry_at: null })
    expect((await owner.post(`${path}/retry`)).json().state).toBe('pending')
    expect(await workOf(connector, lease)).toMatchObject([{ why: 'retry' }])
  })

  test('of what is gone blocks it until it is created anew', async () => {
    const { owner, report, shown, connector, lease, path } = await connected()
    await report(applied)
    await report({ outcome: 'gone' })
    expect(await shown()).toMatchObject({ state: 'blocked', error: { code: 'gone' } })
    expect((await owner.post(`${path}/retry`)).json()).toMatchObject({
      state: 'pending',
      network_object_id: null,
    })
    expect(await workOf(connector, lease)).toMatchObject([
      { mode: 'create', network_object_id: null },
    ])
  })

  test('of an older generation stores what was observed, and nothing else', async () => {
    const { owner, report, shown, id } = await connected()
    await owner.patch(`/campaigns/${id}`, { daily_budget: 50 })
    await report(applied)
    expect(await shown()).toMatchObject({
      state: 'pending',
      generation: 2,
      applied_generation: 0,
      network_object_id: '218',
      observed,
    })
    expect(await report({ ...applied, generation: 3 })).toMatchObject({ status: 422 })
    expect(await report({ ...applied, deployment_id: 'dpl_none' })).toMatchObject({ status: 404 })
  })

  test('ends a removal', async () => {
    const { owner, report, shown, connector, lease, path, id } = await connected()
    await report(applied)
    await owner.post(`${path}/remove`)
    expect(await workOf(connector, lease)).toMatchObject([{ why: 'remove' }])
    expect(await report({ outcome: 'applied' })).toMatchObject({ state: 'removed' })
    expect(await shown()).toMatchObject({ state: 'removed', available_actions: [] })
    await owner.post(`/campaigns/${id}/pause`)
    expect((await owner.delete(`/campaigns/${id}`)).statusCode).toBe(204)
  })

  test.each(['applied', 'unchanged'])(
    'of work from before a removal ends none: %s',
    async (outcome) => {
      const { owner, report, connector, lease, path } = await connected()
      await report(applied)
      await owner.post(`${path}/remove`)
      // The connector was at it when the removal was asked for: the network still has the campaign.
      expect(await report({ ...applied, outcome })).toMatchObject({ state: 'removing' })
      expect(await workOf(connector, lease)).toMatchObject([{ why: 'remove' }])
      expect(await report({ outcome: 'applied' })).toMatchObject({ state: 'removed' })
    },
  )

  test('that says nothing new costs no audit record', async () => {
    const { owner, report } = await connected()
    await report(applied)
    const newest = async () => (await owner.get('/audit_logs?limit=1')).json().data[0].sequence
    const before = await newest()
    await report({ outcome: 'unchanged', observed })
    await report({ outcome: 'observed', observed })
    expect(await newest()).toBe(before)
  })

  test('of coverage names the fields that deployments have', async () => {
    const { connector, lease, deployment } = await connected()
    const coverage = { schedule: 'native', colour: 'refused' }
    const reports = [{ deployment_id: deployment.id, generation: 1, ...applied, coverage }]
    const reply = await connector.post('/connector/reports', { ...lease, reports })
    expect([reply.statusCode, reply.json().errors]).toMatchObject([
      422,
      [{ pointer: '/reports/0/coverage/colour', code: 'unknown_field' }],
    ])
  })

  test('of coverage decides what runs: hours that the network keeps itself', async () => {
    const { owner, report, shown, id } = await connected()
    const now = new Date(world.clock.now())
    const day = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][(now.getUTCDay() + 3) % 7]
    await owner.patch(`/campaigns/${id}`, { schedule: [{ day, start: '09:00', end: '10:00' }] })
    expect((await shown()).desired.run).toBe('paused')
    await report({ ...applied, generation: 2, coverage: { schedule: 'native' } })
    expect(await shown()).toMatchObject({ generation: 3, desired: { run: 'enabled' } })
  })
})

test('profiles are found by their connection, and by the end of its credential', async () => {
  const { owner, connector, lease, profile } = await connected()
  const other = (await owner.post('/profiles', { name: 'Other' })).json().id
  const found = async (query: string) =>
    (await owner.get(`/profiles?${query}`)).json().data.map(({ id }: { id: string }) => id)
  expect(await found('connection_state=connected')).toEqual([profile])
  expect(await found('connection_state=none')).toEqual([other])
  expect(await found('connection_state=blocked,stale')).toEqual([])
  const credential = { state: 'valid', expires_at: '2027-01-10T00:00:00Z' }
  const account = { ref: 'a', currency: 'JPY', time_zone: 'UTC', status: 'active' }
  const reply = await connector.post('/connector/reports', {
    ...lease,
    profile_id: profile,
    account,
    credential,
    reports: [],
  })
  expect(reply.statusCode).toBe(207)
  expect(await found('connection_state=blocked')).toEqual([profile])
  expect(await found('connection_state=connected')).toEqual([])
  expect(await found('credential_expires_before=2027-01-10T00:00:01Z')).toEqual([profile])
  expect(await found('credential_expires_before=2027-01-10T00:00:00Z')).toEqual([])
  const wrong = await owner.get('/profiles?connection_state=other')
  expect(wrong.statusCode).toBe(400)
})

describe('what a network holds', () => {
  test('is adopted only as a request could send it', async () => {
    const { owner, report, path, id } = await connected()
    await report(applied)
    await report({
      outcome: 'observed',
      observed: { ...observed, name: `${'n'.repeat(300)}\u0007` },
    })
    const refused = await owner.post(`${path}/adopt`)
    expect(codeOf(refused)).toEqual([422, 'validation_failed'])
    expect(refused.json().errors).toMatchObject([
      { pointer: '/name', code: 'too_long' },
      { pointer: '/name', code: 'invalid_format' },
    ])
    expect((await owner.get(`/campaigns/${id}`)).json().name).toBe('Spring Sale')
  })

  test('is adopted also while something newer cannot be sent', async () => {
    const { owner, report, shown, path, id } = await connected()
    await report(applied)
    await owner.patch(`/campaigns/${id}`, { daily_budget: 50 })
    const blocked = { generation: 2, error: { code: 'cannot_change', message: 'Shared budget.' } }
    await report({ outcome: 'blocked', ...blocked })
    expect((await shown()).drift).toEqual([])
    expect((await owner.post(`${path}/adopt`)).json()).toMatchObject({ state: 'in_sync' })
    expect((await owner.get(`/campaigns/${id}`)).json().daily_budget).toBe(33.51)
  })

  test('is proposed as a change set, which the campaign follows once it is applied', async () => {
    const { owner, report, shown, path, id } = await connected()
    await report(applied)
    const seen = { ...observed, daily_budget_minor: 9900, run: 'paused' }
    await report({ outcome: 'observed', observed: seen })
    const headers = { 'idempotency-key': 'propose' }
    const tried = await owner.post(`${path}/adopt?as=change_set&validate_only=true`)
    expect([tried.statusCode, tried.json().summary.update]).toEqual([200, 1])
    const made = await owner.post(`${path}/adopt?as=change_set`, undefined, headers)
    const again = await owner.post(`${path}/adopt?as=change_set`, undefined, headers)
    expect([made.statusCode, again.statusCode]).toEqual([201, 201])
    const changeSet = made.json()
    expect(again.json().id).toBe(changeSet.id)
    expect(made.headers.location).toBe(`/api/v1/change_sets/${changeSet.id}`)
    expect(changeSet).toMatchObject({
      title: 'As in the network: Spring Sale',
      status: 'open',
      source: { reference: (await shown()).id },
      summary: { update: 1, action: 1, failed: 0 },
    })
    expect((await owner.get('/change_sets')).json().data).toHaveLength(1)
    expect(await shown()).toMatchObject({ state: 'drifted' })
    await owner.post(`/change_sets/${changeSet.id}/apply`)
    const campaign = (await owner.get(`/campaigns/${id}`)).json()
    expect([campaign.daily_budget, campaign.status]).toEqual([99, 'paused'])
    await report({ ...applied, generation: 3, outcome: 'unchanged', observed: seen })
    expect(await shown()).toMatchObject({ state: 'in_sync', drift: [] })
  })

  test('is proposed with the checks of any change set, and only where it differs', async () => {
    const { owner, report, path } = await connected()
    await report(applied)
    const refused = await owner.post(`${path}/adopt?as=change_set`)
    expect(codeOf(refused)).toEqual([409, 'invalid_state_transition'])
    await report({ outcome: 'observed', observed: { ...observed, name: 'n'.repeat(300) } })
    const outdated = { 'if-match': '"1"' }
    const stale = await owner.post(`${path}/adopt?as=change_set`, undefined, outdated)
    expect(codeOf(stale)).toEqual([412, 'version_mismatch'])
    const made = (await owner.post(`${path}/adopt?as=change_set`)).json()
    expect(made).toMatchObject({ applicable: false, summary: { failed: 1 } })
    expect(made.failures[0].problem.errors).toMatchObject([
      { pointer: '/operations/0/body/name', code: 'too_long' },
    ])
    const unknown = await owner.post(`${path}/adopt?as=nothing`)
    expect(unknown.statusCode).toBe(400)
  })

  test('is not sent without end where the network does not keep it', async () => {
    const { report, shown, connector, lease } = await connected({
      mode: 'create',
      drift_policy: 'overwrite',
    })
    const kept = { ...applied, observed: { ...observed, run: 'paused' } }
    expect(await report(kept)).toMatchObject({ state: 'drifted' })
    expect(await workOf(connector, lease)).toEqual([])
    expect(await shown()).toMatchObject({ attempts: 1, retry_at: expect.any(String) })
    await report(kept)
    expect(await shown()).toMatchObject({ attempts: 2 })
    await report(applied)
    expect(await shown()).toMatchObject({ state: 'in_sync', attempts: 0, retry_at: null })
  })

  test('stays bound: it is detached before another is linked', async () => {
    const { owner, report, path } = await connected()
    await report(applied)
    const other = await owner.put(path, { mode: 'link', network_object_id: '999' })
    expect(other.json().errors).toMatchObject([
      { pointer: '/mode', code: 'immutable_field' },
      { pointer: '/network_object_id', code: 'immutable_field' },
    ])
    await report({ outcome: 'gone' })
    expect((await owner.put(path, { mode: 'link', network_object_id: '999' })).statusCode).toBe(200)
  })

  test('is removed at one try, and again only if a person asks', async () => {
    const { owner, report, connector, lease, path } = await connected()
    await report(applied)
    await owner.post(`${path}/remove`)
    const error = { code: 'permission', message: 'Not allowed.' }
    expect(await report({ outcome: 'blocked', error })).toMatchObject({ state: 'removing' })
    expect(await workOf(connector, lease)).toEqual([])
    await owner.post(`${path}/retry`)
    expect(await workOf(connector, lease)).toMatchObject([{ why: 'remove' }])
  })
})

describe('faults of single reports', () => {
  test('leave the others as they are', async () => {
    const { organization, owner, profile, connector, lease, deployment } = await connected()
    const id = await made(owner, '/campaigns', campaignBody(profile))
    const other = (await owner.put(`/campaigns/${id}/deployment`, { mode: 'create' })).json()
    const reportOf = (deployment_id: string, more: object) => ({
      deployment_id,
      generation: 1,
      ...more,
    })
    const large = { settings: { text: 'x'.repeat(9_000) } }
    const reports = [
      reportOf(deployment.id, { outcome: 'applied' }),
      reportOf(deployment.id, applied),
      reportOf(other.id, applied),
      reportOf(other.id, { outcome: 'observed', observed: large }),
    ]
    const reply = await connector.post('/connector/reports', { ...lease, reports })
    const results = reply
      .json()
      .results.map(({ status, problem, state }: Record<string, unknown>) => [
        status,
        (problem as { code: string } | undefined)?.code ?? state,
      ])
    expect(results).toEqual([
      [422, 'validation_failed'],
      [200, 'in_sync'],
      [409, 'network_object_taken'],
      [422, 'validation_failed'],
    ])
    expect(await eventsOf(organization)).toContain('deployment.synced')
  })
})

describe('a wait for work', () => {
  test('ends when the same process asks again, and when the service stops', async () => {
    const own = await openWorld()
    const { connector, lease, report } = await connected({ mode: 'create' }, own)
    await report(applied)
    const { lease_id, fence } = lease
    const path = `/connector/work?lease_id=${lease_id}&fence=${fence}&wait_seconds=30`
    const begun = performance.now()
    const first = connector.get(path)
    await new Promise((resolve) => setTimeout(resolve, 200))
    const second = connector.get(path)
    expect((await first).json().data).toEqual([])
    own.services.observability.readiness.drain()
    expect((await second).json().data).toEqual([])
    expect(performance.now() - begun).toBeLessThan(20_000)
    await own.close()
  })
})

test('a lease that has ended and holds nothing is forgotten', async () => {
  const { organization, owner, connector } = await connected()
  const own = async () =>
    (
      await organization.ctx.services.database.reader.query<{ instance: string }>({
        sql: 'select instance from connector_leases where organization_id = $1 order by instance',
        parameters: [organization.id],
      })
    ).map(({ instance }) => instance)
  const other = { ...about, platform: 'meta', ttl_seconds: 15 }
  await connector.post('/connector/leases', { ...other, instance: 'idle' })
  expect(await own()).toEqual(['idle', 'one'])
  const { database } = organization.ctx.services
  const past = `update connector_leases set expires_at = now() - interval '1 hour'
    where organization_id = $1 and instance = 'idle'`
  await database.transaction(async (tx) => tx.send({ sql: past, parameters: [organization.id] }))
  await leased(connector, 'one')
  expect(await own()).toEqual(['one'])
  expect((await owner.get('/deployments')).statusCode).toBe(200)
})

describe('an intent', () => {
  test('is kept until the object is known, or two looks have found none', async () => {
    const { connector, lease, deployment, report } = await connected()
    const body = { ...lease, deployment_id: deployment.id, generation: 1 }
    expect((await connector.post('/connector/intents', body)).statusCode).toBe(200)
    const intents = async () =>
      (await workOf(connector, lease)).map(({ intent }: { intent: unknown }) => intent)
    expect(await intents()).toMatchObject([{ generation: 1, looks: 0 }])
    await report({ outcome: 'checked' })
    expect(await intents()).toMatchObject([{ looks: 1 }])
    await report({ outcome: 'checked' })
    expect(await intents()).toEqual([null])
    const newer = await connector.post('/connector/intents', { ...body, generation: 2 })
    expect(codeOf(newer)).toEqual([409, 'invalid_state_transition'])
  })
})

describe('the connection of a profile', () => {
  test('shows its connector, and blocks an account of another currency', async () => {
    const { owner, profile, connector, lease, report } = await connected()
    const connection = async () => (await owner.get(`/profiles/${profile}/connection`)).json()
    expect(await connection()).toMatchObject({
      state: 'connected',
      connector: { adapter: 'sim', instance: 'one' },
      account: null,
      deployments: { pending: 1 },
    })
    const account = { ref: '123', currency: 'EUR', time_zone: 'UTC', status: 'active' }
    await report({ outcome: 'checked' }, { account })
    expect(await connection()).toMatchObject({
      state: 'blocked',
      error: { code: 'currency_mismatch' },
    })
    expect(await workOf(connector, lease)).toEqual([])
    const right = { ...account, currency: 'USD' }
    const elsewhere = { ...right, time_zone: 'Europe/Berlin' }
    await report({ outcome: 'checked' }, { account: elsewhere })
    expect(await connection()).toMatchObject({ error: { code: 'time_zone_mismatch' } })
    await owner.patch(`/profiles/${profile}`, { time_zone: 'Europe/Berlin' })
    expect(await connection()).toMatchObject({ state: 'connected', error: null })
    await owner.patch(`/profiles/${profile}`, { time_zone: 'UTC' })
    expect((await connection()).state).toBe('blocked')
    await report({ outcome: 'checked' }, { account: right, credential: { state: 'expired' } })
    expect(await connection()).toMatchObject({ error: { code: 'credential' } })
    await report({ outcome: 'checked' }, { account: right, credential: { state: 'valid' } })
    expect(await connection()).toMatchObject({ state: 'connected', error: null })
    expect(await workOf(connector, lease)).toHaveLength(1)
    await report({ outcome: 'checked' }, { account: { ...right, ref: '124' } })
    expect(await eventsOf({ owner })).toContain('profile.account_changed')
  })

  test('of an account that never had a connector is none', async () => {
    const organization = await world.organization()
    const profile = await profileOf(organization)
    expect((await organization.owner.get(`/profiles/${profile}/connection`)).json()).toEqual({
      state: 'none',
      connector: null,
      account: null,
      credential: null,
      error: null,
      last_seen_at: null,
      deployments: {},
    })
  })
})

describe('a credential that ends', () => {
  test('is warned of 14, 7 and 1 days before, once each', async () => {
    const own = await openOwnWorld()
    try {
      const { owner, report } = await connected({ mode: 'create' }, own)
      // Sessions end sooner.
      const reader = (await madeKey(own, owner, { role: 'admin' })).client
      const warned = async () => {
        await warnOfExpiring(own.services)
        await warnOfExpiring(own.services)
        const types: string[] = await eventsOf({ owner: reader })
        return types.filter((type) => type === 'profile.credential_expiring').length
      }
      const day = 24 * 3_600_000
      const endsIn = (days: number) => {
        const expires_at = new Date(own.clock.now().getTime() + days * day).toISOString()
        return report({ outcome: 'failed' }, { credential: { state: 'valid', expires_at } })
      }
      await endsIn(15)
      expect(await warned()).toBe(0)
      const counts: number[] = []
      for (const days of [2, 6, 1, 5, 2]) {
        own.clock.advance(days * day)
        counts.push(await warned())
      }
      expect(counts).toEqual([1, 2, 2, 3, 3])
    } finally {
      await own.close()
    }
  })
})
