import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openWorld, type World } from '../../server/test/support/world.ts'
import { runConnector } from '../kit/src/connect.ts'
import { type Connected, connect, deployed, deploymentOf } from './test/connected.ts'
import { customerId } from './test/credential.ts'

// Calls of each kind of change, counted: a write, and a query that reads it back.

let world: World
let address: string
let all: Connected
let stop: AbortController
let running: Promise<void>

beforeAll(async () => {
  world = await openWorld()
  address = await world.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => world.close())
beforeEach(async () => {
  all = await connect(world, address)
  stop = new AbortController()
  running = Promise.resolve()
})
afterEach(async () => {
  stop.abort()
  await running
  await all.close()
})

const there = () => all.fake.control.campaigns(customerId)
const counts = () => ['searchStream', 'mutate'].map((name) => all.fake.counts.get(name) ?? 0)
const since = (before: readonly number[]) => counts().map((count, at) => count - (before[at] ?? 0))
const of = (id: string) => deploymentOf(all.owner, id)

async function reached(id: string, state = 'in_sync') {
  const isDone = async () => {
    const now = await of(id)
    return now.state === state && [null, now.generation].includes(now.applied_generation)
  }
  await expect.poll(isDone, { interval: 20 }).toBe(true)
}

/** A connector that has looked at the account, and does not look again by itself. */
async function start() {
  running = runConnector(all.runner({ pollMs: 600_000, resultsMs: 3_600_000 }), stop.signal)
  await expect.poll(() => counts()[0] ?? 0).toBeGreaterThan(0)
  await deployed(all, { name: 'First' }).then(reached)
}

const end_at = '2031-01-01T00:00:00Z'
const monday = { day: 'mon', start: '08:00', end: '18:30' }
const tuesday = { day: 'tue', start: '10:00', end: '24:00' }

describe('between two looks', () => {
  test.each([
    ['a budget that sinks', { daily_budget: 10 }, [1, 1]],
    ['a budget that rises', { daily_budget: 77 }, [1, 1]],
    ['a name', { name: 'Another' }, [1, 1]],
    ['an end', { end_at }, [1, 1]],
    ['a name, a budget and an end', { name: 'Another', daily_budget: 77, end_at }, [1, 1]],
    ['hours', { schedule: [tuesday] }, [1, 1]],
    ['hours that are taken away', { schedule: [] }, [1, 1]],
    // Google answers hours and campaigns by two queries.
    ['hours, and a budget', { schedule: [tuesday], daily_budget: 10 }, [2, 1]],
  ])('%s: %o takes queries and writes of %j', async (_, change, calls) => {
    await start()
    const id = await deployed(all, { daily_budget: 40, schedule: [monday] })
    await reached(id)
    const before = counts()
    await all.owner.patch(`/campaigns/${id}`, change)
    await reached(id)
    expect(since(before)).toEqual(calls)
    expect((await of(id)).drift).toEqual([])
  })

  test.each([
    ['without hours', {}, [3, 2]],
    ['with hours', { schedule: [monday] }, [4, 2]],
  ])('a creation %s is looked for, made paused, read, enabled, read', async (_, fields, calls) => {
    await start()
    const before = counts()
    const id = await deployed(all, { name: 'New', ...fields })
    await reached(id)
    expect(since(before)).toEqual(calls)
  })

  test('pausing, going on, and removing take two each', async () => {
    await start()
    const id = await deployed(all, { schedule: [monday] })
    await reached(id)
    for (const [act, state] of [
      ['pause', 'in_sync'],
      ['resume', 'in_sync'],
      ['deployment/remove', 'removed'],
    ]) {
      const before = counts()
      await all.owner.post(`/campaigns/${id}/${act}`)
      await reached(id, state)
      expect([act, ...since(before)]).toEqual([act, 1, 1])
    }
  })

  test('a check takes one, and to overwrite what it finds two', async () => {
    await start()
    const id = await deployed(all, { name: 'Mine' })
    await reached(id)
    const resourceName = there().find(({ campaign }) => campaign.name === 'Mine')?.campaign
    all.fake.control.edit(customerId, [
      {
        campaignOperation: {
          update: { resourceName: resourceName?.resourceName, name: 'Theirs' },
          updateMask: 'name',
        },
      },
    ])
    for (const [act, state, calls] of [
      ['check', 'drifted', [1, 0]],
      ['overwrite', 'in_sync', [1, 1]],
    ] as const) {
      const before = counts()
      await all.owner.post(`/campaigns/${id}/deployment/${act}`)
      await reached(id, state)
      expect(since(before)).toEqual(calls)
    }
  })

  test('what a person has changed since the look is seen by the read after the write', async () => {
    await start()
    const id = await deployed(all, { daily_budget: 40 })
    await reached(id)
    const campaign = there().find(({ labels }) => labels[0] === `fd:${id.slice(-26)}`)?.campaign
    all.fake.control.edit(customerId, [
      {
        campaignOperation: {
          update: { resourceName: campaign?.resourceName, status: 'PAUSED' },
          updateMask: 'status',
        },
      },
    ])
    await all.owner.patch(`/campaigns/${id}`, { daily_budget: 77 })
    await reached(id)
    expect((await of(id)).drift).toEqual([])
    expect(there().every((each) => each.campaign.status === 'ENABLED')).toBe(true)
  })

  test('what a person has removed since the look is gone', async () => {
    await start()
    const id = await deployed(all)
    await reached(id)
    const campaign = there().find(({ labels }) => labels[0] === `fd:${id.slice(-26)}`)?.campaign
    all.fake.control.edit(customerId, [{ campaignOperation: { remove: campaign?.resourceName } }])
    await all.owner.patch(`/campaigns/${id}`, { daily_budget: 77 })
    await expect.poll(async () => (await of(id)).error?.code).toBe('gone')
  })
})

describe('several changes', () => {
  const paused = async (change: object) => {
    const id = await deployed(all, { name: 'Mine', daily_budget: 40, schedule: [monday] })
    await deployed(all, { name: 'Taken' })
    await all.round()
    await all.owner.patch(`/campaigns/${id}`, change)
    await all.owner.post(`/campaigns/${id}/pause`)
    await all.round()
    const { versions } = all.fake.control.account(customerId)
    const own = versions.filter(({ marks }) => marks[0] === `fd:${id.slice(-26)}`)
    return { id, steps: own.map(({ status, micros }) => [status, micros]) }
  }

  test('at once are one write', async () => {
    const { id, steps } = await paused({ daily_budget: 10, name: 'Renamed', schedule: [] })
    expect(steps).toEqual([
      ['PAUSED', '40000000'],
      ['ENABLED', '40000000'],
      ['PAUSED', '10000000'],
    ])
    expect((await of(id)).state).toBe('in_sync')
  })

  test.each([
    ['the network', { name: 'Taken', daily_budget: 10 }, '/name', ['40000000', '10000000']],
    ['the mapping', { end_at: '2031-01-01T12:00:00Z' }, '/end_at', ['40000000']],
  ])('of which %s refuses one still pause, and lower', async (_, change, pointer, budgets) => {
    const { id, steps } = await paused(change)
    expect(steps.slice(2)).toEqual(budgets.map((micros) => ['PAUSED', micros]))
    expect(await of(id)).toMatchObject({ state: 'blocked', error: { errors: [{ pointer }] } })
  })
})
