import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  campaignAfter,
  campaignBody,
  made,
  profileOf,
} from '../../../../test/support/cases/writes.ts'
import {
  type Client,
  faultsOf,
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../../../../test/support/world.ts'

let world: World
let organization: TestOrganization
let owner: Client
let id: string
beforeAll(async () => {
  world = await openWorld({ env: unlimited })
  organization = await world.organization()
  owner = organization.owner
  id = await campaignAfter(organization, ['launch'])
})
afterAll(() => world.close())

const setting = (target: unknown, of = id) => owner.patch(`/campaigns/${of}`, { target })

describe('the target of a campaign', () => {
  test('is set, kept and taken away, also while it runs', async () => {
    expect((await owner.get(`/campaigns/${id}`)).json()).toMatchObject({ target: null })
    const set = await setting({ metric: 'cpa', value: '20.50' })
    expect(set.json().target).toEqual({ metric: 'cpa', value: 20.5, window_days: 7 })
    const { version } = set.json()
    const repeated = await setting({ metric: 'cpa', value: 20.5, window_days: null })
    expect(repeated.json()).toMatchObject({ version })
    expect((await setting(null)).json()).toMatchObject({ target: null, version: version + 1 })
    const { data } = (await owner.get(`/campaigns/${id}/history`)).json()
    expect(data[0].changes).toContainEqual({
      field: 'target',
      before: { metric: 'cpa', value: 20.5, window_days: 7 },
      after: null,
    })
    const reverted = await owner.post(`/campaigns/${id}/revert`, { to_version: version })
    expect(reverted.json()).toMatchObject({ target: { value: 20.5 } })
  })

  test('is merged by a merge patch', async () => {
    await setting({ metric: 'roas', value: 4, window_days: 30 })
    const reply = await owner.call({
      method: 'PATCH',
      url: `/campaigns/${id}`,
      headers: { 'content-type': 'application/merge-patch+json' },
      payload: JSON.stringify({ target: { value: 4.25 } }),
    })
    expect(reply.json().target).toEqual({ metric: 'roas', value: 4.25, window_days: 30 })
    const incomplete = await owner.call({
      method: 'PATCH',
      url: `/campaigns/${id}`,
      headers: { 'content-type': 'application/merge-patch+json' },
      payload: JSON.stringify({ target: { metric: null } }),
    })
    expect(faultsOf(incomplete)).toContain('/target/metric required')
  })

  test.each([
    [{ metric: 'cpa', value: 0 }, '/target/value', 'out_of_range'],
    [{ metric: 'cpa', value: 1.005 }, '/target/value', 'budget_precision'],
    [{ metric: 'cpc', value: 1_000_000_001 }, '/target/value', 'out_of_range'],
    [{ metric: 'ctr', value: 1.01 }, '/target/value', 'out_of_range'],
    [{ metric: 'ctr', value: 0 }, '/target/value', 'out_of_range'],
    [{ metric: 'ctr', value: 0.000_000_1 }, '/target/value', 'invalid_format'],
    [{ metric: 'roas', value: 10_001 }, '/target/value', 'out_of_range'],
    [{ metric: 'roas', value: -1 }, '/target/value', 'out_of_range'],
    [{ metric: 'conversions', value: 12.5 }, '/target/value', 'invalid_format'],
    [{ metric: 'clicks', value: 'many' }, '/target/value', 'invalid_format'],
    [{ metric: 'cpx', value: 1 }, '/target/metric', 'invalid_enum_value'],
    [{ metric: 'cpa' }, '/target/value', 'required'],
    [{ value: 3 }, '/target/metric', 'required'],
    [{ metric: 'cpa', value: 1, window_days: 91 }, '/target/window_days', 'out_of_range'],
    [{ metric: 'cpa', value: 1, window_days: 0 }, '/target/window_days', 'out_of_range'],
    [{ metric: 'cpa', value: 1, goal: 1 }, '/target/goal', 'unknown_field'],
    ['cpa', '/target', 'invalid_type'],
  ])('refuses %j at %s: %s', async (target, pointer, code) => {
    expect(faultsOf(await setting(target))).toEqual([`${pointer} ${code}`])
  })

  test('is an amount of its currency', async () => {
    const profile_id = await profileOf(organization, { currency: null })
    const target = { metric: 'cpa', value: 20.5 }
    const draft = await made(owner, '/campaigns', { ...campaignBody(profile_id), target })
    const yen = { currency: 'JPY', daily_budget: 3_000 }
    const refused = await owner.patch(`/campaigns/${draft}`, yen)
    expect(faultsOf(refused)).toEqual(['/target/value budget_precision'])
    const kept = { metric: 'ctr', value: 0.015 }
    const moved = await owner.patch(`/campaigns/${draft}`, { ...yen, target: kept })
    expect(moved.json()).toMatchObject({ currency: 'JPY', target: kept })
  })

  test('is what a template says, where that is locked', async () => {
    const target = { metric: 'cpa', value: 12 }
    const template = { name: 'By cost', defaults: { target }, locked_fields: ['target'] }
    const template_id = await made(owner, '/templates', template)
    const body = { ...campaignBody(await profileOf(organization)), template_id }
    const reply = await owner.post('/campaigns', body)
    expect(reply.json().target).toEqual({ ...target, window_days: 7 })
    const other = { ...body, target: { ...target, value: 13 } }
    expect(faultsOf(await owner.post('/campaigns', other))).toEqual(['/target locked_field'])
    expect(faultsOf(await setting({ ...target, value: 13 }, reply.json().id))).toEqual([
      '/target locked_field',
    ])
  })

  test('is proposed by a change set, and exported', async () => {
    const target = { metric: 'clicks', value: 500, window_days: 14 }
    const operations = [{ op: 'update', id, body: { target } }]
    const set = await made(owner, '/change_sets', { title: 'Clicks', operations })
    expect((await owner.post(`/change_sets/${set}/apply`)).json().status).toBe('applied')
    const csv = (await owner.get('/campaigns/export?format=csv')).body
    expect(csv).toContain('""clicks""')
  })
})
