import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayOf, report } from '../support/cases/results.ts'
import { campaignBody, made, profileOf } from '../support/cases/writes.ts'
import { guard } from '../support/clients/second-factor.ts'
import { watch } from '../support/documented.ts'
import { type Portfolio, portfolio, scopedKey, scopedMember } from '../support/scoped.ts'
import {
  type Client,
  faultsOf,
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../support/world.ts'

let world: World
let acme: TestOrganization
let owner: Client
let mine: Portfolio
let others: Portfolio
/** Sees the client of `mine`. */
let editor: Client

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
  acme = await world.organization()
  owner = acme.owner
  mine = await portfolio(world, acme, 'mine')
  others = await portfolio(world, acme, 'others')
  editor = await scopedMember(acme, 'editor', { client_ids: [mine.client_id] })
})
afterAll(() => world.close())

const idsIn = async (client: Client, path: string) =>
  (await client.get(path)).json().data.map(({ id }: { id: string }) => id)

describe('what a scope shows', () => {
  test.each([
    ['a client', () => ({ client_ids: [mine.client_id] })],
    ['a profile', () => ({ profile_ids: [mine.profile_id] })],
    ['a label', () => ({ labels: ['mine', 'no one’s'] })],
    ['all three', () => ({ client_ids: [mine.client_id, others.client_id], labels: ['mine'] })],
  ])('by %s', async (_, scope) => {
    const member = await scopedMember(acme, 'editor', scope())
    expect(await idsIn(member, '/campaigns')).toEqual([mine.campaign_id])
    expect(await idsIn(member, '/profiles')).toEqual([mine.profile_id])
    expect(await idsIn(member, '/clients')).toEqual([mine.client_id])
    expect(await idsIn(member, '/change_sets')).toContain(mine.change_set_id)
    expect(await idsIn(member, '/change_sets')).not.toContain(others.change_set_id)
    const deployed = (await member.get('/deployments')).json().data
    expect(deployed).toMatchObject([{ campaign_id: mine.campaign_id }])
    const paced = (await member.get('/pacing?include_total=true')).json()
    expect([paced.meta.total, paced.data[0].campaign_id]).toEqual([1, mine.campaign_id])
    for (const by of ['campaign', 'profile', 'client', 'label', 'day', 'source', 'platform']) {
      const { meta } = (await member.get(`/results?period=last_7_days&group_by=${by}`)).json()
      expect([by, meta.totals]).toMatchObject([by, [{ spend_minor: 3750 }]])
    }
    const sources = (await member.get('/results/sources')).json().data
    expect(sources).toMatchObject([{ source: 'google_ads', campaign_count: 1 }])
    const { caps } = (await member.get('/limits')).json()
    expect(caps).toMatchObject({
      campaigns: { used: 1 },
      clients: { used: 1 },
      proxies: { used: 0 },
    })
    const types = (await member.get('/events?limit=100')).json().data
    const about = JSON.stringify(types)
    expect(about).toContain('"type":"campaign.activated"')
    expect(about).toContain('"type":"results.reported"')
    expect(about).toContain('"type":"deployment.created"')
    for (const id of Object.values(others)) expect(about).not.toContain(id)
  })

  test('the size of it, which is measured once a minute', async () => {
    const member = await scopedMember(acme, 'editor', { client_ids: [mine.client_id] })
    const measuredAt = async () => (await member.get('/limits')).json().storage.measured_at
    const first = await measuredAt()
    world.clock.advance(59_000)
    expect(await measuredAt()).toBe(first)
    world.clock.advance(1_000)
    expect(await measuredAt()).not.toBe(first)
  })

  test('that is nothing, where the client was deleted', async () => {
    const client = await made(owner, '/clients', { name: 'Gone' })
    const member = await scopedMember(acme, 'viewer', { client_ids: [client] })
    expect(await idsIn(member, '/clients')).toEqual([client])
    await owner.delete(`/clients/${client}`)
    for (const path of ['/clients', '/campaigns', '/profiles']) {
      expect(await idsIn(member, path)).toEqual([])
    }
    const renamed = await owner.patch(`/members/${member.userId}`, {
      name: 'Still here',
      scope: { client_ids: [client] },
    })
    expect(renamed.json()).toMatchObject({ name: 'Still here', scope: { client_ids: [client] } })
  })

  test('no proxy of a profile, in no answer about it', async () => {
    const proxy = await made(owner, '/proxies', { protocol: 'http', host: 'a.test', port: 8080 })
    const client_id = await made(owner, '/clients', { name: 'Behind a proxy' })
    const profile = await profileOf(acme, { client_id, proxy_id: proxy })
    const member = await scopedMember(acme, 'editor', { client_ids: [client_id] })
    for (const path of [
      `/profiles/${profile}`,
      '/profiles',
      `/profiles/${profile}/history`,
      '/events',
      '/proxies',
    ]) {
      const reply = await member.get(path)
      expect([path, reply.statusCode]).toEqual([path, 200])
      expect(reply.body).not.toContain(proxy)
    }
    expect((await member.get(`/profiles?proxy_id=${proxy}`)).json().data).toEqual([])
  })

  test('campaigns that are deleted, to whom they were in scope of', async () => {
    const id = await made(owner, '/campaigns', { ...campaignBody(mine.profile_id), name: 'Brief' })
    const other = await made(owner, '/campaigns', campaignBody(others.profile_id))
    await owner.delete(`/campaigns/${id}`)
    await owner.delete(`/campaigns/${other}`)
    const { data } = (await editor.get('/events?type=campaign.deleted')).json()
    expect(data).toMatchObject([{ data: { object: { id } } }])
  })

  test('oneself, with the scope', async () => {
    const scope = { client_ids: [mine.client_id] }
    expect((await editor.get('/auth/me')).json()).toMatchObject({ scope })
    expect((await owner.get('/auth/me')).json()).toMatchObject({ scope: null })
    expect((await editor.get('/auth/sessions')).json().data).toHaveLength(1)
  })

  test('one’s own second factors, where they are required too', async () => {
    const strict = await world.organization()
    await guard(world, strict.owner)
    const client = await made(strict.owner, '/clients', { name: 'Scoped' })
    const member = await scopedMember(strict, 'editor', { client_ids: [client] })
    const body = { require_second_factor: true }
    expect((await strict.owner.patch('/organization', body)).statusCode).toBe(200)
    expect((await member.get('/campaigns')).json().code).toBe('second_factor_required')
    const { id } = await guard(world, member)
    expect((await member.get('/campaigns')).statusCode).toBe(200)
    expect((await member.delete(`/auth/factors/${id}`)).statusCode).toBe(204)
    const other = await strict.as('viewer')
    expect((await member.patch(`/members/${other.userId}`, { name: 'X' })).statusCode).toBe(403)
    expect((await member.patch(`/members/${member.userId}`, { scope: null })).statusCode).toBe(403)
  })

  test('not the whole audit log, which cannot be verified in parts', async () => {
    const auditor = await scopedMember(acme, 'auditor', { client_ids: [mine.client_id] })
    const { data } = (await auditor.get('/audit_logs?limit=100')).json()
    const types = new Set(data.map(({ resource }: { resource: { type: string } }) => resource.type))
    expect(types).toContain('campaign')
    expect(JSON.stringify(data)).not.toContain(others.campaign_id)
    const refused = await auditor.get('/audit_logs/verify')
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'out_of_scope'])
    expect((await auditor.get('/audit_logs/checkpoints')).json().data).toEqual([])
  })
})

describe('what holders of a scope write', () => {
  test('ends within it, or is refused', async () => {
    const labelled = await scopedMember(acme, 'editor', { labels: ['mine'] })
    const path = `/campaigns/${mine.campaign_id}`
    const away = await labelled.patch(path, { labels: ['all'] })
    expect([away.statusCode, away.json().code]).toEqual([403, 'out_of_scope'])
    expect((await labelled.patch(path, { labels: ['mine', 'all', 'more'] })).statusCode).toBe(200)
    const body = campaignBody(mine.profile_id)
    expect((await labelled.post('/campaigns', body)).json().code).toBe('out_of_scope')
    const denied = await owner.get('/audit_logs?outcome=denied&limit=2')
    expect(denied.json().data).toMatchObject([
      { action: 'campaign.created', resource: { id: null }, request: { status: 403 } },
      { action: 'campaign.updated', resource: { id: mine.campaign_id } },
    ])
    const inside = await labelled.post('/campaigns', { ...body, labels: ['mine'] })
    expect(inside.statusCode).toBe(201)
    await owner.delete(`/campaigns/${inside.json().id}`)
  })

  test('ends within it, or is refused alone, in bulk and in change sets', async () => {
    const labelled = await scopedMember(acme, 'editor', { labels: ['mine'] })
    const id = mine.campaign_id
    const operations = [
      { op: 'update', id, body: { notes: 'in' } },
      { op: 'update', id, body: { labels: [] } },
    ]
    const bulk = await labelled.post('/campaigns/bulk', { mode: 'partial', operations })
    expect(bulk.statusCode).toBe(207)
    expect(bulk.json().results).toMatchObject([
      { status: 200 },
      { status: 403, problem: { code: 'out_of_scope' } },
    ])
    expect((await owner.get(`/campaigns/${id}`)).json()).toMatchObject({ notes: 'in' })
    const atomic = await labelled.post('/campaigns/bulk', { mode: 'atomic', operations })
    expect([atomic.statusCode, faultsOf(atomic)]).toEqual([422, ['/operations/1 out_of_scope']])
    const set = await labelled.post('/change_sets', { title: 'Away', operations })
    expect([set.statusCode, set.json().applicable]).toEqual([201, false])
    expect((await labelled.get(`/change_sets/${set.json().id}`)).statusCode).toBe(200)
    expect((await owner.get(`/campaigns/${id}`)).json().labels).toContain('mine')
  })

  test('refers to what is seen', async () => {
    const body = campaignBody(others.profile_id)
    const there = await editor.post('/campaigns', body)
    expect(faultsOf(there)).toEqual(['/profile_id invalid_reference'])
    const rows = [{ campaign_id: others.campaign_id, date: dayOf(world, -1), spend: 1 }]
    const { results } = (await report(editor, { rows })).json()
    expect(results).toMatchObject([{ outcome: 'failed', problem: {} }])
    expect(JSON.stringify(results)).toContain('invalid_reference')
    const operations = [{ op: 'update', id: others.campaign_id, body: { notes: 'x' } }]
    const bulk = await editor.post('/campaigns/bulk', { mode: 'partial', operations })
    expect(bulk.json().results).toMatchObject([{ problem: { code: 'not_found' } }])
  })

  test('moves no draft to another’s account', async () => {
    const id = await made(editor, '/campaigns', campaignBody(mine.profile_id))
    const moved = await editor.patch(`/campaigns/${id}`, { profile_id: others.profile_id })
    expect(faultsOf(moved)).toEqual(['/profile_id invalid_reference'])
    expect((await editor.delete(`/campaigns/${id}`)).statusCode).toBe(204)
  })

  test('is no template', async () => {
    const id = await made(owner, '/templates', { name: 'Shared' })
    expect((await editor.get(`/templates/${id}`)).statusCode).toBe(200)
    const refused = [
      await editor.patch(`/templates/${id}`, { name: 'Mine' }),
      await editor.delete(`/templates/${id}`),
      await editor.post('/templates', { name: 'Mine' }),
      await editor.post(`/campaigns/${mine.campaign_id}/save_as_template`, { name: 'Mine' }),
    ]
    for (const reply of refused) {
      expect([reply.statusCode, reply.json().code]).toEqual([403, 'out_of_scope'])
    }
  })

  test('is the plan of a client that is seen as a whole', async () => {
    const path = `/clients/${mine.client_id}/budgets/2026-12`
    const body = { amounts: { USD: 900 } }
    expect((await editor.put(path, body)).statusCode).toBe(201)
    const part = await scopedMember(acme, 'editor', {
      client_ids: [mine.client_id],
      labels: ['elsewhere'],
    })
    const labelled = await made(owner, '/campaigns', {
      ...campaignBody(mine.profile_id),
      labels: ['elsewhere'],
    })
    expect((await part.get(`/clients/${mine.client_id}`)).statusCode).toBe(200)
    for (const plan of ['budgets', 'pacing'])
      expect((await part.get(`/clients/${mine.client_id}/${plan}`)).statusCode).toBe(404)
    expect((await part.put(path, body)).json().code).toBe('out_of_scope')
    const changed = '/events?type=client.budget_changed'
    expect((await editor.get(changed)).json().data).toHaveLength(1)
    expect((await part.get(changed)).json().data).toEqual([])
    expect((await part.delete(path)).statusCode).toBe(404)
    await owner.delete(`/campaigns/${labelled}`)
    expect((await owner.get(path.replace('/2026-12', ''))).body).toContain('900')
    expect((await editor.delete(path)).statusCode).toBe(204)
  })

  test('is judged by all of the account, not by what is seen of it', async () => {
    const client_id = await made(owner, '/clients', { name: 'Capped' })
    const profile = await profileOf(acme, { client_id, daily_budget_cap: 100 })
    const body = { ...campaignBody(profile), daily_budget: 70 }
    const first = await made(owner, '/campaigns', body)
    expect((await owner.post(`/campaigns/${first}/launch`)).statusCode).toBe(200)
    const second = await made(owner, '/campaigns', { ...body, labels: ['seen'] })
    const member = await scopedMember(acme, 'editor', { labels: ['seen'] })
    const launched = await member.post(`/campaigns/${second}/launch`)
    expect([launched.statusCode, launched.json().code]).toEqual([422, 'guardrail_violation'])
  })

  test('starts no campaign whose proxy fails, though no proxy is seen', async () => {
    const proxy_id = await made(owner, '/proxies', { protocol: 'http', host: 'b.test', port: 8080 })
    const client_id = await made(owner, '/clients', { name: 'Disabled proxy' })
    const profile = await profileOf(acme, { client_id, proxy_id })
    await owner.patch(`/proxies/${proxy_id}`, { enabled: false })
    const member = await scopedMember(acme, 'editor', { client_ids: [client_id] })
    const id = await made(member, '/campaigns', campaignBody(profile))
    const asOwner = (await owner.get(`/campaigns/${id}`)).json()
    expect((await member.get(`/campaigns/${id}`)).json().delivery).toEqual(asOwner.delivery)
  })
})

describe('an answer from before', () => {
  test('is not replayed, once its object is out of scope', async () => {
    const member = await scopedMember(acme, 'editor', { client_ids: [mine.client_id] })
    const key = { 'idempotency-key': 'scoped' }
    const path = `/campaigns/${mine.campaign_id}`
    const body = { notes: 'first' }
    expect((await member.patch(path, body, key)).statusCode).toBe(200)
    expect((await member.patch(path, body, key)).headers['idempotency-replayed']).toBe('true')
    await owner.patch(`/members/${member.userId}`, { scope: { client_ids: [others.client_id] } })
    const after = await member.patch(path, body, key)
    expect([after.statusCode, after.json().code]).toEqual([404, 'not_found'])
  })

  test('gives no cursor that another scope continues', async () => {
    await made(owner, '/campaigns', campaignBody(mine.profile_id))
    const { next_cursor } = (await editor.get('/campaigns?limit=1')).json().meta
    const followed = `/campaigns?cursor=${next_cursor}`
    expect((await editor.get(followed)).statusCode).toBe(200)
    const other = await scopedMember(acme, 'editor', { labels: ['mine'] })
    for (const client of [other, owner]) {
      expect((await client.get(followed)).json().code).toBe('invalid_cursor')
    }
    const ofOwner = (await owner.get('/campaigns?limit=1')).json().meta.next_cursor
    expect((await editor.get(`/campaigns?cursor=${ofOwner}`)).json().code).toBe('invalid_cursor')
    const history = `/campaigns/${mine.campaign_id}/history`
    const page = (await editor.get(`${history}?limit=1`)).json()
    const next = await editor.get(`${history}?cursor=${page.meta.next_cursor}`)
    expect(next.json().data.at(-1)).toMatchObject({ version: 1 })
  })
})

describe('keys', () => {
  test('see what they are given, and report and connect no other accounts', async () => {
    const scope = { client_ids: [mine.client_id] }
    const reporter = await scopedKey(world, acme, { role: 'reporter', scope })
    const reported = await idsIn(reporter, '/campaigns')
    expect(reported).toContain(mine.campaign_id)
    expect(reported).not.toContain(others.campaign_id)
    const connector = await scopedKey(world, acme, { role: 'connector', scope })
    const lease = {
      ...{ instance: 'one', adapter: 'sim', adapter_version: '1', platform: 'other' },
      ...{ api_version: 'v1', ttl_seconds: 60 },
    }
    const taken = await connector.post('/connector/leases', lease)
    expect([taken.statusCode, taken.body]).toEqual([expect.toSatisfy((it) => it < 300), taken.body])
    const held = taken.json().profiles.map(({ id }: { id: string }) => id)
    expect(held).toEqual([mine.profile_id])
    const asked = { ...lease, profile_ids: [others.profile_id] }
    expect((await connector.post('/connector/leases', asked)).statusCode).toBe(422)
  })

  test('of connectors get the proxies that they are to go by', async () => {
    const access = { protocol: 'http', host: 'a.test', port: 3128, username: 'ann' }
    const proxy = await made(owner, '/proxies', { name: 'Way', ...access, password: 'hush' })
    await owner.patch(`/profiles/${mine.profile_id}`, { proxy_id: proxy })
    const scope = { profile_ids: [mine.profile_id] }
    const connector = await scopedKey(world, acme, { role: 'connector', scope })
    const lease = {
      ...{ instance: 'proxied', adapter: 'sim', adapter_version: '1', platform: 'other' },
      ...{ api_version: 'v1', ttl_seconds: 60 },
    }
    world.clock.advance(120_000)
    const { profiles } = (await connector.post('/connector/leases', lease)).json()
    expect(profiles).toMatchObject([
      { id: mine.profile_id, proxy: { ...access, password: 'hush' } },
    ])
    await owner.patch(`/profiles/${mine.profile_id}`, { proxy_id: null })
  })

  test('see at most what their makers do now', async () => {
    const maker = await acme.as('admin')
    const made = await maker.post('/api_keys', { name: 'Mine', role: 'viewer' })
    expect(made.json().scope).toBeNull()
    const { authorization } = { authorization: `Bearer ${made.json().key}` }
    const seen = async () =>
      (await world.anonymous.get('/clients?include_total=true', { authorization })).json()
    expect((await seen()).data.length).toBeGreaterThan(1)
    const scope = { client_ids: [mine.client_id] }
    await owner.patch(`/members/${maker.userId}`, { role: 'editor', scope })
    expect((await seen()).data).toMatchObject([{ id: mine.client_id }])
  })
})

describe('a scope', () => {
  const patch = async (body: object) => {
    const member = await acme.as('viewer')
    return owner.patch(`/members/${member.userId}`, body)
  }

  test.each([
    [{ scope: {} }, ['/scope invalid_format']],
    [{ scope: { client_ids: [] } }, ['/scope/client_ids too_short']],
    [{ scope: { labels: Array.from({ length: 21 }, String) } }, ['/scope/labels too_many_items']],
    [{ scope: { colours: ['red'] } }, ['/scope/colours unknown_field']],
    [{ scope: { client_ids: ['cli_x'] } }, ['/scope/client_ids/0 invalid_reference']],
    [{ scope: { labels: ['a'] }, role: 'admin' }, ['/scope scope_not_allowed']],
  ])('%j is refused', async (body, faults) => {
    const reply = await patch(body)
    expect([reply.statusCode, faultsOf(reply)]).toEqual([422, expect.arrayContaining(faults)])
  })

  test('is never that of owners, admins and their keys', async () => {
    const scope = { client_ids: [mine.client_id] }
    for (const role of ['owner', 'admin']) {
      const key = await owner.post('/api_keys', { name: 'Key', role, scope })
      expect(faultsOf(key)).toEqual(['/scope scope_not_allowed'])
    }
    const member = await scopedMember(acme, 'viewer', scope)
    const path = `/members/${member.userId}`
    expect(faultsOf(await owner.patch(path, { role: 'admin' }))).toEqual([
      '/scope scope_not_allowed',
    ])
    const promoted = await owner.patch(path, { role: 'admin', scope: null })
    expect(promoted.json()).toMatchObject({ role: 'admin', scope: null })
    expect(await idsIn(member, '/clients')).toContain(others.client_id)
  })

  test('is merged by a merge patch, and holds at the next request', async () => {
    const member = await scopedMember(acme, 'viewer', { client_ids: [others.client_id] })
    expect(await idsIn(member, '/clients')).toEqual([others.client_id])
    const merge = { 'content-type': 'application/merge-patch+json' }
    const body = JSON.stringify({ scope: { labels: ['mine'], client_ids: null } })
    const patched = await owner.patch(`/members/${member.userId}`, body, merge)
    expect(patched.json().scope).toEqual({ labels: ['mine'] })
    expect(await idsIn(member, '/clients')).toEqual([mine.client_id])
  })
})
