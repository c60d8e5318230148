import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignBody, made, profileOf } from '../support/cases/writes.ts'
import { watch } from '../support/documented.ts'
import {
  type Client,
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../support/world.ts'

let world: World
let organization: TestOrganization
let editor: Client

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
  organization = await world.organization()
  editor = await organization.as('editor')
})
afterAll(() => world.close())

/** The contract's table, written from the contract: status and action → result. */
type Outcome = { to: Status; event: string } | 'there' | 'refused' | 'unasked'
type Status =
  | 'draft'
  | 'pending_review'
  | 'scheduled'
  | 'active'
  | 'paused'
  | 'completed'
  | 'archived'
const actions = [
  'launch',
  'submit',
  'approve',
  'reject',
  'withdraw',
  'unschedule',
  'pause',
  'resume',
  'complete',
  'archive',
  'unarchive',
] as const
type Action = (typeof actions)[number]

const to = (status: Status, event: string): Outcome => ({ to: status, event: `campaign.${event}` })

const table: Record<Status, Partial<Record<Action, Outcome>>> = {
  draft: {
    launch: to('active', 'activated'),
    submit: 'unasked',
    unschedule: 'there',
    archive: to('archived', 'archived'),
  },
  pending_review: {
    approve: to('active', 'approved'),
    reject: to('draft', 'rejected'),
    withdraw: to('draft', 'withdrawn'),
  },
  scheduled: {
    launch: 'there',
    unschedule: to('draft', 'unscheduled'),
    pause: to('paused', 'paused'),
    resume: 'there',
    complete: to('completed', 'completed'),
  },
  active: {
    launch: 'there',
    pause: to('paused', 'paused'),
    resume: 'there',
    complete: to('completed', 'completed'),
  },
  paused: {
    submit: 'unasked',
    pause: 'there',
    resume: to('active', 'resumed'),
    complete: to('completed', 'completed'),
    archive: to('archived', 'archived'),
  },
  completed: { complete: 'there', archive: to('archived', 'archived') },
  archived: { archive: 'there', unarchive: to('draft', 'unarchived') },
}

const deletable: readonly Status[] = ['draft', 'paused', 'completed', 'archived']

const steps: Record<Status, readonly Action[]> = {
  draft: [],
  pending_review: ['submit'],
  scheduled: ['launch'],
  active: ['launch'],
  paused: ['launch', 'pause'],
  completed: ['launch', 'complete'],
  archived: ['archive'],
}
const statuses = Object.keys(steps) as Status[]

const inDays = (days: number) =>
  new Date(world.clock.now().getTime() + days * 86_400_000).toISOString()

/** A campaign in this status, as its owner sees it. */
async function campaignIn(status: Status, body: object = {}) {
  const { owner } = organization
  const profile = await profileOf(organization)
  const start_at = status === 'scheduled' ? inDays(2) : null
  const id = await made(owner, '/campaigns', { ...campaignBody(profile), start_at, ...body })
  // Required only during submission: the table describes launches without approval.
  if (status === 'pending_review') await askForApproval('always')
  for (const action of steps[status]) await editor.post(`/campaigns/${id}/${action}`)
  if (status === 'pending_review') await askForApproval('never')
  const campaign = (await owner.get(`/campaigns/${id}`)).json()
  expect(campaign.status).toBe(status)
  return campaign
}

async function askForApproval(mode: 'always' | 'never'): Promise<void> {
  await organization.owner.put('/organization/guardrails', { approval: { mode } })
}

const bodyFor = (action: Action) => (action === 'reject' ? { reason: 'Not now' } : undefined)

const eventsOf = async (id: string): Promise<string[]> => {
  const rows = await world.services.database.reader.query<{ type: string }>({
    sql: `select type from events
      where organization_id = $1 and body::jsonb -> 'data' -> 'object' ->> 'id' = $2 order by sequence`,
    parameters: [organization.id, id],
  })
  return rows.map(({ type }) => type)
}

const pairs = statuses.flatMap((status) =>
  actions.map((action) => ({ status, action, outcome: table[status][action] ?? 'refused' })),
)

describe('each action in each status does what the contract’s table says', () => {
  test.each(pairs)('$status: $action', async ({ status, action, outcome }) => {
    const before = await campaignIn(status)
    const reported = await eventsOf(before.id)
    const reply = await organization.owner.post(
      `/campaigns/${before.id}/${action}`,
      bodyFor(action),
      action === 'approve' ? { 'if-match': `"${before.version}"` } : {},
    )
    const after = (await organization.owner.get(`/campaigns/${before.id}`)).json()
    const news = (await eventsOf(before.id)).slice(reported.length)
    if (outcome === 'refused' || outcome === 'unasked') {
      expect([reply.statusCode, reply.json().code]).toEqual([409, 'invalid_state_transition'])
      expect(reply.json()).toMatchObject({ current_status: status, action })
      expect(reply.json().allowed_actions.sort()).toEqual(waysOut(status).sort())
      expect([after, news]).toEqual([before, []])
      return
    }
    expect([reply.body, reply.statusCode]).toEqual([reply.body, 200])
    expect(reply.json()).toEqual(after)
    if (outcome === 'there') return expect([after, news]).toEqual([before, []])
    expect([after.status, after.version]).toEqual([outcome.to, before.version + 1])
    expect(news).toEqual([outcome.event])
  })
})

const waysOut = (status: Status) =>
  actions.filter((action) => typeof table[status][action] === 'object')

const asked = { draft: ['launch'], paused: ['resume'] } as const

describe('when the organization requires approval', () => {
  test.each(['draft', 'paused'] as const)('%s', async (status) => {
    const { owner } = organization
    const { id } = await campaignIn(status)
    await askForApproval('always')
    const { available_actions } = (await owner.get(`/campaigns/${id}`)).json()
    for (const action of asked[status]) {
      const reply = await owner.post(`/campaigns/${id}/${action}`)
      expect([reply.statusCode, reply.json().code]).toEqual([409, 'approval_required'])
      expect(reply.json()).toMatchObject({ current_status: status, allowed_actions: ['submit'] })
      expect(available_actions).toContainEqual({
        action,
        allowed: false,
        blocked_by: ['approval_required'],
      })
    }
    const reply = await editor.post(`/campaigns/${id}/submit`)
    expect(reply.json()).toMatchObject({ status: 'pending_review', review: { state: 'pending' } })
    const back = await owner.post(`/campaigns/${id}/reject`, { reason: 'Not now' })
    expect(back.json()).toMatchObject({ status, review: { state: 'rejected', reason: 'Not now' } })
    await askForApproval('never')
  })
})

describe('the actions that a campaign shows as available are those that succeed', () => {
  test.each(statuses)('%s', async (status) => {
    const { available_actions, version } = await campaignIn(status)
    const expected = waysOut(status).map((action) => ({ action, allowed: true, blocked_by: [] }))
    expect(available_actions).toEqual(expected)
    expect(version).toBe(1 + steps[status].length)
  })
})

describe('a campaign can be deleted in some statuses only', () => {
  test.each(statuses)('%s', async (status) => {
    const { id } = await campaignIn(status)
    const reply = await organization.owner.delete(`/campaigns/${id}`)
    if (deletable.includes(status)) {
      expect([reply.statusCode, reply.body]).toEqual([204, ''])
      expect((await organization.owner.delete(`/campaigns/${id}`)).statusCode).toBe(404)
      expect((await eventsOf(id)).at(-1)).toBe('campaign.deleted')
      return
    }
    expect(reply.statusCode).toBe(409)
    expect(reply.json()).toMatchObject({
      code: 'invalid_state_transition',
      current_status: status,
      action: 'delete',
      allowed_actions: waysOut(status),
    })
  })
})

const words = ['labels', 'metadata', 'notes']
const plan = [
  ...['name', 'external_id', 'daily_budget', 'lifetime_budget', 'schedule', 'end_at'],
  'target',
]
const foundation = ['objective', 'profile_id', 'currency', 'time_zone']

/** Editable fields, from the contract's sections 5 and 13. */
const editable: Record<Status, readonly string[]> = {
  draft: [...words, ...plan, 'start_at', ...foundation],
  pending_review: words,
  scheduled: [...words, ...plan, 'start_at'],
  active: [...words, ...plan],
  paused: [...words, ...plan],
  completed: words,
  archived: [],
}

async function otherValues(): Promise<Record<string, unknown>> {
  return {
    name: 'Another name',
    external_id: `external ${Math.random()}`,
    daily_budget: 44.5,
    lifetime_budget: 4450,
    target: { metric: 'cpa', value: 20, window_days: 7 },
    schedule: [{ day: 'sun', start: '10:00', end: '24:00' }],
    start_at: inDays(5),
    end_at: inDays(9),
    labels: ['x'],
    metadata: { a: 'b' },
    notes: 'n',
    objective: 'traffic',
    profile_id: await profileOf(organization, { currency: null }),
    currency: 'EUR',
    time_zone: 'Europe/Berlin',
  }
}

describe('fields change in the statuses that the contract names', () => {
  test.each(statuses)('%s', async (status) => {
    const profile_id = await profileOf(organization, { currency: null })
    const before = await campaignIn(status, { profile_id })
    for (const [field, value] of Object.entries(await otherValues())) {
      const body = { [field]: value }
      const reply = await organization.owner.patch(`/campaigns/${before.id}`, body)
      if (editable[status].includes(field)) {
        expect([field, reply.statusCode, reply.body]).toEqual([field, 200, reply.body])
        expect(reply.json()[field]).toEqual(value)
        continue
      }
      expect([field, reply.statusCode]).toEqual([field, 422])
      expect(reply.json().errors).toMatchObject([{ pointer: `/${field}`, code: 'immutable_field' }])
      const current = (await organization.owner.get(`/campaigns/${before.id}`)).json()
      const same = { [field]: current[field] }
      const kept = await organization.owner.patch(`/campaigns/${before.id}`, same)
      expect([field, kept.json()]).toEqual([field, current])
    }
  })
})

test('all fields that may not change are reported at once', async () => {
  const { id } = await campaignIn('completed')
  const body = { name: 'B', daily_budget: 50, objective: 'traffic', notes: 'fine' }
  const reply = await organization.owner.put(`/campaigns/${id}`, body)
  const pointers = reply.json().errors.map(({ pointer }: { pointer: string }) => pointer)
  expect(pointers.sort()).toEqual(['/daily_budget', '/name', '/objective'])
})

test('the reference matches the contract', async () => {
  const reported = (await organization.owner.get('/reference/campaign_states')).json()
  const named = reported.statuses.filter(({ status }: { status: string }) => status in steps)
  for (const { status, editable_fields, deletable: isDeletable } of named) {
    expect([status, isDeletable]).toEqual([status, deletable.includes(status)])
    // start_at may change until it is reached.
    const expected = new Set(editable[status as Status])
    if (status === 'paused') expected.add('start_at')
    expect([status, ...editable_fields].sort()).toEqual([status, ...expected].sort())
  }
  for (const { action, from, events } of reported.transitions) {
    expect([action, ...from]).toEqual([
      action,
      ...statuses.filter(
        (it) => waysOut(it).includes(action) || table[it][action as Action] === 'unasked',
      ),
    ])
    expect(events.every((event: string) => event.startsWith('campaign.'))).toBe(true)
  }
  expect(reported.transitions.map(({ action }: { action: string }) => action)).toEqual(actions)
})
