import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { madeKey } from '../../../test/support/api-keys.ts'
import { proposed, proposing } from '../../../test/support/cases/change-sets.ts'
import { campaignAfter } from '../../../test/support/cases/writes.ts'
import {
  type Client,
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

const guarded = async (rules: object): Promise<TestOrganization> => {
  const organization = await world.organization()
  const reply = await organization.owner.put('/organization/guardrails', rules)
  expect(reply.statusCode).toBe(200)
  return organization
}

const raising = (id: string, daily_budget: number) => [{ op: 'update', id, body: { daily_budget } }]

const act = (client: Client, id: string, action: string, body?: object) =>
  client.post(`/change_sets/${id}/${action}`, body)

const codeOf = (reply: { statusCode: number; json(): { code: string } }) => [
  reply.statusCode,
  reply.json().code,
]

describe('an approval', () => {
  test('is asked for where the daily sum rises by more than the amount', async () => {
    const organization = await guarded({
      change_sets: { approval: 'raises', raises_above: { USD: 10 } },
    })
    const { owner } = organization
    const id = await campaignAfter(organization, ['launch'])
    const other = await campaignAfter(organization, ['launch'])
    const within = await proposed(owner, raising(id, 43.51))
    expect(within.changeSet.approval).toMatchObject({ required: false, reasons: [] })
    const beyond = await proposed(owner, raising(id, 43.52))
    expect(beyond.changeSet.approval).toMatchObject({ required: true, reasons: ['raises'] })
    const even = [...raising(id, 60), { op: 'action', id: other, action: 'pause' }]
    expect((await proposed(owner, even)).changeSet.approval.required).toBe(false)
    expect(codeOf(await act(owner, beyond.changeSet.id, 'apply'))).toEqual([
      409,
      'approval_required',
    ])
  })

  test('comes from another person, who names the version', async () => {
    const organization = await guarded({ change_sets: { approval: 'always' } })
    const { owner } = organization
    const editor = await organization.as('editor')
    const id = await campaignAfter(organization, ['launch'])
    const { changeSet } = await proposed(owner, raising(id, 50))
    expect(codeOf(await act(owner, changeSet.id, 'approve'))).toEqual([
      428,
      'precondition_required',
    ])
    expect(codeOf(await act(owner, changeSet.id, 'approve', { version: 2 }))).toEqual([
      412,
      'version_mismatch',
    ])
    expect(codeOf(await act(owner, changeSet.id, 'approve', { version: 1 }))).toEqual([
      403,
      'self_approval_forbidden',
    ])
    expect(codeOf(await act(editor, changeSet.id, 'approve', { version: 1 }))).toEqual([
      403,
      'insufficient_role',
    ])
    const { client: key } = await madeKey(world, owner, { role: 'admin' })
    expect(codeOf(await act(key, changeSet.id, 'approve', { version: 1 }))).toEqual([
      403,
      'insufficient_role',
    ])
    const admin = await organization.as('admin')
    const approved = await act(admin, changeSet.id, 'approve', { version: 1 })
    expect(approved.json()).toMatchObject({ status: 'approved', approved_by: admin.userId })
    const again = await act(await organization.as('admin'), changeSet.id, 'approve', { version: 2 })
    expect(codeOf(again)).toEqual([409, 'invalid_state_transition'])
    expect((await act(owner, changeSet.id, 'apply')).json().status).toBe('applied')
    const denied = (await owner.get('/audit_logs?outcome=denied')).json().data
    expect(denied.map(({ action }: { action: string }) => action)).toEqual(
      Array(3).fill('change_set.approved'),
    )
  })

  test('of a key’s change set is not its maker’s', async () => {
    const organization = await guarded({ change_sets: { approval: 'always' } })
    const { owner } = organization
    const id = await campaignAfter(organization)
    const { client: key } = await madeKey(world, owner, { role: 'editor' })
    const { changeSet } = await proposed(key, raising(id, 50))
    expect(codeOf(await act(owner, changeSet.id, 'approve', { version: 1 }))).toEqual([
      403,
      'self_approval_forbidden',
    ])
  })

  test('is void when a refresh finds anything else', async () => {
    const organization = await guarded({ change_sets: { approval: 'always' } })
    const { owner } = organization
    const editor = await organization.as('editor')
    const id = await campaignAfter(organization)
    const { changeSet } = await proposed(editor, raising(id, 50))
    await act(owner, changeSet.id, 'approve', { version: 1 })
    const same = await act(editor, changeSet.id, 'refresh')
    expect(same.json()).toMatchObject({ status: 'approved', approved_by: owner.userId })
    await owner.patch(`/campaigns/${id}`, { notes: 'Moved' })
    expect(codeOf(await act(owner, changeSet.id, 'apply'))).toEqual([409, 'change_set_stale'])
    const other = await act(editor, changeSet.id, 'refresh')
    expect(other.json()).toMatchObject({ status: 'open', approved_by: null })
  })

  test('counts for the campaigns as if each had been submitted and approved', async () => {
    const organization = await guarded({ approval: { mode: 'always' } })
    const { owner } = organization
    const editor = await organization.as('editor')
    const id = await campaignAfter(organization)
    const { changeSet } = await proposed(editor, [
      { op: 'action', id, action: 'launch' },
      ...raising(id, 90),
    ])
    expect(changeSet).toMatchObject({
      applicable: true,
      summary: { action: 1, update: 1, failed: 0 },
      approval: { required: true, reasons: ['campaign'] },
    })
    expect(codeOf(await act(editor, changeSet.id, 'apply'))).toEqual([409, 'approval_required'])
    await act(owner, changeSet.id, 'approve', { version: 1 })
    expect((await act(editor, changeSet.id, 'apply')).json().status).toBe('applied')
    expect((await owner.get(`/campaigns/${id}`)).json()).toMatchObject({
      status: 'active',
      daily_budget: 90,
      approved: { daily_budget_minor: 9000, by: owner.userId },
      review: { state: 'approved', submitted_by: editor.userId, decided_by: owner.userId },
    })
    await editor.post(`/campaigns/${id}/pause`)
    expect((await editor.post(`/campaigns/${id}/resume`)).statusCode).toBe(200)
  })

  test('is not needed any more once the change set is rejected', async () => {
    const organization = await guarded({ change_sets: { approval: 'always' } })
    const { owner } = organization
    const editor = await organization.as('editor')
    const id = await campaignAfter(organization)
    const { changeSet } = await proposed(editor, raising(id, 50))
    expect(codeOf(await act(owner, changeSet.id, 'reject', {}))).toEqual([422, 'validation_failed'])
    const rejected = await act(owner, changeSet.id, 'reject', { reason: 'Too much' })
    expect(rejected.json()).toMatchObject({
      status: 'rejected',
      rejected_by: owner.userId,
      rejected_reason: 'Too much',
    })
    expect(codeOf(await act(owner, changeSet.id, 'apply'))).toEqual([
      409,
      'invalid_state_transition',
    ])
  })
})

describe('API keys that have to use change sets', () => {
  test('change budgets, start and delete by them only', async () => {
    const organization = await guarded({ change_sets: { required_for: ['api_key'] } })
    const { owner } = organization
    const { client: key } = await madeKey(world, owner, { role: 'editor' })
    const id = await campaignAfter(organization)
    const refused = [409, 'change_set_required']
    expect(codeOf(await key.patch(`/campaigns/${id}`, { daily_budget: 50 }))).toEqual(refused)
    expect(codeOf(await key.post(`/campaigns/${id}/launch`))).toEqual(refused)
    expect(codeOf(await key.delete(`/campaigns/${id}`))).toEqual(refused)
    expect((await key.patch(`/campaigns/${id}`, { notes: 'Fine' })).statusCode).toBe(200)
    expect((await owner.patch(`/campaigns/${id}`, { daily_budget: 40 })).statusCode).toBe(200)
    const { changeSet } = await proposed(key, raising(id, 50))
    expect((await act(key, changeSet.id, 'apply')).json().status).toBe('applied')
  })
})

describe('cancelling, refreshing and renaming', () => {
  test('are for the author, admins and owners', async () => {
    const organization = await world.organization()
    const id = await campaignAfter(organization)
    const [author, editor] = [await organization.as('editor'), await organization.as('editor')]
    const reply = await proposing(author, raising(id, 50))
    const own = reply.json().id
    expect(codeOf(await act(editor, own, 'cancel'))).toEqual([403, 'insufficient_role'])
    expect(codeOf(await act(editor, own, 'refresh'))).toEqual([403, 'insufficient_role'])
    const named = { title: 'Harmless', description: 'x' }
    const path = `/change_sets/${own}`
    expect(codeOf(await editor.patch(path, named))).toEqual([403, 'insufficient_role'])
    expect((await author.patch(path, named)).json()).toMatchObject(named)
    expect((await organization.owner.patch(path, { title: 'Hers' })).json().title).toBe('Hers')
    expect((await act(await organization.as('admin'), own, 'refresh')).statusCode).toBe(200)
    expect((await act(author, own, 'cancel')).json().status).toBe('cancelled')
  })
})
