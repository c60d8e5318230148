import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowsOf } from '../../../test/support/deliveries.ts'
import { type Client, faultsOf, openWorld, type World } from '../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({ env: { FLIGHTDECK_CAPS: 'profiles=3' } })
})
afterAll(() => world.close())

const created = async (client: Client, body: object = {}) =>
  (await client.post('/profiles', { name: 'Acme', ...body })).json()

async function launched(client: Client, profileId: string, body: object = {}) {
  const fields = { name: 'A', objective: 'sales', daily_budget: 5, currency: 'USD', ...body }
  const { id } = (await client.post('/campaigns', { profile_id: profileId, ...fields })).json()
  return (await client.post(`/campaigns/${id}/launch`)).json()
}

describe('creating', () => {
  test('a cap is checked although its currency is missing', async () => {
    const { owner } = await world.organization()
    const tried = async (daily_budget_cap: unknown) =>
      faultsOf(await owner.post('/profiles', { name: 'A', daily_budget_cap }))
    expect(await tried(0)).toEqual(['/currency required', '/daily_budget_cap out_of_range'])
    expect(await tried(1.234)).toEqual(['/currency required'])
  })

  test('a profile with only a name gets default values', async () => {
    const { owner } = await world.organization()
    const reply = await owner.post('/profiles', { name: '  Acme  ' })
    expect(reply.statusCode).toBe(201)
    const profile = reply.json()
    expect(reply.headers).toMatchObject({
      etag: '"1"',
      location: `/api/v1/profiles/${profile.id}`,
    })
    expect(profile).toMatchObject({
      name: 'Acme',
      platform: 'other',
      status: 'active',
      time_zone: 'UTC',
      account_ref: null,
      currency: null,
      country: null,
      proxy_id: null,
      credential_ref: null,
      labels: [],
      metadata: {},
      notes: null,
      campaign_counts: { total: 0, draft: 0, active: 0 },
      version: 1,
      created_by: owner.userId,
    })
    expect((await owner.get(`/profiles/${profile.id}`)).json()).toEqual(profile)
  })

  test('every writable field is returned', async () => {
    const { owner } = await world.organization()
    const proxy = { protocol: 'http', host: 'proxy.example.com', port: 8080 }
    const proxyId = (await owner.post('/proxies', proxy)).json().id
    const body = {
      name: 'Acme on Meta',
      platform: 'meta',
      account_ref: '4711',
      currency: 'JPY',
      time_zone: 'Asia/Tokyo',
      country: 'JP',
      proxy_id: proxyId,
      status: 'paused',
      credential_ref: 'vault://meta/4711',
      labels: ['apac'],
      metadata: { crm: '1' },
      notes: 'n',
    }
    expect((await owner.post('/profiles', body)).json()).toMatchObject(body)
  })

  test('all faults are reported at once', async () => {
    const { owner } = await world.organization()
    const reply = await owner.post('/profiles', {
      platform: 'myspace',
      currency: 'usd',
      time_zone: 'Mars/Olympus',
      country: 'jp',
      proxy_id: 'prx_x',
      status: 'gone',
      version: 4,
      colour: 'red',
    })
    expect(reply.statusCode).toBe(422)
    expect(faultsOf(reply).sort()).toEqual([
      '/colour unknown_field',
      '/country invalid_enum_value',
      '/currency unsupported_currency',
      '/name required',
      '/platform invalid_enum_value',
      '/proxy_id invalid_reference',
      '/status invalid_enum_value',
      '/time_zone invalid_enum_value',
      '/version read_only_field',
    ])
  })

  test('an account belongs to one profile of a platform', async () => {
    const { owner } = await world.organization()
    await created(owner, { platform: 'meta', account_ref: '1' })
    const again = await owner.post('/profiles', { name: 'B', platform: 'meta', account_ref: '1' })
    expect(again.statusCode).toBe(409)
    expect(again.json().code).toBe('duplicate_account_ref')
    expect(await created(owner, { platform: 'tiktok', account_ref: '1' })).toHaveProperty('id')
    const stranger = await world.organization()
    const theirs = { platform: 'meta', account_ref: '1' }
    expect(await created(stranger.owner, theirs)).toHaveProperty('id')
  })

  test('the cap is exact, and a deleted profile makes room', async () => {
    const { owner } = await world.organization()
    const profiles = [await created(owner), await created(owner), await created(owner)]
    const full = await owner.post('/profiles', { name: 'D' })
    expect(full.statusCode).toBe(409)
    expect(full.json()).toMatchObject({ code: 'limit_exceeded', resource: 'profiles', limit: 3 })
    await owner.delete(`/profiles/${profiles[0].id}`)
    expect((await owner.post('/profiles', { name: 'D' })).statusCode).toBe(201)
  })

  test('the same request with its key makes one profile', async () => {
    const { owner } = await world.organization()
    const send = () => owner.post('/profiles', { name: 'Once' }, { 'idempotency-key': 'k' })
    const [first, second] = [await send(), await send()]
    expect(second.statusCode).toBe(201)
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect(second.json()).toEqual(first.json())
    expect((await owner.get('/profiles?include_total=true')).json().meta.total).toBe(1)
  })
})

describe('changing', () => {
  test.each(['put', 'patch'] as const)('%s merges, and increments the version', async (method) => {
    const { owner } = await world.organization()
    const { id } = await created(owner, { notes: 'n', labels: ['a'] })
    const reply = await owner[method](`/profiles/${id}`, { name: 'B', notes: null })
    expect(reply.headers.etag).toBe('"2"')
    expect(reply.json()).toMatchObject({ name: 'B', notes: null, labels: ['a'], version: 2 })
  })

  test('an update without changes keeps version, audit log and events', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const profile = await created(owner, { currency: 'USD' })
    const reported = () =>
      Promise.all(['audit_logs', 'events'].map((table) => rowsOf(world, table, organization)))
    const before = await reported()
    const reply = await owner.put(`/profiles/${profile.id}`, profile)
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual(profile)
    expect(await reported()).toEqual(before)
  })

  test('platform and read-only fields cannot change', async () => {
    const { owner } = await world.organization()
    const { id } = await created(owner, { platform: 'meta' })
    const reply = await owner.patch(`/profiles/${id}`, { platform: 'x', id: 'prf_1', version: 9 })
    expect(faultsOf(reply).sort()).toEqual([
      '/id read_only_field',
      '/platform immutable_field',
      '/version read_only_field',
    ])
  })

  test('the currency is fixed once a launched campaign uses it', async () => {
    const { owner } = await world.organization()
    const { id } = await created(owner)
    const set = (currency: string | null) => owner.patch(`/profiles/${id}`, { currency })
    expect((await set('EUR')).statusCode).toBe(200)
    expect((await set(null)).statusCode).toBe(200)
    expect((await launched(owner, id)).status).toBe('active')
    expect(faultsOf(await set('EUR'))).toEqual(['/currency immutable_field'])
    expect((await set('USD')).statusCode).toBe(200)
    expect(faultsOf(await set(null))).toEqual(['/currency immutable_field'])
    expect((await set('USD')).statusCode).toBe(200)
  })

  test('If-Match with another version changes nothing', async () => {
    const { owner } = await world.organization()
    const { id } = await created(owner)
    const reply = await owner.patch(`/profiles/${id}`, { name: 'B' }, { 'if-match': '"2"' })
    expect(reply.statusCode).toBe(412)
    expect(reply.json().current_version).toBe(1)
    const refused = await owner.delete(`/profiles/${id}`, { 'if-match': '"2"' })
    expect(refused.statusCode).toBe(412)
    const fine = await owner.patch(`/profiles/${id}`, { name: 'B' }, { 'if-match': '"1"' })
    expect(fine.statusCode).toBe(200)
  })

  test('an admin may suspend a profile, and reactivate it', async () => {
    const organization = await world.organization()
    const admin = await organization.as('admin')
    const { id } = await created(organization.owner)
    const set = (status: string) => admin.patch(`/profiles/${id}`, { status })
    expect((await set('suspended')).json().status).toBe('suspended')
    expect((await set('active')).json().status).toBe('active')
  })
})

describe('campaigns of a profile', () => {
  test('pause when it stops being active, each with its own record', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { id } = await created(owner, { currency: 'USD' })
    const active = await launched(owner, id)
    const scheduled = await launched(owner, id, { start_at: '2099-01-01T00:00:00Z' })
    const draft = { name: 'D', objective: 'sales', profile_id: id, daily_budget: 5 }
    const draftId = (await owner.post('/campaigns', draft)).json().id
    const reply = await owner.patch(`/profiles/${id}`, { status: 'archived' })
    expect(reply.json().campaign_counts).toMatchObject({ total: 3, draft: 1, paused: 2, active: 0 })
    for (const campaign of [active, scheduled]) {
      const now = (await owner.get(`/campaigns/${campaign.id}`)).json()
      expect(now).toMatchObject({ status: 'paused', status_reason: 'profile_not_active' })
      expect(now.version).toBe(campaign.version + 1)
    }
    expect((await owner.get(`/campaigns/${draftId}`)).json().status).toBe('draft')
    const records = (await rowsOf(world, 'audit_logs', organization)).slice(-3)
    expect(records.map(({ action }) => action)).toEqual([
      'profile.updated',
      'campaign.paused',
      'campaign.paused',
    ])
    expect(records[0]).toMatchObject({ actor: { type: 'user', id: owner.userId } })
    expect(records[1]).toMatchObject({ actor: { type: 'system' }, resource: { type: 'campaign' } })
    const events = (await rowsOf(world, 'events', organization)).slice(-3)
    expect(events.map(({ type }) => type)).toEqual(records.map(({ action }) => action))
    expect(new Set(events.map(({ request_id }) => request_id)).size).toBe(1)
    const reported = (await owner.get('/events?type=campaign.paused')).json().data
    for (const { data } of reported) {
      const campaign = (await owner.get(`/campaigns/${data.object.id}`)).json()
      const { created_by_name: _, updated_by_name: __, ...object } = campaign
      expect(data.object).toEqual(object)
    }
    expect(reported).toHaveLength(2)
  })

  test('are counted by status in a list', async () => {
    const { owner } = await world.organization()
    const [busy, idle] = [await created(owner, { currency: 'USD' }), await created(owner)]
    await launched(owner, busy.id)
    await launched(owner, busy.id)
    const { data } = (await owner.get('/profiles?sort=created_at')).json()
    expect(data[0].campaign_counts).toMatchObject({ total: 2, active: 2, draft: 0 })
    expect(data[1]).toEqual(idle)
  })

  test('in use are named when a deletion is refused', async () => {
    const { owner } = await world.organization()
    const { id } = await created(owner, { currency: 'USD' })
    for (const name of 'ABCDEFGHIJKL') await launched(owner, id, { name })
    const reply = await owner.delete(`/profiles/${id}`)
    expect(reply.statusCode).toBe(409)
    expect(reply.json()).toMatchObject({
      code: 'resource_in_use',
      detail: 'It is in use: 12 campaigns refer to it.',
      reference_count: 12,
    })
    expect(reply.json().references).toHaveLength(10)
    expect(reply.json().references[0]).toMatchObject({ type: 'campaign', name: 'A' })
  })

  test('a profile without users is deleted permanently', async () => {
    const { owner } = await world.organization()
    const { id } = await created(owner)
    const reply = await owner.delete(`/profiles/${id}`)
    expect([reply.statusCode, reply.body]).toEqual([204, ''])
    expect((await owner.delete(`/profiles/${id}`)).statusCode).toBe(404)
    expect((await owner.get(`/profiles/${id}`)).statusCode).toBe(404)
  })
})

describe('lists', () => {
  test('filters work, and paging by name shows every profile once', async () => {
    const { owner } = await world.organization()
    await created(owner, { name: 'Beta', platform: 'meta', labels: ['x'] })
    await created(owner, { name: 'alpha', platform: 'tiktok', status: 'paused' })
    await created(owner, { name: 'Gamma', platform: 'meta' })
    const names = async (query: string) =>
      (await owner.get(`/profiles?sort=name&${query}`))
        .json()
        .data.map((each: { name: string }) => each.name)
    expect(await names('platform=meta')).toEqual(['Beta', 'Gamma'])
    expect(await names('platform=meta,tiktok&status=paused')).toEqual(['alpha'])
    expect(await names('label=x')).toEqual(['Beta'])
    expect(await names('q=AMM')).toEqual(['Gamma'])
    const first = (await owner.get('/profiles?sort=name&limit=2')).json()
    const rest = (await owner.get(`/profiles?limit=2&cursor=${first.meta.next_cursor}`)).json()
    expect([...first.data, ...rest.data].map(({ name }) => name)).toEqual([
      'alpha',
      'Beta',
      'Gamma',
    ])
  })

  test('whose account it is can be stored, changed, cleared and searched', async () => {
    const { owner } = await world.organization()
    const { id } = await created(owner, { client: ' Acme, Inc. ' })
    const read = async () => (await owner.get(`/profiles/${id}`)).json().client
    expect(await read()).toBe('Acme, Inc.')
    expect((await owner.get('/profiles?client=Acme, Inc.&client=x')).json().data).toHaveLength(1)
    expect((await owner.get('/profiles?client=Acme')).json().data).toEqual([])
    await owner.patch(`/profiles/${id}`, { client: null })
    expect(await read()).toBeNull()
    for (const client of ['', ' ', 'x'.repeat(256), 'a\nb', 5]) {
      const reply = await owner.patch(`/profiles/${id}`, { client })
      expect([reply.statusCode, faultsOf(reply)[0]]).toEqual([
        422,
        expect.stringMatching(/^\/client /),
      ])
    }
  })

  test('an unknown platform or parameter is refused', async () => {
    const { owner } = await world.organization()
    expect((await owner.get('/profiles?platform=myspace')).json().code).toBe('invalid_parameter')
    expect((await owner.get('/profiles?plattform=meta')).json().code).toBe('unknown_parameter')
  })
})

describe('permissions', () => {
  test('editors, viewers and auditors read profiles but do not write them', async () => {
    const organization = await world.organization()
    const { id } = await created(organization.owner)
    for (const role of ['editor', 'viewer', 'auditor'] as const) {
      const client = await organization.as(role)
      expect((await client.get(`/profiles/${id}`)).statusCode).toBe(200)
      const refused = [
        await client.post('/profiles', { name: 'B' }),
        await client.patch(`/profiles/${id}`, { name: 'B' }),
        await client.delete(`/profiles/${id}`),
      ]
      expect(refused.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403])
    }
  })

  test('another organization finds nothing, as if it did not exist', async () => {
    const [{ owner }, stranger] = [await world.organization(), await world.organization()]
    const { id } = await created(owner)
    for (const reply of [
      await stranger.owner.get(`/profiles/${id}`),
      await stranger.owner.patch(`/profiles/${id}`, { name: 'B' }),
      await stranger.owner.delete(`/profiles/${id}`),
    ]) {
      expect(reply.statusCode).toBe(404)
    }
    expect((await stranger.owner.get('/profiles')).json().data).toEqual([])
    const proxy = { protocol: 'http', host: 'proxy.example.com', port: 8080 }
    const proxy_id = (await owner.post('/proxies', proxy)).json().id
    const reply = await stranger.owner.post('/profiles', { name: 'B', proxy_id })
    expect(faultsOf(reply)).toEqual(['/proxy_id invalid_reference'])
  })
})
