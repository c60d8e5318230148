import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { madeKey } from '../../../../test/support/api-keys.ts'
import { operationsOf, proposed } from '../../../../test/support/cases/change-sets.ts'
import { campaignAfter, profileOf } from '../../../../test/support/cases/writes.ts'
import { type OwnWorld, openOwnWorld } from '../../../../test/support/own-world.ts'
import type { Client, TestOrganization } from '../../../../test/support/world.ts'
import { purgeChangeSets } from '../retention.ts'
import { runDue } from './timed.ts'

let world: OwnWorld

// Its own database: the task runs everything that is due.
beforeAll(async () => {
  world = await openOwnWorld()
})
afterAll(() => world.close())

const look = () => runDue(world.services, AbortSignal.timeout(20_000))
const hourMs = 60 * 60 * 1000
const inHours = (hours: number) =>
  new Date(world.clock.now().getTime() + hours * hourMs).toISOString()

async function after(hours: number): Promise<void> {
  world.clock.advance(hours * hourMs)
  await look()
}

const changeSetOf = async (client: Client, id: string) =>
  (await client.get(`/change_sets/${id}`)).json()

const campaignOf = async (client: Client, id: string) =>
  (await client.get(`/campaigns/${id}`)).json()

const eventsAbout = async ({ owner }: TestOrganization): Promise<string[]> =>
  (await owner.get('/events?type=change_set.*&sort=sequence&limit=100'))
    .json()
    .data.map(({ type }: { type: string }) => type)

/** A sale from the next hour on, for two hours. */
async function sale(organization: TestOrganization, more: object = {}) {
  const id = await campaignAfter(organization, ['launch'])
  const operations = [{ op: 'update', id, body: { daily_budget: 100, notes: 'Sale' } }]
  const times = { apply_at: inHours(1), revert_at: inHours(3), ...more }
  const { changeSet } = await proposed(organization.owner, operations, times)
  return { id, changeSet }
}

test('what waits for a campaign is found by it, until the clock has nothing left to do', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const { id, changeSet } = await sale(organization)
  const other = await campaignAfter(organization, ['launch'])
  await proposed(owner, [{ op: 'update', id, body: { notes: 'Not at a time' } }])
  const operations = [
    { op: 'update', id: other, body: { notes: 'x' } },
    { op: 'update', id, body: { notes: 'y' } },
  ]
  const both = (await proposed(owner, operations)).changeSet
  const found = async (query: string) =>
    (await owner.get(`/change_sets?${query}`)).json().data.map((each: { id: string }) => each.id)
  expect(await found(`campaign_id=${other}`)).toEqual([both.id])
  expect(await found(`campaign_id=${id}`)).toHaveLength(3)
  expect(await found('campaign_id=cmp_x')).toEqual([])
  const own = await owner.get(`/change_sets/${both.id}/operations?campaign_id=${id}`)
  expect(own.json().data).toMatchObject([{ index: 1, id }])
  const waiting = () => found(`campaign_id=${id}&waits_for=apply,revert`)
  expect(await found('waits_for=revert')).toEqual([])
  expect(await waiting()).toEqual([changeSet.id])
  await after(1)
  expect(await found('waits_for=apply')).toEqual([])
  expect(await waiting()).toEqual([changeSet.id])
  const stranger = (await world.organization()).owner
  const foreign = await stranger.get(`/change_sets?campaign_id=${id}`)
  expect(foreign.json().data).toEqual([])
  await after(2)
  expect(await waiting()).toEqual([])
})

describe('a change set with a time', () => {
  test('is applied then, and set back when it is over', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { id, changeSet } = await sale(organization)
    expect(changeSet).toMatchObject({ status: 'scheduled', expires_at: inHours(2) })
    await after(0.99)
    expect((await campaignOf(owner, id)).daily_budget).toBe(33.51)
    await after(0.01)
    expect(await campaignOf(owner, id)).toMatchObject({ daily_budget: 100, notes: 'Sale' })
    expect(await changeSetOf(owner, changeSet.id)).toMatchObject({
      status: 'applied',
      applied_by: owner.userId,
    })
    await after(2)
    expect(await campaignOf(owner, id)).toMatchObject({ daily_budget: 33.51, notes: null })
    const [operation] = await operationsOf(owner, changeSet.id)
    expect(operation?.result).toMatchObject({ reverted: ['daily_budget', 'notes'], left: [] })
    await after(1)
    expect(await changeSetOf(owner, changeSet.id)).toMatchObject({ status: 'reverted' })
    expect(await eventsAbout(organization)).toEqual([
      'change_set.created',
      'change_set.applied',
      'change_set.reverted',
    ])
    expect((await owner.get('/audit_logs/verify')).json().valid).toBe(true)
  })

  test('leaves what others have changed since, and reports it', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { id, changeSet } = await sale(organization)
    await after(1)
    await owner.patch(`/campaigns/${id}`, { daily_budget: 70 })
    await after(2)
    expect(await campaignOf(owner, id)).toMatchObject({ daily_budget: 70, notes: null })
    const [operation] = await operationsOf(owner, changeSet.id)
    expect(operation?.result).toMatchObject({
      reverted: ['notes'],
      left: [{ field: 'daily_budget', found: 70, reason: 'changed' }],
    })
  })

  test('fails when its objects have moved', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { id, changeSet } = await sale(organization)
    await owner.patch(`/campaigns/${id}`, { name: 'Other' })
    await after(1)
    expect((await campaignOf(owner, id)).daily_budget).toBe(33.51)
    expect(await changeSetOf(owner, changeSet.id)).toMatchObject({
      status: 'failed',
      failure: { code: 'change_set_stale' },
    })
    const [event] = (await owner.get('/events?type=change_set.failed')).json().data
    expect(event.data.object.stale).toMatchObject([{ index: 0, id, current_version: 3 }])
    await after(3)
    expect((await changeSetOf(owner, changeSet.id)).status).toBe('failed')
  })

  test('expires when it could not be applied within the hour', async () => {
    const organization = await world.organization()
    const { changeSet } = await sale(organization)
    await after(2)
    expect((await changeSetOf(organization.owner, changeSet.id)).status).toBe('expired')
    expect(await eventsAbout(organization)).toEqual(['change_set.created', 'change_set.expired'])
  })

  test('uses the rights of who gave it the time', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const editor = await organization.as('editor')
    const id = await campaignAfter(organization)
    const operations = [{ op: 'update', id, body: { notes: 'Sale' } }]
    const { changeSet } = await proposed(editor, operations, { apply_at: inHours(1) })
    await owner.patch(`/members/${editor.userId}`, { role: 'viewer' })
    await after(1)
    expect(await changeSetOf(owner, changeSet.id)).toMatchObject({
      status: 'failed',
      failure: { code: 'insufficient_role' },
    })
  })

  test('waits for its approval, and loses it with another title or time', async () => {
    const organization = await world.organization()
    const { owner } = organization
    await owner.put('/organization/guardrails', { change_sets: { approval: 'always' } })
    const editor = await organization.as('editor')
    const id = await campaignAfter(organization)
    const operations = [{ op: 'update', id, body: { notes: 'Sale' } }]
    const { changeSet } = await proposed(editor, operations, { apply_at: inHours(1) })
    expect(changeSet.status).toBe('open')
    const path = `/change_sets/${changeSet.id}`
    const approved = await owner.post(`${path}/approve`, { version: 1 })
    expect(approved.json().status).toBe('scheduled')
    const titled = await editor.patch(path, { title: 'Sale' })
    expect(titled.json()).toMatchObject({ status: 'open', approved_by: null, approved_at: null })
    await owner.post(`${path}/approve`, { version: 3 })
    const moved = await editor.patch(path, { apply_at: inHours(5) })
    expect(moved.json()).toMatchObject({ status: 'open', approved_by: null, approved_at: null })
    await owner.post(`${path}/approve`, { version: 5 })
    const untimed = await owner.patch(path, { apply_at: null })
    expect(untimed.json()).toMatchObject({ status: 'open', apply_at: null })
    expect(Date.parse(untimed.json().expires_at)).toBeGreaterThan(Date.parse(inHours(70)))
  })

  test('goes by the clock of a sandbox', async () => {
    const organization = await world.organization({ sandbox: true })
    const { owner } = organization
    const { id, changeSet } = await sale(organization)
    const forward = async (seconds: number) => {
      const reply = await owner.post('/sandbox/clock', { advance_seconds: seconds })
      expect(reply.statusCode).toBe(200)
      await look()
    }
    await forward(3600)
    expect((await campaignOf(owner, id)).daily_budget).toBe(100)
    await forward(2 * 3600)
    expect((await campaignOf(owner, id)).daily_budget).toBe(33.51)
    expect((await changeSetOf(owner, changeSet.id)).status).toBe('reverted')
    expect((await owner.delete('/sandbox')).statusCode).toBe(204)
    expect((await owner.get('/change_sets')).json().data).toEqual([])
  })

  test('stops what it started, and starts what it stopped', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const [started, stopped] = [
      await campaignAfter(organization),
      await campaignAfter(organization, ['launch']),
    ]
    const operations = [
      { op: 'action', id: started, action: 'launch' },
      { op: 'action', id: stopped, action: 'pause' },
    ]
    const { changeSet } = await proposed(owner, operations, { revert_at: inHours(2) })
    await owner.post(`/change_sets/${changeSet.id}/apply`)
    await after(2)
    expect((await campaignOf(owner, started)).status).toBe('paused')
    expect((await campaignOf(owner, stopped)).status).toBe('active')
    const found = await operationsOf(owner, changeSet.id)
    expect(found.map(({ result }) => [result?.reverted, result?.left])).toMatchObject([
      [[], [{ field: 'status', reason: 'impossible' }]],
      [['status'], []],
    ])
  })
})

test('one that is over is deleted 90 days later', async () => {
  const organization = await world.organization()
  const { owner } = organization
  // Sessions end earlier.
  const { client } = await madeKey(world, owner)
  const profile = await profileOf(organization)
  const operations = [{ op: 'update', resource: 'profile', id: profile, body: { notes: 'X' } }]
  const { changeSet } = await proposed(owner, operations)
  await owner.post(`/change_sets/${changeSet.id}/apply`)
  const purge = () => purgeChangeSets(world.services, AbortSignal.timeout(20_000))
  await after(89 * 24)
  await purge()
  expect((await client.get(`/change_sets/${changeSet.id}`)).statusCode).toBe(200)
  await after(2 * 24)
  await purge()
  expect((await client.get(`/change_sets/${changeSet.id}`)).statusCode).toBe(404)
})
