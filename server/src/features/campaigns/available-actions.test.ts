import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { madeKey } from '../../../test/support/api-keys.ts'
import { proposed } from '../../../test/support/cases/change-sets.ts'
import { campaignBody, made, profileOf } from '../../../test/support/cases/writes.ts'
import { watch } from '../../../test/support/documented.ts'
import {
  type Client,
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
})
afterAll(() => world.close())

const lacksRole = (action: string) => ({
  action,
  allowed: false,
  blocked_by: ['insufficient_role'],
})
const may = (action: string) => ({ action, allowed: true, blocked_by: [] })

async function draftIn(organization: TestOrganization, rules: object) {
  await organization.owner.put('/organization/guardrails', rules)
  const profile = await profileOf(organization)
  const id = await made(organization.owner, '/campaigns', campaignBody(profile))
  const actionsFor = async (client: Client) =>
    (await client.get(`/campaigns/${id}`)).json().available_actions
  return { id, profile, actionsFor }
}

const always = { approval: { mode: 'always' } }

describe('available_actions', () => {
  test('have submit only where the organization asks for approvals', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { actionsFor } = await draftIn(organization, { approval: { mode: 'never' } })
    expect(await actionsFor(owner)).toEqual([may('launch'), may('archive')])
    const amounts = { USD: 1_000_000 }
    await owner.put('/organization/guardrails', { approval: { mode: 'above', amounts } })
    const unasked = { action: 'submit', allowed: false, blocked_by: ['approval_not_asked'] }
    expect(await actionsFor(owner)).toEqual([may('launch'), unasked, may('archive')])
    await owner.put('/organization/guardrails', always)
    const unapproved = { action: 'launch', allowed: false, blocked_by: ['approval_required'] }
    expect(await actionsFor(owner)).toEqual([unapproved, may('submit'), may('archive')])
  })

  test('name a cause only for the actions that it blocks', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { profile, actionsFor } = await draftIn(organization, {})
    await owner.patch(`/profiles/${profile}`, { status: 'paused' })
    expect(await actionsFor(owner)).toEqual([
      { action: 'launch', allowed: false, blocked_by: ['profile_not_active'] },
      may('archive'),
    ])
  })

  test('say where the role of the caller may not: to viewers of every action', async () => {
    const organization = await world.organization()
    const { actionsFor } = await draftIn(organization, {})
    for (const role of ['viewer', 'auditor'] as const) {
      const client = await organization.as(role)
      expect(await actionsFor(client)).toEqual([lacksRole('launch'), lacksRole('archive')])
    }
  })

  test('of what waits for approval say what the refusals say', async () => {
    const organization = await world.organization()
    const editor = await organization.as('editor')
    const other = await organization.as('editor')
    const { id, actionsFor } = await draftIn(organization, always)
    await editor.post(`/campaigns/${id}/submit`)
    expect(await actionsFor(organization.owner)).toEqual(['approve', 'reject', 'withdraw'].map(may))
    expect(await actionsFor(editor)).toEqual([
      lacksRole('approve'),
      lacksRole('reject'),
      may('withdraw'),
    ])
    expect(await actionsFor(other)).toEqual(['approve', 'reject', 'withdraw'].map(lacksRole))
    for (const action of ['reject', 'withdraw']) {
      const body = action === 'reject' ? { reason: 'no' } : {}
      const reply = await other.post(`/campaigns/${id}/${action}`, body)
      expect([reply.statusCode, reply.json().code]).toEqual([403, 'insufficient_role'])
    }
  })

  test('say to the submitter that another person approves', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { id, actionsFor } = await draftIn(organization, always)
    const submitted = (await owner.post(`/campaigns/${id}/submit`)).json()
    const own = { action: 'approve', allowed: false, blocked_by: ['self_approval_forbidden'] }
    const expected = [own, may('reject'), may('withdraw')]
    expect(submitted.available_actions).toEqual(expected)
    expect(await actionsFor(owner)).toEqual(expected)
    const [listed] = (await owner.get('/campaigns?status=pending_review')).json().data
    expect(listed.available_actions).toEqual(expected)
    expect(await actionsFor(await organization.as('admin'))).toContainEqual(may('approve'))
    const [event] = (await owner.get('/events?type=campaign.submitted')).json().data
    expect(event.data.object.available_actions).toContainEqual(may('approve'))
    const refused = await owner.post(`/campaigns/${id}/approve`, {}, { 'if-match': '"2"' })
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'self_approval_forbidden'])
    await owner.post(`/campaigns/${id}/withdraw`)
    expect(await actionsFor(owner)).toContainEqual(may('submit'))
  })

  test('in events do not depend on the caller', async () => {
    const organization = await world.organization()
    const editor = await organization.as('editor')
    const { id } = await draftIn(organization, always)
    const headers = { 'idempotency-key': 'once' }
    const reply = await editor.post(`/campaigns/${id}/submit`, {}, headers)
    expect(reply.json().available_actions).toContainEqual(lacksRole('approve'))
    const query = '/events?type=campaign.submitted'
    const [event] = (await organization.owner.get(query)).json().data
    expect(event.data.object.available_actions).toEqual(['approve', 'reject', 'withdraw'].map(may))
    const replay = await editor.post(`/campaigns/${id}/submit`, {}, headers)
    expect(replay.json()).toEqual(reply.json())
  })

  test('keep a list of 25 campaigns under 26 kB', async () => {
    const organization = await world.organization()
    const profile = await profileOf(organization)
    for (let n = 0; n < 25; n += 1) {
      const id = await made(organization.owner, '/campaigns', campaignBody(profile))
      if (n % 2 === 0) await organization.owner.post(`/campaigns/${id}/launch`)
    }
    const { body } = await organization.owner.get('/campaigns')
    expect(JSON.parse(body).data).toHaveLength(25)
    expect(body.length).toBeLessThan(26_000)
  })
})

const toPropose = (action: string) => ({
  action,
  allowed: false,
  blocked_by: ['change_set_required'],
})

describe('available_actions of callers who change by change sets only', () => {
  const rule = (...required_for: string[]) => ({ change_sets: { required_for } })

  test('say so of what starts to spend, and of nothing else', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { id, actionsFor } = await draftIn(organization, rule('member'))
    expect(await actionsFor(owner)).toEqual([toPropose('launch'), may('archive')])
    const launch = await owner.post(`/campaigns/${id}/launch`)
    expect([launch.statusCode, launch.json().code]).toEqual([409, 'change_set_required'])
    await owner.put('/organization/guardrails', rule())
    await owner.post(`/campaigns/${id}/launch`)
    await owner.put('/organization/guardrails', rule('member'))
    expect(await actionsFor(owner)).toEqual(['pause', 'complete'].map(may))
    await owner.post(`/campaigns/${id}/pause`)
    const paused = [toPropose('resume'), may('complete'), may('archive')]
    expect(await actionsFor(owner)).toEqual(paused)
    const [listed] = (await owner.get('/campaigns')).json().data
    expect(listed.available_actions).toEqual(paused)
    const written = await owner.patch(`/campaigns/${id}`, { notes: 'x' })
    expect(written.json().available_actions).toEqual(paused)
  })

  test('are about the kind of caller', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const key = (await madeKey(world, owner, { role: 'editor' })).client
    const { actionsFor } = await draftIn(organization, rule('api_key'))
    expect(await actionsFor(key)).toEqual([toPropose('launch'), may('archive')])
    expect(await actionsFor(owner)).toEqual([may('launch'), may('archive')])
    const viewer = await organization.as('viewer')
    expect(await actionsFor(viewer)).toEqual([lacksRole('launch'), lacksRole('archive')])
  })

  test('leave an approval to another person, but to no key', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const rules = { ...always, ...rule('member', 'api_key') }
    const { id, actionsFor } = await draftIn(organization, rules)
    const editor = await organization.as('editor')
    await editor.post(`/campaigns/${id}/submit`)
    expect(await actionsFor(owner)).toEqual(['approve', 'reject', 'withdraw'].map(may))
    const key = (await madeKey(world, owner)).client
    expect(await actionsFor(key)).toContainEqual(toPropose('approve'))
  })

  test('are not in events, nor in what a change set does', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { id } = await draftIn(organization, rule('member'))
    const { changeSet } = await proposed(owner, [{ op: 'action', id, action: 'launch' }])
    expect(changeSet).toMatchObject({ applicable: true })
    expect((await owner.post(`/change_sets/${changeSet.id}/apply`)).json().status).toBe('applied')
    const { data } = (await owner.get('/events?type=campaign.*')).json()
    expect(JSON.stringify(data)).not.toContain('change_set_required')
    expect(data[0].data.object.available_actions).toEqual(['pause', 'complete'].map(may))
  })
})
