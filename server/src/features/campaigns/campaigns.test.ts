import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, faultsOf, openWorld, type World } from '../../../test/support/world.ts'
import { setOrganization } from '../organizations/organization.ts'

let world: World
let owner: Client
let profileId: string

beforeAll(async () => {
  world = await openWorld()
  owner = (await world.organization()).owner
  const profile = { name: 'Acme', platform: 'meta', time_zone: 'Europe/Berlin' }
  profileId = (await owner.post('/profiles', profile)).json().id
})
afterAll(() => world.close())

const seedPayload = () => ({
  name: 'Spring Sale',
  objective: 'sales',
  profile_id: profileId,
  daily_budget: 150.5,
  currency: 'USD',
})

const create = (changes: object = {}) => owner.post('/campaigns', { ...seedPayload(), ...changes })

/** A body as text, so that a number arrives as written. */
const createText = (budget: string, currency = 'USD') =>
  owner.call({
    method: 'POST',
    url: '/campaigns',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ ...seedPayload(), currency }).replace('150.5', budget),
  })

describe('a new campaign', () => {
  test('made with the seed’s payload is a draft, with its address and version', async () => {
    const reply = await create()
    expect(reply.statusCode).toBe(201)
    const campaign = reply.json()
    expect(campaign).toMatchObject({ ...seedPayload(), status: 'draft', daily_budget_minor: 15050 })
    expect(reply.headers.location).toBe(`/api/v1/campaigns/${campaign.id}`)
    expect(reply.headers.etag).toBe('"1"')
    expect((await owner.get(`/campaigns/${campaign.id}`)).json()).toEqual(campaign)
  })

  test('takes its time zone from its profile', async () => {
    expect((await create()).json().time_zone).toBe('Europe/Berlin')
  })

  test.each(['OUTCOME_SALES', 'Sales', 'CATALOG_SALES'])(
    'with %s has our name for it',
    async (objective) => {
      expect((await create({ objective })).json().objective).toBe('sales')
    },
  )

  test('gets all faults of shape and meaning at once', async () => {
    const reply = await create({ name: ' ', objective: 'fame', daily_budget: 1.005, colour: 'red' })
    expect(reply.statusCode).toBe(422)
    expect(faultsOf(reply).sort()).toEqual([
      '/colour unknown_field',
      '/daily_budget budget_precision',
      '/name too_short',
      '/objective invalid_enum_value',
    ])
  })

  test('cannot take the external id of another', async () => {
    await create({ external_id: 'crm-1' })
    const reply = await create({ external_id: 'crm-1' })
    expect(reply.json()).toMatchObject({ status: 409, code: 'external_id_taken' })
  })

  test('under another organization’s profile is an invalid reference', async () => {
    const stranger = (await world.organization()).owner
    const reply = await stranger.post('/campaigns', seedPayload())
    expect(faultsOf(reply)).toEqual(['/profile_id invalid_reference'])
  })

  test('without a known profile is not blamed for the profile’s currency', async () => {
    const { currency: _, ...bare } = seedPayload()
    for (const profile_id of [undefined, 'prf_01m82jqks6frba6xcdfksb1qd8']) {
      const reply = await owner.post('/campaigns', { ...bare, profile_id })
      expect(faultsOf(reply).map((each) => each.split(' ')[0])).toEqual(['/profile_id'])
    }
    expect(faultsOf(await owner.post('/campaigns', bare))).toEqual(['/currency required'])
  })
})

describe('a budget', () => {
  test.each([
    ['33.51', 'USD', 3351],
    ['19.99', 'USD', 1999],
    ['1.07', 'USD', 107],
    ['33.510', 'USD', 3351],
    ['1e3', 'USD', 100_000],
    ['"33.51"', 'USD', 3351],
    ['5000', 'JPY', 5000],
    ['1.234', 'KWD', 1234],
  ])('of %s %s is %i minor units', async (text, currency, minor) => {
    expect((await createText(text, currency)).json().daily_budget_minor).toBe(minor)
  })

  test.each([
    ['"1e3"', 'USD', 'invalid_format'],
    ['0', 'USD', 'out_of_range'],
    ['-5', 'USD', 'out_of_range'],
    ['1e400', 'USD', 'out_of_range'],
    ['0.99', 'USD', 'budget_below_minimum'],
    ['10.5', 'JPY', 'budget_precision'],
    ['33.510000000000000000001', 'USD', 'budget_precision'],
    ['true', 'USD', 'invalid_type'],
  ])('of %s %s is refused as %s', async (text, currency, code) => {
    expect(faultsOf(await createText(text, currency))).toEqual([`/daily_budget ${code}`])
  })

  test('for the lifetime cannot be less than the daily one', async () => {
    expect(faultsOf(await create({ lifetime_budget: 100 }))).toEqual([
      '/lifetime_budget lifetime_below_daily',
    ])
  })
})

describe('an update', () => {
  test('by PUT keeps omitted fields, and null clears', async () => {
    const { id } = (await create({ notes: 'old', labels: ['a'] })).json()
    const changed = (await owner.put(`/campaigns/${id}`, { notes: null, name: 'New' })).json()
    expect(changed).toMatchObject({ name: 'New', notes: null, labels: ['a'], version: 2 })
  })

  test('may contain the whole campaign as read', async () => {
    const campaign = (await create()).json()
    const reply = await owner.put(`/campaigns/${campaign.id}`, { ...campaign, name: 'Renamed' })
    expect(reply.json()).toMatchObject({ name: 'Renamed', version: 2 })
  })

  test('gets all read-only, fixed and faulty fields at once', async () => {
    const { id } = (await create()).json()
    await owner.post(`/campaigns/${id}/launch`)
    const body = { status: 'draft', daily_budget: 0.5, template_id: 'tpl_x' }
    expect(faultsOf(await owner.put(`/campaigns/${id}`, body)).sort()).toEqual([
      '/daily_budget budget_below_minimum',
      '/status read_only_field',
      '/template_id immutable_field',
    ])
  })
})

test('a duplicate is a new draft, with the changes of the body', async () => {
  const original = (await create({ external_id: 'crm-2', labels: ['x'] })).json()
  await owner.post(`/campaigns/${original.id}/launch`)
  const reply = await owner.post(`/campaigns/${original.id}/duplicate`, { name: 'Copy' })
  expect(reply.statusCode).toBe(201)
  expect(reply.json()).toMatchObject({
    name: 'Copy',
    status: 'draft',
    external_id: null,
    labels: ['x'],
    daily_budget_minor: original.daily_budget_minor,
  })
  expect(reply.headers.location).toBe(`/api/v1/campaigns/${reply.json().id}`)
})

test('a duplicate refuses a template and fields that only the service writes', async () => {
  const original = (await create()).json()
  const body = { status: 'draft', id: original.id, version: 1, template_id: null, nam: 'Copy' }
  const reply = await owner.post(`/campaigns/${original.id}/duplicate`, body)
  expect(reply.statusCode).toBe(422)
  expect(faultsOf(reply).sort()).toEqual([
    '/id read_only_field',
    '/nam unknown_field',
    '/status read_only_field',
    '/template_id read_only_field',
    '/version read_only_field',
  ])
})

test('a deletion accepts an empty body without fields', async () => {
  const { id } = (await create()).json()
  const remove = (payload: object) =>
    owner.call({ method: 'DELETE', url: `/campaigns/${id}`, payload })
  const refused = await remove({ foo: 1 })
  expect([refused.statusCode, faultsOf(refused)]).toEqual([422, ['/foo unknown_field']])
  expect((await remove({})).statusCode).toBe(204)
})

describe('a scheduled campaign needs its start', () => {
  const later = () => new Date(world.clock.now().getTime() + 3_600_000).toISOString()
  const fault = {
    pointer: '/start_at',
    code: 'required',
    message: expect.stringMatching(/unschedule it first or send a time/),
  }

  test('null is refused, also with other faults, in a bulk request and in a dry run', async () => {
    const { id } = (await create({ start_at: later() })).json()
    await owner.post(`/campaigns/${id}/launch`)
    const reply = await owner.patch(`/campaigns/${id}`, { start_at: null })
    expect([reply.statusCode, reply.json().errors]).toEqual([422, [fault]])
    const tried = await owner.patch(`/campaigns/${id}?validate_only=true`, { start_at: null })
    expect(tried.json().errors).toEqual([fault])
    const both = await owner.patch(`/campaigns/${id}`, { start_at: null, daily_budget: 0.5 })
    expect(faultsOf(both)).toEqual(['/daily_budget budget_below_minimum', '/start_at required'])
    const operations = [{ op: 'update', id, body: { start_at: null } }]
    const { results } = (
      await owner.post('/campaigns/bulk', { mode: 'partial', operations })
    ).json()
    expect(results[0].problem.errors).toEqual([
      { ...fault, pointer: '/operations/0/body/start_at' },
    ])
    expect((await owner.patch(`/campaigns/${id}`, { start_at: later() })).statusCode).toBe(200)
    await owner.post(`/campaigns/${id}/unschedule`)
    expect((await owner.patch(`/campaigns/${id}`, { start_at: null })).statusCode).toBe(200)
  })

  test('it is not reverted to a version without a start', async () => {
    const { id } = (await create()).json()
    await owner.patch(`/campaigns/${id}`, { start_at: later() })
    await owner.post(`/campaigns/${id}/launch`)
    const reply = await owner.post(`/campaigns/${id}/revert`, { to_version: 1 })
    expect([reply.statusCode, reply.json().errors]).toEqual([422, [fault]])
  })
})

test('in a suspended organization no action is available, and each is refused', async () => {
  const organization = await world.organization()
  const client = organization.owner
  const profile_id = (await client.post('/profiles', { name: 'Acme' })).json().id
  const body = { ...seedPayload(), profile_id }
  const { id } = (await client.post('/campaigns', body)).json()
  await client.post(`/campaigns/${id}/launch`)
  await setOrganization(organization.ctx, () => ({ status: 'suspended' }))
  const { available_actions } = (await client.get(`/campaigns/${id}`)).json()
  const blocked = { allowed: false, blocked_by: ['organization_suspended'] }
  expect(available_actions).toEqual([
    { action: 'pause', ...blocked },
    { action: 'complete', ...blocked },
  ])
  const pause = await client.post(`/campaigns/${id}/pause`)
  expect([pause.statusCode, pause.json().code]).toEqual([403, 'organization_suspended'])
})

describe('a change', () => {
  test('of a field that is fixed by now is reported together with other faults', async () => {
    const { id } = (await create()).json()
    await owner.post(`/campaigns/${id}/launch`)
    const change = async (body: object) => faultsOf(await owner.put(`/campaigns/${id}`, body))
    expect(await change({ objective: 'leads', daily_budget: 0 })).toEqual([
      '/objective immutable_field',
      '/daily_budget out_of_range',
    ])
    expect(await change({ objective: 'bogus' })).toEqual([
      '/objective immutable_field',
      '/objective invalid_enum_value',
    ])
  })

  test('may contain the currency and all else as read', async () => {
    const campaign = (await create()).json()
    const whole = { ...campaign, currency: 'JPY', daily_budget: 150 }
    const reply = await owner.put(`/campaigns/${campaign.id}`, whole)
    expect(reply.json()).toMatchObject({ currency: 'JPY', daily_budget_minor: 150 })
  })

  test('is possible under a profile whose currency has changed since', async () => {
    const profile_id = (await owner.post('/profiles', { name: 'Later' })).json().id
    const { id } = (await create({ profile_id })).json()
    await owner.put(`/profiles/${profile_id}`, { currency: 'EUR' })
    const renamed = await owner.put(`/campaigns/${id}`, { name: 'B', currency: 'USD' })
    expect([renamed.statusCode, renamed.json().name]).toEqual([200, 'B'])
    const priced = await owner.put(`/campaigns/${id}`, { currency: 'GBP' })
    expect(faultsOf(priced)).toEqual(['/currency currency_mismatch'])
    const moved = await owner.put(`/campaigns/${(await create()).json().id}`, { profile_id })
    expect(faultsOf(moved)).toEqual(['/currency currency_mismatch'])
    expect((await owner.put(`/campaigns/${id}`, { currency: 'EUR' })).statusCode).toBe(200)
  })
})

test('the reference does not list the start of an active campaign as editable', async () => {
  const { statuses } = (await owner.get('/reference/campaign_states')).json()
  const editable = (status: string) =>
    statuses.find((each: { status: string }) => each.status === status).editable_fields
  expect(editable('active')).not.toContain('start_at')
  expect(editable('scheduled')).toContain('start_at')
})
