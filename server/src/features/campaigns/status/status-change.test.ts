import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proposed } from '../../../../test/support/cases/change-sets.ts'
import { campaignAfter } from '../../../../test/support/cases/writes.ts'
import { type OwnWorld, openOwnWorld } from '../../../../test/support/own-world.ts'
import type { Client, TestOrganization } from '../../../../test/support/world.ts'
import { runDue } from '../../change-sets/timed/timed.ts'
import { moveDue } from '../timed-moves.ts'

let world: OwnWorld

// Its own database: the tasks move everything that is due.
beforeAll(async () => {
  world = await openOwnWorld()
})
afterAll(() => world.close())

const hourMs = 3_600_000
const inHours = (hours: number) =>
  new Date(world.clock.now().getTime() + hours * hourMs).toISOString()

async function afterHours(hours: number): Promise<void> {
  world.clock.advance(hours * hourMs)
  await moveDue(world.services, AbortSignal.timeout(20_000))
  await runDue(world.services, AbortSignal.timeout(20_000))
}

const changeOf = async (client: Client, id: string) =>
  (await client.get(`/campaigns/${id}`)).json().status_change

const act = (client: Client, id: string, action: string, body?: object, headers = {}) =>
  client.post(`/campaigns/${id}/${action}`, body, headers)

const bySystem = { type: 'system', id: null, name: 'Flightdeck' }

const lastRecord = async ({ owner }: TestOrganization, id: string) =>
  (await owner.get(`/audit_logs?resource_id=${id}&limit=1`)).json().data[0]

describe('the last change of a status', () => {
  test('is null for a draft, and then says who, when and why', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const id = await campaignAfter(organization)
    expect(await changeOf(owner, id)).toBeNull()
    const at = world.clock.now().toISOString()
    const launched = await act(owner, id, 'launch')
    const { name } = (await owner.get('/auth/me')).json().user ?? {}
    const by = { type: 'user', id: owner.userId, name: expect.any(String) }
    expect(launched.json().status_change).toEqual({
      action: 'launch',
      at,
      by,
      reason: null,
      change_set_id: null,
    })
    if (name) expect(launched.json().status_change.by.name).toBe(name)
    await owner.patch(`/campaigns/${id}`, { daily_budget: 50 })
    expect((await changeOf(owner, id)).action).toBe('launch')
    await act(owner, id, 'pause', { reason: ' Landing page down ' })
    expect(await changeOf(owner, id)).toMatchObject({
      action: 'pause',
      reason: 'Landing page down',
    })
    expect(await lastRecord(organization, id)).toMatchObject({
      action: 'campaign.paused',
      reason: 'Landing page down',
    })
    await act(owner, id, 'pause', { reason: 'Again' })
    expect((await changeOf(owner, id)).reason).toBe('Landing page down')
  })

  test('stands in events, files and former states, and in lists where asked for', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const id = await campaignAfter(organization, ['launch'])
    const launchedAt = world.clock.now().toISOString()
    await afterHours(1)
    await act(owner, id, 'pause', {}, { 'x-audit-reason': 'No stock' })
    const { data } = (await owner.get('/campaigns?fields=status_change')).json()
    expect(data[0].status_change).toMatchObject({ action: 'pause', reason: 'No stock' })
    const plain = (await owner.get('/campaigns')).json().data
    expect(plain[0]).not.toHaveProperty('status_change')
    const event = (await owner.get('/events?type=campaign.paused')).json().data[0]
    expect(event.data.object.status_change.reason).toBe('No stock')
    expect(event.data.previous.status_change.action).toBe('launch')
    const then = (await owner.get(`/campaigns/${id}?as_of=${launchedAt}`)).json()
    expect(then.status_change.action).toBe('launch')
    const csv = (await owner.get('/campaigns/export?format=csv')).body
    expect(csv).toContain('status_change_by_name')
    expect(csv).toContain('No stock')
  })

  test('is of the system where the clock or a profile did it', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const times = { start_at: inHours(1), end_at: inHours(3) }
    const id = await campaignAfter(organization, ['launch'], times)
    await afterHours(1)
    expect(await changeOf(owner, id)).toMatchObject({ action: 'start', by: bySystem, reason: null })
    await afterHours(2)
    expect(await changeOf(owner, id)).toMatchObject({ action: 'complete', by: bySystem })
    const other = await campaignAfter(organization, ['launch'])
    const { profile_id } = (await owner.get(`/campaigns/${other}`)).json()
    await owner.patch(`/profiles/${profile_id}`, { status: 'paused' })
    expect(await changeOf(owner, other)).toMatchObject({
      action: 'pause',
      by: bySystem,
      reason: 'profile_not_active',
    })
  })

  test('is the approval, the rejection and its reason', async () => {
    const organization = await world.organization()
    const { owner } = organization
    await owner.put('/organization/guardrails', { approval: { mode: 'always' } })
    const editor = await organization.as('editor')
    const id = await campaignAfter(organization)
    await act(editor, id, 'submit', { reason: 'For Monday' })
    expect(await changeOf(owner, id)).toMatchObject({ action: 'submit', reason: 'For Monday' })
    await act(owner, id, 'reject', { reason: 'Too dear' })
    expect(await changeOf(owner, id)).toMatchObject({ action: 'reject', reason: 'Too dear' })
    await act(editor, id, 'submit')
    const { version } = (await owner.get(`/campaigns/${id}`)).json()
    await act(owner, id, 'approve', { reason: 'Fine' }, { 'if-match': `"${version}"` })
    expect(await changeOf(owner, id)).toMatchObject({
      action: 'approve',
      by: { id: owner.userId },
      reason: 'Fine',
    })
  })

  test('names the change set, also where the clock sets it back', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const id = await campaignAfter(organization, ['launch'])
    const operations = [{ op: 'action', id, action: 'pause', body: { reason: 'Strike' } }]
    const { changeSet } = await proposed(owner, operations, { revert_at: inHours(2) })
    await owner.post(`/change_sets/${changeSet.id}/apply`, undefined, { 'x-audit-reason': 'Go' })
    expect(await changeOf(owner, id)).toMatchObject({
      action: 'pause',
      reason: 'Strike',
      by: { id: owner.userId },
      change_set_id: changeSet.id,
    })
    await afterHours(2)
    expect(await changeOf(owner, id)).toMatchObject({
      action: 'resume',
      by: bySystem,
      change_set_id: changeSet.id,
    })
  })
})

describe('a reason', () => {
  test('in the body and another in the header are refused; the same one is not', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const id = await campaignAfter(organization, ['launch'])
    const header = { 'x-audit-reason': 'One' }
    const refused = await act(owner, id, 'pause', { reason: 'Two' }, header)
    expect(refused.statusCode).toBe(422)
    expect(refused.json().errors).toMatchObject([{ pointer: '/reason' }])
    const operation = { op: 'action', id, action: 'pause', body: { reason: 'Two' } }
    const bulk = { mode: 'partial', operations: [operation] }
    const [result] = (await owner.post('/campaigns/bulk', bulk, header)).json().results
    expect(result.problem.errors).toMatchObject([{ pointer: '/operations/0/body/reason' }])
    expect((await act(owner, id, 'pause', { reason: 'One' }, header)).statusCode).toBe(200)
  })

  test('of each operation is kept in bulk', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const ids = [
      await campaignAfter(organization, ['launch']),
      await campaignAfter(organization, ['launch']),
    ]
    const operations = ids.map((id, at) => ({
      op: 'action',
      id,
      action: 'pause',
      body: { reason: `Reason ${at}` },
    }))
    await owner.post('/campaigns/bulk', { mode: 'atomic', operations })
    for (const [at, id] of ids.entries())
      expect((await changeOf(owner, id)).reason).toBe(`Reason ${at}`)
  })

  test('has at most 500 characters in one line', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const id = await campaignAfter(organization, ['launch'])
    for (const reason of ['x'.repeat(501), '', '  ', 'a\nb', 5, { a: 1 }])
      expect((await act(owner, id, 'pause', { reason })).statusCode).toBe(422)
    expect((await act(owner, id, 'pause', { reasons: 'x' })).statusCode).toBe(422)
    expect((await act(owner, id, 'pause', { reason: 'x'.repeat(500) })).statusCode).toBe(200)
  })

  test('can be added afterwards by the one who changed the status, with a record of its own', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const editor = await organization.as('editor')
    const id = await campaignAfter(organization)
    const put = (client: Client, reason: string, headers = {}) =>
      client.put(`/campaigns/${id}/status_change`, { reason }, headers)
    expect((await put(editor, 'Why not')).statusCode).toBe(404)
    await act(owner, id, 'launch')
    expect((await put(editor, 'Why not')).statusCode).toBe(403)
    const paused = (await act(editor, id, 'pause')).json()
    const stale = await put(editor, 'Landing page down', { 'if-match': `"${paused.version - 1}"` })
    expect(stale.statusCode).toBe(412)
    const explained = await put(editor, 'Landing page down')
    expect(explained.json()).toMatchObject({
      version: paused.version + 1,
      status_change: { ...paused.status_change, reason: 'Landing page down' },
    })
    const record = await lastRecord(organization, id)
    expect(record).toMatchObject({
      action: 'campaign.updated',
      actor: { id: editor.userId },
      reason: 'Landing page down',
    })
    expect(record.changes.map(({ field }: { field: string }) => field)).toEqual(['status_change'])
    expect((await put(editor, 'Landing page down')).json().version).toBe(paused.version + 1)
    expect((await put(owner, 'DNS')).json().status_change).toMatchObject({
      reason: 'DNS',
      by: { id: editor.userId },
    })
    const stranger = (await world.organization()).owner
    expect((await put(stranger, 'Mine')).statusCode).toBe(404)
  })
})
