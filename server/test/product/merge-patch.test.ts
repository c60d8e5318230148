import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignAfter, made, profileOf } from '../support/cases/writes.ts'
import { watch } from '../support/documented.ts'
import { type Client, faultsOf, openWorld, unlimited, type World } from '../support/world.ts'

let world: World
let owner: Client
/** The URL of one object of each kind. */
const urls: Record<string, string> = {}

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
  const organization = await world.organization()
  owner = organization.owner
  const proxy = { protocol: 'http', host: 'proxy.example.com', port: 8080 }
  urls.campaign = `/campaigns/${await campaignAfter(organization)}`
  urls.client = `/clients/${await made(owner, '/clients', { name: 'Northwind' })}`
  urls.profile = `/profiles/${await profileOf(organization)}`
  urls.proxy = `/proxies/${await made(owner, '/proxies', proxy)}`
  urls.template = `/templates/${await made(owner, '/templates', { name: 'Preset' })}`
})
afterAll(() => world.close())

const merge = (url: string, body: object) =>
  owner.patch(url, body, { 'content-type': 'application/merge-patch+json' })

const kinds = ['campaign', 'client', 'profile', 'proxy', 'template']
const urlOf = (kind: string) => String(urls[kind])

describe.each(kinds)('metadata of a %s', (kind) => {
  test('is merged by member under application/merge-patch+json', async () => {
    await owner.patch(urlOf(kind), { metadata: { crm: '1', team: 'a' } })
    const changed = await merge(urlOf(kind), {
      metadata: { crm: '2', team: null, no: null, x: '' },
    })
    expect(changed.json().metadata).toEqual({ crm: '2', x: '' })
    const { version } = changed.json()
    for (const body of [{ metadata: {} }, { metadata: { crm: '2' } }, { metadata: { no: null } }])
      expect((await merge(urlOf(kind), body)).json()).toMatchObject({ version })
    expect((await merge(urlOf(kind), { metadata: null })).json().metadata).toEqual({})
  })

  test('is replaced under application/json, which takes no nulls in it', async () => {
    await owner.patch(urlOf(kind), { metadata: { crm: '1', team: 'a' } })
    const changed = await owner.patch(urlOf(kind), { metadata: { crm: '2' } })
    expect(changed.json().metadata).toEqual({ crm: '2' })
    const refused = await owner.patch(urlOf(kind), { metadata: { crm: null } })
    expect(faultsOf(refused)).toEqual(['/metadata/crm invalid_type'])
  })

  test('is bounded after the merge, together with the other faults of the request', async () => {
    const page = Object.fromEntries(
      Array.from({ length: 32 }, (_, at) => [`k${at}`, 'x'.repeat(500)]),
    )
    expect((await owner.patch(urlOf(kind), { metadata: page })).statusCode).toBe(200)
    const more = { a: 'x'.repeat(400), 'no key': '', b: 1 }
    const refused = await merge(urlOf(kind), { name: '', metadata: more })
    expect(faultsOf(refused).sort()).toEqual([
      '/metadata/b invalid_type',
      '/metadata/no key invalid_format',
      '/name too_short',
    ])
    const many = Object.fromEntries(Array.from({ length: 19 }, (_, at) => [`m${at}`, '']))
    expect(faultsOf(await merge(urlOf(kind), { metadata: many }))).toEqual([
      '/metadata too_many_items',
    ])
    const large = await merge(urlOf(kind), { metadata: { a: 'x'.repeat(400) } })
    expect(faultsOf(large)).toEqual(['/metadata too_long'])
    const both = await merge(urlOf(kind), { name: '', metadata: { a: 'x'.repeat(400) } })
    expect(faultsOf(both)).toEqual(['/name too_short', '/metadata too_long'])
    const swapped = await merge(urlOf(kind), { metadata: { k0: null, a: 'x'.repeat(400) } })
    expect(Object.keys(swapped.json().metadata)).toHaveLength(32)
  })
})

test('a read-only object may be sent back in part', async () => {
  const counts = await merge(urlOf('profile'), { campaign_counts: { draft: 0 } })
  expect(counts.statusCode).toBe(200)
  const changed = await merge(urlOf('profile'), { campaign_counts: { draft: 7 } })
  expect(faultsOf(changed)).toEqual(['/campaign_counts read_only_field'])
})

describe('the defaults of a template', () => {
  const defaults = { objective: 'sales', daily_budget: 33.51, currency: 'USD', labels: ['a', 'b'] }
  const full = { ...defaults, metadata: { crm: '1', team: 'a' } }

  test('are merged by member, at every depth; lists are replaced', async () => {
    const url = `/templates/${await made(owner, '/templates', { name: 'Merged', defaults: full })}`
    const body = {
      daily_budget: 40,
      currency: 'EUR',
      labels: ['c'],
      metadata: { team: null, x: '1' },
    }
    const changed = await merge(url, { defaults: { ...body, notes: 'New', objective: null } })
    expect(changed.json().defaults).toEqual({
      daily_budget: 40,
      currency: 'EUR',
      labels: ['c'],
      metadata: { crm: '1', x: '1' },
      notes: 'New',
    })
  })

  test('keep what the patch does not name, locks included', async () => {
    const body = { name: 'Locked', defaults: full, locked_fields: ['objective'] }
    const url = `/templates/${await made(owner, '/templates', body)}`
    const changed = await merge(url, { defaults: { notes: 'New' } })
    expect(changed.json().defaults).toEqual({ ...full, notes: 'New' })
    const refused = await merge(url, { defaults: { objective: null } })
    expect(faultsOf(refused)).toEqual(['/locked_fields/0 invalid_enum_value'])
  })

  test('are validated as a whole', async () => {
    const url = `/templates/${await made(owner, '/templates', { name: 'Whole', defaults: full })}`
    const whole = await merge(url, { defaults: { currency: 'JPY' } })
    expect(faultsOf(whole)).toEqual(['/defaults/daily_budget budget_precision'])
    const refused = await merge(url, { defaults: { metadata: { crm: 1 }, nothing: null } })
    expect(faultsOf(refused).sort()).toEqual([
      '/defaults/metadata/crm invalid_type',
      '/defaults/nothing unknown_field',
    ])
    const { statusCode } = await owner.patch(url, { defaults: { currency: 'JPY' } })
    expect(statusCode).toBe(200)
  })
})

test('what PATCH takes is said where another type is refused, and beside Allow', async () => {
  const types = 'application/json, application/merge-patch+json'
  const refused = await owner.patch(urlOf('profile'), 'a=b', {
    'content-type': 'application/x-www-form-urlencoded',
  })
  expect([refused.statusCode, refused.headers['accept-patch']]).toEqual([415, types])
  const put = await owner.put(
    urlOf('profile'),
    {},
    { 'content-type': 'application/merge-patch+json' },
  )
  expect([put.statusCode, put.headers['accept-patch']]).toEqual([415, undefined])
  const options = await owner.call({ method: 'OPTIONS', url: urlOf('profile') })
  expect([options.statusCode, options.headers['accept-patch']]).toEqual([405, types])
  const other = await owner.call({ method: 'OPTIONS', url: '/profiles' })
  expect([other.statusCode, other.headers['accept-patch']]).toEqual([405, undefined])
})
