import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { madeKey } from '../../../test/support/api-keys.ts'
import { proposed } from '../../../test/support/cases/change-sets.ts'
import { dayOf, report } from '../../../test/support/cases/results.ts'
import { env, fill, refused } from '../../../test/support/cases/storage.ts'
import { campaignAfter } from '../../../test/support/cases/writes.ts'
import { endpoints } from '../../../test/support/documented.ts'
import { openWorld, password, type World } from '../../../test/support/world.ts'

/** But that of leases, which nothing is counted of. */
const deletions = endpoints.filter(({ method, noKey }) => method === 'DELETE' && !noKey)

let world: World

beforeAll(async () => {
  world = await openWorld({ env })
})
afterAll(() => world.close())

const newOrganization = () => world.organization({ plan: 'free' })

describe('at the cap', () => {
  test('campaigns can be stopped, completed, archived and deleted', async () => {
    const organization = await newOrganization()
    const { owner } = organization
    const [running, scheduled, draft, paused] = [
      await campaignAfter(organization, ['launch']),
      await campaignAfter(organization, ['launch'], { start_at: '2027-01-01T00:00:00Z' }),
      await campaignAfter(organization),
      await campaignAfter(organization, ['launch', 'pause']),
    ]
    await fill(owner)
    const act = async (id: string, action: string) =>
      (await owner.post(`/campaigns/${id}/${action}`)).statusCode
    expect(await act(paused, 'resume')).toBe(409)
    expect(await act(draft, 'launch')).toBe(409)
    expect(await act(scheduled, 'unschedule')).toBe(200)
    expect(await act(running, 'pause')).toBe(200)
    expect(await act(running, 'complete')).toBe(200)
    expect(await act(running, 'archive')).toBe(200)
    expect((await owner.delete(`/campaigns/${draft}`)).statusCode).toBe(204)
  })

  test('a profile can be stopped, with its campaigns, but not changed', async () => {
    const organization = await newOrganization()
    const { owner } = organization
    const campaign = await campaignAfter(organization, ['launch'])
    const { profile_id } = (await owner.get(`/campaigns/${campaign}`)).json()
    await fill(owner)
    const change = (body: object) => owner.patch(`/profiles/${profile_id}`, body)
    expect((await change({ name: 'B' })).json()).toMatchObject(refused)
    expect((await change({ name: 'B', status: 'suspended' })).json()).toMatchObject(refused)
    expect((await change({ status: 'suspended' })).json()).toMatchObject({ status: 'suspended' })
    expect((await owner.get(`/campaigns/${campaign}`)).json().status).toBe('paused')
    expect((await change({ status: 'active' })).json()).toMatchObject(refused)
  })

  test('access can be taken away, and people log in and out', async () => {
    const organization = await newOrganization()
    const { owner } = organization
    const key = await madeKey(world, owner)
    const editor = await organization.as('editor')
    await fill(owner)
    const made = await owner.post('/api_keys', { name: 'B', role: 'viewer' })
    expect(made.json()).toMatchObject(refused)
    expect((await owner.delete(`/api_keys/${key.id}`)).statusCode).toBe(204)
    const disabled = await owner.patch(`/members/${editor.userId}`, { disabled: true })
    expect(disabled.statusCode).toBe(200)
    const { email } = owner
    const login = await world.anonymous.post('/auth/login', { email, password })
    expect(login.statusCode).toBe(200)
    const passwords = { current_password: password, new_password: 'another long pass phrase' }
    expect((await owner.post('/auth/password', passwords)).statusCode).toBe(204)
    expect((await owner.delete('/auth/logout')).statusCode).toBe(204)
  })

  test('reports of results are refused, and a source can be deleted', async () => {
    const organization = await newOrganization()
    const { owner } = organization
    const campaign_id = await campaignAfter(organization, ['launch'])
    const rowOf = (days: number) => ({ campaign_id, date: dayOf(world, days), spend: 1 })
    expect((await report(owner, { rows: [rowOf(0)] })).statusCode).toBe(207)
    await fill(owner)
    expect((await report(owner, { rows: [rowOf(-1)] })).json()).toMatchObject(refused)
    expect((await owner.delete('/results/sources/google_ads')).statusCode).toBe(204)
  })

  test('each operation of a bulk request is judged alone', async () => {
    const organization = await newOrganization()
    const { owner } = organization
    const [id, other] = [
      await campaignAfter(organization, ['launch']),
      await campaignAfter(organization, ['launch']),
    ]
    await fill(owner)
    const operations = [
      { op: 'update', id, body: { metadata: { note: 'x' } } },
      { op: 'action', id, action: 'pause' },
    ]
    const atomic = await owner.post('/campaigns/bulk', { mode: 'atomic', operations })
    expect(atomic.json()).toMatchObject({ code: 'bulk_failed' })
    const partial = await owner.post('/campaigns/bulk', { mode: 'partial', operations })
    expect(partial.statusCode).toBe(207)
    expect(partial.json().results).toMatchObject([{ problem: refused }, { status: 200 }])
    const pauses = [{ op: 'action', id: other, action: 'pause' }]
    const paused = await owner.post('/campaigns/bulk', { mode: 'atomic', operations: pauses })
    expect(paused.statusCode).toBe(200)
  })

  test('a change set that only stops is applied, another not, and none is proposed', async () => {
    const organization = await newOrganization()
    const { owner } = organization
    const id = await campaignAfter(organization, ['launch'])
    const stops = [{ op: 'action', id, action: 'pause' }]
    const stopping = (await proposed(owner, stops)).changeSet
    const raises = [{ op: 'update', id, body: { daily_budget: 50 } }]
    const raising = (await proposed(owner, raises)).changeSet
    await fill(owner)
    const proposal = await owner.post('/change_sets', { title: 'Late', operations: stops })
    expect(proposal.json()).toMatchObject(refused)
    const raised = await owner.post(`/change_sets/${raising.id}/apply`)
    expect(raised.statusCode).toBe(409)
    expect(raised.json()).toMatchObject({ code: 'change_set_not_applicable' })
    expect((await owner.post(`/change_sets/${stopping.id}/apply`)).json().status).toBe('applied')
    expect((await owner.post(`/change_sets/${raising.id}/cancel`)).json().status).toBe('cancelled')
  })

  test('the budget of a month is deleted, but not set', async () => {
    const { owner } = await newOrganization()
    const client = (await owner.post('/clients', { name: 'Acme' })).json()
    const path = `/clients/${client.id}/budgets/2026-12`
    expect((await owner.put(path, { amounts: { USD: 100 } })).statusCode).toBe(201)
    await fill(owner)
    expect((await owner.put(path, { amounts: { USD: 200 } })).json()).toMatchObject(refused)
    expect((await owner.delete(path)).statusCode).toBe(204)
  })

  test.each(deletions)('nothing keeps $operation from deleting', ({ action = '' }) => {
    const rule = world.services.declared.evenWhenFull[action]
    // The action that sets the budget of a month deletes it, too.
    if (action === 'client.budget_changed') expect(rule).toBeTypeOf('function')
    else expect(rule).toBe(true)
  })
})
