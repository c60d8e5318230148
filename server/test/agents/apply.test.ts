import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runDue } from '../../src/features/change-sets/timed/timed.ts'
import { proposed } from '../support/cases/change-sets.ts'
import { campaignAfter } from '../support/cases/writes.ts'
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
