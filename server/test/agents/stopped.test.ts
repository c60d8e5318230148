import { afterAll, beforeAll, expect, test } from 'vitest'
import { proposed } from '../support/cases/change-sets.ts'
import { campaignAfter } from '../support/cases/writes.ts'
import { agentOf } from '../support/clients/agents.ts'
import { watch } from '../support/documented.ts'
import { type OwnWorld, openOwnWorld } from '../support/own-world.ts'
import type { Client, Reply } from '../support/world.ts'

let world: OwnWorld
beforeAll(async () => {
  world = watch(await openOwnWorld())
})
afterAll(() => world.close())

const codeOf = (reply: Reply) => [reply.statusCode, reply.json().code]

const proxy = (client: Client, query = '') =>
  client.post(`/proxies${query}`, { protocol: 'http', host: 'proxy.test', port: 8080 })

async function working() {
  const organization = await world.organization()
  const { owner } = organization
  const { id, client } = await agentOf(world, organization)
  const state = async () => (await owner.get(`/api_keys/${id}/agent`)).json()
  return { organization, owner, id, client, state }
}

test('five refusals within an hour stop the writes of an agent, pausing excepted', async () => {
  const { organization, owner, id, client, state } = await working()
  const campaign = await campaignAfter(organization, ['launch'])
  const operations = [{ op: 'update', id: campaign, body: { notes: 'x' } }]
  const { changeSet } = await proposed(client, operations)
  for (let n = 0; n < 3; n += 1) expect(codeOf(await proxy(client))[1]).toBe('insufficient_role')
  const apply = () => client.post(`/change_sets/${changeSet.id}/apply`)
  expect(codeOf(await apply())).toEqual([409, 'approval_required'])
  // Neither dry runs, nor reads, nor other refusals count.
  await proxy(client, '?validate_only=true')
  await client.get('/members')
  await client.patch(`/campaigns/${campaign}`, { daily_budget: 50 })
  expect(await state()).toMatchObject({ stopped: false, refusals_last_hour: 4 })
  expect(codeOf(await apply())).toEqual([409, 'approval_required'])
  expect(codeOf(await apply())).toEqual([403, 'agent_stopped'])
  expect(codeOf(await client.post('/change_sets', { title: 'x', operations }))).toEqual([
    403,
    'agent_stopped',
  ])
  expect((await client.get('/campaigns')).statusCode).toBe(200)
  expect((await client.post(`/campaigns/${campaign}/pause`)).json().status).toBe('paused')
  expect(await state()).toMatchObject({
    stopped: true,
    stopped_by: null,
    reason: '5 refusals within an hour, the last: approval_required',
    refusals_last_hour: 5,
    change_sets: { open: 1, approved: 0, applied: 0, rejected: 0, failed: 0 },
  })
  const [event] = (await owner.get('/events?type=api_key.stopped')).json().data
  expect(event).toMatchObject({ actor: { type: 'system' }, data: { object: { id } } })
  expect(codeOf(await client.post(`/api_keys/${id}/resume`))[0]).toBe(403)
  const resumed = await owner.post(`/api_keys/${id}/resume`)
  expect(resumed.json()).toMatchObject({ stopped_at: null })
  expect(await state()).toMatchObject({ stopped: false, refusals_last_hour: 0 })
  expect(codeOf(await proxy(client))).toEqual([403, 'insufficient_role'])
})

test('refusals of more than an hour ago do not count', async () => {
  const { client, state } = await working()
  for (let n = 0; n < 4; n += 1) await proxy(client)
  world.clock.advance(61 * 60 * 1000)
  await proxy(client)
  expect(await state()).toMatchObject({ stopped: false, refusals_last_hour: 1 })
})

test('five at once stop it as well, and it is recorded once', async () => {
  const { owner, client, state } = await working()
  await Promise.all(Array.from({ length: 8 }, () => proxy(client)))
  expect((await state()).stopped).toBe(true)
  expect((await owner.get('/audit_logs?action=api_key.stopped')).json().data).toHaveLength(1)
})

test('what a guardrail refuses of a change set counts', async () => {
  const { organization, owner, client, state } = await working()
  const id = await campaignAfter(organization, ['launch'])
  const operations = [{ op: 'update', id, body: { daily_budget: 50 } }]
  const { changeSet } = await proposed(client, operations)
  const path = `/change_sets/${changeSet.id}`
  await owner.post(`${path}/approve`, { version: 1 })
  await owner.put('/organization/guardrails', { max_daily_budget: { USD: 40 } })
  const refused = await client.post(`${path}/apply`)
  expect(codeOf(refused)).toEqual([409, 'change_set_not_applicable'])
  expect(await state()).toMatchObject({ refusals_last_hour: 1 })
})

test('in parts too: nothing of the set happens, and it stays as it was', async () => {
  const { organization, owner, client, state } = await working()
  const ids = [
    await campaignAfter(organization, ['launch']),
    await campaignAfter(organization, ['launch']),
  ]
  const [first, second] = ids
  const operations = [
    { op: 'update', id: first, body: { daily_budget: 50 } },
    { op: 'update', id: second, body: { notes: 'x' } },
  ]
  const { changeSet } = await proposed(client, operations, { mode: 'partial' })
  const path = `/change_sets/${changeSet.id}`
  await owner.post(`${path}/approve`, { version: 1 })
  await owner.put('/organization/guardrails', { max_daily_budget: { USD: 40 } })
  const refused = await client.post(`${path}/apply`)
  expect(codeOf(refused)).toEqual([409, 'change_set_not_applicable'])
  expect(await state()).toMatchObject({ refusals_last_hour: 1 })
  expect((await owner.get(path)).json().status).toBe('approved')
  expect((await owner.get(`/campaigns/${second}`)).json().notes).not.toBe('x')
})

test('admins and owners stop it by hand, with a reason; other keys have nothing to stop', async () => {
  const { organization, owner, id, client, state } = await working()
  const admin = await organization.as('admin')
  const reason = 'It raises what we have lowered.'
  const stopped = await admin.post(`/api_keys/${id}/stop`, { reason })
  expect(stopped.json().stopped_at).toEqual(expect.any(String))
  expect(await state()).toMatchObject({ stopped: true, stopped_by: admin.userId, reason })
  expect(codeOf(await client.post('/change_sets', {}))).toEqual([403, 'agent_stopped'])
  const [record] = (await owner.get('/audit_logs?action=api_key.stopped')).json().data
  expect(record).toMatchObject({ actor: { id: admin.userId }, reason })
  const editor = await organization.as('editor')
  expect((await editor.post(`/api_keys/${id}/resume`)).statusCode).toBe(403)
  const other = await owner.post('/api_keys', { name: 'Reporting', role: 'viewer' })
  const otherId = other.json().id
  for (const attempt of [
    owner.post(`/api_keys/${otherId}/stop`),
    owner.post(`/api_keys/${otherId}/resume`),
    owner.get(`/api_keys/${otherId}/agent`),
  ]) {
    expect(codeOf(await attempt)).toEqual([409, 'not_an_agent'])
  }
})
