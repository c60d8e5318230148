import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { madeKey } from '../support/api-keys.ts'
import { campaignBody, made, profileOf } from '../support/cases/writes.ts'
import { watch } from '../support/documented.ts'
import {
  type Client,
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../support/world.ts'

type Json = Record<string, unknown>

let world: World

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
})
afterAll(() => world.close())

/** Each kind of object that says who made it. */
const makers: Record<string, (organization: TestOrganization, client: Client) => Promise<string>> =
  {
    campaigns: async (organization, client) =>
      made(client, '/campaigns', campaignBody(await profileOf(organization))),
    profiles: (_, client) => made(client, '/profiles', { name: 'A' }),
    clients: (_, client) => made(client, '/clients', { name: 'A' }),
    proxies: (_, client) =>
      made(client, '/proxies', { protocol: 'http', host: 'a.test', port: 8080, name: 'A' }),
    templates: (_, client) => made(client, '/templates', { name: 'A' }),
    api_keys: (_, client) => made(client, '/api_keys', { name: 'A', role: 'viewer' }),
    webhook_endpoints: (_, client) =>
      made(client, '/webhook_endpoints', { url: 'https://example.com/' }),
  }
const changes: Record<string, Json> = {
  webhook_endpoints: { description: 'B' },
  campaigns: { name: 'B' },
  profiles: { name: 'B' },
  clients: { name: 'B' },
  proxies: { name: 'B' },
  templates: { name: 'B' },
}

const names = (object: Json) => [object.created_by_name, object.updated_by_name]
const renamed = (client: Client, id: string, name: string) =>
  client.patch(`/members/${id}`, { name })

describe.each(Object.entries(makers))('%s', (list, make) => {
  test('name those who made and last changed them, wherever they are shown', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const admin = await organization.as('admin')
    await renamed(owner, admin.userId, 'Ada')
    const id = await make(organization, admin)
    const change = changes[list]
    const changed = change && (await owner.patch(`/${list}/${id}`, change)).json()
    const expected = ['Ada', change ? 'Olga Owner' : 'Ada']
    const one = (await owner.get(`/${list}/${id}`)).json()
    const [row] = (await owner.get(`/${list}?id=${id}`)).json().data
    for (const object of [one, row, ...(changed ? [changed] : [])]) {
      expect(names(object)).toEqual(expected)
    }
    expect(one).toMatchObject({ created_by: admin.userId })
  })

  test('follow a new name at once, and lose that of a person who is gone', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const admin = await organization.as('admin')
    const id = await make(organization, admin)
    const shown = async () => names((await owner.get(`/${list}?id=${id}`)).json().data[0] ?? {})
    expect(await shown()).toEqual(['admin user', 'admin user'])
    await renamed(owner, admin.userId, 'Ada')
    expect(await shown()).toEqual(['Ada', 'Ada'])
    // A key goes with its maker.
    if (list === 'api_keys') return
    await owner.delete(`/members/${admin.userId}`)
    expect(await shown()).toEqual([null, null])
    expect((await owner.get(`/${list}/${id}`)).json().created_by).toBe(admin.userId)
  })
})

test('an API key is named until it is deleted', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const { id, client } = await madeKey(world, owner, { name: 'Connector', role: 'editor' })
  const template = await made(client, '/templates', { name: 'A' })
  const shown = async () => names((await owner.get(`/templates/${template}`)).json())
  expect(await shown()).toEqual(['Connector', 'Connector'])
  await owner.delete(`/api_keys/${id}`)
  expect(await shown()).toEqual([null, null])
})

test('what the service itself changed has no name, and neither have events and audit records', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const profile = await profileOf(organization)
  const id = await made(owner, '/campaigns', campaignBody(profile))
  await owner.post(`/campaigns/${id}/launch`)
  await owner.patch(`/profiles/${profile}`, { status: 'paused' })
  const campaign = (await owner.get(`/campaigns/${id}`)).json()
  expect([campaign.updated_by, ...names(campaign)]).toEqual([null, 'Olga Owner', null])
  for (const path of ['/events?limit=100', '/audit_logs?limit=100']) {
    expect((await owner.get(path)).body).not.toContain('by_name')
  }
})

test('guardrails, bulk results, dry runs, replays and past versions name people too', async () => {
  const organization = await world.organization()
  const { owner } = organization
  await owner.put('/organization/guardrails', { max_daily_budget: { USD: 1_000 } })
  const { updated_by_name } = (await owner.get('/organization/guardrails')).json()
  expect(updated_by_name).toBe('Olga Owner')
  const profile = await profileOf(organization)
  const operations = [
    { op: 'create', body: campaignBody(profile) },
    { op: 'create', body: {} },
    { op: 'create', body: { ...campaignBody(profile), name: 'B' } },
  ]
  const { results } = (await owner.post('/campaigns/bulk', { mode: 'partial', operations })).json()
  expect(results.map(({ object }: { object?: Json }) => object && names(object))).toEqual([
    ['Olga Owner', 'Olga Owner'],
    undefined,
    ['Olga Owner', 'Olga Owner'],
  ])
  const { id } = results[0]
  const dryRun = await owner.delete(`/campaigns/${id}?validate_only=true`)
  expect(names(dryRun.json())).toEqual(['Olga Owner', 'Olga Owner'])
  const headers = { 'idempotency-key': 'once' }
  const once = await owner.post('/templates', { name: 'A' }, headers)
  expect((await owner.post('/templates', { name: 'A' }, headers)).json()).toEqual(once.json())
  const past = await owner.get(`/campaigns/${id}?as_of=${world.clock.now().toISOString()}`)
  expect(names(past.json())).toEqual(['Olga Owner', 'Olga Owner'])
})

test('change sets name those who approved, rejected and applied them', async () => {
  const organization = await world.organization()
  const { owner } = organization
  await owner.put('/organization/guardrails', { change_sets: { approval: 'always' } })
  const editor = await organization.as('editor')
  const proposed = (name: string) =>
    made(editor, '/change_sets', {
      title: name,
      operations: [{ op: 'create', resource: 'template', body: { name } }],
    })
  const [applied, rejected] = [await proposed('A'), await proposed('B')]
  const open = (await owner.get(`/change_sets/${applied}`)).json()
  expect([open.approved_by_name, open.applied_by_name]).toEqual([null, null])
  await owner.post(`/change_sets/${applied}/approve`, { version: 1 })
  const reply = (await editor.post(`/change_sets/${applied}/apply`)).json()
  await owner.post(`/change_sets/${rejected}/reject`, { reason: 'No' })
  const listed = (await owner.get(`/change_sets?id=${applied}`)).json().data[0]
  for (const changeSet of [reply, listed])
    expect(changeSet).toMatchObject({
      approved_by_name: 'Olga Owner',
      applied_by_name: 'editor user',
      rejected_by_name: null,
    })
  const { rejected_by_name } = (await editor.get(`/change_sets/${rejected}`)).json()
  expect(rejected_by_name).toBe('Olga Owner')
})

describe('a name', () => {
  test('is read-only: accepted unchanged, refused when changed and on creation', async () => {
    const organization = await world.organization()
    const { owner } = organization
    for (const [list, make] of Object.entries(makers)) {
      if (!changes[list]) continue
      const url = `/${list}/${await make(organization, owner)}`
      const shown = (await owner.get(url)).json()
      const method = list === 'webhook_endpoints' ? owner.patch : owner.put
      expect((await method(url, shown)).json()).toEqual(shown)
      const refused = await method(url, { updated_by_name: 'Eve' })
      expect([list, refused.statusCode]).toEqual([list, 422])
      expect(refused.json().errors).toMatchObject([
        { pointer: '/updated_by_name', code: 'read_only_field' },
      ])
    }
    const created = await owner.post('/templates', { name: 'B', created_by_name: 'Eve' })
    expect(created.json().errors).toMatchObject([
      { pointer: '/created_by_name', code: 'read_only_field' },
    ])
  })

  test('is selected like other fields, and is never that of another organization', async () => {
    const [one, other] = [await world.organization(), await world.organization()]
    const template = await made(one.owner, '/templates', { name: 'A' })
    const path = `/templates/${template}?fields=created_by_name`
    expect((await one.owner.get(path)).json()).toEqual({
      id: template,
      created_by_name: 'Olga Owner',
    })
    await world.services.database.transaction(async (tx) => {
      const sql = 'update templates set created_by = $2 where id = $1'
      tx.send({ sql, parameters: [template, other.owner.userId] })
    })
    expect((await one.owner.get(path)).json().created_by_name).toBeNull()
  })

  test('costs lists no read of their own while it is known', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const admin = await organization.as('admin')
    for (const name of ['A', 'B', 'C']) await made(admin, '/templates', { name })
    await owner.get('/templates')
    const { query } = world.services.database.reader
    const sent: string[] = []
    Object.assign(world.services.database.reader, {
      query: (statement: Parameters<typeof query>[0]) => {
        sent.push(statement.sql)
        return query(statement)
      },
    })
    const { data } = (await owner.get('/templates')).json()
    Object.assign(world.services.database.reader, { query })
    expect(data.map(names)).toEqual(Array(3).fill(['admin user', 'admin user']))
    expect(sent.filter((sql) => !/from "templates"/.test(sql))).toEqual([])
  })
})
