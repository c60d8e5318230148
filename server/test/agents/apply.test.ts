import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runDue } from '../../src/features/change-sets/timed/timed.ts'
import { madeKey } from '../support/api-keys.ts'
import { proposed } from '../support/cases/change-sets.ts'
import { campaignAfter, campaignBody, made } from '../support/cases/writes.ts'
import { agentOf, type Terms } from '../support/clients/agents.ts'
import { watch } from '../support/documented.ts'
import { type OwnWorld, openOwnWorld } from '../support/own-world.ts'
import type { Client, Reply } from '../support/world.ts'

let world: OwnWorld

// Its own database: the task runs everything that is due.
beforeAll(async () => {
  world = watch(await openOwnWorld())
})
afterAll(() => world.close())

const codeOf = (reply: Reply) =>
  reply.statusCode < 300 ? reply.json().status : [reply.statusCode, reply.json().code]

const hourMs = 60 * 60 * 1000
const inHours = (hours: number) =>
  new Date(world.clock.now().getTime() + hours * hourMs).toISOString()

async function after(hours: number): Promise<void> {
  world.clock.advance(hours * hourMs)
  await runDue(world.services, AbortSignal.timeout(20_000))
}

/** A change set that an agent proposes: a running campaign costs more afterwards. */
async function raise(terms: Terms, more: object = {}) {
  const organization = await world.organization()
  const { owner } = organization
  const agent = await agentOf(world, organization, terms)
  const id = await campaignAfter(organization, ['launch'])
  const operations = [{ op: 'update', id, body: { daily_budget: 50 } }]
  const { changeSet } = await proposed(agent.client, operations, more)
  const path = `/change_sets/${changeSet.id}`
  const approve = async (approver: Client = owner) => {
    const { version } = (await owner.get(path)).json()
    return approver.post(`${path}/approve`, { version })
  }
  const apply = () => agent.client.post(`${path}/apply`)
  const budget = async () => (await owner.get(`/campaigns/${id}`)).json().daily_budget
  return { organization, owner, agent, id, path, changeSet, approve, apply, budget }
}

describe('what a person has approved', () => {
  test('an agent applies, and its maker may be that person', async () => {
    const { apply, approve, budget } = await raise({ apply: 'approved' })
    expect(codeOf(await apply())).toEqual([409, 'approval_required'])
    expect(codeOf(await approve())).toBe('approved')
    expect(codeOf(await apply())).toBe('applied')
    expect(await budget()).toBe(50)
  })

  test('an agent that never applies leaves to people', async () => {
    const { owner, path, apply, approve, budget } = await raise({ apply: 'never' })
    await approve()
    expect(codeOf(await apply())).toEqual([409, 'approval_required'])
    expect(await budget()).toBe(33.51)
    const key = await madeKey(world, owner, { name: 'Importer', role: 'editor' })
    expect(codeOf(await key.client.post(`${path}/apply`))).toEqual([409, 'approval_required'])
    expect(codeOf(await owner.post(`${path}/apply`))).toBe('applied')
  })

  test.each([
    ['another title', { title: 'Other' }],
    ['another time', { revert_at: 'in an hour' }],
  ])('is void with %s that the agent gives it', async (_, changes) => {
    const { agent, path, apply, approve } = await raise({ apply: 'approved' })
    await approve()
    const body = 'revert_at' in changes ? { revert_at: inHours(1) } : changes
    expect((await agent.client.patch(path, body)).json().approved_at).toBeNull()
    expect(codeOf(await apply())).toEqual([409, 'approval_required'])
  })

  test('for later is not applied by the agent before', async () => {
    const times = { apply_at: inHours(2) }
    const { apply, approve, budget } = await raise({ apply: 'approved' }, times)
    await approve()
    expect(codeOf(await apply())).toEqual([409, 'approval_required'])
    await after(2)
    expect(await budget()).toBe(50)
  })
})

describe('within the envelope', () => {
  const envelope = (USD: number) => ({ apply: 'within_envelope', envelope_24h: { USD } })

  test('an agent applies by itself until it is used up, and again a day later', async () => {
    const { owner, agent, id, apply, budget } = await raise(envelope(20))
    // 33.51 → 50
    expect(codeOf(await apply())).toBe('applied')
    const more = (daily_budget: number) => sets(agent.client, id, daily_budget)
    const refused = await more(54)
    expect(codeOf(refused)).toEqual([409, 'agent_envelope_exceeded'])
    expect(refused.json().envelope).toEqual([
      { currency: 'USD', limit_minor: 2000, used_minor: 1649, asked_minor: 400 },
    ])
    expect(await budget()).toBe(50)
    expect(codeOf(await more(53.51))).toBe('applied')
    // Lowering is free, and gives nothing back.
    expect(codeOf(await more(10))).toBe('applied')
    expect(codeOf(await more(10.01))).toEqual([409, 'agent_envelope_exceeded'])
    expect((await owner.get('/campaigns')).json().data).toHaveLength(1)
    await after(23.9)
    expect(codeOf(await sets(agent.client, id, 11))).toEqual([409, 'agent_envelope_exceeded'])
    await after(0.2)
    expect(codeOf(await sets(agent.client, id, 30))).toBe('applied')
  })

  test('what a person has approved uses nothing of it', async () => {
    const { agent, id, apply, approve } = await raise(envelope(1))
    expect(codeOf(await apply())).toEqual([409, 'agent_envelope_exceeded'])
    await approve()
    expect(codeOf(await apply())).toBe('applied')
    expect(codeOf(await sets(agent.client, id, 51))).toBe('applied')
  })

  test('what people apply uses nothing of it', async () => {
    const { owner, path, agent, id } = await raise(envelope(1))
    expect(codeOf(await owner.post(`${path}/apply`))).toBe('applied')
    expect(codeOf(await sets(agent.client, id, 51))).toBe('applied')
  })

  test('an envelope of nothing lets an agent lower and pause', async () => {
    const { agent, id } = await raise(envelope(0))
    expect(codeOf(await sets(agent.client, id, 33.5))).toBe('applied')
    expect(codeOf(await sets(agent.client, id, 33.51))).toEqual([409, 'agent_envelope_exceeded'])
  })

  test('nothing is netted, and a currency that is not listed is nothing', async () => {
    const organization = await world.organization()
    const { client } = await agentOf(world, organization, envelope(10))
    const [one, other] = [
      await campaignAfter(organization, ['launch']),
      await campaignAfter(organization, ['launch']),
    ]
    const shift = [
      { op: 'update', id: one, body: { daily_budget: 10 } },
      { op: 'update', id: other, body: { daily_budget: 50 } },
    ]
    expect((await applied(client, shift)).json()).toMatchObject({
      code: 'agent_envelope_exceeded',
      envelope: [{ asked_minor: 1649 }],
    })
    const euro = await made(organization.owner, '/profiles', { name: 'Euro', currency: 'EUR' })
    const id = await made(organization.owner, '/campaigns', {
      ...campaignBody(euro),
      currency: 'EUR',
    })
    const launch = await applied(client, [{ op: 'action', id, action: 'launch' }])
    expect(launch.json().envelope).toEqual([
      { currency: 'EUR', limit_minor: 0, used_minor: 0, asked_minor: 3351 },
    ])
  })

  test.each([
    ['up and down again', [50, 33.51], 1649],
    ['down and up again', [10, 33.51], 2351],
  ])('each operation is judged on the state before it: %s', async (_, budgets, asked_minor) => {
    const organization = await world.organization()
    const { client } = await agentOf(world, organization, envelope(1))
    const id = await campaignAfter(organization, ['launch'])
    const operations = budgets.map((daily_budget) => ({
      op: 'update',
      id,
      body: { daily_budget },
    }))
    expect((await applied(client, operations)).json().envelope).toMatchObject([{ asked_minor }])
  })

  test('starting and resuming count all of it, drafts and paused campaigns nothing', async () => {
    const organization = await world.organization()
    const { client } = await agentOf(world, organization, envelope(33.51))
    const draft = await campaignAfter(organization)
    const paused = await campaignAfter(organization, ['launch', 'pause'])
    for (const id of [draft, paused]) {
      const update = await applied(client, [{ op: 'update', id, body: { daily_budget: 500 } }])
      expect(codeOf(update)).toBe('applied')
    }
    const resume = await applied(client, [{ op: 'action', id: paused, action: 'resume' }])
    expect(resume.json().envelope).toMatchObject([{ asked_minor: 50_000 }])
    const launch = await applied(client, [
      { op: 'update', id: draft, body: { daily_budget: 33.51 } },
      { op: 'action', id: draft, action: 'launch' },
    ])
    expect(codeOf(launch)).toBe('applied')
  })

  test('a lifetime budget counts by the days of its flight', async () => {
    const organization = await world.organization()
    const { client } = await agentOf(world, organization, envelope(9))
    const flight = { daily_budget: null, lifetime_budget: 100, end_at: inHours(240) }
    const id = await campaignAfter(organization, ['launch'], flight)
    const shorter = { end_at: inHours(120) }
    const refused = await applied(client, [{ op: 'update', id, body: shorter }])
    const [{ asked_minor }] = refused.json().envelope
    // From about 10 to about 20 a day.
    expect(asked_minor).toBeGreaterThan(900)
    expect(asked_minor).toBeLessThan(1400)
    const longer = await applied(client, [{ op: 'update', id, body: { end_at: inHours(480) } }])
    expect(codeOf(longer)).toBe('applied')
  })

  test('what is set back counts what that raises', async () => {
    const organization = await world.organization()
    const { client } = await agentOf(world, organization, envelope(20))
    const id = await campaignAfter(organization, ['launch'])
    const times = { revert_at: inHours(1) }
    const lower = [{ op: 'update', id, body: { daily_budget: 10 } }]
    expect((await applied(client, lower, times)).json().envelope).toMatchObject([
      { asked_minor: 2351 },
    ])
    const pause = [{ op: 'action', id, action: 'pause' }]
    expect((await applied(client, pause, times)).json().envelope).toMatchObject([
      { asked_minor: 3351 },
    ])
    const small = [{ op: 'update', id, body: { daily_budget: 30 } }]
    expect(codeOf(await applied(client, small, times))).toBe('applied')
    await after(1)
    const { daily_budget } = (await organization.owner.get(`/campaigns/${id}`)).json()
    expect(daily_budget).toBe(33.51)
  })

  test('what a person started meanwhile is not raised on the way back', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { client } = await agentOf(world, organization, envelope(20))
    const id = await campaignAfter(organization, ['launch', 'pause'])
    const lower = [{ op: 'update', id, body: { daily_budget: 5 } }]
    expect(codeOf(await applied(client, lower, { revert_at: inHours(1) }))).toBe('applied')
    await owner.post(`/campaigns/${id}/resume`)
    await after(1)
    expect((await owner.get(`/campaigns/${id}`)).json().daily_budget).toBe(5)
  })

  test('what it has lowered while it rested and started itself is not raised on the way back', async () => {
    const organization = await world.organization()
    const { client } = await agentOf(world, organization, envelope(20))
    const id = await campaignAfter(organization, ['launch', 'pause'])
    const lower = [{ op: 'update', id, body: { daily_budget: 5 } }]
    expect(codeOf(await applied(client, lower, { revert_at: inHours(1) }))).toBe('applied')
    const start = [{ op: 'action', id, action: 'resume' }]
    expect(codeOf(await applied(client, start))).toBe('applied')
    await after(1)
    expect((await organization.owner.get(`/campaigns/${id}`)).json().daily_budget).toBe(5)
  })

  test('many at once never take more than there is', async () => {
    const organization = await world.organization()
    const { client } = await agentOf(world, organization, envelope(30))
    const waiting: string[] = []
    for (let n = 0; n < 6; n += 1) {
      const id = await campaignAfter(organization, ['launch'])
      const { changeSet } = await proposed(client, [
        { op: 'update', id, body: { daily_budget: 43.51 } },
      ])
      waiting.push(changeSet.id)
    }
    const replies = await Promise.all(waiting.map((id) => client.post(`/change_sets/${id}/apply`)))
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(3)
  })
})

const sets = (client: Client, id: string, daily_budget: number) =>
  applied(client, [{ op: 'update', id, body: { daily_budget } }])

/** A new proposal of the agent, applied at once. */
async function applied(client: Client, operations: readonly object[], more: object = {}) {
  const { changeSet } = await proposed(client, operations, more)
  return client.post(`/change_sets/${changeSet.id}/apply`)
}

test('an agent cannot approve, reject, or act on what others have proposed', async () => {
  const { organization, owner, agent, path, approve } = await raise({ apply: 'approved' })
  await owner.put('/organization/guardrails', { approver_roles: ['owner', 'editor'] })
  expect(codeOf(await approve(agent.client))).toEqual([403, 'insufficient_role'])
  const reject = await agent.client.post(`${path}/reject`, { reason: 'No.' })
  expect(codeOf(reject)).toEqual([403, 'insufficient_role'])
  const id = await campaignAfter(organization)
  const { changeSet } = await proposed(owner, [{ op: 'update', id, body: { notes: 'x' } }])
  const other = `/change_sets/${changeSet.id}`
  for (const attempt of [
    // Its maker has proposed this: the agent is not its maker.
    agent.client.post(`${other}/cancel`),
    agent.client.post(`${other}/refresh`),
    agent.client.patch(other, { title: 'Mine' }),
  ]) {
    expect(codeOf(await attempt)).toEqual([403, 'insufficient_role'])
  }
})

test('operations that only people may do fail in an agent’s change set', async () => {
  const organization = await world.organization()
  const { owner } = organization
  await owner.put('/organization/guardrails', {
    approval: { mode: 'always' },
    approver_roles: ['owner', 'editor'],
  })
  const { client } = await agentOf(world, organization)
  const id = await campaignAfter(organization)
  const { version } = (await owner.post(`/campaigns/${id}/submit`)).json()
  const { profile_id } = (await owner.get(`/campaigns/${id}`)).json()
  const { operations } = await proposed(
    client,
    [
      { op: 'action', id, action: 'approve', version },
      { op: 'action', id, action: 'reject', version, body: { reason: 'No.' } },
      { op: 'update', resource: 'profile', id: profile_id, body: { notes: 'x' } },
      { op: 'create', resource: 'client', body: { name: 'Mine' } },
    ],
    { mode: 'partial' },
  )
  expect(operations.map(({ problem }) => problem?.code)).toEqual(
    operations.map(() => 'insufficient_role'),
  )
})

test('a person who refreshes an agent’s change set lends it no rights', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const { client } = await agentOf(world, organization)
  const profile = await made(owner, '/profiles', { name: 'Account', currency: 'USD' })
  const operation = { op: 'update', resource: 'profile', id: profile, body: { notes: 'x' } }
  const { changeSet } = await proposed(client, [operation])
  const path = `/change_sets/${changeSet.id}`
  expect((await owner.post(`${path}/refresh`)).json().applicable).toBe(false)
  expect(codeOf(await owner.post(`${path}/apply`))).toEqual([409, 'change_set_not_applicable'])
  expect((await owner.get(`/profiles/${profile}`)).json().notes).toBeNull()
})

test('the clock applies what the agent may, and says what it may not', async () => {
  const times = { apply_at: inHours(1) }
  const { owner, path, budget } = await raise({ apply: 'approved' }, times)
  await after(1)
  expect((await owner.get(path)).json()).toMatchObject({
    status: 'failed',
    failure: { code: 'approval_required' },
  })
  expect(await budget()).toBe(33.51)
})
