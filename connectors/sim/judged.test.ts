import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openWorld, type World } from '../../server/test/support/world.ts'
import { runConnector } from '../kit/src/connect.ts'
import { accountRef, type Connected, connect, deployed, inNetwork } from './test/connected.ts'

// The network judges change sets that touch what it runs, without changing it.

let world: World
let address: string
let all: Connected

beforeAll(async () => {
  world = await openWorld()
  address = await world.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => world.close())
beforeEach(async () => {
  all = await connect(world, address)
})
afterEach(() => all.close())

const budgetOf = (id: string, daily_budget: number) => ({
  ...{ op: 'update', resource: 'campaign', id },
  body: { daily_budget },
})

async function proposed(operations: object[], more: object = {}): Promise<string> {
  const reply = await all.owner.post('/change_sets', { title: 'Budgets', operations, ...more })
  expect(reply.statusCode).toBe(201)
  return reply.json().id
}

type Shown = { network_check: { outcome: string; error: object | null } | null }

async function checksOf(id: string) {
  const reply = await all.owner.get(`/change_sets/${id}/operations`)
  return reply.json<{ data: Shown[] }>().data.map(({ network_check }) => network_check)
}

const writes = () => all.network.counts.get('PATCH campaigns') ?? 0

test('each deployed campaign is judged as it would be in the end, and stays as it is', async () => {
  const [one, other] = [await deployed(all), await deployed(all, { name: 'Other' })]
  await all.round()
  all.network.control.setAccount(accountRef, { minimum_daily_budget_minor: 3_000 })
  const before = inNetwork(all.network)
  const id = await proposed([
    budgetOf(one, 10),
    budgetOf(one, 50),
    budgetOf(other, 20),
    { op: 'create', resource: 'client', body: { name: `Client of ${one}` } },
  ])
  const open = { outcome: 'open', error: null, checked_at: null, profile_id: all.profile }
  expect(await checksOf(id)).toMatchObject([null, open, open, null])
  await all.round()
  expect(await checksOf(id)).toMatchObject([
    null,
    { outcome: 'accepted', error: null, checked_at: expect.any(String) },
    { outcome: 'refused', error: { code: 'invalid', errors: [{ pointer: '/daily_budget' }] } },
    null,
  ])
  expect(inNetwork(all.network)).toEqual(before)
})

test('it is asked again when the change set is refreshed, and never of one that has ended', async () => {
  const one = await deployed(all, { daily_budget: 40 })
  await all.round()
  all.network.control.setAccount(accountRef, { minimum_daily_budget_minor: 3_000 })
  const id = await proposed([budgetOf(one, 20)])
  await all.round()
  expect(await checksOf(id)).toMatchObject([{ outcome: 'refused' }])
  all.network.control.setAccount(accountRef, { minimum_daily_budget_minor: 1 })
  await all.owner.post(`/change_sets/${id}/refresh`)
  expect(await checksOf(id)).toMatchObject([{ outcome: 'open' }])
  await all.round()
  expect(await checksOf(id)).toMatchObject([{ outcome: 'accepted' }])
  await all.owner.post(`/change_sets/${id}/refresh`)
  await all.owner.post(`/change_sets/${id}/cancel`)
  const asked = writes()
  await all.round()
  expect(await checksOf(id)).toEqual([null])
  expect(writes()).toBe(asked)
})

test('what the connector’s own ceiling forbids is refused', async () => {
  const one = await deployed(all, { daily_budget: 40 })
  const ceilings = new Map([['USD', 5_000]])
  await all.round({ ceilings })
  const id = await proposed([budgetOf(one, 60)])
  await all.round({ ceilings })
  expect(await checksOf(id)).toMatchObject([
    {
      outcome: 'refused',
      error: { code: 'cannot_hold', message: expect.stringContaining('ceiling') },
    },
  ])
})

test('a fault that passes leaves it open', async () => {
  const one = await deployed(all, { daily_budget: 40 })
  await all.round()
  const id = await proposed([budgetOf(one, 60)])
  all.network.control.setFaults([{ kind: 'unavailable' }])
  await all.round()
  expect(await checksOf(id)).toMatchObject([{ outcome: 'open' }])
  all.network.control.setFaults([])
  await all.round()
  expect(await checksOf(id)).toMatchObject([{ outcome: 'accepted' }])
})

test('a connector that runs answers at once', async () => {
  const one = await deployed(all, { daily_budget: 40 })
  await all.round()
  const stop = new AbortController()
  const running = runConnector(all.runner(), stop.signal)
  await expect.poll(() => all.logged.some(({ msg }) => msg === 'the accounts are held')).toBe(true)
  const id = await proposed([budgetOf(one, 60)])
  await expect.poll(() => checksOf(id), { timeout: 5_000 }).toMatchObject([{ outcome: 'accepted' }])
  stop.abort()
  await running
  expect(inNetwork(all.network)).toMatchObject([{ daily_budget_minor: 4_000 }])
})

test('work goes before what is still to be judged', async () => {
  const ids: string[] = []
  for (let at = 0; at < 15; at += 1) ids.push(await deployed(all, { name: `Campaign ${at}` }))
  await all.round()
  all.network.control.setFaults([{ kind: 'slow', on: 'write', ms: 300 }])
  const stop = new AbortController()
  const running = runConnector(all.runner(), stop.signal)
  await expect.poll(() => all.logged.some(({ msg }) => msg === 'the accounts are held')).toBe(true)
  const set = await proposed(ids.map((id) => budgetOf(id, 60)))
  const openOf = async () =>
    (await checksOf(set)).filter((check) => check?.outcome === 'open').length
  await expect.poll(openOf, { timeout: 5_000 }).toBeLessThan(15)
  await all.owner.post(`/campaigns/${ids[14]}/pause`)
  await expect
    .poll(() => inNetwork(all.network).filter(({ status }) => status === 'PAUSED').length, {
      timeout: 5_000,
    })
    .toBe(1)
  expect(await openOf()).toBeGreaterThan(0)
  stop.abort()
  await running
})

test('networks are asked for a hundred campaigns of a change set at most', async () => {
  const ids: string[] = []
  for (let at = 0; at < 101; at += 1) ids.push(await deployed(all, { name: `Campaign ${at}` }))
  const set = await proposed(ids.map((id) => budgetOf(id, 60)))
  const { data } = (await all.owner.get(`/change_sets/${set}/operations?limit=100`)).json()
  const asked = data.filter(({ network_check }: Shown) => network_check !== null)
  const last = (
    await all.owner.get(`/change_sets/${set}/operations?campaign_id=${ids[100]}`)
  ).json()
  expect([asked.length, last.data[0].network_check]).toEqual([100, null])
})
