import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignBody, made, profileOf } from '../support/cases/writes.ts'
import {
  type Client,
  clientOf,
  openWorld,
  password,
  type Reply,
  type TestOrganization,
  type World,
} from '../support/world.ts'

/** Two replicas that share only the database. */
let one: World
let other: World
const caps = 'campaigns=30,profiles=10'

beforeAll(async () => {
  one = await openWorld({ env: { FLIGHTDECK_CAPS: caps } })
  other = await openWorld({ env: { FLIGHTDECK_CAPS: caps }, clock: one.clock })
})
afterAll(async () => {
  await one.close()
  await other.close()
})

/** The same user on both replicas. */
const both = ({ owner }: TestOrganization): [Client, Client] => [owner, clientOf(other.app, owner)]

const range = (count: number) => Array.from({ length: count }, (_, at) => at)
const statusesOf = (replies: Reply[]) => {
  const groups = Map.groupBy(replies, ({ statusCode }) => statusCode)
  return Object.fromEntries([...groups].map(([status, group]) => [status, group.length]))
}

async function expectWhole(organization: TestOrganization): Promise<void> {
  const { reader } = one.services.database
  const events = await reader.query<{ sequence: number }>({
    sql: 'select sequence from events where organization_id = $1 order by sequence',
    parameters: [organization.id],
  })
  expect(events.map(({ sequence }) => sequence)).toEqual(range(events.length).map((at) => at + 1))
  const verified = (await organization.owner.get('/audit_logs/verify')).json()
  expect(verified).toMatchObject({ valid: true, from_sequence: 1 })
}

async function campaignOf(organization: TestOrganization): Promise<string> {
  return made(organization.owner, '/campaigns', campaignBody(await profileOf(organization)))
}

describe('two concurrent changes', () => {
  test('of the same version: exactly one succeeds, the other gets 412', async () => {
    const organization = await one.organization()
    const url = `/campaigns/${await campaignOf(organization)}`
    const clients = both(organization)
    for (const round of range(8)) {
      const headers = { 'if-match': `"${round + 1}"` }
      const replies = await Promise.all(
        clients.map((client, at) => client.put(url, { name: `${round} ${at}` }, headers)),
      )
      expect(statusesOf(replies)).toEqual({ 200: 1, 412: 1 })
      const lost = replies.find(({ statusCode }) => statusCode === 412)
      expect(lost?.json()).toMatchObject({ current_version: round + 2 })
      const won = replies.find(({ statusCode }) => statusCode === 200)
      expect((await organization.owner.get(url)).json()).toEqual(won?.json())
    }
    await expectWhole(organization)
  })

  test('without a version: both are applied in full, none is lost', async () => {
    const organization = await one.organization()
    const url = `/campaigns/${await campaignOf(organization)}`
    const clients = both(organization)
    const replies = await Promise.all(
      range(24).map((at) => {
        const body = at % 2 === 0 ? { name: `n${at}`, notes: `n${at}` } : { external_id: `e${at}` }
        return (clients[at % 2] as Client).patch(url, body)
      }),
    )
    expect(statusesOf(replies)).toEqual({ 200: 24 })
    const versions = replies.map((reply) => reply.json().version)
    expect(versions.sort((a, b) => a - b)).toEqual(range(24).map((at) => at + 2))
    for (const reply of replies) expect(reply.json().notes ?? reply.json().name).toMatch(/./)
    const { name, notes, external_id, version } = (await organization.owner.get(url)).json()
    expect([version, name]).toEqual([25, notes])
    expect(external_id).toMatch(/^e\d+$/)
    await expectWhole(organization)
  })

  test('archiving and deactivating a profile never leave a running campaign under it', async () => {
    const organization = await one.organization()
    const [here, there] = both(organization)
    for (const _ of range(5)) {
      const profile = await profileOf(organization)
      const id = await made(here, '/campaigns', campaignBody(profile))
      await Promise.all([
        here.post(`/campaigns/${id}/launch`),
        there.patch(`/profiles/${profile}`, { status: 'paused' }),
      ])
      expect((await here.get(`/campaigns/${id}`)).json().status).not.toBe('active')
      await here.post(`/campaigns/${id}/archive`)
    }
    await expectWhole(organization)
  })

  test('a profile is not deleted while a campaign is added to it', async () => {
    const organization = await one.organization()
    const [here, there] = both(organization)
    for (const _ of range(6)) {
      const profile = await profileOf(organization)
      const [created, deleted] = await Promise.all([
        here.post('/campaigns', campaignBody(profile)),
        there.delete(`/profiles/${profile}`),
      ])
      const outcome = [created.statusCode, deleted.statusCode]
      expect([
        [201, 409],
        [422, 204],
      ]).toContainEqual(outcome)
    }
    await expectWhole(organization)
  })
})

describe('one Idempotency-Key', () => {
  async function fifty(clients: readonly Client[], organization: TestOrganization) {
    const body = campaignBody(await profileOf(organization))
    const headers = { 'idempotency-key': 'the same' }
    const send = (at: number) =>
      (clients[at % clients.length] as Client).post('/campaigns', body, headers)
    return { replies: await Promise.all(range(50).map(send)), again: await send(0) }
  }

  function expectOne(replies: Reply[], again: Reply): void {
    const busy = replies.filter(({ statusCode }) => statusCode === 409)
    for (const reply of busy) {
      expect(reply.json().code).toBe('idempotency_in_progress')
      expect(reply.headers['retry-after']).toBe('1')
    }
    const done = [...replies.filter((reply) => !busy.includes(reply)), again]
    expect(statusesOf(done)).toEqual({ 201: done.length })
    expect(new Set(done.map(({ body }) => body)).size).toBe(1)
    const first = done.filter(({ headers }) => headers['idempotency-replayed'] !== 'true')
    expect(first).toHaveLength(1)
    expect(again.headers.location).toBe(first[0]?.headers.location)
  }

  test('used fifty times at once on one replica creates one campaign', async () => {
    const organization = await one.organization()
    const { replies, again } = await fifty([organization.owner], organization)
    expectOne(replies, again)
    const total = (await organization.owner.get('/campaigns?include_total=true')).json().meta.total
    expect(total).toBe(1)
    await expectWhole(organization)
  })

  test('used fifty times at once on two replicas creates one campaign', async () => {
    const organization = await one.organization()
    const { replies, again } = await fifty(both(organization), organization)
    expectOne(replies, again)
    const total = (await organization.owner.get('/campaigns?include_total=true')).json().meta.total
    expect(total).toBe(1)
    await expectWhole(organization)
  })

  test('is independent for another user, path or body', async () => {
    const organization = await one.organization()
    const { owner } = organization
    const headers = { 'idempotency-key': 'k' }
    const id = await campaignOf(organization)
    const first = await owner.post(`/campaigns/${id}/duplicate`, { name: 'A' }, headers)
    const same = await owner.post(`/campaigns/${id}/duplicate`, { name: 'A' }, headers)
    expect(same.json()).toEqual(first.json())
    const reused = await owner.post(`/campaigns/${id}/duplicate`, { name: 'B' }, headers)
    expect([reused.statusCode, reused.json().code]).toEqual([422, 'idempotency_key_reused'])
    const editor = await organization.as('editor')
    const theirs = await editor.post(`/campaigns/${id}/duplicate`, { name: 'A' }, headers)
    expect(theirs.json().id).not.toBe(first.json().id)
    const elsewhere = await owner.post(`/campaigns/${id}/archive`, {}, headers)
    expect(elsewhere.statusCode).toBe(200)
  })

  test('expires after 24 hours and can then be used again', async () => {
    const organization = await one.organization()
    const { owner } = organization
    const headers = { 'idempotency-key': 'k' }
    const first = await owner.post('/templates', { name: 'A' }, headers)
    one.clock.advance(24 * 60 * 60 * 1000)
    const login = await one.anonymous.post('/auth/login', { email: owner.email, password })
    const again = clientOf(one.app, { ...owner, token: login.json().token })
    const second = await again.post('/templates', { name: 'B' }, headers)
    expect([first.statusCode, second.statusCode, second.json().name]).toEqual([201, 201, 'B'])
    const replayed = await again.post('/templates', { name: 'B' }, headers)
    expect(replayed.json().id).toBe(second.json().id)
  })
})

test('sixty creations on two replicas all succeed, in one gapless sequence', async () => {
  const organization = await one.organization()
  const clients = both(organization)
  const send = (at: number) =>
    (clients[at % 2] as Client).post('/templates', { name: `Template ${at}` })
  const replies = await Promise.all(range(60).map(send))
  expect(statusesOf(replies)).toEqual({ 201: 60 })
  await expectWhole(organization)
  const { used } = (await organization.owner.get('/limits')).json().caps.templates
  expect(used).toBe(60)
})

test('a cap is exact under concurrent requests', async () => {
  const organization = await one.organization()
  const clients = both(organization)
  const send = (at: number) => (clients[at % 2] as Client).post('/profiles', { name: `P ${at}` })
  const replies = await Promise.all(range(30).map(send))
  expect(statusesOf(replies)).toEqual({ 201: 10, 409: 20 })
  const refused = replies.find(({ statusCode }) => statusCode === 409)
  expect(refused?.json()).toMatchObject({ code: 'limit_exceeded', resource: 'profiles', limit: 10 })
  const [gone] = (await organization.owner.get('/profiles?limit=1')).json().data
  await organization.owner.delete(`/profiles/${gone.id}`)
  expect(statusesOf(await Promise.all([send(31), send(32), send(33)]))).toEqual({ 201: 1, 409: 2 })
  await expectWhole(organization)
})

test('concurrent bulk requests on two replicas respect the cap and the chain', async () => {
  const organization = await one.organization()
  const profile = await profileOf(organization)
  const operations = range(4).map(() => ({ op: 'create', body: campaignBody(profile) }))
  const replies = await Promise.all(
    both(organization).flatMap((client) =>
      range(5).map(() => client.post('/campaigns/bulk', { mode: 'partial', operations })),
    ),
  )
  const results: { status: number }[] = replies.flatMap((reply) => reply.json().results)
  expect(results.filter(({ status }) => status === 201)).toHaveLength(30)
  expect(results.filter(({ status }) => status === 409)).toHaveLength(10)
  await expectWhole(organization)
})
