import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventsOf } from '../../../../test/support/cases/bulk.ts'
import { operationsOf, proposed } from '../../../../test/support/cases/change-sets.ts'
import { campaignAfter } from '../../../../test/support/cases/writes.ts'
import { type OwnWorld, openOwnWorld } from '../../../../test/support/own-world.ts'
import type { Client, TestOrganization } from '../../../../test/support/world.ts'
import { moveDue } from '../../campaigns/timed-moves.ts'
import { runDue } from './timed.ts'

let world: OwnWorld

// Its own database: the task runs everything that is due.
beforeAll(async () => {
  world = await openOwnWorld()
})
afterAll(() => world.close())

const hourMs = 60 * 60 * 1000
const inHours = (hours: number) =>
  new Date(world.clock.now().getTime() + hours * hourMs).toISOString()

async function after(hours: number): Promise<void> {
  world.clock.advance(hours * hourMs)
  await runDue(world.services, AbortSignal.timeout(20_000))
}

const campaignOf = async (client: Client, id: string) =>
  (await client.get(`/campaigns/${id}`)).json()

/** Applied now, and set back in two hours. */
async function appliedBy(client: Client, operations: readonly object[]): Promise<string> {
  const { changeSet } = await proposed(client, operations, { revert_at: inHours(2) })
  const reply = await client.post(`/change_sets/${changeSet.id}/apply`)
  expect(reply.json()).toMatchObject({ status: 'applied' })
  return changeSet.id
}

const resultOf = async ({ owner }: TestOrganization, id: string) =>
  (await operationsOf(owner, id)).map(({ result }) => [result?.reverted, result?.left])

const running = (organization: TestOrganization, body: object = {}) =>
  campaignAfter(organization, ['launch'], body)

describe('the way back leaves what was decided on since', () => {
  test('a status, also where it is the same again', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const id = await running(organization)
    const changeSet = await appliedBy(owner, [{ op: 'action', id, action: 'pause' }])
    await owner.post(`/campaigns/${id}/resume`)
    await owner.post(`/campaigns/${id}/pause`, {}, { 'x-audit-reason': 'brand safety' })
    await after(2)
    expect((await campaignOf(owner, id)).status).toBe('paused')
    expect(await resultOf(organization, changeSet)).toMatchObject([
      [[], [{ field: 'status', found: 'paused', reason: 'changed' }]],
    ])
  })

  test('a field, also where it is the same again', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const id = await running(organization)
    const body = { daily_budget: 10, notes: 'Sale' }
    const changeSet = await appliedBy(owner, [{ op: 'update', id, body }])
    await owner.patch(`/campaigns/${id}`, { daily_budget: 50 })
    await owner.patch(`/campaigns/${id}`, { daily_budget: 10 })
    await after(2)
    expect(await campaignOf(owner, id)).toMatchObject({ daily_budget: 10, notes: null })
    expect(await resultOf(organization, changeSet)).toMatchObject([
      [['notes'], [{ field: 'daily_budget', found: 10, reason: 'changed' }]],
    ])
  })

  test('a pause of what is paused already, which changes nothing else', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const [kept, other] = [await running(organization), await running(organization)]
    const changeSet = await appliedBy(owner, [
      { op: 'action', id: kept, action: 'pause' },
      { op: 'action', id: other, action: 'pause' },
    ])
    const before = await campaignOf(owner, kept)
    const editor = await organization.as('editor')
    for (const _ of [1, 2]) {
      const reply = await editor.post(`/campaigns/${kept}/pause`, {}, { 'x-audit-reason': 'fire' })
      expect(reply.json()).toMatchObject({ version: before.version, status: 'paused' })
    }
    const found = (await owner.get(`/audit_logs?action=campaign.kept_paused`)).json().data
    expect(found).toMatchObject([
      { reason: 'fire', actor: { id: editor.userId }, resource: { id: kept } },
    ])
    await after(2)
    expect((await campaignOf(owner, kept)).status).toBe('paused')
    expect((await campaignOf(owner, other)).status).toBe('active')
    expect(await resultOf(organization, changeSet)).toMatchObject([
      [[], [{ field: 'status', reason: 'changed' }]],
      [['status'], []],
    ])
    expect((await owner.get('/audit_logs/verify')).json().valid).toBe(true)
  })

  test('a start by the clock does not keep the way back from a campaign', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const id = await campaignAfter(organization, [], { start_at: inHours(1) })
    const changeSet = await appliedBy(owner, [{ op: 'action', id, action: 'launch' }])
    world.clock.advance(hourMs)
    await moveDue(world.services, AbortSignal.timeout(20_000))
    expect((await campaignOf(owner, id)).status).toBe('active')
    await after(1)
    expect((await campaignOf(owner, id)).status).toBe('paused')
    expect(await resultOf(organization, changeSet)).toMatchObject([
      [[], [{ reason: 'impossible' }]],
    ])
  })
})

test('a pause where no change set waits is recorded nowhere', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const id = await campaignAfter(organization, ['launch', 'pause'])
  await owner.post(`/campaigns/${id}/pause`)
  const found = (await owner.get(`/audit_logs?action=campaign.kept_paused`)).json().data
  expect(found).toEqual([])
})

describe('a raise on the way back goes by the rules of its time', () => {
  test('guardrails refuse it, field by field, with their event', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const id = await running(organization, { daily_budget: 1_000 })
    const body = { daily_budget: 10, notes: 'Storm' }
    const changeSet = await appliedBy(owner, [{ op: 'update', id, body }])
    await owner.put('/organization/guardrails', { max_daily_budget: { USD: 500 } })
    await after(2)
    expect(await campaignOf(owner, id)).toMatchObject({ daily_budget: 10, notes: null })
    expect(await resultOf(organization, changeSet)).toMatchObject([
      [['notes'], [{ field: 'daily_budget', reason: 'guardrail_violation' }]],
    ])
    const shown = (await owner.get(`/change_sets/${changeSet}`)).json()
    expect(shown).toMatchObject({ status: 'reverted', failure: { code: 'guardrail_violation' } })
    const types = (await eventsOf(organization)).map(({ type }) => type)
    expect(types.filter((type) => type === 'guardrail.blocked')).toHaveLength(1)
    expect(types).toContain('change_set.reverted')
  })

  test.each(['always', 'raises'])('approvals that are asked for by then: %s', async (approval) => {
    const organization = await world.organization()
    const { owner } = organization
    const [id, paused] = [
      await running(organization, { daily_budget: 1_000 }),
      await running(organization),
    ]
    const lowered = await running(organization)
    const changeSet = await appliedBy(owner, [
      { op: 'update', id, body: { daily_budget: 10 } },
      { op: 'action', id: paused, action: 'pause' },
      { op: 'update', id: lowered, body: { daily_budget: 90 } },
    ])
    await owner.put('/organization/guardrails', { change_sets: { approval } })
    await after(2)
    expect((await campaignOf(owner, id)).daily_budget).toBe(10)
    expect((await campaignOf(owner, paused)).status).toBe('paused')
    expect((await campaignOf(owner, lowered)).daily_budget).toBe(33.51)
    const refused = { reason: 'approval_required' }
    expect(await resultOf(organization, changeSet)).toMatchObject([
      [[], [refused]],
      [[], [refused]],
      [['daily_budget'], []],
    ])
    const { failure } = (await owner.get(`/change_sets/${changeSet}`)).json()
    expect(failure).toEqual({
      code: 'approval_required',
      detail:
        '2 fields were not set back. The rules of change sets ask for an approval now, and it has none.',
    })
  })

  test.each([
    ['max_daily_budget', 'daily_budget'],
    ['max_lifetime_budget', 'lifetime_budget'],
  ] as const)('a lower %s, but no lowering', async (cap, field) => {
    const organization = await world.organization()
    const { owner } = organization
    const of = (amount: number) => ({ daily_budget: null, end_at: inHours(300), [field]: amount })
    const [lowered, raised] = [
      await running(organization, of(1_000)),
      await running(organization, of(100)),
    ]
    const changeSet = await appliedBy(owner, [
      { op: 'update', id: lowered, body: { [field]: 50 } },
      { op: 'update', id: raised, body: { [field]: 500 } },
    ])
    await owner.put('/organization/guardrails', { [cap]: { USD: 10 } })
    await after(2)
    expect((await campaignOf(owner, lowered))[field]).toBe(50)
    expect((await campaignOf(owner, raised))[field]).toBe(100)
    expect(await resultOf(organization, changeSet)).toMatchObject([
      [[], [{ field, reason: 'guardrail_violation' }]],
      [[field], []],
    ])
  })

  test('what was approved was approved both ways', async () => {
    const organization = await world.organization()
    const { owner } = organization
    await owner.put('/organization/guardrails', { change_sets: { approval: 'always' } })
    const editor = await organization.as('editor')
    const id = await running(organization, { daily_budget: 1_000 })
    const operations = [{ op: 'update', id, body: { daily_budget: 10 } }]
    const { changeSet } = await proposed(editor, operations, { revert_at: inHours(2) })
    await owner.post(`/change_sets/${changeSet.id}/approve`, { version: 1 })
    await editor.post(`/change_sets/${changeSet.id}/apply`)
    await after(2)
    expect((await campaignOf(owner, id)).daily_budget).toBe(1_000)
    const shown = (await owner.get(`/change_sets/${changeSet.id}`)).json()
    expect(shown).toMatchObject({ status: 'reverted', failure: null })
  })

  test('what moves the budget elsewhere and back raises nothing', async () => {
    const organization = await world.organization()
    const { owner } = organization
    await owner.put('/organization/guardrails', { change_sets: { approval: 'raises' } })
    const [one, other] = [await running(organization), await running(organization)]
    const changeSet = await appliedBy(owner, [
      { op: 'update', id: one, body: { daily_budget: 23.51 } },
      { op: 'update', id: other, body: { daily_budget: 43.51 } },
    ])
    await after(2)
    expect(await resultOf(organization, changeSet)).toEqual([
      [['daily_budget'], []],
      [['daily_budget'], []],
    ])
  })

  test('campaigns that need an approval by then are not approved by the clock', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const id = await running(organization, { daily_budget: 1_000 })
    const changeSet = await appliedBy(owner, [{ op: 'update', id, body: { daily_budget: 10 } }])
    await owner.put('/organization/guardrails', { approval: { mode: 'always' } })
    await after(2)
    expect(await campaignOf(owner, id)).toMatchObject({ daily_budget: 10, approved: null })
    expect(await resultOf(organization, changeSet)).toMatchObject([
      [[], [{ reason: 'approval_required' }]],
    ])
  })

  test('the rights of who gave it its time', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const editor = await organization.as('editor')
    const [id, lowered] = [
      await running(organization, { daily_budget: 1_000 }),
      await running(organization),
    ]
    const changeSet = await appliedBy(editor, [
      { op: 'update', id, body: { daily_budget: 10 } },
      { op: 'update', id: lowered, body: { daily_budget: 90 } },
    ])
    await owner.delete(`/members/${editor.userId}`)
    await after(2)
    expect((await campaignOf(owner, id)).daily_budget).toBe(10)
    expect((await campaignOf(owner, lowered)).daily_budget).toBe(33.51)
    expect(await resultOf(organization, changeSet)).toMatchObject([
      [[], [{ reason: 'insufficient_role' }]],
      [['daily_budget'], []],
    ])
  })
})
