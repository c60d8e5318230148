import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { methodsOf } from '../../src/http/endpoint.ts'
import { agentRuleOf } from '../../src/identity/agents/operations.ts'
import { pathWith, reads, writes } from '../support/cases/write-cases.ts'
import { campaignAfter } from '../support/cases/writes.ts'
import { agentOf } from '../support/clients/agents.ts'
import { endpoints, watch } from '../support/documented.ts'
import { listen, openStream } from '../support/event-stream.ts'
import { openWorld, type TestOrganization, unlimited, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
})
afterAll(() => world.close())

const readable = endpoints.filter(
  (endpoint) =>
    methodsOf(endpoint).includes('GET') &&
    agentRuleOf(endpoint.operation) === 'reads' &&
    endpoint.permission !== null &&
    !endpoint.live,
)

const none = async () => ''

/** The ids of a read's path, of an object that people have made and changed. */
async function idsFor(path: string, organization: TestOrganization): Promise<string> {
  const collection = `DELETE ${path.slice(0, path.indexOf(':id') + 3)}`
  const made = reads[`GET ${path}`] ?? (path.includes(':') ? writes[collection] : { arrange: none })
  if (!made?.arrange) throw new Error(`nothing makes what ${path} is about`)
  return made.arrange(organization)
}

const people = /"(usr|key)_[0-9a-z]{26}"|Olga Owner|editor user|admin user/

describe('an agent sees nothing of people', () => {
  test.each(readable.map(({ path, operation }) => ({ path, operation })))(
    'in $operation',
    async ({ path, operation }) => {
      const organization = await world.organization()
      const { client, id } = await agentOf(world, organization)
      // Shows in lists and events too.
      await campaignAfter(organization, ['launch', 'pause'])
      const own = operation === 'getApiKey' ? id : ''
      const ids = own || (await idsFor(path, organization))
      const reply = await client.get(pathWith(path, ids))
      expect([reply.body, reply.statusCode]).toEqual([reply.body, 200])
      expect(reply.body.replaceAll(`"${id}"`, '')).not.toMatch(people)
      expect(membersNamed(/_by(_name)?$|^actor$/, reply.json())).toEqual([])
    },
  )

  test('in the history, events and change sets of what they did', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { client } = await agentOf(world, organization)
    const id = await campaignAfter(organization, ['launch', 'pause'])
    const [entry] = (await client.get(`/campaigns/${id}/history`)).json().data
    expect(entry).toMatchObject({ actor: null, action: 'campaign.paused' })
    const campaign = (await client.get(`/campaigns/${id}`)).json()
    expect(campaign).toMatchObject({
      created_by: null,
      created_by_name: null,
      status_change: { action: 'pause', by: null },
    })
    const [event] = (await client.get('/events?limit=1')).json().data
    expect(event).toMatchObject({ actor: null, data: { object: { updated_by: null } } })
    expect((await owner.get('/events?limit=1')).json().data[0].actor.id).toBe(owner.userId)
  })

  test('by asking whose a change set is', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { client, id: self } = await agentOf(world, organization)
    const id = await campaignAfter(organization, ['launch'])
    const body = { title: 'Less', operations: [{ op: 'update', id, body: { daily_budget: 5 } }] }
    await owner.post('/change_sets', body)
    const own = (await client.post('/change_sets', body)).json()
    const found = async (by: string) => client.get(`/change_sets?created_by=${by}`)
    expect((await found(self)).json().data).toMatchObject([{ id: own.id }])
    for (const by of [owner.userId, `${self},${owner.userId}`]) {
      expect((await found(by)).json()).toMatchObject({ status: 400, code: 'invalid_parameter' })
    }
  })

  test('in what it has made itself, and in a refusal', async () => {
    const organization = await world.organization()
    const { client } = await agentOf(world, organization)
    const id = await campaignAfter(organization, ['launch'])
    const operations = [{ op: 'update', id, body: { notes: 'By the agent' } }]
    const made = await client.post('/change_sets', { title: 'Notes', operations })
    expect(made.json()).toMatchObject({ created_by: null, created_by_name: null })
    const changeSet = made.json().id
    await organization.owner.patch(`/campaigns/${id}`, { name: 'Moved' })
    const stale = await client.post(`/change_sets/${changeSet}/apply`)
    expect(stale.json()).toMatchObject({ code: 'change_set_stale', stale: [{ changed_by: null }] })
  })

  test('in the stream', async () => {
    const organization = await world.organization()
    const { client } = await agentOf(world, organization)
    const stream = await openStream(await listen(world.app), client)
    await campaignAfter(organization, ['launch'])
    expect(JSON.stringify(await stream.events(3))).not.toMatch(people)
    await stream.hangUp()
  })

  test('nor proxies', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { client } = await agentOf(world, organization)
    const made = await owner.post('/proxies', { protocol: 'http', host: 'proxy.test', port: 8080 })
    const profile = await owner.post('/profiles', {
      name: 'Through a proxy',
      platform: 'meta',
      currency: 'USD',
      proxy_id: made.json().id,
    })
    expect(profile.statusCode).toBe(201)
    for (const path of [`/profiles/${profile.json().id}`, '/profiles', '/events']) {
      expect((await client.get(path)).body).not.toContain(made.json().id)
    }
  })

  test('but keeps the texts that an organization has under its own keys', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { client } = await agentOf(world, organization)
    const metadata = { managed_by: 'agency', owner: owner.userId }
    const id = await campaignAfter(organization, [], { metadata })
    expect((await client.get(`/campaigns/${id}`)).json().metadata).toEqual(metadata)
  })
})

/** The members of these names that are neither null nor a list, such as the reasons of `blocked_by`. */
function membersNamed(name: RegExp, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => {
    if (name.test(key)) return member === null || Array.isArray(member) ? [] : [{ [key]: member }]
    return membersNamed(name, member)
  })
}
