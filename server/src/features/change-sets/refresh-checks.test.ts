import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proposed } from '../../../test/support/cases/change-sets.ts'
import { campaignAfter, campaignBody, made, profileOf } from '../../../test/support/cases/writes.ts'
import {
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../../../test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ env: unlimited })
})
afterAll(() => world.close())

/** Refreshes and applies what the proposal refused: it stays refused. */
async function expectRefused(organization: TestOrganization, operation: object): Promise<void> {
  const { owner } = organization
  const { changeSet, operations } = await proposed(owner, [operation])
  expect(changeSet).toMatchObject({ applicable: false, summary: { failed: 1 } })
  const path = `/change_sets/${changeSet.id}`
  const refreshed = await owner.post(`${path}/refresh`)
  expect([refreshed.statusCode, refreshed.body]).toEqual([200, expect.any(String)])
  expect(refreshed.json()).toMatchObject({ applicable: false, summary: { failed: 1 } })
  const after = (await owner.get(`${path}/operations`)).json().data[0].problem
  expect(after.errors).toEqual(operations[0]?.problem?.errors)
  const applied = await owner.post(`${path}/apply`)
  expect(applied.json()).toMatchObject({ status: 409, code: 'change_set_not_applicable' })
}

const long = (length: number) => 'x'.repeat(length)

const ofCampaigns: [string, object][] = [
  ['an empty name', { name: '' }],
  ['a name of 5,000 characters', { name: long(5_000) }],
  ['a name with line ends and escapes', { name: 'a\r\nX: 1\u001b[31m' }],
  ['a name that is an object', { name: { a: 1 } }],
  ['metadata that is false', { metadata: false }],
  ['metadata that is text', { metadata: 'str' }],
  ['metadata that is a list', { metadata: [1, 2] }],
  ['nested metadata', { metadata: { a: { b: 'c' } } }],
  ['metadata of 200 kB', { metadata: { a: long(200_000) } }],
  ['metadata with keys of 5,000 characters', { metadata: { [long(5_000)]: 'a' } }],
  ['long notes', { notes: long(500_000) }],
  ['900 labels', { labels: Array.from({ length: 900 }, (_, at) => `l${at}`) }],
  ['a label that is null', { labels: [null] }],
  ['labels that are text', { labels: 'str' }],
  ['an external id of 3,000 characters', { external_id: long(3_000) }],
  ['an empty external id', { external_id: '' }],
  ['unknown fields', { nam: 'x' }],
  ['a schedule that is text', { schedule: 'x' }],
  ['an end that is a number', { end_at: 5 }],
]

describe('a refresh refuses what the proposal refused', () => {
  test.each(ofCampaigns)('of a campaign: %s', async (_, body) => {
    const organization = await world.organization()
    const id = await campaignAfter(organization)
    const before = (await organization.owner.get(`/campaigns/${id}`)).json()
    await expectRefused(organization, { op: 'update', id, body })
    expect((await organization.owner.get(`/campaigns/${id}`)).json()).toEqual(before)
  })

  test.each<[string, object]>([
    ['an unknown country', { country: 'ZZZ' }],
    ['a client that is an object', { client: {} }],
    ['an unknown platform', { platform: 'nope' }],
  ])('of a profile: %s', async (_, body) => {
    const organization = await world.organization()
    const id = await profileOf(organization)
    const before = (await organization.owner.get(`/profiles/${id}`)).json()
    const update = { op: 'update', resource: 'profile', id, body }
    await expectRefused(organization, 'platform' in body ? creation('profile', body) : update)
    expect((await organization.owner.get(`/profiles/${id}`)).json()).toEqual(before)
  })

  test.each<[string, unknown]>([
    ['fields that are not for presets', { status: 'active', organization_id: 'x' }],
    ['text', 'x'],
  ])('of a template, as defaults: %s', async (_, defaults) => {
    const organization = await world.organization()
    const id = await made(organization.owner, '/templates', { name: 'T', defaults: {} })
    await expectRefused(organization, {
      op: 'update',
      resource: 'template',
      id,
      body: { defaults },
    })
    expect((await organization.owner.get(`/templates/${id}`)).json().defaults).toEqual({})
  })

  test.each<[string, object]>([
    ['an unknown port', { port: 99_999 }],
    ['an unknown protocol', { protocol: 'gopher' }],
  ])('of a proxy: %s', async (_, body) => {
    const organization = await world.organization()
    await expectRefused(organization, creation('proxy', { ...proxy, ...body }))
    expect((await organization.owner.get('/proxies')).json().data).toEqual([])
  })

  test('a refresh refuses edits of a spreadsheet that the proposal refused', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const id = await campaignAfter(organization)
    const reply = await owner.call({
      method: 'POST',
      url: '/change_sets/from_csv',
      headers: { 'content-type': 'text/csv' },
      payload: `id,metadata\n${id},"[1,2]"\n`,
    })
    expect(reply.json()).toMatchObject({ applicable: false })
    const refreshed = await owner.post(`/change_sets/${reply.json().id}/refresh`)
    expect(refreshed.json()).toMatchObject({ applicable: false, summary: { failed: 1 } })
    const applied = await owner.post(`/change_sets/${reply.json().id}/apply`)
    expect(applied.statusCode).toBe(409)
  })

  test('a refreshed operation that has become possible may be applied', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const profile = await profileOf(organization)
    const taken = await made(owner, '/campaigns', { ...campaignBody(profile), external_id: 'one' })
    const id = await made(owner, '/campaigns', campaignBody(profile))
    const { changeSet } = await proposed(owner, [
      { op: 'update', id, body: { external_id: 'one', daily_budget: '12.34' } },
    ])
    expect(changeSet.applicable).toBe(false)
    await owner.delete(`/campaigns/${taken}`)
    const refreshed = await owner.post(`/change_sets/${changeSet.id}/refresh`)
    expect(refreshed.json()).toMatchObject({ applicable: true, summary: { update: 1 } })
    expect((await owner.post(`/change_sets/${changeSet.id}/apply`)).json().status).toBe('applied')
    expect((await owner.get(`/campaigns/${id}`)).json()).toMatchObject({ daily_budget: 12.34 })
  })
})

const proxy = { protocol: 'http', host: 'proxy.example.com', port: 8080 }

const creation = (resource: string, body: object) => ({
  op: 'create',
  resource,
  body: resource === 'profile' ? { name: 'Acme', ...body } : body,
})
