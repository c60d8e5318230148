import { createFlightdeck } from '@flightdeckhq/sdk'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openWorld, type World } from '../../server/test/support/world.ts'
import { type RunnerOptions, runConnector } from '../kit/src/connect.ts'
import { simAdapter } from './adapter.ts'
import {
  accountRef,
  type Connected,
  connect,
  deployed,
  deploymentOf,
  inNetwork,
} from './test/connected.ts'

// Connectors as they run: several of them, killed, and on a service that comes and goes.

let world: World
let address: string
let all: Connected
let stops: { stop: AbortController; ended: Promise<void> }[] = []

beforeAll(async () => {
  world = await openWorld()
  address = await world.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => world.close())
beforeEach(async () => {
  all = await connect(world, address)
})
afterEach(async () => {
  for (const { stop } of stops) stop.abort()
  await Promise.all(stops.map(({ ended }) => ended))
  stops = []
  await all.close()
})

function run(more: Partial<RunnerOptions> = {}) {
  const stop = new AbortController()
  const options = all.runner({ pollMs: 200, renewMs: 200, ttlSeconds: 15, ...more })
  const running = { stop, ended: runConnector(options, stop.signal) }
  stops.push(running)
  return running
}

const until = (holds: () => Promise<boolean> | boolean) => expect.poll(holds).toBe(true)
const isInSync = async (id: string) => (await deploymentOf(all.owner, id)).state === 'in_sync'

test('a change is in the network as soon as it is made', async () => {
  run()
  const id = await deployed(all)
  await until(() => isInSync(id))
  await all.owner.patch(`/campaigns/${id}`, { daily_budget: 77 })
  await until(() => inNetwork(all.network)[0]?.daily_budget_minor === 7_700)
  await until(() => isInSync(id))
})

test('an edit in the network’s own page is drift, which can be overwritten', async () => {
  run()
  const id = await deployed(all)
  await until(() => isInSync(id))
  const [campaign] = inNetwork(all.network)
  all.network.control.edit(accountRef, campaign?.id ?? '', { daily_budget_minor: 99_900 })
  await until(async () => (await deploymentOf(all.owner, id)).state === 'drifted')
  await all.owner.post(`/campaigns/${id}/deployment/overwrite`)
  await until(() => inNetwork(all.network)[0]?.daily_budget_minor === 3_351)
})

test('a campaign that is deleted there is gone', async () => {
  run()
  const id = await deployed(all)
  await until(() => isInSync(id))
  all.network.control.remove(accountRef, inNetwork(all.network)[0]?.id ?? '')
  await until(async () => (await deploymentOf(all.owner, id)).error?.code === 'gone')
  expect(inNetwork(all.network)).toEqual([])
})

test('of two connectors one holds the account, and the other takes over once it stops', async () => {
  const id = await deployed(all)
  const held: string[] = []
  const one = run({ onHeld: (isHeld) => isHeld && held.push('one') })
  await until(() => held.length === 1)
  run({ onHeld: (isHeld) => isHeld && held.push('two') })
  await until(() => all.logged.some(({ msg }) => msg === 'another connector holds an account'))
  await until(() => isInSync(id))
  expect(held).toEqual(['one'])
  one.stop.abort()
  await one.ended
  world.clock.advance(60_000)
  await until(() => held.length === 2)
  expect(inNetwork(all.network)).toHaveLength(1)
})

test('a lease that ends in the middle of a write leaves one campaign, and nothing under the old fence', async () => {
  const id = await deployed(all)
  // The network takes long, and the account is taken away meanwhile.
  all.network.control.setFaults([{ kind: 'slow', on: 'write', ms: 2_000, times: 1 }])
  const one = run({ deadlineMs: 5_000 })
  await until(() => (all.network.counts.get('POST campaigns') ?? 0) === 1)
  world.clock.advance(3_600_000)
  one.stop.abort()
  run({ instance: 'another' })
  await until(() => all.logged.some(({ outcome }) => outcome === 'checked'))
  // The first look was too early: the write that outlived the lease is found by the second.
  await until(() => inNetwork(all.network).length === 1)
  await until(async () => {
    world.clock.advance(5_000)
    return isInSync(id)
  })
  expect(inNetwork(all.network)).toHaveLength(1)
})

test('a connector goes on when the service is back', async () => {
  let isDown = false
  const fetchUnlessDown = (request: Request) =>
    isDown ? Promise.reject(new TypeError('the service is down')) : fetch(request)
  const id = await deployed(all)
  run({
    flightdeck: createFlightdeck({
      baseUrl: `${address}/api/v1`,
      token: all.key,
      retries: 0,
      fetch: fetchUnlessDown,
    }),
  })
  await until(() => isInSync(id))
  isDown = true
  await all.owner.patch(`/campaigns/${id}`, { daily_budget: 60 })
  await until(() => all.logged.some(({ msg }) => msg === 'the lease was not renewed'))
  isDown = false
  await until(() => inNetwork(all.network)[0]?.daily_budget_minor === 6_000)
  await until(() => isInSync(id))
})

test('while the network hangs, the service is not asked without end', async () => {
  await deployed(all)
  all.network.control.setFaults([{ kind: 'hang', on: 'write' }])
  let asked = 0
  const counting = (request: Request) => {
    if (request.url.includes('/connector/work')) asked += 1
    return fetch(request)
  }
  const baseUrl = `${address}/api/v1`
  const flightdeck = createFlightdeck({ baseUrl, token: all.key, retries: 0, fetch: counting })
  run({ flightdeck, deadlineMs: 3_000 })
  await until(() => all.logged.some(({ kind }) => kind === 'unknown_outcome'))
  expect(asked).toBeLessThan(12)
})

test('in a sandbox it speaks to no address but loopback', async () => {
  const id = await deployed(all)
  run({ adapter: simAdapter({ url: 'http://192.0.2.7:9' }) })
  await until(() => all.logged.some(({ said }) => String(said).includes('loopback')))
  expect((await deploymentOf(all.owner, id)).state).not.toBe('in_sync')
})

test('an account in which nothing happens is listed once, and again when the service wants it', async () => {
  const listings: number[] = []
  const counting = async (request: Request) => {
    if (request.url.endsWith('/connector/inventory')) listings.push(Date.now())
    return fetch(request)
  }
  const polls = () => all.network.counts.get('GET account') ?? 0
  const morePolls = async () => {
    const begun = polls()
    await until(() => polls() > begun + 3)
  }
  // News that a listing brings is a change, after which one more is wanted.
  const comeToRest = async () => {
    for (let looks = 0; looks < 2; looks += 1) {
      world.clock.advance(1_000)
      await morePolls()
    }
  }
  const baseUrl = `${address}/api/v1`
  const id = await deployed(all)
  run({ flightdeck: createFlightdeck({ baseUrl, token: all.key, fetch: counting }) })
  await until(() => isInSync(id))
  await comeToRest()
  const before = listings.length
  await morePolls()
  expect(listings.length).toBe(before)
  const edited = inNetwork(all.network)[0]?.id ?? ''
  all.network.control.edit(accountRef, edited, { daily_budget_minor: 99_900 })
  await until(async () => (await deploymentOf(all.owner, id)).state === 'drifted')
  expect(listings.length).toBeGreaterThan(before)
  await comeToRest()
  const again = listings.length
  await morePolls()
  expect(listings.length).toBe(again)
  world.clock.advance(10 * 60_000)
  await until(() => listings.length > again)
})
