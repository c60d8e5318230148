import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignBody, made, profileOf } from '../../../test/support/cases/writes.ts'
import { watch } from '../../../test/support/documented.ts'
import {
  type Client,
  clientOf,
  openWorld,
  unlimited,
  type World,
} from '../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
})
afterAll(() => world.close())

const inDays = (days: number) =>
  new Date(world.clock.now().getTime() + days * 86_400_000).toISOString()

const always = { approval: { mode: 'always' } }
const above = { approval: { mode: 'above', amounts: { USD: 500 } } }

/** An organization that requires approvals, and a draft of its editor's. */
async function reviewed(rules: object, body: object = {}) {
  const organization = await world.organization()
  const { owner } = organization
  await owner.put('/organization/guardrails', rules)
  const editor = await organization.as('editor')
  const profile = await profileOf(organization, { currency: null })
  const id = await made(editor, '/campaigns', {
    ...campaignBody(profile),
    daily_budget: 800,
    ...body,
  })
  const shown = async () => (await owner.get(`/campaigns/${id}`)).json()
  /** Approves the current version. */
  const act = async (client: Client, action: string, more?: object) => {
    const headers = action === 'approve' ? { 'if-match': `"${(await shown()).version}"` } : {}
    return client.post(`/campaigns/${id}/${action}`, more, headers)
  }
  const change = (fields: object) => editor.patch(`/campaigns/${id}`, fields)
  const approve = async () => {
    await act(editor, 'submit')
    return (await act(owner, 'approve')).json()
  }
  return { organization, owner, editor, id, act, change, shown, approve }
}

/** A client with an API key that this one has made. */
async function keyOf(maker: Client): Promise<Client> {
  const { key } = (await maker.post('/api_keys', { name: 'Robot', role: 'admin' })).json()
  return clientOf(world.app, { token: key, userId: '', email: '' })
}

const eventsOf = async (owner: Client): Promise<string[]> =>
  (await owner.get('/events?type=campaign.*&sort=sequence'))
    .json()
    .data.map(({ type }: { type: string }) => type)

describe('a submission', () => {
  test('is approved by another user, and the campaign runs', async () => {
    const { owner, editor, act, shown } = await reviewed(always)
    const submitted = (await act(editor, 'submit')).json()
    expect(submitted).toMatchObject({
      status: 'pending_review',
      review: { state: 'pending', status_before: 'draft', submitted_by: editor.userId },
      delivery: { state: 'not_eligible', reasons: ['pending_review'] },
    })
    const approved = (await act(owner, 'approve')).json()
    expect(approved).toMatchObject({
      status: 'active',
      launched_at: world.clock.now().toISOString(),
      review: { state: 'approved', decided_by: owner.userId },
      approved: { daily_budget_minor: 80_000, end_at: null, by: owner.userId },
    })
    expect(await shown()).toEqual(approved)
    expect(await eventsOf(owner)).toEqual([
      'campaign.created',
      'campaign.submitted',
      'campaign.approved',
    ])
  })

  test('is scheduled by its approval when the start is in the future', async () => {
    const { approve } = await reviewed(always, { start_at: inDays(2) })
    expect((await approve()).status).toBe('scheduled')
  })

  test('is approved neither by its submitter nor by a role that may not approve here', async () => {
    const { organization, owner, editor, act } = await reviewed(always)
    await act(owner, 'submit')
    const own = await act(owner, 'approve')
    expect([own.statusCode, own.json().code]).toEqual([403, 'self_approval_forbidden'])
    const other = await act(editor, 'approve')
    expect(other.json()).toMatchObject({
      status: 403,
      code: 'insufficient_role',
      required_roles: ['owner', 'admin'],
    })
    const { data } = (await owner.get('/audit_logs?outcome=denied&sort=sequence')).json()
    expect(data).toMatchObject([
      { action: 'campaign.approved', actor: { id: owner.userId }, request: { status: 403 } },
      { action: 'campaign.approved', actor: { id: editor.userId }, request: { status: 403 } },
    ])
    const viewer = await act(await organization.as('viewer'), 'approve')
    expect(viewer.json()).toMatchObject({ status: 403, required_roles: ['owner', 'admin'] })
    await owner.put('/organization/guardrails', { approver_roles: ['editor'] })
    for (const role of ['viewer', 'admin'] as const) {
      const reply = await act(await organization.as(role), 'reject', { reason: 'No' })
      expect([role, reply.json().required_roles]).toEqual([role, ['editor']])
    }
    expect((await act(await organization.as('admin'), 'approve')).statusCode).toBe(403)
    expect((await act(editor, 'approve')).json().status).toBe('active')
  })

  test('of an API key belongs to its maker, as do those of all their keys', async () => {
    const { organization, act } = await reviewed({ ...always, approver_roles: ['admin'] })
    const admin = await organization.as('admin')
    const robot = await keyOf(admin)
    const selves = [admin, robot, await keyOf(admin)]
    for (const submitter of selves) {
      expect((await act(submitter, 'submit')).statusCode).toBe(200)
      for (const self of selves) {
        expect((await act(self, 'approve')).json().code).toBe('self_approval_forbidden')
      }
      expect((await act(submitter, 'withdraw')).statusCode).toBe(200)
    }
    await act(robot, 'submit')
    const [record] = (await admin.get('/audit_logs?action=campaign.submitted')).json().data
    expect(record.actor.type).toBe('api_key')
    expect((await act(await organization.as('admin'), 'approve')).statusCode).toBe(200)
  })

  test('made with one’s key is approved by another user’s', async () => {
    const { organization, owner, act } = await reviewed(always)
    await act(await keyOf(owner), 'submit')
    const other = await keyOf(await organization.as('admin'))
    expect((await act(other, 'approve')).json().status).toBe('active')
  })

  test('is rejected with a reason, and returns to its former status', async () => {
    const { owner, editor, act, approve } = await reviewed(always)
    await approve()
    await act(editor, 'pause')
    await act(editor, 'submit')
    expect((await act(owner, 'reject')).json().errors).toMatchObject([
      { pointer: '/reason', code: 'required' },
    ])
    const reason = 'Not this month'
    expect((await act(owner, 'reject', { reason })).json()).toMatchObject({
      status: 'paused',
      review: { state: 'rejected', status_before: 'paused', reason, decided_by: owner.userId },
      approved: { daily_budget_minor: 80_000 },
    })
    const [record] = (await owner.get('/audit_logs?action=campaign.rejected')).json().data
    expect(record.reason).toBe(reason)
  })

  test('is withdrawn by its submitter or an admin, and by no other user', async () => {
    const { organization, editor, act } = await reviewed(always)
    const other = await organization.as('editor')
    await act(editor, 'submit')
    expect((await act(other, 'withdraw')).json()).toMatchObject({
      code: 'insufficient_role',
      required_roles: ['owner', 'admin'],
    })
    expect((await act(editor, 'withdraw')).json()).toMatchObject({
      status: 'draft',
      review: { state: 'withdrawn' },
    })
    await act(editor, 'submit')
    const admin = await organization.as('admin')
    expect((await act(admin, 'withdraw')).json().status).toBe('draft')
  })

  test('allows only changes of its texts, and no launch or deletion, while it waits', async () => {
    const { editor, id, act, change } = await reviewed(always)
    await act(editor, 'submit')
    expect((await change({ notes: 'Soon', labels: ['a'] })).json().notes).toBe('Soon')
    for (const body of [{ name: 'B' }, { daily_budget: 1 }, { end_at: inDays(2) }]) {
      expect((await change(body)).json().errors).toMatchObject([{ code: 'immutable_field' }])
    }
    expect((await act(editor, 'launch')).json()).toMatchObject({
      code: 'invalid_state_transition',
      allowed_actions: ['approve', 'reject', 'withdraw'],
    })
    expect((await editor.delete(`/campaigns/${id}`)).statusCode).toBe(409)
  })

  test('is checked again when it is approved', async () => {
    const { owner, editor, act } = await reviewed(always)
    await act(editor, 'submit')
    await owner.put('/organization/guardrails', { max_daily_budget: { USD: 700 } })
    expect((await act(owner, 'approve')).json()).toMatchObject({
      code: 'guardrail_violation',
      rule: 'max_daily_budget',
    })
  })

  test('is refused where no approval is required', async () => {
    const { editor, act, change } = await reviewed(above)
    expect((await change({ daily_budget: 500 })).statusCode).toBe(200)
    expect((await act(editor, 'submit')).json()).toMatchObject({
      code: 'invalid_state_transition',
      action: 'submit',
      allowed_actions: ['launch', 'archive'],
    })
    expect((await act(editor, 'launch')).json().status).toBe('active')
  })
})

describe('where approval is required', () => {
  test('no launch succeeds without it, and the campaign says so', async () => {
    const { owner, act, shown } = await reviewed(above)
    const reply = await act(owner, 'launch')
    expect([reply.statusCode, reply.json().code]).toEqual([409, 'approval_required'])
    expect(reply.json().allowed_actions).toEqual(['submit'])
    const { available_actions } = await shown()
    expect(available_actions.slice(0, 2)).toEqual([
      { action: 'launch', allowed: false, blocked_by: ['approval_required'] },
      { action: 'submit', allowed: true, blocked_by: [] },
    ])
  })

  test('an amount is that of its currency, and of the highest daily cost', async () => {
    const { act, owner, change } = await reviewed(above, { currency: 'EUR' })
    expect((await act(owner, 'submit')).json().code).toBe('invalid_state_transition')
    await change({ currency: 'USD', daily_budget: null, lifetime_budget: 501 })
    expect((await act(owner, 'launch')).json().code).toBe('approval_required')
    await change({ lifetime_budget: 500 })
    expect((await act(owner, 'launch')).statusCode).toBe(200)
  })

  test('a running campaign cannot exceed its approval until it is submitted again', async () => {
    const { owner, editor, act, change, approve } = await reviewed(above, { end_at: inDays(9) })
    await approve()
    for (const body of [{ daily_budget: 801 }, { end_at: inDays(10) }, { end_at: null }]) {
      const reply = await change(body)
      expect([body, reply.statusCode, reply.json().code]).toEqual([body, 409, 'approval_required'])
      expect(reply.json()).toMatchObject({ current_status: 'active', allowed_actions: ['pause'] })
    }
    expect((await change({ daily_budget: 600, end_at: inDays(8) })).statusCode).toBe(200)
    expect((await change({ daily_budget: 800, name: 'B' })).statusCode).toBe(200)
    await act(editor, 'pause')
    expect((await act(editor, 'resume')).statusCode).toBe(200)
    await act(editor, 'pause')
    expect((await change({ daily_budget: 900 })).statusCode).toBe(200)
    expect((await act(editor, 'resume')).json().code).toBe('approval_required')
    await act(editor, 'submit')
    expect((await act(owner, 'approve')).json()).toMatchObject({
      status: 'active',
      approved: { daily_budget_minor: 90_000 },
    })
  })

  test('a running campaign cannot start earlier or at other hours than approved', async () => {
    const hours = (start: string, end: string) => ({ day: 'mon', start, end })
    const { act, editor, change, approve } = await reviewed(always, {
      start_at: inDays(5),
      schedule: [hours('09:00', '12:00'), hours('12:00', '17:00')],
    })
    expect((await approve()).approved).toMatchObject({
      objective: 'sales',
      start_at: inDays(5),
      time_zone: 'UTC',
      schedule: [hours('09:00', '12:00'), hours('12:00', '17:00')],
    })
    const wider = [
      { start_at: inDays(4) },
      { schedule: [] },
      { schedule: [hours('08:45', '17:00')] },
      { schedule: [{ ...hours('09:00', '12:00'), day: 'tue' }] },
    ]
    for (const body of wider) {
      const reply = await change(body)
      expect([body, reply.json()]).toMatchObject([body, { status: 409, code: 'approval_required' }])
    }
    expect((await change({ start_at: inDays(6) })).statusCode).toBe(200)
    expect((await change({ schedule: [hours('10:00', '15:00')] })).statusCode).toBe(200)
    // Back to the approved hours, in other windows.
    expect((await change({ schedule: [hours('09:00', '17:00')] })).statusCode).toBe(200)
    expect((await change({ start_at: inDays(5) })).statusCode).toBe(200)
    await act(editor, 'unschedule')
    expect((await change({ start_at: null })).statusCode).toBe(200)
    expect((await act(editor, 'launch')).json().code).toBe('approval_required')
    expect((await change({ start_at: inDays(5), schedule: [] })).statusCode).toBe(200)
    expect((await act(editor, 'launch')).json().code).toBe('approval_required')
    expect((await change({ schedule: [hours('09:00', '10:00')] })).statusCode).toBe(200)
    expect((await act(editor, 'launch')).json().status).toBe('scheduled')
  })

  test('once the approved start has passed, any start is late enough', async () => {
    const { organization, id, approve } = await reviewed(always, { start_at: inDays(1) })
    await approve()
    world.clock.advance(2 * 86_400_000)
    const owner = await organization.as('owner')
    const act = (action: string) => owner.post(`/campaigns/${id}/${action}`)
    await act('unschedule')
    await owner.patch(`/campaigns/${id}`, { start_at: null })
    expect((await act('launch')).json().status).toBe('active')
  })

  test('a schedule of the whole week equals none', async () => {
    const { act, editor, change, approve } = await reviewed(always)
    const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
    await change({ schedule: days.map((day) => ({ day, start: '00:00', end: '24:00' })) })
    await approve()
    expect((await change({ schedule: [] })).statusCode).toBe(200)
    await act(editor, 'pause')
    expect((await act(editor, 'resume')).statusCode).toBe(200)
  })

  test.each([
    ['time_zone', 'Europe/Berlin'],
    ['objective', 'traffic'],
    ['currency', 'EUR'],
  ])('another %s needs another approval', async (field, value) => {
    const { act, editor, change, approve } = await reviewed(always, { start_at: inDays(2) })
    await approve()
    await act(editor, 'unschedule')
    expect((await change({ [field]: value })).json().approved).toBeNull()
    expect((await act(editor, 'launch')).json().code).toBe('approval_required')
  })

  test('another profile needs another approval', async () => {
    const reviewing = await reviewed(always, { start_at: inDays(2) })
    const { organization, act, editor, change, approve } = reviewing
    await approve()
    await act(editor, 'unschedule')
    await change({ profile_id: await profileOf(organization) })
    expect((await act(editor, 'launch')).json().code).toBe('approval_required')
  })

  test('a revert and a bulk request are limited like an update', async () => {
    const schedule = [{ day: 'mon', start: '09:00', end: '17:00' }]
    const { owner, id, change, approve } = await reviewed(always)
    await change({ schedule })
    await approve()
    const reverted = await owner.post(`/campaigns/${id}/revert`, { to_version: 1 })
    expect(reverted.json()).toMatchObject({ status: 409, code: 'approval_required' })
    const operations = [{ op: 'update', id, body: { schedule: null } }]
    const { results } = (
      await owner.post('/campaigns/bulk', { mode: 'partial', operations })
    ).json()
    expect(results[0].problem).toMatchObject({ code: 'approval_required' })
  })

  test('an approval from before this rule covers nothing, and is not shown', async () => {
    const { owner, editor, id, act, shown, approve } = await reviewed(always)
    await approve()
    const { approved } = await shown()
    const { objective: _, schedule: __, ...old } = approved
    await world.services.database.transaction(async (tx) => {
      const parameters = [id, JSON.stringify(old)]
      tx.send({ sql: 'update campaigns set approved = $2 where id = $1', parameters })
    })
    expect((await shown()).approved).toBeNull()
    await act(editor, 'pause')
    expect((await act(owner, 'resume')).json().code).toBe('approval_required')
  })

  test('an approved campaign may be unscheduled and launched again, but not with another objective', async () => {
    const { editor, act, change, approve } = await reviewed(always, { start_at: inDays(2) })
    await approve()
    await act(editor, 'unschedule')
    expect((await act(editor, 'launch')).json().status).toBe('scheduled')
    await act(editor, 'unschedule')
    expect((await change({ objective: 'traffic' })).json().approved).toBeNull()
    expect((await act(editor, 'launch')).json().code).toBe('approval_required')
  })

  test('what ran before approval was required continues unchanged', async () => {
    const { owner, editor, act, change } = await reviewed({})
    await act(editor, 'launch')
    await owner.put('/organization/guardrails', always)
    expect((await change({ name: 'B', daily_budget: 700 })).statusCode).toBe(200)
    expect((await change({ daily_budget: 800 })).json().code).toBe('approval_required')
    await act(editor, 'pause')
    expect((await act(editor, 'resume')).json().code).toBe('approval_required')
  })
})

describe('an approval is for the version that was reviewed', () => {
  test('the version must be named, and be the current one', async () => {
    const { owner, editor, id, act, change } = await reviewed(always)
    await act(editor, 'submit')
    const approve = (headers = {}) => owner.post(`/campaigns/${id}/approve`, undefined, headers)
    for (const headers of [{}, { 'if-match': '*' }]) {
      const reply = await approve(headers)
      expect([reply.statusCode, reply.json().code]).toEqual([428, 'precondition_required'])
    }
    await act(editor, 'withdraw')
    await change({ daily_budget: 1_000_000 })
    await act(editor, 'submit')
    const stale = await approve({ 'if-match': '"2"' })
    expect(stale.json()).toMatchObject({ code: 'version_mismatch', current_version: 5 })
    expect((await approve({ 'if-match': '"5"' })).json().status).toBe('active')
  })

  test('in a bulk request it is that operation’s version', async () => {
    const { owner, editor, id, act } = await reviewed(always)
    await act(editor, 'submit')
    const approve = (mode: string, more = {}) =>
      owner.post('/campaigns/bulk', {
        mode,
        operations: [{ op: 'action', id, action: 'approve', ...more }],
      })
    const [bare] = (await approve('partial')).json().results
    expect(bare).toMatchObject({ status: 428, problem: { code: 'precondition_required' } })
    expect((await approve('atomic')).json().errors).toMatchObject([
      { pointer: '/operations/0/version', code: 'precondition_required' },
    ])
    const [stale] = (await approve('partial', { version: 1 })).json().results
    expect(stale.problem.code).toBe('version_mismatch')
    const [seen] = (await approve('partial', { version: 2 })).json().results
    expect(seen.object.status).toBe('active')
  })

  test('a user who may not approve gets that refusal first', async () => {
    const { organization, editor, id, act } = await reviewed(always)
    await act(editor, 'submit')
    const other = await organization.as('editor')
    expect((await other.post(`/campaigns/${id}/approve`)).statusCode).toBe(403)
  })
})

test('a bulk request submits, rejects with a reason, and refuses each operation alone', async () => {
  const { owner, editor, id } = await reviewed(always)
  const bulk = async (client: Client, ...operations: object[]) =>
    (await client.post('/campaigns/bulk', { mode: 'partial', operations })).json().results
  const op = (action: string, body?: object) => ({ op: 'action', id, action, body })
  const seen = { ...op('approve'), version: 2 }
  const [launch, submit, approve] = await bulk(editor, op('launch'), op('submit'), seen)
  expect([launch.problem.code, submit.object.status]).toEqual([
    'approval_required',
    'pending_review',
  ])
  expect([approve.status, approve.problem.code]).toEqual([403, 'insufficient_role'])
  const [bare, reject] = await bulk(owner, op('reject'), op('reject', { reason: 'No' }))
  expect(bare.problem.errors).toMatchObject([{ pointer: '/operations/0/body/reason' }])
  expect(reject.object.review).toMatchObject({ state: 'rejected', reason: 'No' })
})
