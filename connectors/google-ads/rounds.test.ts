import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openWorld, type World } from '../../server/test/support/world.ts'
import { runConnector } from '../kit/src/connect.ts'
import { wallClock } from './fake/clock.ts'
import { type Connected, connect, deployed, deploymentOf } from './test/connected.ts'
import { customerId } from './test/credential.ts'
import { judged } from './test/judge.ts'
import { declared } from './test/opened.ts'

// Rounds of the connector, on the real service and the strict fake.

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

const there = () => all.fake.control.campaigns(customerId)
const [first] = [() => there()[0]]
const of = (id: string) => deploymentOf(all.owner, id)
const later = (seconds: number) => world.clock.advance(seconds * 1_000)
const campaignOf = (change: object, updateMask: string) => ({
  campaignOperation: {
    update: { resourceName: first()?.campaign.resourceName, ...change },
    updateMask,
  },
})

describe('a campaign', () => {
  test('is made once, found by its label, and in sync', async () => {
    const schedule = [{ day: 'mon', start: '08:00', end: '18:30' }]
    const id = await deployed(all, { name: 'Autumn', daily_budget: 40, schedule })
    await all.round()
    expect(await of(id)).toMatchObject({
      ...{ state: 'in_sync', drift: [] },
      network_delivery: { state: 'not_delivering', reasons: ['The campaign has no ad groups.'] },
    })
    expect(there()).toMatchObject([
      {
        campaign: { name: 'Autumn', status: 'ENABLED', advertisingChannelType: 'SEARCH' },
        budget: { amountMicros: '40000000', explicitlyShared: false },
        schedules: [{ dayOfWeek: 'MONDAY', startHour: 8, endHour: 18, endMinute: 'THIRTY' }],
        labels: [`fd:${id.slice(-26)}`],
      },
    ])
    const writes = all.fake.counts.get('mutate')
    expect(await all.round()).toEqual({ sent: [], faults: [] })
    expect(all.fake.counts.get('mutate')).toBe(writes)
    const { versions } = all.fake.control.account(customerId)
    expect(versions[0]).toMatchObject({ status: 'PAUSED' })
  })

  test('gets and loses an end, and changes its hours', async () => {
    const id = await deployed(all)
    await all.round()
    const end_at = new Date(Date.UTC(2031, 0, 1)).toISOString()
    const schedule = [{ day: 'tue', start: '10:00', end: '24:00' }]
    await all.owner.patch(`/campaigns/${id}`, { end_at, schedule })
    await all.round()
    expect(await of(id)).toMatchObject({ state: 'in_sync', drift: [] })
    expect(first()).toMatchObject({
      campaign: { endDateTime: '2030-12-31 23:59:59' },
      schedules: [{ dayOfWeek: 'TUESDAY', endHour: 24 }],
    })
    await all.owner.patch(`/campaigns/${id}`, { end_at: null, schedule: [] })
    await all.round()
    expect(await of(id)).toMatchObject({ state: 'in_sync', drift: [] })
    expect(first()).toMatchObject({ schedules: [] })
    expect(first()?.campaign).not.toHaveProperty('endDateTime')
  })

  test('that is scheduled waits for its start in the network', async () => {
    const id = await deployed(all, { start_at: '2031-01-01T00:00:00Z' })
    await all.round()
    expect(first()?.campaign).toMatchObject({
      ...{ status: 'ENABLED', startDateTime: '2031-01-01 00:00:00' },
    })
    expect(await of(id)).toMatchObject({
      ...{ state: 'in_sync', drift: [] },
      network_delivery: { reasons: ['The campaign has not started yet.'] },
    })
  })

  test('that ends at noon is refused where the network has whole days', async () => {
    const id = await deployed(all, { end_at: '2031-01-01T12:00:00Z' })
    await all.round()
    expect(await of(id)).toMatchObject({
      ...{ state: 'blocked', error: { code: 'cannot_hold', errors: [{ pointer: '/end_at' }] } },
    })
  })

  test('is removed for good', async () => {
    const id = await deployed(all)
    await all.round()
    await all.owner.post(`/campaigns/${id}/deployment/remove`)
    await all.round()
    expect(there()).toEqual([])
    expect((await of(id)).state).toBe('removed')
  })

  test('whose creation was answered by nothing is not made twice', async () => {
    const id = await deployed(all)
    all.fake.control.setFaults([{ kind: 'lose_after', on: 'write', times: 1 }])
    await all.round()
    expect(await of(id)).toMatchObject({ error: { code: 'unknown_outcome' } })
    later(120)
    await all.round()
    expect((await of(id)).state).toBe('in_sync')
    expect(there()).toHaveLength(1)
  })

  test('that another changes is drift, and stays as they have made it', async () => {
    const id = await deployed(all, { name: 'Autumn' })
    await all.round()
    all.fake.control.edit(customerId, [campaignOf({ name: 'By hand' }, 'name')])
    await all.round()
    expect(await of(id)).toMatchObject({
      state: 'drifted',
      drift: [{ field: 'name', observed: 'By hand' }],
    })
  })

  test('that lacks the declaration waits for a person', async () => {
    const id = await deployed(all, {}, { mode: 'create' })
    await all.round()
    expect(await of(id)).toMatchObject({
      state: 'blocked',
      error: {
        code: 'declaration',
        errors: [{ pointer: '/settings/contains_eu_political_advertising' }],
      },
    })
    expect(there()).toEqual([])
  })

  test('of a name that is taken says so', async () => {
    await deployed(all, { name: 'Twice' })
    await all.round()
    const id = await deployed(all, { name: 'Twice' })
    await all.round()
    expect(await of(id)).toMatchObject({
      state: 'blocked',
      error: { code: 'invalid', errors: [{ pointer: '/name' }] },
    })
  })

  test('with a daily budget below the network’s least says what that is', async () => {
    all.fake.control.account(customerId).perDayMinimumMicros = '50000000'
    const id = await deployed(all, { daily_budget: 40 })
    await all.round()
    const { error } = await of(id)
    expect(error.errors).toMatchObject([
      { pointer: '/daily_budget', message: expect.stringContaining('50000000 micros') },
    ])
  })

  test('that another request changes at once is read again', async () => {
    const id = await deployed(all)
    await all.round()
    await all.owner.patch(`/campaigns/${id}`, { daily_budget: 77 })
    all.fake.control.setFaults([{ kind: 'concurrent', on: 'write', times: 2 }])
    await all.round()
    expect((await of(id)).state).toBe('in_sync')
  })
})

describe('an account', () => {
  test('that is over its quota waits as long as the network says', async () => {
    const [id, other] = [await deployed(all), await deployed(all, { name: 'Other' })]
    all.fake.control.setFaults([{ kind: 'quota', on: 'write', times: 1, seconds: 700 }])
    await all.round()
    const { error, retry_at, updated_at } = await of(id)
    expect(error.code).toBe('rate_limited')
    expect((await of(other)).error.code).toBe('rate_limited')
    expect(all.fake.counts.get('mutate')).toBe(1)
    expect(Date.parse(retry_at) - Date.parse(updated_at)).toBeGreaterThanOrEqual(695_000)
  })

  test('whose credential does not work is reported', async () => {
    all.fake.issuer.refreshTokens.clear()
    await all.round()
    const { data } = { data: (await all.owner.get(`/profiles/${all.profile}/connection`)).json() }
    expect(data).toMatchObject({ state: 'blocked', credential: { state: 'expired' } })
    expect(JSON.stringify(all.logged)).not.toMatch(/secret-1|refresh-1/)
  })

  test('in another currency gets nothing', async () => {
    all.fake.control.account(customerId).currency = 'EUR'
    await deployed(all)
    await all.round()
    expect(there()).toEqual([])
  })

  test('sends the results of its days', async () => {
    const id = await deployed(all)
    await all.round()
    const dayBefore = (days: number) =>
      wallClock(Date.now() - days * 86_400_000, 'UTC').slice(0, 10)
    const set = (days: number, conversions: number) =>
      all.fake.control.setFigures(customerId, String(first()?.campaign.id), dayBefore(days), {
        ...{ costMicros: '12340000', impressions: '6', clicks: '7' },
        ...{ conversions, conversionsValue: conversions * 20 },
      })
    for (const days of [0, 29, 40]) set(days, 1)
    await all.round()
    // A conversion that comes late is of the day of its click.
    for (const days of [0, 29, 40]) set(days, 2.5)
    await all.round()
    const { data } = (
      await all.owner.get(`/campaigns/${id}/results?from=${dayBefore(60)}&to=${dayBefore(-1)}`)
    ).json()
    const about = { spend: 12.34, impressions: null, clicks: 7 }
    expect(data).toMatchObject([
      { ...about, date: dayBefore(40), conversions: 1, conversion_value: 20, is_final: true },
      { ...about, date: dayBefore(29), conversions: 2.5, conversion_value: 50, is_final: false },
      { ...about, date: dayBefore(0), conversions: 2.5, conversion_value: 50, is_final: false },
    ])
  })
})

describe('calls', () => {
  const total = () => [...all.fake.counts.values()].reduce((sum, each) => sum + each, 0)

  const counts = () => ['searchStream', 'mutate'].map((name) => all.fake.counts.get(name) ?? 0)

  test('are twelve queries an hour at most for an idle account', async () => {
    const id = await deployed(all)
    await all.round()
    const stop = new AbortController()
    // An hour of the standard intervals, of which each second is a millisecond.
    const running = runConnector(all.runner({ pollMs: 360, resultsMs: 3_600 }), stop.signal)
    await expect
      .poll(() => all.logged.some(({ msg }) => msg === 'the accounts are held'))
      .toBe(true)
    await pause(1_000)
    const before = counts()
    await pause(3_600)
    const idle = counts().map((count, at) => count - (before[at] ?? 0))
    stop.abort()
    await running
    expect(idle[1]).toBe(0)
    expect(idle[0]).toBeGreaterThan(5)
    expect(idle[0]).toBeLessThanOrEqual(12)
    expect((await of(id)).state).toBe('in_sync')
  })

  test('of a change are two after a look: one for it, and one to read it back', async () => {
    const id = await deployed(all)
    const ofRound = async () => {
      const before = counts()
      await all.round()
      return counts().map((count, at) => count - (before[at] ?? 0))
    }
    await all.round()
    const [looks = 0] = await ofRound()
    await all.owner.patch(`/campaigns/${id}`, { daily_budget: 77 })
    expect(await ofRound()).toEqual([looks + 1, 1])
    expect((await of(id)).state).toBe('in_sync')
  })

  test('are twelve at most to take a thousand campaigns over', async () => {
    const many = Array.from({ length: 1_000 }, (_, at) => [
      {
        campaignBudgetOperation: {
          create: {
            resourceName: `customers/${customerId}/campaignBudgets/-${2 * at + 1}`,
            ...{ explicitlyShared: false, amountMicros: '5000000' },
          },
        },
      },
      {
        campaignOperation: {
          create: {
            resourceName: `customers/${customerId}/campaigns/-${2 * at + 2}`,
            ...{ name: `Campaign ${at}`, advertisingChannelType: 'SEARCH', targetSpend: {} },
            ...{ containsEuPoliticalAdvertising: declared.contains_eu_political_advertising },
            campaignBudget: `customers/${customerId}/campaignBudgets/-${2 * at + 1}`,
          },
        },
      },
    ])
    all.fake.control.edit(customerId, many.flat())
    await all.round()
    const ids = there().map(({ campaign }) => String(campaign.id))
    const reply = await all.owner.post(`/profiles/${all.profile}/take_over`, {
      network_object_ids: ids,
    })
    const { results } = reply.json()
    expect(
      results.filter(({ outcome }: { outcome: string }) => outcome === 'created'),
    ).toHaveLength(1_000)
    await all.round()
    expect(total()).toBeLessThanOrEqual(12)
    expect(all.fake.counts.get('mutate')).toBeUndefined()
  })

  test('have all been judged by a second parser', () => {
    expect(judged()).toBeGreaterThan(50)
  })
})
