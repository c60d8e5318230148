import type { ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { campaignBody, made, profileOf } from '../../../test/support/cases/writes.ts'
import { execute, rowsOf } from '../../../test/support/deliveries.ts'
import { deliveringIn, withStatus } from '../../../test/support/delivering.ts'
import { watch } from '../../../test/support/documented.ts'
import { backgroundOf } from '../../../test/support/machines/background.ts'
import { receiverForTest } from '../../../test/support/machines/receiver.ts'
import { type OwnWorld, openOwnWorld } from '../../../test/support/own-world.ts'
import { type Client, clientOf, openWorld, password } from '../../../test/support/world.ts'
import type { Signal } from '../../signals/signals.ts'
import { moveDue } from '../campaigns/timed-moves.ts'

const env = { FLIGHTDECK_WEBHOOK_ALLOW_HTTP: 'true', FLIGHTDECK_EGRESS_ALLOW: '127.0.0.0/8' }
const hour = 3_600
const day = 24 * hour

let world: OwnWorld

// Its own database: the job moves everything that is due.
beforeAll(async () => {
  world = watch(await openOwnWorld({ env }))
})
afterAll(async () => {
  await world.close()
})

const real = (seconds = 0) => new Date(world.clock.now().getTime() + seconds * 1_000).toISOString()
const newSandbox = () => world.organization({ sandbox: true })
const advance = async (owner: Client, advance_seconds: number): Promise<void> => {
  const reply = await owner.post('/sandbox/clock', { advance_seconds })
  expect(reply.statusCode, reply.body).toBe(200)
}
const look = () => moveDue(world.services, AbortSignal.timeout(20_000))
const get = async (client: Client, path: string) => (await client.get(path)).json()

describe('the clock', () => {
  test('advances by seconds or to a time, and ticks on from there', async () => {
    const { owner, id } = await newSandbox()
    expect(await get(owner, '/sandbox')).toEqual({ id, now: real(), ahead_ms: 0 })
    const moved = await owner.post('/sandbox/clock', { advance_seconds: 90 })
    expect(moved.json()).toEqual({ id, now: real(90), ahead_ms: 90_000 })
    const offset = real(2 * day).replace('Z', '+00:00')
    const set = await owner.post('/sandbox/clock', { now: offset })
    expect(set.json()).toEqual({ id, now: real(2 * day), ahead_ms: 2 * day * 1_000 })
    world.clock.advance(5_000)
    expect(await get(owner, '/sandbox')).toMatchObject({ now: real(2 * day) })
    expect(await get(owner, '/organization')).toMatchObject({ sandbox: true, version: 1 })
  })

  test.each([
    ['back', () => ({ now: real(59) }), '/now', 'out_of_range'],
    ['too far', () => ({ now: real(3_661 * day) }), '/now', 'out_of_range'],
    ['by nothing', () => ({ advance_seconds: 0 }), '/advance_seconds', 'out_of_range'],
    ['nowhere', () => ({}), '/now', 'required'],
    ['to no time', () => ({ now: 'soon' }), '/now', 'invalid_format'],
    ['twice', () => ({ now: real(hour), advance_seconds: 9 }), '/advance_seconds', 'unknown_field'],
  ])('cannot go %s', async (_, body, pointer, code) => {
    const { owner } = await newSandbox()
    await advance(owner, 60)
    const reply = await owner.post('/sandbox/clock', body())
    expect(reply.statusCode).toBe(422)
    expect(reply.json().errors).toMatchObject([{ pointer, code }])
    expect(await get(owner, '/sandbox')).toMatchObject({ ahead_ms: 60_000 })
  })

  test('supports dry runs', async () => {
    const { owner } = await newSandbox()
    const tried = await owner.post('/sandbox/clock?validate_only=true', { advance_seconds: 5 })
    expect(tried.json()).toMatchObject({ now: real(5), ahead_ms: 5_000 })
    expect(await get(owner, '/sandbox')).toMatchObject({ ahead_ms: 0 })
  })

  test('changes no other organization’s time, nor credentials', async () => {
    const { owner, as } = await newSandbox()
    const neighbour = await world.organization()
    await advance(owner, 40 * day)
    // A token of a day, in a session of thirty.
    expect((await owner.get('/campaigns')).statusCode).toBe(200)
    expect((await owner.post('/auth/refresh')).statusCode).toBe(200)
    expect((await as('editor').then((editor) => editor.get('/auth/me'))).statusCode).toBe(200)
    const login = await world.anonymous.post('/auth/login', { email: owner.email, password })
    expect(login.statusCode).toBe(200)
    expect(Date.parse(login.json().expires_at) - Date.parse(real())).toBeLessThanOrEqual(86_400_000)
    const profile = await neighbour.owner.post('/profiles', { name: 'P' })
    expect(profile.json().created_at).toBe(real())
  })

  test('is the same on another replica within a second', async () => {
    const { owner } = await newSandbox()
    const replica = await openWorld({ address: world.database.address, clock: world.clock })
    await advance(owner, day)
    const reply = await clientOf(replica.app, owner).post('/profiles', { name: 'P' })
    expect(reply.json().created_at).toBe(real(day))
    await replica.close()
  })
})

test('does not exist outside sandboxes', async () => {
  const { owner } = await world.organization()
  const replies = [
    await owner.get('/sandbox'),
    await owner.post('/sandbox/clock', { advance_seconds: 5 }),
    await owner.delete('/sandbox'),
  ]
  for (const reply of replies) {
    expect(reply.statusCode).toBe(409)
    expect(reply.json().code).toBe('not_a_sandbox')
  }
})

test('campaigns, their hours, stamps and history follow the sandbox’s time', async () => {
  const organization = await newSandbox()
  const { owner } = organization
  const profile = await profileOf(organization)
  const monday = '2030-01-07'
  const body = {
    ...campaignBody(profile),
    start_at: `${monday}T00:00:00Z`,
    end_at: '2030-01-08T00:00:00Z',
    schedule: [{ day: 'mon', start: '09:00', end: '10:00' }],
  }
  const id = await made(owner, '/campaigns', body)
  await owner.post(`/campaigns/${id}/launch`)
  const at = async (time: string) => {
    await owner.post('/sandbox/clock', { now: `${monday}T${time}Z` })
    await look()
    const { status, delivery, updated_at } = await get(owner, `/campaigns/${id}`)
    return { status, state: delivery.state, updated_at }
  }
  const started = `${monday}T00:00:01.000Z`
  expect(await at('00:00:01')).toMatchObject({ status: 'active', updated_at: started })
  expect(await at('08:59:00')).toMatchObject({ state: 'not_eligible' })
  expect(await at('09:30:00')).toMatchObject({ state: 'eligible' })
  const before = await get(owner, `/campaigns/${id}?as_of=${monday}T00:00:00Z`)
  expect(before.status).toBe('scheduled')
  await owner.post('/sandbox/clock', { advance_seconds: day })
  await look()
  const ended = await get(owner, `/campaigns/${id}`)
  expect(ended).toMatchObject({ status: 'completed', completed_at: '2030-01-08T09:30:00.000Z' })
  const [event] = (await get(owner, '/events?type=campaign.completed')).data
  expect(event.timestamp).toBe(ended.completed_at)
})

test('retries of deliveries follow it; signatures use the real time', async () => {
  const { owner } = await newSandbox()
  const receiver = await receiverForTest()
  receiver.answer(500)
  const address = world.database.address
  const background = backgroundOf({ services: world.services, address })
  await advance(owner, 30 * day)
  const endpoint = (await owner.post('/webhook_endpoints', { url: receiver.url })).json()
  await owner.post('/profiles', { name: 'P' })
  await receiver.arrived(1)
  await vi.waitFor(async () => {
    const [delivery] = (await get(owner, `/webhook_endpoints/${endpoint.id}/deliveries`)).data
    expect(delivery).toMatchObject({ attempt_count: 1, status: 'pending' })
    expect(Date.parse(delivery.next_attempt_at)).toBeGreaterThan(Date.parse(real(30 * day)))
  }, 20_000)
  receiver.answer(200)
  await advance(owner, hour)
  await background.delivery.sweep()
  const [, again] = await receiver.arrived(2)
  vi.useFakeTimers({ now: world.clock.now(), toFake: ['Date'] })
  expect(() =>
    new Webhook(endpoint.secret).verify(again?.body ?? '', again?.headers ?? {}),
  ).not.toThrow()
  vi.useRealTimers()
  await background.stop()
})

test('a reset during an attempt leaves no endpoint paused by the former time', async () => {
  const organization = await newSandbox()
  const { owner } = organization
  const [receiver, watcher] = [await receiverForTest(), await receiverForTest()]
  const answers: ServerResponse[] = []
  receiver.answer((_, response) => void answers.push(response), 200)
  const background = await deliveringIn(world)
  await advance(owner, 400 * day)
  const hook = await made(owner, '/webhook_endpoints', {
    url: receiver.url,
    events: ['profile.*', 'organization.reset'],
  })
  await made(owner, '/webhook_endpoints', {
    url: watcher.url,
    events: ['webhook_endpoint.failing', 'webhook_endpoint.disabled'],
  })
  // It fails, so nothing else is read, and for so long that it is given up.
  const failing = `update webhook_endpoints set consecutive_failures = 11, failing_since = $2 where id = $1`
  await execute(world, failing, [hook, real(390 * day)])
  await owner.post('/profiles', { name: 'P' })
  await receiver.arrived(1)
  expect((await owner.delete('/sandbox')).statusCode).toBe(204)
  answers[0]?.writeHead(500).end()
  const [, reset] = await receiver.arrived(2)
  expect(JSON.parse(reset?.body ?? '{}').type).toBe('organization.reset')
  await withStatus(owner, { id: hook }, 'succeeded')
  const [row] = await rowsOf(world, 'webhook_endpoints', organization)
  expect([row, await get(owner, `/webhook_endpoints/${hook}`)]).toMatchObject([
    { failing_since: null, paused_until: null },
    { status: 'enabled', consecutive_failures: 0, last_failure_at: null, last_success_at: real() },
  ])
  await background.stop()
  expect(watcher.received).toEqual([])
})

test('a reset removes everything but users, endpoints and the audit log', async () => {
  const organization = await newSandbox()
  const { owner, id } = organization
  const profile = await profileOf(organization)
  const body = campaignBody(profile)
  const key = { 'idempotency-key': 'once' }
  const first = await owner.post('/campaigns', body, key)
  await owner.post('/templates', { name: 'T' })
  await owner.post('/proxies', { protocol: 'http', host: 'proxy.example.com', port: 8080 })
  const hook = await made(owner, '/webhook_endpoints', { url: 'https://example.com/hook' })
  await owner.post(`/webhook_endpoints/${hook}/rotate_secret`)
  await advance(owner, day)
  await owner.post(`/campaigns/${first.json().id}/launch`)
  await owner.post(`/webhook_endpoints/${hook}/rotate_secret`)
  const [{ sequence }] = (await get(owner, '/events?limit=1')).data

  const reply = await owner.delete('/sandbox')
  expect([reply.statusCode, reply.body]).toEqual([204, ''])
  expect(await get(owner, '/sandbox')).toEqual({ id, now: real(), ahead_ms: 0 })
  for (const plural of ['campaigns', 'clients', 'profiles', 'proxies', 'templates']) {
    expect((await get(owner, `/${plural}`)).data).toEqual([])
  }
  const { caps } = await get(owner, '/limits')
  expect(caps).toMatchObject({ campaigns: { used: 0 }, webhook_endpoints: { used: 1 } })
  const { previous_secret_expires_at } = await get(owner, `/webhook_endpoints/${hook}`)
  expect(previous_secret_expires_at).toBe(real(day))
  const { data: events } = await get(owner, '/events')
  expect(events).toMatchObject([{ type: 'organization.reset', sequence: sequence + 1 }])
  const { data: deliveries } = await get(owner, `/webhook_endpoints/${hook}/deliveries`)
  expect(deliveries).toMatchObject([{ event_id: events[0].id }])
  expect(await get(owner, '/audit_logs/verify')).toMatchObject({ valid: true, from_sequence: 1 })
  const { data: records } = await get(owner, '/audit_logs?action=campaign.*')
  expect(records).toHaveLength(2)

  const profileAgain = await profileOf(organization)
  const again = await owner.post('/campaigns', campaignBody(profileAgain), key)
  expect(again.statusCode).toBe(201)
  expect(again.headers['idempotency-replayed']).toBeUndefined()
})

test('a changed clock wakes every endpoint, and a reset notifies all processes at once', async () => {
  const { owner, id } = await newSandbox()
  const endpoints = [
    await made(owner, '/webhook_endpoints', { url: 'https://example.com/a', events: ['proxy.*'] }),
    await made(owner, '/webhook_endpoints', { url: 'https://example.com/b' }),
  ]
  const reported: Signal[] = []
  const stop = world.services.signals.subscribe((signal) => void reported.push(signal))
  await owner.post('/sandbox/clock?validate_only=true', { advance_seconds: day })
  expect(reported).toEqual([])
  await advance(owner, day)
  const isWoken = ({ organizationId, endpointIds }: Signal) =>
    organizationId === id && endpoints.every((each) => endpointIds.includes(each))
  expect(reported.splice(0).filter(isWoken)).toHaveLength(1)
  await owner.delete('/sandbox')
  expect(reported.filter(isWoken)).toHaveLength(1)
  stop()
  const [{ timestamp }] = (await get(owner, '/events?limit=1')).data
  const [delivery] = (await get(owner, `/webhook_endpoints/${endpoints[1]}/deliveries`)).data
  expect([timestamp, delivery.next_attempt_at]).toEqual([real(), real()])
})

test('a reset supports dry runs and repetition', async () => {
  const organization = await newSandbox()
  const { owner } = organization
  await profileOf(organization)
  const tried = await owner.delete('/sandbox?validate_only=true')
  expect(tried.statusCode).toBe(200)
  expect((await get(owner, '/profiles')).data).toHaveLength(1)
  expect((await owner.delete('/sandbox')).statusCode).toBe(204)
  expect((await owner.delete('/sandbox')).statusCode).toBe(204)
})

test('both requests that change it check the version of the organization', async () => {
  const { owner } = await newSandbox()
  const old = { 'if-match': '"7"' }
  const clock = { advance_seconds: 60 }
  const both = async (headers = {}) => {
    const moved = await owner.post('/sandbox/clock', clock, headers)
    const emptied = await owner.delete('/sandbox', headers)
    return [moved.statusCode, emptied.statusCode]
  }
  expect(await both(old)).toEqual([412, 412])
  await owner.patch('/organization', { require_if_match: true })
  expect(await both()).toEqual([428, 428])
  expect(await get(owner, '/sandbox')).toMatchObject({ ahead_ms: 0 })
  expect(await both({ 'if-match': '"2"' })).toEqual([200, 204])
})
