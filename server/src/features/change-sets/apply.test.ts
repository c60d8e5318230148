import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventsOf, everythingOf, expectWhole, recordsOf } from '../../../test/support/cases/bulk.ts'
import { operationsOf, proposed } from '../../../test/support/cases/change-sets.ts'
import { campaignAfter, campaignBody, made, profileOf } from '../../../test/support/cases/writes.ts'
import { type Client, openWorld, unlimited, type World } from '../../../test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ env: unlimited })
})
afterAll(() => world.close())

const applying = (client: Client, id: string, headers = {}) =>
  client.post(`/change_sets/${id}/apply`, undefined, headers)

const budgetOf = async (client: Client, id: string) =>
  (await client.get(`/campaigns/${id}`)).json().daily_budget

describe('applying', () => {
  test('does what the trial found, once', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const id = await campaignAfter(organization, ['launch'])
    const { changeSet } = await proposed(owner, [
      { op: 'create', resource: 'profile', ref: 'acme', body: { name: ' Acme ' } },
      { op: 'create', ref: 'sale', body: campaignBody('@acme') },
      { op: 'action', id: '@sale', action: 'launch' },
      { op: 'update', id, body: { daily_budget: 50 } },
      { op: 'update', id, body: { notes: 'Twice' } },
    ])
    const reply = await applying(owner, changeSet.id)
    expect([reply.statusCode, reply.json().status]).toEqual([200, 'applied'])
    expect(reply.json()).toMatchObject({
      applied_by: owner.userId,
      applied_at: expect.any(String),
      version: 2,
      stale: [],
      available_actions: [],
    })
    const operations = await operationsOf(owner, changeSet.id)
    const [profile, sale] = operations.map((each) => each.id)
    expect((await owner.get(`/profiles/${profile}`)).json().name).toBe('Acme')
    expect((await owner.get(`/campaigns/${sale}`)).json()).toMatchObject({
      status: 'active',
      profile_id: profile,
    })
    expect(operations[1]?.changes).toContainEqual({
      field: 'profile_id',
      before: null,
      after: profile,
    })
    expect(operations.map(({ result }) => result?.version)).toEqual([1, 1, 2, 3, 4])
    const before = await everythingOf(world, organization)
    const again = await applying(owner, changeSet.id, { 'if-match': '"1"' })
    expect([again.statusCode, again.json()]).toEqual([200, reply.json()])
    expect(await everythingOf(world, organization)).toEqual(before)
  })

  test('marks every record and event of it', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const id = await campaignAfter(organization)
    const { changeSet } = await proposed(owner, [{ op: 'action', id, action: 'launch' }])
    const reply = await applying(owner, changeSet.id)
    const records = await recordsOf(organization, reply)
    expect(records.map((each) => ({ ...each }))).toMatchObject([
      { action: 'campaign.activated', change_set_id: changeSet.id },
      { action: 'change_set.applied', change_set_id: changeSet.id },
    ])
    const events = (await eventsOf(organization)).slice(-3)
    expect(events).toMatchObject([
      { type: 'change_set.created', change_set_id: changeSet.id },
      { type: 'campaign.activated', change_set_id: changeSet.id },
      { type: 'change_set.applied', change_set_id: changeSet.id },
    ])
    const single = await owner.post(`/campaigns/${id}/pause`)
    expect((await recordsOf(organization, single))[0]).not.toHaveProperty('change_set_id')
    await expectWhole(organization)
  })

  test('is refused as stale when an object has moved, and nothing changes', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const [one, other] = [await campaignAfter(organization), await campaignAfter(organization)]
    const { changeSet } = await proposed(
      owner,
      [one, other].map((id) => ({ op: 'update', id, body: { daily_budget: 50 } })),
    )
    await owner.patch(`/campaigns/${other}`, { notes: 'Mine' })
    const before = await everythingOf(world, organization)
    const reply = await applying(owner, changeSet.id)
    expect(reply.statusCode).toBe(409)
    expect(reply.json()).toMatchObject({
      code: 'change_set_stale',
      stale: [
        { index: 1, id: other, version_seen: 1, current_version: 2, changed_by: owner.userId },
      ],
    })
    expect(await everythingOf(world, organization)).toEqual(before)
    const refreshed = await owner.post(`/change_sets/${changeSet.id}/refresh`)
    expect(refreshed.json()).toMatchObject({ status: 'open', stale: [], version: 2 })
    expect((await applying(owner, changeSet.id)).statusCode).toBe(200)
    expect(await budgetOf(owner, other)).toBe(50)
  })

  test('is refused as stale when the operation would do something else', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const profile_id = await profileOf(organization)
    const defaults = { objective: 'sales', profile_id, daily_budget: 20, currency: 'USD' }
    const template = await made(owner, '/templates', { name: 'Preset', defaults })
    const body = { name: 'From it', template_id: template }
    const { changeSet } = await proposed(owner, [{ op: 'create', body }])
    await owner.put(`/templates/${template}`, { defaults: { ...defaults, daily_budget: 900 } })
    const reply = await applying(owner, changeSet.id)
    expect([reply.statusCode, reply.json().code]).toEqual([409, 'change_set_stale'])
    expect(reply.json().stale).toEqual([
      {
        index: 0,
        resource: 'campaign',
        id: null,
        version_seen: null,
        current_version: null,
        changed_by: null,
        changed_at: null,
      },
    ])
    expect((await owner.get('/campaigns')).json().data).toEqual([])
  })

  test('is refused with every fault where the trial had failures', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const id = await campaignAfter(organization)
    const { changeSet } = await proposed(owner, [
      { op: 'update', id, body: { daily_budget: -1 } },
      { op: 'update', id, body: { name: 'X' } },
      { op: 'action', id, action: 'resume' },
    ])
    const reply = await applying(owner, changeSet.id)
    expect([reply.statusCode, reply.json().code]).toEqual([409, 'change_set_not_applicable'])
    expect(reply.json().errors).toMatchObject([
      { pointer: '/operations/0/body/daily_budget', code: 'out_of_range' },
      { pointer: '/operations/2', code: 'invalid_state_transition' },
    ])
  })

  test('lists faults that only the application finds', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const profile_id = await profileOf(organization)
    const body = { ...campaignBody(profile_id), external_id: 'crm-1' }
    const { changeSet } = await proposed(owner, [{ op: 'create', body }])
    await made(owner, '/campaigns', body)
    const before = await everythingOf(world, organization)
    const reply = await applying(owner, changeSet.id)
    expect([reply.statusCode, reply.json().code]).toEqual([409, 'change_set_not_applicable'])
    expect(reply.json().errors).toMatchObject([
      { pointer: '/operations/0/body/external_id', code: 'external_id_taken' },
    ])
    expect(await everythingOf(world, organization)).toEqual(before)
  })

  test('a refusal that only the application finds is marked too', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const id = await campaignAfter(organization, ['launch'])
    const operations = [{ op: 'update', id, body: { daily_budget: 50 } }]
    const { changeSet } = await proposed(owner, operations)
    await owner.put('/organization/guardrails', { max_daily_budget: { USD: 40 } })
    const reply = await applying(owner, changeSet.id)
    expect([reply.statusCode, reply.json().code]).toEqual([409, 'change_set_not_applicable'])
    const [blocked] = (await eventsOf(organization)).slice(-1)
    expect(blocked).toMatchObject({ type: 'guardrail.blocked', change_set_id: changeSet.id })
    const [record] = await recordsOf(organization, reply)
    expect(record).toMatchObject({ action: 'guardrail.blocked', change_set_id: changeSet.id })
  })

  test('in partial mode leaves what has moved and does the rest', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const [one, other] = [await campaignAfter(organization), await campaignAfter(organization)]
    const raise = (id: string) => ({ op: 'update', id, body: { daily_budget: 50 } })
    const { changeSet } = await proposed(
      owner,
      [raise(one), raise(other), { op: 'delete', id: 'cmp_x' }],
      { mode: 'partial' },
    )
    await owner.patch(`/campaigns/${one}`, { notes: 'Mine' })
    const reply = await applying(owner, changeSet.id)
    expect([reply.statusCode, reply.json().status]).toEqual([200, 'applied'])
    const operations = await operationsOf(owner, changeSet.id)
    expect(operations.map(({ problem }) => problem?.code ?? null)).toEqual([
      'version_mismatch',
      null,
      'not_found',
    ])
    expect([await budgetOf(owner, one), await budgetOf(owner, other)]).toEqual([33.51, 50])
    await expectWhole(organization)
  })

  test('in partial mode it is applied even if every operation fails', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const id = await campaignAfter(organization)
    const operations = [
      { op: 'update', id, body: { daily_budget: -1 } },
      { op: 'action', id, action: 'resume' },
    ]
    const { changeSet } = await proposed(owner, operations, { mode: 'partial' })
    expect(changeSet).toMatchObject({ applicable: true, summary: { failed: 2 } })
    expect(changeSet.available_actions).toContainEqual(
      expect.objectContaining({ action: 'apply', allowed: true }),
    )
    const reply = await applying(owner, changeSet.id)
    expect([reply.statusCode, reply.json().status]).toEqual([200, 'applied'])
    const problems = (await operationsOf(owner, changeSet.id)).map(({ problem }) => problem?.code)
    expect(problems).toEqual(['validation_failed', 'invalid_state_transition'])
    expect((await owner.get(`/campaigns/${id}`)).json().version).toBe(1)
    expect((await applying(owner, changeSet.id)).json()).toEqual(reply.json())
    await expectWhole(organization)
  })

  test('a dry run of it changes nothing', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const id = await campaignAfter(organization)
    const { changeSet } = await proposed(owner, [{ op: 'action', id, action: 'launch' }])
    const before = await everythingOf(world, organization)
    const reply = await owner.post(`/change_sets/${changeSet.id}/apply?validate_only=true`)
    expect([reply.statusCode, reply.json().status]).toEqual([200, 'applied'])
    expect(await everythingOf(world, organization)).toEqual(before)
  })

  test('an expired one, and one that is over, cannot be applied', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const id = await campaignAfter(organization)
    const operations = [{ op: 'action', id, action: 'launch' }]
    const { changeSet } = await proposed(owner, operations, { expires_in_hours: 1 })
    const cancelled = (await proposed(owner, operations)).changeSet
    const reply = await owner.post(`/change_sets/${cancelled.id}/cancel`)
    expect(reply.json()).toMatchObject({ status: 'cancelled', available_actions: [] })
    const over = await applying(owner, cancelled.id)
    expect(over.json()).toMatchObject({
      code: 'invalid_state_transition',
      current_status: 'cancelled',
      allowed_actions: [],
    })
    world.clock.advance(61 * 60 * 1000)
    const late = await applying(owner, changeSet.id)
    expect([late.statusCode, late.json().current_status]).toEqual([409, 'expired'])
    expect((await owner.get(`/change_sets/${changeSet.id}`)).json().status).toBe('expired')
  })

  test('each operation needs the rights that it needs alone', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const editor = await organization.as('editor')
    const operations = [{ op: 'create', resource: 'profile', body: { name: 'Acme' } }]
    const own = await proposed(editor, operations)
    expect(own.operations[0]?.problem).toMatchObject({ code: 'insufficient_role' })
    const { changeSet } = await proposed(owner, operations)
    const reply = await applying(editor, changeSet.id)
    expect([reply.statusCode, reply.json().code]).toEqual([409, 'change_set_not_applicable'])
    expect(reply.json().errors).toMatchObject([
      { pointer: '/operations/0', code: 'insufficient_role' },
    ])
    const denied = (await owner.get('/audit_logs?outcome=denied')).json().data
    expect(denied).toMatchObject([{ action: 'profile.created', actor: { id: editor.userId } }])
  })

  test('a thousand operations are applied together', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const profile = await profileOf(organization)
    const operations = Array.from({ length: 1000 }, (_, at) => ({
      op: 'create',
      body: { ...campaignBody(profile), external_id: `crm-${at}` },
    }))
    const { changeSet } = await proposed(owner, operations)
    expect((await applying(owner, changeSet.id)).json().status).toBe('applied')
    expect((await owner.get('/limits')).json().caps.campaigns.used).toBe(1000)
  })
})
