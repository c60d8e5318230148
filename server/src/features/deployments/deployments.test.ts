import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignAfter, campaignBody, made, profileOf } from '../../../test/support/cases/writes.ts'
import { watch } from '../../../test/support/documented.ts'
import { type OwnWorld, openOwnWorld } from '../../../test/support/own-world.ts'
import type { TestOrganization } from '../../../test/support/world.ts'
import { bringDue } from './due.ts'

let world: OwnWorld

beforeAll(async () => {
  world = watch(await openOwnWorld())
})
afterAll(() => world.close())

const create = { mode: 'create' }

/** A campaign after these actions, with a deployment that no connector has seen. */
async function deployed(organization: TestOrganization, actions: string[] = ['launch']) {
  const id = await campaignAfter(organization, actions)
  const reply = await organization.owner.put(`/campaigns/${id}/deployment`, create)
  expect(reply.statusCode).toBe(201)
  return { id, path: `/campaigns/${id}/deployment` }
}

const codeOf = (reply: { statusCode: number; json(): { code: string } }) => [
  reply.statusCode,
  reply.json().code,
]

describe('a deployment', () => {
  test('says what the network should run, and waits for a connector', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { id, path } = await deployed(organization)
    const campaign = (await owner.get(`/campaigns/${id}`)).json()
    expect((await owner.get(path)).json()).toMatchObject({
      id: expect.stringMatching(/^dpl_/),
      campaign_id: id,
      profile_id: campaign.profile_id,
      mode: 'create',
      network_object_id: null,
      managed_fields: ['name', 'status', 'budget', 'dates', 'schedule'],
      drift_policy: 'report',
      settings: {},
      state: 'pending',
      generation: 1,
      applied_generation: 0,
      desired: {
        name: campaign.name,
        run: 'enabled',
        daily_budget_minor: campaign.daily_budget_minor,
        currency: campaign.currency,
        schedule: [],
      },
      observed: null,
      drift: [],
      stale: true,
      version: 1,
    })
    expect(campaign.deployment).toEqual({
      state: 'pending',
      stale: true,
      network_object_id: null,
      drift_fields: [],
    })
    expect(campaign.delivery).toEqual({ state: 'eligible', reasons: ['connector_stale'] })
  })

  test('is made by the first PUT, also when that is repeated, and changed by the next', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const id = await campaignAfter(organization)
    const path = `/campaigns/${id}/deployment`
    const headers = { 'idempotency-key': 'deploy' }
    const first = await owner.put(path, create, headers)
    const again = await owner.put(path, create, headers)
    expect([first.statusCode, again.statusCode]).toEqual([201, 201])
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.json().id).toBe(first.json().id)
    const same = await owner.put(path, create)
    expect([same.statusCode, same.json().version]).toEqual([200, 1])
    const changed = await owner.put(path, { ...create, drift_policy: 'overwrite' })
    expect([changed.statusCode, changed.json().version]).toEqual([200, 2])
    expect(changed.json().generation).toBe(1)
    const stale = await owner.put(path, create, { 'if-match': '"1"' })
    expect(codeOf(stale)).toEqual([412, 'version_mismatch'])
  })

  test('rises by a generation with each change of what should run, and with nothing else', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { id, path } = await deployed(organization)
    const generation = async () => (await owner.get(path)).json().generation
    await owner.patch(`/campaigns/${id}`, { daily_budget: 44 })
    expect(await generation()).toBe(2)
    await owner.patch(`/campaigns/${id}`, { notes: 'Nothing of the network.' })
    expect(await generation()).toBe(2)
    await owner.post(`/campaigns/${id}/pause`)
    const paused = (await owner.get(path)).json()
    expect([paused.generation, paused.desired.run]).toEqual([3, 'paused'])
    await owner.put(path, { ...create, settings: { network: 'search' } })
    expect(await generation()).toBe(4)
    expect((await owner.get(`/campaigns/${id}`)).json().version).toBe(5)
  })

  test('of a draft sends nothing, and its edits raise nothing until the launch', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { id, path } = await deployed(organization, [])
    await owner.patch(`/campaigns/${id}`, { daily_budget: 44 })
    const draft = (await owner.get(path)).json()
    expect(draft).toMatchObject({ generation: 1, state: 'pending', desired: { run: 'paused' } })
    expect(draft.desired.daily_budget_minor).toBe(4400)
    await owner.post(`/campaigns/${id}/launch`)
    expect((await owner.get(path)).json()).toMatchObject({
      generation: 2,
      desired: { run: 'enabled' },
    })
  })

  test('keeps its campaign from being deleted until it is detached', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { id, path } = await deployed(organization, [])
    const refused = await owner.delete(`/campaigns/${id}`)
    expect(codeOf(refused)).toEqual([409, 'resource_in_use'])
    expect(refused.json().references).toMatchObject([{ type: 'deployment' }])
    expect((await owner.delete(path)).statusCode).toBe(204)
    expect(codeOf(await owner.get(path))).toEqual([404, 'not_found'])
    expect((await owner.get(`/campaigns/${id}`)).json().deployment).toBeNull()
    expect((await owner.delete(`/campaigns/${id}`)).statusCode).toBe(204)
  })

  test('links with an object that no other campaign has', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const profile_id = await profileOf(organization)
    const campaigns = await Promise.all(
      [1, 2].map(() => made(owner, '/campaigns', campaignBody(profile_id))),
    )
    const link = { mode: 'link', network_object_id: '218', managed_fields: ['status'] }
    const [one, other] = campaigns.map((id) => `/campaigns/${id}/deployment`)
    expect((await owner.put(`${one}`, link)).json()).toMatchObject(link)
    expect(codeOf(await owner.put(`${other}`, link))).toEqual([409, 'network_object_taken'])
  })

  test('is refused with all its faults', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const id = await campaignAfter(organization)
    const put = async (body: object) =>
      (await owner.put(`/campaigns/${id}/deployment`, body))
        .json()
        .errors.map(({ pointer, code }: Record<string, string>) => [pointer, code])
    expect(await put({ mode: 'link' })).toEqual([['/network_object_id', 'required']])
    expect(await put({ ...create, network_object_id: '1' })).toEqual([
      ['/network_object_id', 'read_only_field'],
    ])
    expect(await put({ ...create, settings: { text: 'x'.repeat(9_000) } })).toEqual([
      ['/settings', 'too_long'],
    ])
    expect(await put({ mode: 'other', managed_fields: [] })).toHaveLength(2)
  })
})

test('an account that stops being active, or gets another reference, is followed', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const { id, path } = await deployed(organization)
  const { profile_id } = (await owner.get(`/campaigns/${id}`)).json()
  await owner.patch(`/profiles/${profile_id}`, { account_ref: 'another' })
  const later = async () => {
    await bringDue(world.services, AbortSignal.timeout(20_000))
    return (await owner.get(path)).json()
  }
  expect((await later()).generation).toBe(2)
  await owner.patch(`/profiles/${profile_id}`, { status: 'paused' })
  expect((await later()).desired.run).toBe('paused')
})

test('those that another transaction changes are looked at after it, and hold up no others', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const both = [await deployed(organization), await deployed(organization)]
  for (const { id } of both) {
    const { profile_id } = (await owner.get(`/campaigns/${id}`)).json()
    const { account_ref } = (await owner.get(`/profiles/${profile_id}`)).json()
    for (const ref of ['another', account_ref])
      await owner.patch(`/profiles/${profile_id}`, { account_ref: ref })
  }
  const dueOnes = async () => {
    const sql = `select campaign_id from deployments
      where organization_id = $1 and due_at <= $2 order by campaign_id`
    const now = world.clock.now().toISOString()
    const rows = await world.database.query<{ campaign_id: string }>(sql, [organization.id, now])
    return rows.map(({ campaign_id }) => campaign_id)
  }
  const ids = both.map(({ id }) => id).toSorted()
  expect(await dueOnes()).toEqual(ids)
  const unlock = await world.database.lock(
    'select from deployments where organization_id = $1 and campaign_id = $2 for update',
    [organization.id, ids[1]],
  )
  await bringDue(world.services, AbortSignal.timeout(20_000))
  expect(await dueOnes()).toEqual([ids[1]])
  await unlock()
  await expect
    .poll(() => bringDue(world.services, AbortSignal.timeout(20_000)).then(dueOnes))
    .toEqual([])
})

test('deployments are listed by state, account, label and difference', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const { id } = await deployed(organization)
  await owner.patch(`/campaigns/${id}`, { labels: ['spring'] })
  await deployed(organization, [])
  const count = async (query: string) =>
    (await owner.get(`/deployments?${query}`)).json().data.length
  expect(await count('')).toBe(2)
  expect(await count('state=pending')).toBe(2)
  expect(await count('state=in_sync,drifted')).toBe(0)
  expect(await count('label=spring')).toBe(1)
  expect(await count('stale=true')).toBe(2)
  expect(await count('stale=false')).toBe(0)
  expect(await count('drift_field=budget')).toBe(0)
  expect(await count(`campaign_id=${id}&sort=state_since`)).toBe(1)
  const campaigns = async (query: string) =>
    (await owner.get(`/campaigns?${query}`)).json().data.length
  expect(await campaigns('deployment_state=pending')).toBe(2)
  expect(await campaigns('deployment_state=blocked')).toBe(0)
  expect(await campaigns('delivery_reason=connector_stale')).toBe(2)
})

describe('what is asked for', () => {
  test('is possible by state, and needs the object', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { path } = await deployed(organization)
    const { available_actions } = (await owner.get(path)).json()
    expect(available_actions).toEqual([
      { action: 'check', allowed: false, blocked_by: ['not_bound'] },
      { action: 'remove', allowed: false, blocked_by: ['not_bound'] },
    ])
    for (const action of ['check', 'retry', 'overwrite', 'adopt', 'remove']) {
      expect(codeOf(await owner.post(`${path}/${action}`))).toEqual([
        409,
        'invalid_state_transition',
      ])
    }
  })

  test('is asked for once it is linked', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const id = await campaignAfter(organization, ['launch'])
    const path = `/campaigns/${id}/deployment`
    await owner.put(path, { mode: 'link', network_object_id: '218' })
    expect((await owner.post(`${path}/check`)).statusCode).toBe(200)
    const editor = await organization.as('editor')
    expect(codeOf(await editor.post(`${path}/remove`))).toEqual([403, 'insufficient_role'])
    expect((await owner.post(`${path}/remove`)).json().state).toBe('removing')
    expect(codeOf(await owner.put(path, create))).toEqual([409, 'invalid_state_transition'])
  })
})
