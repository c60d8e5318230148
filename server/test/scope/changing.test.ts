import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { runDue } from '../../src/features/change-sets/timed/timed.ts'
import { campaignBody, made } from '../support/cases/writes.ts'
import { listen, type OpenStream, openStream } from '../support/event-stream.ts'
import { type Portfolio, portfolio, scopedMember } from '../support/scoped.ts'
import {
  type Client,
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../support/world.ts'

let world: World
let acme: TestOrganization
let owner: Client
let mine: Portfolio
let others: Portfolio
let url: string

beforeAll(async () => {
  // The clock of streams: a second passes when the test says so.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  world = await openWorld({ env: unlimited })
  acme = await world.organization({ sandbox: true })
  owner = acme.owner
  mine = await portfolio(world, acme, 'mine')
  others = await portfolio(world, acme, 'others')
  url = await listen(world.app)
})
const opened: OpenStream[] = []
afterEach(async () => {
  for (const stream of opened.splice(0)) await stream.hangUp()
})
afterAll(async () => {
  await world.close()
  vi.useRealTimers()
})

const sees = (portfolio: Portfolio) => ({ scope: { client_ids: [portfolio.client_id] } })
const editorOf = (portfolio: Portfolio) => scopedMember(acme, 'editor', sees(portfolio).scope)
const rescope = (member: Client, portfolio: Portfolio) =>
  owner.patch(`/members/${member.userId}`, sees(portfolio))

const note = (portfolio: Portfolio, notes: string) =>
  owner.patch(`/campaigns/${portfolio.campaign_id}`, { notes })

async function follow(client: Client, lastEventId?: string) {
  const stream = await openStream(url, client, { lastEventId })
  opened.push(stream)
  return { ...stream, first: (await stream.block()) ?? {} }
}

describe('an open stream', () => {
  test('has what is in scope, beside streams that have everything', async () => {
    const [narrow, wide] = [await follow(await editorOf(mine)), await follow(owner)]
    await note(others, 'not sent')
    await note(mine, 'sent')
    const [first] = await narrow.events(1)
    expect(first?.data.object).toMatchObject({ id: mine.campaign_id, notes: 'sent' })
    const both = await wide.events(2)
    expect(both.map(({ data }) => data.object.notes)).toEqual(['not sent', 'sent'])
  })

  test('follows a scope that changes', async () => {
    const member = await editorOf(mine)
    const stream = await follow(member)
    await note(mine, 'before')
    expect((await stream.events(1))[0]?.data.object).toMatchObject({ notes: 'before' })
    await rescope(member, others)
    await note(mine, 'no longer sent')
    await note(others, 'sent now')
    expect((await stream.events(1))[0]?.data.object).toMatchObject({ notes: 'sent now' })
  })

  test('shows no position beyond what it has sent, and goes on from there', async () => {
    const member = await editorOf(mine)
    const stream = await follow(member)
    expect(stream.first).not.toHaveProperty('id')
    await note(mine, 'seen last')
    const [last] = await stream.events(1)
    await note(others, 'elsewhere')
    for (let second = 0; second < 16; second += 1) await vi.advanceTimersByTimeAsync(1_000)
    expect(await stream.block()).toEqual({ comment: 'heartbeat' })
    await stream.hangUp()
    await note(mine, 'while away')
    const again = await follow(member, last?.id)
    expect((await again.events(1))[0]?.data.object).toMatchObject({ notes: 'while away' })
  })

  test('begins after no event out of scope', async () => {
    await note(others, 'a foreign event')
    const { id } = (await owner.get('/events?limit=1')).json().data[0]
    const refused = await openStream(url, await editorOf(mine), { lastEventId: id })
    opened.push(refused)
    expect([refused.status, (await refused.problem()).code]).toEqual([400, 'invalid_header'])
  })
})

describe('a change set', () => {
  const raise = (portfolio: Portfolio) => ({
    op: 'update',
    id: portfolio.campaign_id,
    body: { daily_budget: 50 },
  })

  const proposed = (operations: object[]) =>
    made(owner, '/change_sets', { title: 'Raise', operations })

  test('is seen where all of its operations are', async () => {
    const [inside, outside] = [await editorOf(mine), await editorOf(others)]
    const both = await proposed([raise(mine), raise(others)])
    for (const member of [inside, outside]) {
      expect((await member.get(`/change_sets/${both}`)).statusCode).toBe(404)
      expect((await member.post(`/change_sets/${both}/apply`)).statusCode).toBe(404)
    }
    const creation = { op: 'create', body: { ...campaignBody(mine.profile_id), name: 'New' } }
    const one = await proposed([raise(mine), creation])
    expect((await inside.get(`/change_sets/${one}`)).statusCode).toBe(200)
    expect((await outside.get(`/change_sets/${one}`)).statusCode).toBe(404)
    const applied = await inside.post(`/change_sets/${one}/apply`)
    expect(applied.json()).toMatchObject({ status: 'applied' })
    expect((await inside.get(`/change_sets/${one}/operations`)).json().data).toHaveLength(2)
  })

  test('that goes on with what it creates is seen by its author, and applied', async () => {
    const [member, outside] = [await editorOf(mine), await editorOf(others)]
    const operations = [
      { op: 'create', ref: 'new', body: { ...campaignBody(mine.profile_id), name: 'Referred to' } },
      { op: 'update', id: '@new', body: { notes: 'later' } },
      { op: 'action', id: '@new', action: 'launch' },
    ]
    const made = await member.post('/change_sets', { title: 'New', operations })
    const path = `/change_sets/${made.json().id}`
    expect((await member.get(path)).json()).toMatchObject({ applicable: true })
    expect((await outside.get(path)).statusCode).toBe(404)
    expect((await member.post(`${path}/apply`)).json()).toMatchObject({ status: 'applied' })
    expect((await member.get(`${path}/operations`)).json().data).toHaveLength(3)
    expect((await outside.get(path)).statusCode).toBe(404)
  })

  test('that takes what it creates out of scope is not seen', async () => {
    const member = await scopedMember(acme, 'editor', { labels: ['mine'] })
    const body = { ...campaignBody(mine.profile_id), name: 'Going', labels: ['mine'] }
    const create = { op: 'create', ref: 'new', body }
    const moved = (labels: string[]) =>
      proposed([create, { op: 'update', id: '@new', body: { labels } }])
    const [stays, goes] = [await moved(['mine', 'more']), await moved(['elsewhere'])]
    expect((await member.get(`/change_sets/${stays}`)).statusCode).toBe(200)
    expect((await member.get(`/change_sets/${goes}`)).statusCode).toBe(404)
  })

  test('whose creation of a client or profile failed is read by its author', async () => {
    const member = await editorOf(mine)
    const operations = ['client', 'profile'].map((resource) => ({
      ...{ op: 'create', resource, body: { name: '' } },
    }))
    const made = await member.post('/change_sets', { title: 'Out', operations })
    expect(made.statusCode).toBe(201)
    expect((await member.get(`/change_sets/${made.json().id}`)).statusCode).toBe(200)
  })

  test('shows no proxy of a profile', async () => {
    const proxy = await made(owner, '/proxies', {
      name: 'P',
      protocol: 'http',
      host: 'a.test',
      port: 3128,
    })
    const operations = [
      { op: 'update', resource: 'profile', id: mine.profile_id, body: { proxy_id: proxy } },
    ]
    const id = await proposed(operations)
    const member = await editorOf(mine)
    const seen = await member.get(`/change_sets/${id}/operations`)
    expect(seen.json().data[0].changes).toEqual([{ field: 'proxy_id', before: null, after: null }])
    expect(seen.body).not.toContain('prx_')
    expect((await owner.get(`/change_sets/${id}/operations`)).body).toContain(proxy)
    // Operations are applied as they were proposed.
    expect((await owner.post(`/change_sets/${id}/apply`)).json()).toMatchObject({
      status: 'applied',
    })
    expect((await owner.get(`/profiles/${mine.profile_id}`)).json().proxy_id).toBe(proxy)
    expect((await member.get(`/change_sets/${id}/operations`)).body).not.toContain('prx_')
    await owner.patch(`/profiles/${mine.profile_id}`, { proxy_id: null })
    const gone = 'prx_01m7yez275fk1a52pr5qevn8kn'
    const failing = {
      op: 'update',
      resource: 'profile',
      id: mine.profile_id,
      body: { proxy_id: gone },
    }
    const failed = await owner.post('/change_sets', { title: 'Gone', operations: [failing] })
    const path = `/change_sets/${failed.json().id}/operations`
    expect((await owner.get(path)).json().data[0].problem.errors[0].given).toBe(gone)
    const shown = await member.get(path)
    expect(shown.json().data[0]).toMatchObject({ effect: 'failed' })
    expect(shown.body).not.toContain('prx_')
  })

  test('of a holder proposes nothing out of scope', async () => {
    const member = await editorOf(mine)
    const body = campaignBody(others.profile_id)
    const operations = [raise(others), { op: 'create', body }]
    const set = await member.post('/change_sets', { title: 'Out', mode: 'partial', operations })
    expect(set.json().summary).toMatchObject({ failed: 2, update: 0, create: 0 })
    expect(set.body).not.toContain('others campaign')
  })

  test.each([
    ['on an account out of scope', () => campaignBody(others.profile_id)],
    ['without a name', () => ({ ...campaignBody(mine.profile_id), name: '' })],
  ])('whose creation failed %s is read by its author, and by no other', async (_, bodyOf) => {
    const member = await editorOf(mine)
    const operations = [{ op: 'create', body: bodyOf() }]
    const made = await member.post('/change_sets', { title: 'Out', operations })
    const path = `/change_sets/${made.json().id}`
    expect((await member.get(path)).statusCode).toBe(200)
    expect((await member.get(`${path}/operations`)).json().data).toHaveLength(1)
    const applied = await member.post(`${path}/apply`)
    expect([applied.statusCode, applied.json().code]).toEqual([409, 'change_set_not_applicable'])
    expect((await (await editorOf(mine)).get(path)).statusCode).toBe(404)
  })

  test('that waits for its time fails, if the scope of its author is another by then', async () => {
    const member = await editorOf(mine)
    const apply_at = new Date(world.clock.now().getTime() + 3_600_000).toISOString()
    const body = { notes: 'by the clock' }
    const operations = [{ op: 'update', id: mine.campaign_id, body }]
    const id = await made(member, '/change_sets', { title: 'Later', operations, apply_at })
    await rescope(member, others)
    await owner.post('/sandbox/clock', { advance_seconds: 3_700 })
    await runDue(world.services, new AbortController().signal)
    const set = (await owner.get(`/change_sets/${id}`)).json()
    expect(set).toMatchObject({ status: 'failed' })
    expect((await owner.get(`/campaigns/${mine.campaign_id}`)).json().notes).not.toBe(body.notes)
  })
})

test('an export ends as it began', async () => {
  const member = await editorOf(mine)
  const running = member.get('/campaigns/export?format=ndjson')
  await rescope(member, others)
  const lines = (await running).body.trim().split('\n')
  const ids = lines.map((line) => JSON.parse(line).id)
  expect([[mine.campaign_id], [others.campaign_id]]).toContainEqual(
    ids.filter((id) => id === mine.campaign_id || id === others.campaign_id),
  )
  const after = (await member.get('/campaigns/export?format=ndjson')).body
  expect(after).not.toContain(mine.campaign_id)
})
