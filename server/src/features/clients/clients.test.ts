import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { made } from '../../../test/support/cases/writes.ts'
import {
  type Client,
  faultsOf,
  openWorld,
  type Reply,
  type World,
} from '../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({ env: { FLIGHTDECK_CAPS: 'clients=30' } })
})
afterAll(() => world.close())

const codeOf = (reply: Reply) => [reply.statusCode, reply.json().code]

type Shown = { id: string; name: string }

const get = async (api: Client, path: string) => (await api.get(path)).json()
const namesIn = async (api: Client, query = ''): Promise<string[]> =>
  (await get(api, `/clients?sort=name${query}`)).data.map(({ name }: Shown) => name)
const typesOf = async (api: Client): Promise<string[]> =>
  (await get(api, '/events')).data.map(({ type }: { type: string }) => type)

describe('a client', () => {
  test('is made, changed, archived, unarchived and deleted, with an event each', async () => {
    const { owner } = await world.organization()
    const body = { name: ' Northwind ', currency: 'EUR', time_zone: 'Europe/Berlin' }
    const reply = await owner.post('/clients', body)
    expect([reply.statusCode, reply.headers.etag]).toEqual([201, '"1"'])
    const client = reply.json()
    expect(reply.headers.location).toBe(`/api/v1/clients/${client.id}`)
    expect(client).toMatchObject({ ...body, name: 'Northwind', status: 'active', notes: null })
    const path = `/clients/${client.id}`
    const changed = await owner.patch(path, { notes: 'Pays late' }, { 'if-match': '"1"' })
    expect(changed.json()).toMatchObject({ notes: 'Pays late', version: 2 })
    expect(codeOf(await owner.patch(path, { notes: null }, { 'if-match': '"1"' }))).toEqual([
      412,
      'version_mismatch',
    ])
    await owner.put(path, { status: 'archived' })
    await owner.patch(path, { status: 'active' })
    expect((await owner.patch(path, { status: 'active' })).json().version).toBe(4)
    expect((await owner.delete(path)).statusCode).toBe(204)
    expect((await owner.get(path)).statusCode).toBe(404)
    const acts = ['deleted', 'unarchived', 'archived', 'updated', 'created']
    const expected = acts.map((act) => `client.${act}`)
    expect((await typesOf(owner)).slice(0, 5)).toEqual(expected)
    const { data } = await get(owner, `/audit_logs?resource_id=${client.id}`)
    expect(data.map(({ action }: { action: string }) => action)).toEqual(expected)
  })

  test('is refused with every fault at once', async () => {
    const { owner } = await world.organization()
    const body = { name: '', currency: 'XXX', time_zone: 'Mars/Olympus', status: 'gone' }
    expect(faultsOf(await owner.post('/clients', body)).sort()).toEqual([
      '/currency unsupported_currency',
      '/name too_short',
      '/status invalid_enum_value',
      '/time_zone invalid_enum_value',
    ])
  })

  const same = [
    ['in case and space', 'Acme', ' ACME '],
    ['in width', 'Acme', 'Ａｃｍｅ'],
    ['in the sharp s', 'Straße', 'STRASSE'],
    ['in the final sigma', 'ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
    ['in composition', 'Café', 'CAFE\u0301'],
    ['in nothing, however long', 'ﷺ'.repeat(255), 'ﷺ'.repeat(255)],
  ] as const
  test.each(same)('has a name that no other has but %s', async (_, one, other) => {
    const { owner } = await world.organization()
    const id = await made(owner, '/clients', { name: one })
    const free = await made(owner, '/clients', { name: 'Other' })
    const taken = [409, 'duplicate_name']
    expect(codeOf(await owner.post('/clients', { name: other }))).toEqual(taken)
    expect(codeOf(await owner.patch(`/clients/${free}`, { name: other }))).toEqual(taken)
    expect(codeOf(await owner.post('/clients?validate_only=true', { name: other }))).toEqual(taken)
    // Its own, spelled otherwise.
    expect((await owner.patch(`/clients/${id}`, { name: other })).statusCode).toBe(200)
    await owner.patch(`/clients/${id}`, { status: 'archived' })
    expect(codeOf(await owner.post('/clients', { name: one }))).toEqual(taken)
    const stranger = await world.organization()
    expect((await stranger.owner.post('/clients', { name: one })).statusCode).toBe(201)
  })

  test('that differs by an accent is another one', async () => {
    const { owner } = await world.organization()
    await made(owner, '/clients', { name: 'Café' })
    expect((await owner.post('/clients', { name: 'Cafe' })).statusCode).toBe(201)
  })

  test('with profiles cannot be deleted', async () => {
    const { owner } = await world.organization()
    const id = await made(owner, '/clients', { name: 'Acme' })
    const profile = await made(owner, '/profiles', { name: 'Ads', client_id: id })
    const reply = await owner.delete(`/clients/${id}`)
    expect(codeOf(reply)).toEqual([409, 'resource_in_use'])
    expect(reply.json().references).toEqual([{ type: 'profile', id: profile, name: 'Ads' }])
    await owner.patch(`/profiles/${profile}`, { client_id: null })
    expect((await owner.delete(`/clients/${id}`)).statusCode).toBe(204)
  })

  test('that is archived is left out of lists and exports unless they ask for it', async () => {
    const { owner } = await world.organization()
    await made(owner, '/clients', { name: 'Acme' })
    await made(owner, '/clients', { name: 'Gone', status: 'archived' })
    expect(await namesIn(owner)).toEqual(['Acme'])
    expect(await namesIn(owner, '&status=archived')).toEqual(['Gone'])
    expect(await namesIn(owner, '&include_archived=true')).toEqual(['Acme', 'Gone'])
    const rows = async (query: string) => (await owner.get(`/clients/export?${query}`)).body
    expect(JSON.parse(await rows('format=ndjson'))).toMatchObject({ name: 'Acme' })
    const [header, ...lines] = (await rows('format=csv&include_archived=true')).trim().split('\r\n')
    expect(header).toMatch(/^id,name,currency,time_zone,status,/)
    expect(lines).toHaveLength(2)
  })

  test('is written by owners and admins, and read by all', async () => {
    const organization = await world.organization()
    const id = await made(await organization.as('admin'), '/clients', { name: 'Acme' })
    for (const role of ['editor', 'viewer', 'auditor'] as const) {
      const api = await organization.as(role)
      expect((await api.get(`/clients/${id}`)).statusCode).toBe(200)
      for (const reply of [
        await api.post('/clients', { name: 'B' }),
        await api.patch(`/clients/${id}`, { name: 'B' }),
        await api.delete(`/clients/${id}`),
      ])
        expect(codeOf(reply)).toEqual([403, 'insufficient_role'])
    }
  })
})

describe('a profile', () => {
  const profile = async (api: Client, body: object) =>
    (await api.post('/profiles', { name: 'Ads', ...body })).json()

  test('that names a client no one has makes it, in one transaction', async () => {
    const { owner } = await world.organization()
    const first = await profile(owner, { client: 'Acme' })
    expect(first).toMatchObject({ client: 'Acme', client_id: expect.stringMatching(/^cli_/) })
    const second = await profile(owner, { client: 'ACME' })
    expect(second).toMatchObject({ client: 'Acme', client_id: first.client_id })
    expect(await namesIn(owner)).toEqual(['Acme'])
    const types = (await typesOf(owner)).slice(0, 3)
    expect(types).toEqual(['profile.created', 'profile.created', 'client.created'])
    const { changes } = (await get(owner, `/audit_logs?resource_id=${first.id}`)).data[0]
    expect(changes).toContainEqual({ field: 'client_id', before: null, after: first.client_id })
  })

  test('that is refused makes none, and neither does a dry run', async () => {
    const { owner } = await world.organization()
    const refused = await owner.post('/profiles', { name: 'Ads', client: 'Acme', currency: 'XXX' })
    expect(refused.statusCode).toBe(422)
    const tried = await owner.post('/profiles?validate_only=true', { name: 'Ads', client: 'Acme' })
    expect(tried.json()).toMatchObject({ name: 'Ads', client: 'Acme' })
    await made(owner, '/profiles', { name: 'A', account_ref: '1' })
    const taken = { name: 'B', account_ref: '1', client: 'Acme' }
    expect(codeOf(await owner.post('/profiles', taken))).toEqual([409, 'duplicate_account_ref'])
    expect(await namesIn(owner)).toEqual([])
  })

  test('moves between clients by id or by name, and takes what is sent back whole', async () => {
    const { owner } = await world.organization()
    const [acme, globex] = [
      await made(owner, '/clients', { name: 'Acme' }),
      await made(owner, '/clients', { name: 'Globex' }),
    ]
    const { id } = await profile(owner, { client_id: acme })
    const path = `/profiles/${id}`
    const put = async (body: object) => (await owner.put(path, body)).json()
    const whole = await get(owner, path)
    expect(await put(whole)).toEqual(whole)
    expect(await put({ ...whole, client: 'globex' })).toMatchObject({ client_id: globex })
    expect(await put({ client_id: acme })).toMatchObject({ client: 'Acme' })
    const back = await get(owner, path)
    expect(await put({ ...back, client_id: globex })).toMatchObject({ client: 'Globex' })
    expect(await put({ client_id: acme, client: 'ACME' })).toMatchObject({ client: 'Acme' })
    const torn = await owner.put(path, { client_id: globex, client: 'Initech' })
    expect(faultsOf(torn)).toEqual(['/client invalid_reference'])
    expect(await put({ client: null })).toMatchObject({ client: null, client_id: null })
    expect(await put({ client: 'Initech' })).toMatchObject({ client: 'Initech' })
    expect(await put({ client_id: null })).toMatchObject({ client: null, client_id: null })
    expect(await namesIn(owner)).toEqual(['Acme', 'Globex', 'Initech'])
  })

  test('goes only to a client of its organization that is not archived', async () => {
    const { owner } = await world.organization()
    const stranger = await world.organization()
    const gone = await made(owner, '/clients', { name: 'Gone' })
    const { id } = await profile(owner, { client_id: gone })
    await owner.patch(`/clients/${gone}`, { status: 'archived' })
    const foreign = await made(stranger.owner, '/clients', { name: 'Foreign' })
    const pointers = async (body: object) =>
      faultsOf(await owner.post('/profiles', { name: 'B', ...body }))
    expect(await pointers({ client_id: gone })).toEqual(['/client_id invalid_reference'])
    expect(await pointers({ client: 'GONE' })).toEqual(['/client invalid_reference'])
    expect(await pointers({ client_id: foreign })).toEqual(['/client_id invalid_reference'])
    expect(await pointers({ client_id: 'x' })).toEqual(['/client_id invalid_reference'])
    // A profile that has it keeps it.
    const kept = await owner.patch(`/profiles/${id}`, { notes: 'Kept', client: 'gone' })
    expect(kept.json()).toMatchObject({ client: 'Gone', client_id: gone })
  })

  test('has the new name of its client at once, in all lists and sums', async () => {
    const { owner } = await world.organization()
    const { id, client_id } = await profile(owner, { client: 'Acme', currency: 'USD' })
    const campaign = { name: 'C', objective: 'sales', profile_id: id, daily_budget: 10 }
    const campaign_id = await made(owner, '/campaigns', { ...campaign, currency: 'USD' })
    await owner.post(`/campaigns/${campaign_id}/launch`)
    const now = world.clock.now().toISOString()
    const rows = [{ campaign_id, date: now.slice(0, 10), spend: 5 }]
    await owner.post('/results', { source: 's', reported_at: now, rows })
    await owner.patch(`/clients/${client_id}`, { name: 'Acme Ltd' })
    expect(await get(owner, `/profiles/${id}`)).toMatchObject({ client: 'Acme Ltd', version: 1 })
    for (const by of ['client=acme%20ltd', `client_id=${client_id}`]) {
      for (const list of ['profiles', 'campaigns', 'pacing', 'results'])
        expect([list, (await get(owner, `/${list}?${by}`)).data.length]).toEqual([list, 1])
    }
    expect((await get(owner, '/campaigns?client=Acme')).data).toEqual([])
    const groups = (await get(owner, '/results?group_by=client')).data
    expect(groups).toMatchObject([{ group: 'Acme Ltd', spend: 5 }])
  })

  test('is found by a saved filter while its client is renamed, archived, and merged', async () => {
    const { owner } = await world.organization()
    const { id, client_id } = await profile(owner, { client: 'Acme', currency: 'USD' })
    const campaign = { name: 'C', objective: 'sales', profile_id: id, daily_budget: 10 }
    await made(owner, '/campaigns', { ...campaign, currency: 'USD' })
    const view = { resource: 'campaigns', name: 'Of Acme', query: `client_id=${client_id}` }
    const viewId = await made(owner, '/views', view)
    const found = async () => {
      const { query } = await get(owner, `/views/${viewId}`)
      const reply = await owner.get(`/campaigns?${query}`)
      return [reply.statusCode, reply.json().data.map(({ name }: Shown) => name)]
    }
    await owner.patch(`/clients/${client_id}`, { name: 'Acme Ltd' })
    expect(await found()).toEqual([200, ['C']])
    await owner.patch(`/clients/${client_id}`, { status: 'archived' })
    expect(await found()).toEqual([200, ['C']])
    const other = await made(owner, '/clients', { name: 'Globex' })
    expect((await owner.patch(`/profiles/${id}`, { client_id: other })).statusCode).toBe(200)
    expect(await found()).toEqual([200, []])
    expect((await get(owner, `/campaigns?client_id=${other}`)).data).toHaveLength(1)
    expect((await owner.delete(`/clients/${client_id}`)).statusCode).toBe(204)
    expect(await found()).toEqual([200, []])
  })

  test('goes back to the client of an earlier version, whatever its name is now', async () => {
    const { owner } = await world.organization()
    const { id, client_id } = await profile(owner, { client: 'Acme' })
    await owner.patch(`/profiles/${id}`, { client: 'Globex' })
    await owner.patch(`/clients/${client_id}`, { name: 'Acme Ltd' })
    const reply = await owner.post(`/profiles/${id}/revert`, { to_version: 1 })
    expect(reply.json()).toMatchObject({ client: 'Acme Ltd', client_id })
    expect(await namesIn(owner)).toEqual(['Acme Ltd', 'Globex'])
  })

  test('makes one client when many name it at once, and counts it against the cap', async () => {
    const { owner } = await world.organization()
    const bodies = Array.from({ length: 12 }, (_, at) => ({
      name: `Ads ${at}`,
      client: at % 2 ? 'Acme' : 'ACME',
    }))
    const replies = await Promise.all(bodies.map((body) => owner.post('/profiles', body)))
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(bodies.map(() => 201))
    expect(new Set(replies.map((reply) => reply.json().client_id)).size).toBe(1)
    expect((await get(owner, '/limits')).caps.clients).toEqual({ limit: 30, used: 1 })
    for (let at = 1; at < 30; at += 1) await made(owner, '/clients', { name: `C${at}` })
    const full = await owner.post('/profiles', { name: 'More', client: 'One more' })
    expect(full.json()).toMatchObject({ code: 'limit_exceeded', resource: 'clients', limit: 30 })
  })
})

describe('change sets', () => {
  const proposed = async (api: Client, operations: object[], more: object = {}) =>
    (await api.post('/change_sets', { title: 'Onboarding', operations, ...more })).json()

  test('make a client, its profile and its campaign, and name them beforehand', async () => {
    const { owner } = await world.organization()
    const campaign = { name: 'C', objective: 'sales', daily_budget: 10, currency: 'USD' }
    const changeSet = await proposed(owner, [
      { op: 'create', resource: 'client', ref: 'acme', body: { name: 'Acme' } },
      { op: 'create', resource: 'profile', ref: 'p', body: { name: 'Ads', client_id: '@acme' } },
      { op: 'create', body: { ...campaign, profile_id: '@p' } },
    ])
    expect(changeSet).toMatchObject({ applicable: true, summary: { create: 3 } })
    expect(await namesIn(owner)).toEqual([])
    const applied = await owner.post(`/change_sets/${changeSet.id}/apply`)
    expect(applied.json().status).toBe('applied')
    const [{ id }] = (await get(owner, '/clients')).data
    expect((await get(owner, `/campaigns?client_id=${id}`)).data).toHaveLength(1)
  })

  test('make the client that a profile names, and go back from it', async () => {
    const { owner } = await world.organization()
    const id = await made(owner, '/profiles', { name: 'Ads', client: 'Acme' })
    const operations = [{ op: 'update', resource: 'profile', id, body: { client: 'Globex' } }]
    const revert_at = new Date(world.clock.now().getTime() + 3_600_000).toISOString()
    const changeSet = await proposed(owner, operations, { revert_at })
    const path = `/change_sets/${changeSet.id}`
    const [{ changes }] = (await get(owner, `${path}/operations`)).data
    expect(changes).toContainEqual(expect.objectContaining({ field: 'client', after: 'Globex' }))
    expect(changes).toContainEqual(
      expect.objectContaining({ field: 'client_id', after: '@Globex' }),
    )
    expect((await owner.post(`${path}/apply`)).json().status).toBe('applied')
    expect((await get(owner, `/profiles/${id}`)).client).toBe('Globex')
    expect(await namesIn(owner)).toEqual(['Acme', 'Globex'])
  })

  test('are refused a reference to what is no client', async () => {
    const { owner } = await world.organization()
    const reply = await owner.post('/change_sets', {
      title: 'T',
      operations: [
        { op: 'create', resource: 'template', ref: 't', body: { name: 'T' } },
        { op: 'create', resource: 'profile', body: { name: 'P', client_id: '@t' } },
      ],
    })
    expect(faultsOf(reply)).toEqual(['/operations/1/body/client_id invalid_reference'])
  })
})

test('an organization has a time zone, which its owner sets', async () => {
  const { owner } = await world.organization()
  expect((await get(owner, '/organization')).time_zone).toBe('UTC')
  const changed = await owner.patch('/organization', { time_zone: 'Asia/Tokyo' })
  expect(changed.json()).toMatchObject({ time_zone: 'Asia/Tokyo', version: 2 })
  const refused = await owner.patch('/organization', { time_zone: 'Mars/Olympus' })
  expect(faultsOf(refused)).toEqual(['/time_zone invalid_enum_value'])
})
