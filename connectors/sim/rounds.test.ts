import { createFlightdeck } from '@flightdeckhq/sdk'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openWorld, type World } from '../../server/test/support/world.ts'
import { type Adapter, NetworkFault } from '../kit/src/connect.ts'
import { simAdapter } from './adapter.ts'
import {
  accountRef,
  type Connected,
  connect,
  deployed,
  deploymentOf,
  inNetwork,
} from './test/connected.ts'

// One round of the connector at a time, on the real service and the simulated network.

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

const later = (seconds: number) => world.clock.advance(seconds * 1_000)
const stateOf = async (id: string) => (await deploymentOf(all.owner, id)).state

describe('a round', () => {
  test('makes a campaign, and finds nothing to do the next time', async () => {
    const id = await deployed(all, { name: 'Autumn', daily_budget: 40 })
    await all.round()
    expect(await deploymentOf(all.owner, id)).toMatchObject({
      state: 'in_sync',
      drift: [],
      network_delivery: { state: 'delivering' },
      coverage: { budget: 'native', schedule: 'native' },
    })
    expect(inNetwork(all.network)).toMatchObject([
      {
        name: 'Autumn',
        status: 'ENABLED',
        daily_budget_minor: 4_000,
        labels: [`fd:${id.slice(-26)}`],
      },
    ])
    const writes = all.network.counts.get('PATCH campaigns')
    expect(await all.round()).toEqual({ sent: [], faults: [] })
    expect(all.network.counts.get('PATCH campaigns')).toBe(writes)
  })

  test('sinks before it rises', async () => {
    const id = await deployed(all, { daily_budget: 40 })
    await all.round()
    await all.owner.patch(`/campaigns/${id}`, { daily_budget: 10, name: 'Renamed' })
    await all.owner.post(`/campaigns/${id}/pause`)
    await all.round()
    const [campaign] = all.network.control.campaigns(accountRef)
    const steps = campaign?.versions
      .slice(-3)
      .map(({ values }) => [values?.status, values?.daily_budget_minor, values?.name === 'Renamed'])
    expect(steps).toEqual([
      ['PAUSED', 4_000, false],
      ['PAUSED', 1_000, false],
      ['PAUSED', 1_000, true],
    ])
    expect(await stateOf(id)).toBe('in_sync')
  })

  test('removes what is to be removed', async () => {
    const id = await deployed(all)
    await all.round()
    await all.owner.post(`/campaigns/${id}/deployment/remove`)
    await all.round()
    expect(inNetwork(all.network)).toEqual([])
    expect(await stateOf(id)).toBe('removed')
  })

  test('writes once for 100 edits while the network was down', async () => {
    const id = await deployed(all)
    await all.round()
    all.network.control.setFaults([{ kind: 'lose_before' }])
    for (let cents = 1; cents <= 100; cents += 1)
      await all.owner.patch(`/campaigns/${id}`, { daily_budget: 40 + cents / 100 })
    await all.round()
    expect(await stateOf(id)).toBe('failed')
    all.network.control.setFaults([])
    const before = all.network.counts.get('PATCH campaigns') ?? 0
    later(3_600)
    await all.round()
    expect((all.network.counts.get('PATCH campaigns') ?? 0) - before).toBe(1)
    expect(inNetwork(all.network)).toMatchObject([{ daily_budget_minor: 4_100 }])
    expect(await stateOf(id)).toBe('in_sync')
  })
})

describe('an answer that is lost', () => {
  test('of a creation is looked for twice, a minute apart, before it is made again', async () => {
    const id = await deployed(all)
    all.network.control.setFaults([{ kind: 'lose_before', on: 'write', times: 1 }])
    await all.round()
    expect(await stateOf(id)).toBe('failed')
    const posts = () => all.network.counts.get('POST campaigns')
    for (let looks = 0; looks < 2; looks += 1) {
      expect(posts()).toBe(1)
      later(61)
      await all.round()
    }
    expect(posts()).toBe(2)
    expect(await stateOf(id)).toBe('in_sync')
    expect(inNetwork(all.network)).toHaveLength(1)
  })

  test('by a gateway may be late: nothing is made again before two looks', async () => {
    const id = await deployed(all)
    all.network.control.setFaults([{ kind: 'unavailable', on: 'write', times: 1 }])
    await all.round()
    expect((await deploymentOf(all.owner, id)).error).toMatchObject({ code: 'transient' })
    for (let looks = 0; looks < 2; looks += 1) {
      expect(all.network.counts.get('POST campaigns')).toBe(1)
      later(61)
      await all.round()
    }
    expect(await stateOf(id)).toBe('in_sync')
  })

  test('of a creation that was made finds it', async () => {
    const id = await deployed(all)
    all.network.control.setFaults([{ kind: 'lose_after', on: 'write', times: 1 }])
    await all.round()
    expect((await deploymentOf(all.owner, id)).error).toMatchObject({ code: 'unknown_outcome' })
    later(61)
    await all.round()
    expect(await stateOf(id)).toBe('in_sync')
    expect(inNetwork(all.network)).toHaveLength(1)
  })

  test('of a change that was made counts as done', async () => {
    const id = await deployed(all)
    await all.round()
    await all.owner.patch(`/campaigns/${id}`, { daily_budget: 80 })
    all.network.control.setFaults([{ kind: 'lose_after', on: 'write', times: 1 }])
    await all.round()
    expect(await stateOf(id)).toBe('in_sync')
    expect(inNetwork(all.network)).toMatchObject([{ daily_budget_minor: 8_000 }])
  })

  test.each(['rubbish', 'hang', 'lose_after'] as const)(
    '%s: converges, with one campaign',
    async (kind) => {
      const id = await deployed(all)
      all.network.control.setFaults([{ kind, on: 'write', times: 2 }])
      for (let rounds = 0; rounds < 5; rounds += 1) {
        await all.round()
        later(3_600)
      }
      expect(await stateOf(id)).toBe('in_sync')
      expect(inNetwork(all.network)).toMatchObject([{ status: 'ENABLED' }])
    },
  )

  test.each(['rubbish', 'hang'] as const)('%s while reading is tried again', async (kind) => {
    const id = await deployed(all)
    all.network.control.setFaults([{ kind, on: 'read' }])
    const { faults } = await all.round()
    expect(faults).toHaveLength(1)
    all.network.control.setFaults([])
    later(3_600)
    await all.round()
    expect(await stateOf(id)).toBe('in_sync')
  })
})

describe('a network', () => {
  test('that says yes and keeps the old value is drift, not success', async () => {
    const id = await deployed(all, { daily_budget: 40 })
    await all.round()
    await all.owner.patch(`/campaigns/${id}`, { daily_budget: 80 })
    all.network.control.setFaults([{ kind: 'keep_old' }])
    await all.round()
    expect(await deploymentOf(all.owner, id)).toMatchObject({
      state: 'drifted',
      drift: [{ field: 'budget', observed: { daily_budget_minor: 4_000 } }],
    })
  })

  test('that refuses a value blocks it, with the field', async () => {
    const id = await deployed(all, { daily_budget: 40 })
    all.network.control.setAccount(accountRef, { minimum_daily_budget_minor: 5_000 })
    await all.round()
    expect(await deploymentOf(all.owner, id)).toMatchObject({
      state: 'blocked',
      error: { code: 'invalid', errors: [{ pointer: '/daily_budget' }] },
    })
    // It was certainly not made: corrected, it is made at once.
    await all.owner.patch(`/campaigns/${id}`, { daily_budget: 60 })
    await all.round()
    expect(await stateOf(id)).toBe('in_sync')
  })

  test('that lost a campaign blocks it as gone, until it is made anew', async () => {
    const id = await deployed(all)
    await all.round()
    const [campaign] = inNetwork(all.network)
    all.network.control.remove(accountRef, campaign?.id ?? '')
    await all.owner.post(`/campaigns/${id}/deployment/check`)
    await all.round()
    expect((await deploymentOf(all.owner, id)).error).toMatchObject({ code: 'gone' })
    expect(inNetwork(all.network)).toEqual([])
    await all.owner.post(`/campaigns/${id}/deployment/retry`)
    await all.round()
    expect(inNetwork(all.network)).toHaveLength(1)
    expect(await stateOf(id)).toBe('in_sync')
  })

  test('in which a person edits it meanwhile is read again', async () => {
    const id = await deployed(all)
    await all.round()
    await all.owner.patch(`/campaigns/${id}`, { daily_budget: 80 })
    all.network.control.setFaults([{ kind: 'concurrent', times: 2 }])
    await all.round()
    expect(await stateOf(id)).toBe('in_sync')
  })

  test('that limits requests is left alone for as long as it says', async () => {
    const ids = [await deployed(all, { name: 'A' }), await deployed(all, { name: 'B' })]
    all.network.control.setFaults([{ kind: 'rate_limit', on: 'write', seconds: 90 }])
    await all.round()
    for (const id of ids)
      expect(await deploymentOf(all.owner, id)).toMatchObject({
        state: 'failed',
        error: { code: 'rate_limited' },
      })
    expect(all.network.counts.get('POST campaigns')).toBe(1)
    all.network.control.setFaults([])
    later(100)
    await all.round()
    expect(await Promise.all(ids.map(stateOf))).toEqual(['in_sync', 'in_sync'])
  })

  test('whose reads are behind shows no drift of what was just written', async () => {
    const id = await deployed(all)
    await all.round()
    all.network.control.setFaults([{ kind: 'stale_reads', ms: 40 }])
    await all.owner.patch(`/campaigns/${id}`, { daily_budget: 80 })
    await all.round()
    expect(await stateOf(id)).toBe('in_sync')
  })

  test('whose clock is an hour off changes nothing', async () => {
    for (const offset of [-3_600_000, 3_600_000]) {
      all.network.control.setClock(offset)
      const id = await deployed(all, { name: `Off by ${offset}` })
      await all.round()
      expect(await stateOf(id)).toBe('in_sync')
    }
  })
})

describe('an account', () => {
  const connectionOf = async () =>
    (await all.owner.get(`/profiles/${all.profile}/connection`)).json()

  test('in another currency is blocked, and nothing is sent to it', async () => {
    all.network.control.setAccount(accountRef, { currency: 'EUR' })
    await all.owner.patch(`/profiles/${all.profile}`, { currency: 'USD' })
    await deployed(all)
    await all.round()
    expect(await connectionOf()).toMatchObject({
      state: 'blocked',
      error: { code: 'currency_mismatch' },
    })
    expect(inNetwork(all.network)).toEqual([])
  })

  test('whose profile has no currency does not take a campaign in another', async () => {
    all.network.control.setAccount(accountRef, { currency: 'EUR' })
    await all.owner.patch(`/profiles/${all.profile}`, { currency: null })
    const id = await deployed(all)
    await all.round()
    expect((await deploymentOf(all.owner, id)).error).toMatchObject({ code: 'currency_mismatch' })
    expect(all.network.counts.get('POST campaigns')).toBe(undefined)
  })

  test.each([
    { credential: 'EXPIRED' as const, code: 'credential' },
    { status: 'SUSPENDED' as const, code: 'account_suspended' },
  ])('that cannot be used waits for people: $code', async ({ code, ...facts }) => {
    const id = await deployed(all)
    all.network.control.setAccount(accountRef, facts)
    await all.round()
    expect(await connectionOf()).toMatchObject({ state: 'blocked', error: { code } })
    expect(await stateOf(id)).toBe('pending')
    all.network.control.setAccount(accountRef, { credential: 'VALID', status: 'ACTIVE' })
    await all.round()
    expect(await stateOf(id)).toBe('in_sync')
  })

  test('is not brought above the ceiling of the operator, and pausing is always done', async () => {
    const ceilings = new Map([['USD', 10_000]])
    const [one, two] = [
      await deployed(all, { name: 'A', daily_budget: 80 }),
      await deployed(all, { name: 'B', daily_budget: 30 }),
    ]
    await all.round({ ceilings })
    const states = [await stateOf(one), await stateOf(two)]
    expect(states.toSorted()).toEqual(['blocked', 'in_sync'])
    const running = inNetwork(all.network).filter(({ status }) => status === 'ENABLED')
    expect(running).toHaveLength(1)
    const held = states[0] === 'in_sync' ? one : two
    await all.owner.post(`/campaigns/${held}/pause`)
    await all.round({ ceilings: new Map([['USD', 1]]) })
    expect(inNetwork(all.network).every(({ status }) => status === 'PAUSED')).toBe(true)
  })

  test('is not brought above it by a lowering of which nothing is known', async () => {
    const ceilings = new Map([['USD', 10_000]])
    const low = await deployed(all, { name: 'A', daily_budget: 80 })
    await all.round({ ceilings })
    await all.owner.patch(`/campaigns/${low}`, { daily_budget: 50 })
    later(1)
    const other = await deployed(all, { name: 'B', daily_budget: 30 })
    // The write is lost, and so is the look at what it did.
    const lost = [
      new NetworkFault('unknown_outcome', 'No answer.'),
      new NetworkFault('transient', 'No answer.'),
    ]
    const adapter: Adapter = simAdapter({ url: all.network.url })
    const apply: Adapter['apply'] = async (access, body, of) => {
      const fault = of.seen?.observed.name === 'A' ? lost.shift() : undefined
      if (fault) throw fault
      return adapter.apply(access, body, of)
    }
    const read: Adapter['read'] = async (access, which) => {
      const fault = lost.length === 1 ? lost.shift() : undefined
      if (fault) throw fault
      return adapter.read(access, which)
    }
    await all.round({ ceilings, adapter: { ...adapter, apply, read } })
    expect((await deploymentOf(all.owner, other)).error).toMatchObject({ code: 'cannot_hold' })
    expect(inNetwork(all.network)).toMatchObject([
      { status: 'ENABLED', daily_budget_minor: 8_000 },
      { status: 'PAUSED' },
    ])
    const { state, observed } = await deploymentOf(all.owner, low)
    expect([state, observed.daily_budget_minor]).toEqual(['failed', 8_000])
  })

  test('has its spend reported as results, once', async () => {
    const id = await deployed(all, { daily_budget: 96 })
    await all.round()
    all.network.control.setClock(6 * 3_600_000)
    await all.round()
    const { data } = (await all.owner.get(`/campaigns/${id}/results`)).json()
    expect(data.length).toBeGreaterThan(0)
    expect(data[0].spend).toBeGreaterThan(0)
  })

  test('that is over its quota as results are asked for gets nothing more', async () => {
    await deployed(all, { name: 'First' })
    await all.round()
    const id = await deployed(all, { name: 'Second' })
    const adapter: Adapter = {
      ...simAdapter({ url: all.network.url }),
      results() {
        throw new NetworkFault('rate_limited', 'Enough.', { retryAfterSeconds: 700 })
      },
    }
    await all.round({ adapter })
    expect((await deploymentOf(all.owner, id)).error).toMatchObject({ code: 'rate_limited' })
    expect(inNetwork(all.network).map(({ name }) => name)).toEqual(['First'])
  })

  test('has conversions and their value reported as they come, and days that are final', async () => {
    // Enough for some, too, of a day that ends in a minute.
    const id = await deployed(all, { daily_budget: 960_000 })
    await all.round()
    const first = async () => (await all.owner.get(`/campaigns/${id}/results`)).json().data[0]
    all.network.control.setClock(24 * 3_600_000)
    await all.round()
    const early = await first()
    expect(early).toMatchObject({ is_final: false })
    expect(early.conversions).toBeGreaterThan(0)
    all.network.control.setClock(72 * 3_600_000)
    await all.round()
    const final = await first()
    expect(final).toMatchObject({ date: early.date, is_final: true })
    expect(final.conversions).toBeGreaterThan(early.conversions)
    expect(final.conversion_value).toBe(final.conversions * 50)
  })

  test('has what it holds listed, and what is gone of it', async () => {
    const { control } = all.network
    const id = control.add(accountRef, { name: 'Theirs', daily_budget_minor: 500 })
    const list = async () =>
      (await all.owner.get(`/profiles/${all.profile}/network_campaigns`)).json().data
    await all.round()
    const about = { network_object_id: id, name: 'Theirs', status: 'paused', campaign_id: null }
    expect(await list()).toMatchObject([{ ...about, daily_budget_minor: 500, gone: false }])
    control.remove(accountRef, id)
    await all.round()
    expect(await list()).toMatchObject([{ ...about, gone: true }])
  })

  test('has results and drift of linked campaigns found by a process that has just begun', async () => {
    const { control } = all.network
    const values = { name: 'Theirs', status: 'ENABLED', daily_budget_minor: 9_600 }
    const object = control.add(accountRef, values)
    const body = { mode: 'link', network_object_id: object, managed_fields: ['budget'] }
    const id = await deployed(all, { name: 'Ours', daily_budget: 96 }, body)
    await all.round()
    expect(await stateOf(id)).toBe('in_sync')
    control.setClock(6 * 3_600_000)
    control.edit(accountRef, object, { daily_budget_minor: 9_900 })
    await all.round()
    expect(await deploymentOf(all.owner, id)).toMatchObject({
      state: 'drifted',
      network_delivery: { state: 'delivering' },
    })
    const { data } = (await all.owner.get(`/campaigns/${id}/results`)).json()
    expect(data[0].spend).toBeGreaterThan(0)
    control.remove(accountRef, object)
    later(1)
    await all.round()
    expect((await deploymentOf(all.owner, id)).error).toMatchObject({ code: 'gone' })
  })

  test('has all its campaigns sent to a service that takes inventories, page by page', async () => {
    const { control } = all.network
    const values = { name: 'Theirs', daily_budget_minor: 500 }
    for (let count = 0; count < 501; count += 1) control.add(accountRef, values)
    const sent: { complete: boolean; campaigns: object[] }[] = []
    const taking = async (request: Request) => {
      if (!request.url.endsWith('/connector/inventory')) return fetch(request)
      sent.push(JSON.parse(await request.text()))
      return Response.json({ linked: [] })
    }
    const baseUrl = `${address}/api/v1`
    await all.round({ flightdeck: createFlightdeck({ baseUrl, token: all.key, fetch: taking }) })
    expect(sent.map(({ complete, campaigns }) => [complete, campaigns.length])).toEqual([
      [false, 250],
      [false, 250],
      [true, 1],
    ])
    const [theirs] = sent[0]?.campaigns ?? []
    const about = { status: 'paused', currency: 'USD', time_zone: 'UTC', daily_budget_minor: 500 }
    expect(theirs).toMatchObject({ name: 'Theirs', ...about })
    expect(theirs).not.toHaveProperty('run')
    expect(inNetwork(all.network).every(({ name }) => name === 'Theirs')).toBe(true)
  })
})
