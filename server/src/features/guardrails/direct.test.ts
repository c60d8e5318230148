import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { madeKey } from '../../../test/support/api-keys.ts'
import { proposed } from '../../../test/support/cases/change-sets.ts'
import { campaignAfter, profileOf } from '../../../test/support/cases/writes.ts'
import { watch } from '../../../test/support/documented.ts'
import {
  type Client,
  openWorld,
  type Reply,
  unlimited,
  type World,
} from '../../../test/support/world.ts'

let world: World
beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
})
afterAll(() => world.close())

const codeOf = (reply: Reply) => [reply.statusCode, reply.json().code ?? null]
const refused = [409, 'change_set_required']

const hourMs = 60 * 60 * 1000
const inHours = (hours: number) =>
  new Date(world.clock.now().getTime() + hours * hourMs).toISOString()

type Writer = 'member' | 'api_key'

/** An organization where these have to use change sets, and one of them. */
async function bound(writer: Writer) {
  const organization = await world.organization()
  const { owner } = organization
  const launch = async (body: object = {}) => campaignAfter(organization, ['launch'], body)
  const running = await launch()
  const scheduled = await launch({
    start_at: inHours(30 * 24),
    end_at: inHours(90 * 24),
    schedule: [{ day: 'mon', start: '09:00', end: '10:00' }],
  })
  const spread = await launch({
    daily_budget: null,
    lifetime_budget: 6_000,
    end_at: inHours(60 * 24),
  })
  const [draft, paused] = [
    await campaignAfter(organization),
    await campaignAfter(organization, ['launch', 'pause']),
  ]
  const profile = await profileOf(organization, { daily_budget_cap: 100, currency: 'USD' })
  const client =
    writer === 'member'
      ? await organization.as('admin')
      : (await madeKey(world, owner, { role: 'admin' })).client
  const before = await owner.patch(`/campaigns/${running}`, { daily_budget: 30 })
  expect(before.statusCode).toBe(200)
  await owner.put('/organization/guardrails', { change_sets: { required_for: [writer] } })
  return { owner, client, running, scheduled, spread, draft, paused, profile }
}

describe.each<Writer>(['member', 'api_key'])('required_for %s', (writer) => {
  test('covers whatever makes a day dearer', async () => {
    const { client, running, scheduled, spread, paused } = await bound(writer)
    const raises: [string, object][] = [
      [running, { daily_budget: 31 }],
      [running, { daily_budget: null, lifetime_budget: 31 }],
      [paused, { daily_budget: 60 }],
      [scheduled, { start_at: inHours(1) }],
      [scheduled, { start_at: inHours(1), end_at: null, schedule: null }],
      [scheduled, { end_at: inHours(91 * 24) }],
      [scheduled, { end_at: null }],
      [scheduled, { schedule: null }],
      [scheduled, { schedule: [{ day: 'tue', start: '09:00', end: '10:00' }] }],
      [spread, { end_at: inHours(2 * 24) }],
      [spread, { lifetime_budget: 6_001 }],
      [spread, { schedule: [{ day: 'mon', start: '09:00', end: '10:00' }] }],
    ]
    for (const [id, body] of raises) {
      expect([body, ...codeOf(await client.patch(`/campaigns/${id}`, body))]).toEqual([
        body,
        ...refused,
      ])
    }
  })

  test('says what to do', async () => {
    const { client, running } = await bound(writer)
    const { detail } = (await client.patch(`/campaigns/${running}`, { daily_budget: 31 })).json()
    expect(detail).toMatch(/ by change sets only: propose it with POST \/change_sets\.$/)
  })

  test('covers starts', async () => {
    const { client, draft, paused } = await bound(writer)
    expect(codeOf(await client.post(`/campaigns/${draft}/launch`))).toEqual(refused)
    expect(codeOf(await client.post(`/campaigns/${paused}/resume`))).toEqual(refused)
  })

  test('covers caps of profiles', async () => {
    const { client, profile } = await bound(writer)
    const path = `/profiles/${profile}`
    for (const daily_budget_cap of [999_999, null]) {
      expect(codeOf(await client.patch(path, { daily_budget_cap }))).toEqual(refused)
    }
    expect((await client.patch(path, { daily_budget_cap: 90 })).statusCode).toBe(200)
    expect((await client.patch(path, { monthly_spend_cap: 500 })).statusCode).toBe(200)
    expect(codeOf(await client.patch(path, { monthly_spend_cap: 501 }))).toEqual(refused)
  })

  test('covers the time zone of a profile whose cap counts a month in it', async () => {
    const { client, profile } = await bound(writer)
    const path = `/profiles/${profile}`
    expect((await client.patch(path, { time_zone: 'Asia/Tokyo' })).statusCode).toBe(200)
    expect((await client.patch(path, { monthly_spend_cap: 500 })).statusCode).toBe(200)
    for (const time_zone of ['Pacific/Kiritimati', 'America/Los_Angeles']) {
      expect(codeOf(await client.patch(path, { time_zone }))).toEqual(refused)
    }
    expect((await client.patch(path, { time_zone: 'Asia/Tokyo', notes: 'A' })).statusCode).toBe(200)
  })

  test('leaves pausing, lowering and everything else free', async () => {
    const { client, running, scheduled, spread, draft } = await bound(writer)
    const free: [string, object][] = [
      [running, { daily_budget: 20, notes: 'Fine' }],
      [scheduled, { end_at: inHours(60 * 24), start_at: inHours(40 * 24) }],
      [spread, { lifetime_budget: 5_000 }],
      [spread, { end_at: inHours(60 * 24), name: 'Same end' }],
      [draft, { end_at: inHours(10), schedule: [{ day: 'mon', start: '09:00', end: '10:00' }] }],
    ]
    for (const [id, body] of free) {
      const reply = await client.patch(`/campaigns/${id}`, body)
      expect([body, reply.statusCode, reply.json().code]).toEqual([body, 200, undefined])
    }
    expect((await client.post(`/campaigns/${running}/pause`)).statusCode).toBe(200)
    expect((await client.post(`/campaigns/${scheduled}/unschedule`)).statusCode).toBe(200)
    expect((await client.post(`/campaigns/${draft}/duplicate`)).statusCode).toBe(201)
  })

  test('has no way round by bulk requests and earlier versions', async () => {
    const { client, running, paused } = await bound(writer)
    const operations = [
      { op: 'update', id: running, body: { daily_budget: 31 } },
      { op: 'action', id: paused, action: 'resume' },
      { op: 'update', id: running, body: { daily_budget: 29 } },
    ]
    const reply = await client.post('/campaigns/bulk', { mode: 'partial', operations })
    const found = reply
      .json()
      .results.map(({ problem }: { problem: { code: string } | null }) =>
        problem ? problem.code : null,
      )
    expect(found).toEqual(['change_set_required', 'change_set_required', null])
    const atomic = await client.post('/campaigns/bulk', { mode: 'atomic', operations })
    expect(atomic.json()).toMatchObject({ code: 'bulk_failed' })
    // Version 1 had 33.51.
    const back = await client.post(`/campaigns/${running}/revert`, { to_version: 1 })
    expect(codeOf(back)).toEqual(refused)
  })

  test('lets a change set do it', async () => {
    const { client, owner, running, draft } = await bound(writer)
    const { changeSet } = await proposed(client, [
      { op: 'update', id: running, body: { daily_budget: 31 } },
      { op: 'action', id: draft, action: 'launch' },
    ])
    expect(changeSet.applicable).toBe(true)
    expect((await client.post(`/change_sets/${changeSet.id}/apply`)).json().status).toBe('applied')
    expect((await owner.get(`/campaigns/${draft}`)).json().status).toBe('active')
  })
})

test('each holds for its own', async () => {
  const { owner, running } = await bound('api_key')
  expect((await owner.patch(`/campaigns/${running}`, { daily_budget: 31 })).statusCode).toBe(200)
  const other = await bound('member')
  const { client: key } = await madeKey(world, other.owner, { role: 'editor' })
  const path = `/campaigns/${other.running}`
  expect((await key.patch(path, { daily_budget: 31 })).statusCode).toBe(200)
  const both = ['api_key', 'member']
  const rules = { change_sets: { required_for: ['member', 'api_key'] } }
  expect(
    (await other.owner.put('/organization/guardrails', rules)).json().change_sets,
  ).toMatchObject({ required_for: both })
  for (const client of [key, other.owner]) {
    expect(codeOf(await client.patch(path, { daily_budget: 40 }))).toEqual(refused)
  }
})

test('programs also raise budgets of drafts and delete them by change sets only, people delete others', async () => {
  const keys = await bound('api_key')
  const path = `/campaigns/${keys.draft}`
  expect(codeOf(await keys.client.patch(path, { daily_budget: 50 }))).toEqual(refused)
  expect((await keys.client.patch(path, { daily_budget: 20 })).statusCode).toBe(200)
  expect(codeOf(await keys.client.delete(path))).toEqual(refused)
  const people = await bound('member')
  const own = `/campaigns/${people.draft}`
  expect((await people.client.patch(own, { daily_budget: 50 })).statusCode).toBe(200)
  expect((await people.client.delete(own)).statusCode).toBe(204)
  expect(codeOf(await people.client.delete(`/campaigns/${people.paused}`))).toEqual(refused)
})

test('who approves a submission is a second person already', async () => {
  const { owner, client, draft } = await bound('member')
  await owner.put('/organization/guardrails', { approval: { mode: 'always' } })
  const submitted = await client.post(`/campaigns/${draft}/submit`)
  expect(submitted.statusCode).toBe(200)
  const { version } = submitted.json()
  const approve = (by: Client) =>
    by.post(`/campaigns/${draft}/approve`, {}, { 'if-match': `"${version}"` })
  expect((await approve(owner)).json()).toMatchObject({ status: 'active' })
})

test('guardrails are changed by people only', async () => {
  const { owner } = await world.organization()
  const { client: key } = await madeKey(world, owner, { role: 'admin' })
  const rules = { change_sets: { approval: 'never', required_for: [] } }
  expect(codeOf(await key.put('/organization/guardrails', rules))).toEqual([
    403,
    'insufficient_role',
  ])
  expect((await key.get('/organization/guardrails')).statusCode).toBe(200)
})
