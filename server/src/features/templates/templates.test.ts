import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, faultsOf, openWorld, type World } from '../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({ env: { FLIGHTDECK_CAPS: 'templates=3' } })
})
afterAll(() => world.close())

const sales = { objective: 'sales', daily_budget: 33.51, currency: 'USD' }

const created = async (client: Client, body: object = {}) =>
  (await client.post('/templates', { name: 'Sales', ...body })).json()

const profileOf = async (client: Client, body: object = {}): Promise<string> =>
  (await client.post('/profiles', { name: 'Acme', ...body })).json().id

const countOf = async (table: string, organizationId: string) =>
  (
    await world.services.database.reader.query({
      sql: `select 1 as one from ${table} where organization_id = $1`,
      parameters: [organizationId],
    })
  ).length

describe('creating', () => {
  test('a template keeps its defaults in the form that campaigns show', async () => {
    const organization = await world.organization()
    const editor = await organization.as('editor')
    const profile_id = await profileOf(organization.owner)
    const reply = await editor.post('/templates', {
      name: 'Sales',
      description: 'd',
      defaults: {
        objective: 'OUTCOME_SALES',
        profile_id,
        daily_budget: '33.510',
        lifetime_budget: 19.99e2,
        currency: 'USD',
        end_at: '2099-01-01T00:00:00+02:00',
        labels: ['x'],
        notes: null,
      },
      locked_fields: ['objective', 'daily_budget'],
      labels: ['emea'],
      metadata: { a: 'b' },
    })
    expect(reply.statusCode).toBe(201)
    const template = reply.json()
    expect(reply.headers.location).toBe(`/api/v1/templates/${template.id}`)
    expect(template).toMatchObject({
      description: 'd',
      locked_fields: ['objective', 'daily_budget'],
      labels: ['emea'],
      metadata: { a: 'b' },
      version: 1,
    })
    expect(template.defaults).toEqual({
      objective: 'sales',
      profile_id,
      daily_budget: 33.51,
      lifetime_budget: 1999,
      currency: 'USD',
      end_at: '2098-12-31T22:00:00.000Z',
      labels: ['x'],
    })
    expect((await editor.get(`/templates/${template.id}`)).json()).toEqual(template)
  })

  test('a name alone is enough', async () => {
    const { owner } = await world.organization()
    expect(await created(owner)).toMatchObject({
      defaults: {},
      locked_fields: [],
      description: null,
    })
  })

  test('defaults are checked like a campaign, and all faults are reported at once', async () => {
    const { owner } = await world.organization()
    const reply = await owner.post('/templates', {
      defaults: {
        objective: 'fame',
        profile_id: 'prf_x',
        daily_budget: 5.001,
        lifetime_budget: 0,
        currency: 'EUR',
        time_zone: 'Mars/Olympus',
        start_at: '2099-02-01T00:00:00Z',
        end_at: '2099-01-01T00:00:00Z',
        labels: ['a', 'a'],
        template_id: 'tpl_x',
        external_id: 'e',
        colour: 'red',
      },
      locked_fields: ['objective', 'name'],
    })
    expect(reply.statusCode).toBe(422)
    expect(faultsOf(reply).sort()).toEqual([
      '/defaults/colour unknown_field',
      '/defaults/daily_budget budget_precision',
      '/defaults/end_at end_before_start',
      '/defaults/external_id unknown_field',
      '/defaults/labels/1 duplicate_item',
      '/defaults/lifetime_budget out_of_range',
      '/defaults/objective invalid_enum_value',
      '/defaults/profile_id invalid_reference',
      '/defaults/template_id unknown_field',
      '/defaults/time_zone invalid_enum_value',
      '/locked_fields/1 invalid_enum_value',
      '/name required',
    ])
  })

  test('a locked field without a default is reported together with malformed defaults', async () => {
    const { owner } = await world.organization()
    const body = { name: 'A', defaults: { labels: 5 }, locked_fields: ['objective', 'labels'] }
    expect(faultsOf(await owner.post('/templates', body))).toEqual([
      '/defaults/labels invalid_type',
      '/locked_fields/0 invalid_enum_value',
    ])
    const formless = { name: 'A', defaults: 5, locked_fields: ['objective'] }
    expect(faultsOf(await owner.post('/templates', formless))).toEqual(['/defaults invalid_type'])
  })

  test('only fields with a default can be locked', async () => {
    const { owner } = await world.organization()
    const locked_fields = ['objective', 'currency']
    const body = { name: 'A', defaults: { objective: 'sales' }, locked_fields }
    const reply = await owner.post('/templates', body)
    expect(reply.json().errors).toMatchObject([
      { pointer: '/locked_fields/1', code: 'invalid_enum_value', allowed: ['objective'] },
    ])
  })

  test('amounts use the currency, else the profile’s, else any number of decimals', async () => {
    const { owner } = await world.organization()
    const profile_id = await profileOf(owner, { currency: 'JPY' })
    const tried = async (defaults: object) => {
      const reply = await owner.post('/templates', { name: `${Math.random()}`, defaults })
      return reply.statusCode === 201 ? 'fine' : faultsOf(reply)
    }
    const precise = ['/defaults/daily_budget budget_precision']
    expect(await tried({ daily_budget: 1.234, currency: 'KWD' })).toBe('fine')
    expect(await tried({ daily_budget: 1.234 })).toBe('fine')
    expect(await tried({ daily_budget: 1.2345 })).toEqual(precise)
    expect(await tried({ daily_budget: 1.5, profile_id })).toEqual(precise)
    const other = { daily_budget: 100, profile_id, currency: 'USD' }
    expect(await tried(other)).toEqual(['/defaults/currency currency_mismatch'])
  })

  test('a name is unique within the organization', async () => {
    const [{ owner }, stranger] = [await world.organization(), await world.organization()]
    const { id } = await created(owner, { name: 'A' })
    const again = await owner.post('/templates', { name: ' A ' })
    expect([again.statusCode, again.json().code]).toEqual([409, 'duplicate_name'])
    const other = await created(owner, { name: 'B' })
    const renamed = await owner.patch(`/templates/${other.id}`, { name: 'A' })
    expect(renamed.json().code).toBe('duplicate_name')
    expect((await stranger.owner.post('/templates', { name: 'A' })).statusCode).toBe(201)
    expect((await owner.get(`/templates/${id}`)).json().name).toBe('A')
  })

  test('the cap is exact', async () => {
    const { owner } = await world.organization()
    for (const name of ['A', 'B', 'C']) await created(owner, { name })
    const full = await owner.post('/templates', { name: 'D' })
    expect(full.json()).toMatchObject({ code: 'limit_exceeded', resource: 'templates', limit: 3 })
  })

  test('the same request with its key makes one template', async () => {
    const { id, owner } = await world.organization()
    const send = () => owner.post('/templates', { name: 'A' }, { 'idempotency-key': 'k' })
    const [first, second] = [await send(), await send()]
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect(second.json()).toEqual(first.json())
    expect(await countOf('templates', id)).toBe(1)
  })
})

describe('changing', () => {
  test.each(['put', 'patch'] as const)(
    '%s merges, but replaces defaults as a whole',
    async (method) => {
      const { owner } = await world.organization()
      const { id } = await created(owner, { description: 'd', defaults: sales })
      const reply = await owner[method](`/templates/${id}`, { defaults: { objective: 'leads' } })
      expect(reply.json()).toMatchObject({ name: 'Sales', description: 'd', version: 2 })
      expect(reply.json().defaults).toEqual({ objective: 'leads' })
    },
  )

  test('a locked field cannot be removed from the defaults', async () => {
    const { owner } = await world.organization()
    const { id } = await created(owner, { defaults: sales, locked_fields: ['currency'] })
    const reply = await owner.patch(`/templates/${id}`, { defaults: { objective: 'leads' } })
    expect(faultsOf(reply)).toEqual(['/locked_fields/0 invalid_enum_value'])
  })

  test('an update without changes keeps version, audit log and events', async () => {
    const { id, owner } = await world.organization()
    const template = await created(owner, { defaults: sales, locked_fields: ['currency'] })
    const reported = () => Promise.all([countOf('audit_logs', id), countOf('events', id)])
    const before = await reported()
    expect((await owner.put(`/templates/${template.id}`, template)).json()).toEqual(template)
    const respelt = { defaults: { ...sales, objective: 'SALES', daily_budget: '33.510' } }
    expect((await owner.patch(`/templates/${template.id}`, respelt)).json()).toEqual(template)
    expect(await reported()).toEqual(before)
  })

  test('defaults that are outdated by now may be sent back unchanged', async () => {
    const { owner } = await world.organization()
    const profile_id = await profileOf(owner)
    const template = await created(owner, { defaults: { ...sales, profile_id } })
    await owner.patch(`/profiles/${profile_id}`, { status: 'archived' })
    const body = { ...template, notes: undefined, description: 'd' }
    expect((await owner.put(`/templates/${template.id}`, body)).json()).toMatchObject({
      version: 2,
    })
  })

  test('If-Match with another version changes nothing', async () => {
    const { owner } = await world.organization()
    const { id } = await created(owner)
    const headers = { 'if-match': '"2"' }
    expect((await owner.patch(`/templates/${id}`, { name: 'B' }, headers)).statusCode).toBe(412)
    expect((await owner.delete(`/templates/${id}`, headers)).statusCode).toBe(412)
  })
})

describe('a campaign made from a template', () => {
  const made = async (client: Client, template_id: string, body: object) =>
    client.post('/campaigns', { name: 'A', template_id, ...body })

  test('gets omitted fields, and keeps id and version of the template', async () => {
    const { owner } = await world.organization()
    const profile_id = await profileOf(owner)
    const defaults = { ...sales, profile_id, labels: ['x'], name: 'From template' }
    const { id } = await created(owner, { defaults })
    const reply = await owner.post('/campaigns', { template_id: id, daily_budget: 7 })
    expect(reply.statusCode).toBe(201)
    const campaign = reply.json()
    expect(campaign).toMatchObject({
      ...defaults,
      daily_budget: 7,
      template_id: id,
      template_version: 1,
    })
    await owner.patch(`/templates/${id}`, { defaults: { objective: 'leads' } })
    await owner.delete(`/templates/${id}`)
    expect((await owner.get(`/campaigns/${campaign.id}`)).json()).toEqual(campaign)
    const filtered = await owner.get(`/campaigns?template_id=${id}`)
    expect(filtered.json().data).toHaveLength(1)
    expect((await owner.put(`/campaigns/${campaign.id}`, campaign)).json()).toEqual(campaign)
  })

  test('a null leaves a default out', async () => {
    const { owner } = await world.organization()
    const { id } = await created(owner, { defaults: { ...sales, notes: 'n' } })
    const profile_id = await profileOf(owner)
    const body = { profile_id, daily_budget: null, lifetime_budget: 100, notes: null }
    const campaign = (await made(owner, id, body)).json()
    expect(campaign).toMatchObject({ daily_budget: null, lifetime_budget: 100, notes: null })
  })

  test('cannot override a locked field, except with the same value', async () => {
    const { owner } = await world.organization()
    const locked_fields = ['objective', 'daily_budget', 'currency']
    const { id } = await created(owner, { defaults: sales, locked_fields })
    const profile_id = await profileOf(owner)
    const body = { profile_id, objective: 'leads', daily_budget: 33.52, currency: null }
    const refused = await made(owner, id, body)
    expect(refused.statusCode).toBe(422)
    expect(faultsOf(refused).sort()).toEqual([
      '/currency locked_field',
      '/daily_budget locked_field',
      '/objective locked_field',
    ])
    const same = { profile_id, objective: 'OUTCOME_SALES', daily_budget: '33.510' }
    expect((await made(owner, id, same)).statusCode).toBe(201)
  })

  test('is refused when the defaults are no longer valid, unless the request overrides them', async () => {
    const { owner } = await world.organization()
    const [former, profile_id] = [await profileOf(owner), await profileOf(owner)]
    const { id } = await created(owner, { defaults: { ...sales, profile_id: former } })
    await owner.delete(`/profiles/${former}`)
    expect(faultsOf(await made(owner, id, {}))).toEqual(['/profile_id invalid_reference'])
    expect((await made(owner, id, { profile_id })).statusCode).toBe(201)
  })

  test('cannot use another organization’s template', async () => {
    const [{ owner }, stranger] = [await world.organization(), await world.organization()]
    const { id } = await created(stranger.owner, { defaults: sales })
    const reply = await made(owner, id, { profile_id: await profileOf(owner) })
    expect(faultsOf(reply)).toEqual(['/template_id invalid_reference'])
  })
})

describe('a template made from a campaign', () => {
  test('has the settings that the campaign has', async () => {
    const organization = await world.organization()
    const editor = await organization.as('editor')
    const profile_id = await profileOf(organization.owner, { time_zone: 'Asia/Tokyo' })
    const body = { ...sales, name: 'A', profile_id, labels: ['x'], external_id: 'e' }
    const campaign = (await editor.post('/campaigns', body)).json()
    const save = (fields: object) =>
      editor.post(`/campaigns/${campaign.id}/save_as_template`, fields)
    const reply = await save({ name: 'Like A', locked_fields: ['objective'] })
    expect(reply.statusCode).toBe(201)
    expect(reply.headers.location).toBe(`/api/v1/templates/${reply.json().id}`)
    expect(reply.json()).toMatchObject({ name: 'Like A', locked_fields: ['objective'], version: 1 })
    expect(reply.json().defaults).toEqual({
      ...sales,
      profile_id,
      time_zone: 'Asia/Tokyo',
      labels: ['x'],
    })
    expect((await editor.get(`/campaigns/${campaign.id}`)).json()).toEqual(campaign)
    expect((await save({ name: 'Like A' })).json().code).toBe('duplicate_name')
    expect(faultsOf(await save({ name: 'B', locked_fields: ['notes'] }))).toEqual([
      '/locked_fields/0 invalid_enum_value',
    ])
    const again = await editor.post('/campaigns', { name: 'B', template_id: reply.json().id })
    expect(again.json()).toMatchObject({ ...sales, time_zone: 'Asia/Tokyo', external_id: null })
  })

  test('needs a campaign of the organization', async () => {
    const [{ owner }, stranger] = [await world.organization(), await world.organization()]
    const body = { ...sales, name: 'A', profile_id: await profileOf(owner) }
    const { id } = (await owner.post('/campaigns', body)).json()
    const reply = await stranger.owner.post(`/campaigns/${id}/save_as_template`, { name: 'A' })
    expect(reply.statusCode).toBe(404)
  })
})

test('lists are filtered by name and label', async () => {
  const { owner } = await world.organization()
  await created(owner, { name: 'Alpha', labels: ['x'] })
  await created(owner, { name: 'Beta' })
  const names = async (query: string) =>
    (await owner.get(`/templates?sort=name&${query}`))
      .json()
      .data.map((each: { name: string }) => each.name)
  expect(await names('')).toEqual(['Alpha', 'Beta'])
  expect(await names('q=ALP')).toEqual(['Alpha'])
  expect(await names('label=x')).toEqual(['Alpha'])
})

test('viewers and auditors read templates but do not write them', async () => {
  const organization = await world.organization()
  const { id } = await created(organization.owner)
  for (const role of ['viewer', 'auditor'] as const) {
    const client = await organization.as(role)
    expect((await client.get('/templates')).json().data).toHaveLength(1)
    const refused = [
      await client.post('/templates', { name: 'B' }),
      await client.patch(`/templates/${id}`, { name: 'B' }),
      await client.delete(`/templates/${id}`),
    ]
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403])
  }
})

test('another organization finds nothing, and a template is deleted permanently', async () => {
  const [{ owner }, stranger] = [await world.organization(), await world.organization()]
  const { id } = await created(owner)
  const replies = [
    await stranger.owner.get(`/templates/${id}`),
    await stranger.owner.patch(`/templates/${id}`, { name: 'B' }),
    await stranger.owner.delete(`/templates/${id}`),
    await owner.delete(`/templates/${id}`),
    await owner.delete(`/templates/${id}`),
  ]
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 204, 404])
})
