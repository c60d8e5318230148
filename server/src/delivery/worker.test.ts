import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import {
  deliveriesOf,
  deliveringIn,
  openToLocal,
  subscribe,
  verify,
  withStatus,
} from '../../test/support/delivering.ts'
import {
  type Received,
  type Receiver,
  receiverForTest,
} from '../../test/support/machines/receiver.ts'
import { type OwnWorld, openOwnWorld } from '../../test/support/own-world.ts'
import {
  type Client,
  openWorld,
  type TestOrganization,
  type World,
} from '../../test/support/world.ts'
import type { Background } from '../background/scheduler.ts'

let world: OwnWorld
let background: Background

beforeAll(async () => {
  world = await openOwnWorld({ env: openToLocal })
  background = await deliveringIn(world)
})
afterAll(async () => {
  await background.stop()
  await world.close()
})

/** Makes one event. */
const makeEvent = async (owner: Client, name = 'P'): Promise<void> => {
  expect((await owner.post('/profiles', { name })).statusCode).toBe(201)
}

/** Moves the clock, and wakes all workers. */
async function after(seconds: number): Promise<void> {
  world.clock.advance(seconds * 1000)
  await background.delivery.sweep()
}

/** Tokens are valid for a day. */
const later = (organization: TestOrganization) => organization.as('admin')

/** Waits until the first attempt is recorded as failed. */
const recordedOnce = (owner: Client, endpoint: { id: string }) =>
  vi.waitFor(async () => {
    const found = await deliveriesOf(owner, endpoint, 'status=pending')
    expect(found).toMatchObject([{ attempt_count: 1 }])
  }, 20_000)

test('a change is delivered at once: no sweep has to find it', async () => {
  await background.stop()
  // The timer of the sweeps stands still, except in `vi.waitFor`.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  background = await deliveringIn(world)
  onTestFinished(async () => {
    await background.stop()
    vi.useRealTimers()
    background = await deliveringIn(world)
  })
  const { owner } = await world.organization()
  const subscriber = await receiverForTest()
  await subscribe(owner, subscriber)
  for (const count of [1, 2, 3]) {
    await makeEvent(owner, `P${count}`)
    await subscriber.arrived(count)
  }
})

test('a delivery is signed, and identical to the event in the API', async () => {
  const { owner } = await world.organization()
  const subscriber = await receiverForTest()
  const endpoint = await subscribe(owner, subscriber)
  await makeEvent(owner)
  const [got] = await subscriber.arrived(1)
  if (!got) return
  verify(got, endpoint.secret)
  const event = JSON.parse(got.body)
  expect(event).toMatchObject({ type: 'profile.created', test: false, data: { previous: null } })
  expect(got.headers).toMatchObject({ 'webhook-id': event.id, 'content-type': 'application/json' })
  expect(got.headers['user-agent']).toMatch(/^flightdeck-webhooks\/\d/)
  expect((await owner.get(`/events/${event.id}`)).json()).toEqual(event)
  const [delivery] = await withStatus(owner, endpoint, 'succeeded')
  expect(delivery).toMatchObject({
    event_id: event.id,
    attempt_count: 1,
    last_response_status: 200,
  })
  const { last_success_at, consecutive_failures } = (
    await owner.get(`/webhook_endpoints/${endpoint.id}`)
  ).json()
  expect(last_success_at).toBe(world.clock.now().toISOString())
  expect(consecutive_failures).toBe(0)
})

test('an endpoint gets what it subscribed to, once, but not its own or foreign events', async () => {
  const { owner } = await world.organization()
  const { owner: stranger } = await world.organization()
  const [profiles, templates] = [await receiverForTest(), await receiverForTest()]
  await subscribe(owner, profiles, { events: ['profile.*'] })
  const second = await subscribe(owner, templates, {
    events: ['template.created', 'webhook_endpoint.*'],
  })
  await makeEvent(stranger)
  await makeEvent(owner)
  await owner.post('/templates', { name: 'T', defaults: {} })
  await owner.post(`/webhook_endpoints/${second.id}/rotate_secret`)
  await Promise.all([profiles.arrived(1), templates.arrived(1)])
  await withStatus(owner, second, 'succeeded')
  const types = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body).type)
  expect(types(profiles)).toEqual(['profile.created'])
  expect(types(templates)).toEqual(['template.created'])
})

const standardSchedule = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]

test('a failed delivery is retried by the schedule, with the same bytes, then given up', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  const organization = await world.organization()
  let { owner } = organization
  const subscriber = await receiverForTest()
  subscriber.answer(500)
  const endpoint = await subscribe(owner, subscriber, { events: ['profile.*'] })
  await makeEvent(owner)
  await subscriber.arrived(1)
  for (const [at, seconds] of standardSchedule.entries()) {
    const [pending] = await vi.waitFor(async () => {
      const found = await withStatus(owner, endpoint, 'pending')
      expect(found[0]).toMatchObject({ attempt_count: at + 1, last_response_status: 500 })
      return found
    }, 20_000)
    const waits = Date.parse(pending.next_attempt_at) - world.clock.now().getTime()
    expect(Math.round(waits / 1000)).toBe(seconds)
    await after(seconds - 1)
    expect(subscriber.received).toHaveLength(at + 1)
    await after(1)
    await subscriber.arrived(at + 2)
    owner = await later(organization)
  }
  const [failed] = await withStatus(owner, endpoint, 'failed')
  expect(failed).toMatchObject({ attempt_count: 10, next_attempt_at: null })
  const { received } = subscriber
  expect(new Set(received.map(({ body }) => body)).size).toBe(1)
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(new Set(received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10)
  const detail = (
    await owner.get(`/webhook_endpoints/${endpoint.id}/deliveries/${failed.id}`)
  ).json()
  expect(detail.attempts).toHaveLength(10)
  expect(detail.attempts[0]).toMatchObject({
    number: 1,
    trigger: 'auto',
    address: '127.0.0.1',
    response_status: 500,
    error: { kind: 'http_status' },
  })
  vi.restoreAllMocks()
})

test('a receiver that asks for time gets it', async () => {
  const { owner } = await world.organization()
  const subscriber = await receiverForTest()
  subscriber.answer((_, response) => response.writeHead(429, { 'retry-after': '100' }).end(), 204)
  const endpoint = await subscribe(owner, subscriber)
  await makeEvent(owner)
  await subscriber.arrived(1)
  await vi.waitFor(async () => {
    const [pending] = await withStatus(owner, endpoint, 'pending')
    expect(Date.parse(pending.next_attempt_at) - world.clock.now().getTime()).toBe(100_000)
  }, 20_000)
  await after(99)
  await after(1)
  const [, again] = await subscriber.arrived(2)
  if (again) verifyLater(again, endpoint.secret)
  await withStatus(owner, endpoint, 'succeeded')
})

/** The libraries check timestamps by the real clock, which the test's clock has left behind. */
function verifyLater(received: Received, secret: string): void {
  vi.useFakeTimers({ now: world.clock.now(), toFake: ['Date'] })
  try {
    verify(received, secret)
  } finally {
    vi.useRealTimers()
  }
}

test('410 disables the endpoint at once, and notifies the others', async () => {
  const { owner } = await world.organization()
  const [leaving, staying] = [await receiverForTest(), await receiverForTest()]
  leaving.answer(410)
  const endpoint = await subscribe(owner, leaving, { events: ['profile.*'] })
  await subscribe(owner, staying, { events: ['webhook_endpoint.disabled'] })
  await makeEvent(owner)
  const [notified] = await staying.arrived(1)
  expect(JSON.parse(notified?.body ?? '').data.object).toMatchObject({
    id: endpoint.id,
    status: 'disabled',
    disabled_reason: 'gone',
  })
  const [record] = (await owner.get('/audit_logs?action=webhook_endpoint.disabled')).json().data
  expect(record).toMatchObject({ actor: { type: 'system' }, resource: { id: endpoint.id } })
  await makeEvent(owner, 'unheard')
  const [skipped] = await withStatus(owner, endpoint, 'skipped')
  expect(skipped.event_type).toBe('profile.created')
  expect(leaving.received).toHaveLength(1)
})

test('ten failures in a row pause an endpoint for a minute, then one delivery is tried', async () => {
  const { owner } = await world.organization()
  const [broken, healthy] = [await receiverForTest(), await receiverForTest()]
  broken.answer(503)
  const endpoint = await subscribe(owner, broken, { events: ['template.*'] })
  await subscribe(owner, healthy, { events: ['webhook_endpoint.failing'] })
  for (let at = 0; at < 25; at += 1)
    await owner.post('/templates', { name: `T${at}`, defaults: {} })
  const [failing] = await healthy.arrived(1)
  expect(JSON.parse(failing?.body ?? '').data.object.id).toBe(endpoint.id)
  const allRecorded = () =>
    vi.waitFor(async () => {
      const state = (await owner.get(`/webhook_endpoints/${endpoint.id}`)).json()
      expect(state.consecutive_failures).toBe(broken.received.length)
    }, 20_000)
  await allRecorded()
  const before = broken.received.length
  expect(before).toBe(10)
  broken.answer(503, 200)
  await after(59)
  expect(broken.received).toHaveLength(before)
  await after(1)
  await broken.arrived(before + 1)
  await allRecorded()
  await after(60)
  await withStatus(owner, endpoint, 'succeeded', 25)
  expect(healthy.received).toHaveLength(1)
})

test('a paused endpoint with another URL goes on there at once', async () => {
  const { owner } = await world.organization()
  const [broken, healthy] = [await receiverForTest(), await receiverForTest()]
  broken.answer(503)
  const endpoint = await subscribe(owner, broken, { events: ['template.*'] })
  for (let at = 0; at < 15; at += 1)
    await owner.post('/templates', { name: `T${at}`, defaults: {} })
  const path = `/webhook_endpoints/${endpoint.id}`
  await vi.waitFor(async () => {
    expect((await owner.get(path)).json().consecutive_failures).toBe(10)
  }, 20_000)
  await owner.patch(path, { url: healthy.url })
  await healthy.arrived(5)
  await withStatus(owner, endpoint, 'succeeded', 5)
  expect((await owner.get(path)).json().consecutive_failures).toBe(0)
  expect(broken.received).toHaveLength(10)
})

test('what an earlier URL answers does not count against the present one', async () => {
  const { owner } = await world.organization()
  const [former, present] = [await receiverForTest(), await receiverForTest()]
  let release: (() => void) | undefined
  former.answer((_, response) => {
    release = () => response.writeHead(503).end()
  }, 503)
  present.answer(503)
  const endpoint = await subscribe(owner, former, { events: ['template.*'] })
  const path = `/webhook_endpoints/${endpoint.id}`
  const failures = async () => (await owner.get(path)).json().consecutive_failures
  const makeTemplate = (name: string) => owner.post('/templates', { name })
  await makeTemplate('Hangs')
  await former.arrived(1)
  for (let at = 0; at < 5; at += 1) await makeTemplate(`T${at}`)
  await expect.poll(failures).toBe(5)
  await owner.patch(path, { url: present.url })
  await makeTemplate('There')
  await present.arrived(1)
  await expect.poll(failures).toBe(1)
  release?.()
  await vi.waitFor(async () => {
    const pending = await deliveriesOf(owner, endpoint, 'status=pending')
    expect(pending.map((each: { attempt_count: number }) => each.attempt_count)).not.toContain(0)
  }, 20_000)
  expect(await failures()).toBe(1)
})

test('five days of failures disable an endpoint; recovery sends what was missed', async () => {
  const organization = await world.organization()
  let { owner } = organization
  const subscriber = await receiverForTest()
  subscriber.answer(500)
  const endpoint = await subscribe(owner, subscriber, { events: ['profile.*'] })
  const since = world.clock.now().toISOString()
  await makeEvent(owner, 'first')
  await subscriber.arrived(1)
  await recordedOnce(owner, endpoint)
  await after(5 * 24 * 3600)
  await subscriber.arrived(2)
  owner = await later(organization)
  await vi.waitFor(async () => {
    const state = (await owner.get(`/webhook_endpoints/${endpoint.id}`)).json()
    expect(state).toMatchObject({ status: 'disabled', disabled_reason: 'failing' })
  }, 20_000)
  await makeEvent(owner, 'second')
  await withStatus(owner, endpoint, 'skipped', 2)
  subscriber.answer(200)
  await after(1)
  await owner.post(`/webhook_endpoints/${endpoint.id}/enable`)
  const reply = await owner.post(`/webhook_endpoints/${endpoint.id}/recover`, { since })
  expect([reply.statusCode, reply.json().recovered]).toEqual([202, 2])
  await withStatus(owner, endpoint, 'succeeded', 2)
})

test('while a secret is rotated, both sign', async () => {
  const { owner } = await world.organization()
  const subscriber = await receiverForTest()
  const endpoint = await subscribe(owner, subscriber, { events: ['profile.*'] })
  const path = `/webhook_endpoints/${endpoint.id}/rotate_secret`
  const { secret } = (await owner.post(path, { grace_period_seconds: 60 })).json()
  await makeEvent(owner)
  const [during] = await subscriber.arrived(1)
  if (!during) return
  for (const each of [secret, endpoint.secret]) verifyLater(during, each)
  await after(61)
  await makeEvent(owner, 'later')
  const [, later] = await subscriber.arrived(2)
  if (!later) return
  verifyLater(later, secret)
  expect(() => verifyLater(later, endpoint.secret)).toThrow()
})

test('a redelivery is sent again, and a test is sent even when disabled', async () => {
  const { owner } = await world.organization()
  const subscriber = await receiverForTest()
  const endpoint = await subscribe(owner, subscriber, { events: ['profile.*'] })
  await makeEvent(owner)
  await subscriber.arrived(1)
  const [delivery] = await withStatus(owner, endpoint, 'succeeded')
  const path = `/webhook_endpoints/${endpoint.id}`
  await owner.post(`${path}/disable`)
  expect((await owner.post(`${path}/deliveries/${delivery.id}/redeliver`)).statusCode).toBe(202)
  const [first, again] = await subscriber.arrived(2)
  expect(again?.body).toBe(first?.body)
  if (again) verifyLater(again, endpoint.secret)
  expect((await owner.post(`${path}/test`)).statusCode).toBe(202)
  const [, , test] = await subscriber.arrived(3)
  const event = JSON.parse(test?.body ?? '')
  expect(event).toMatchObject({ type: 'webhook_endpoint.test', test: true, sequence: null })
  if (test) verifyLater(test, endpoint.secret)
  expect((await owner.get(`/events/${event.id}`)).statusCode).toBe(404)
})

test('endpoints that hang do not delay others', async () => {
  const { owner } = await world.organization()
  const [hanging, healthy] = [await receiverForTest(), await receiverForTest()]
  hanging.answer(() => {})
  for (let at = 0; at < 10; at += 1) await subscribe(owner, hanging, { events: ['profile.*'] })
  await subscribe(owner, healthy, { events: ['profile.*'] })
  for (let at = 0; at < 20; at += 1) await makeEvent(owner, `P${at}`)
  await healthy.arrived(20, 8_000)
  await hanging.arrived(100)
  // No endpoint has more than ten attempts in progress.
  expect(hanging.received).toHaveLength(100)
})

test('two processes send nothing twice, and each sees changes of the other’s clients', async () => {
  const other = await openWorld({
    address: world.database.address,
    env: openToLocal,
    clock: world.clock,
  })
  const second = await deliveringIn({ ...other, database: world.database })
  const { owner } = await world.organization()
  const elsewhere = { ...owner, ...clientIn(other, owner) }
  const subscriber = await receiverForTest()
  const endpoint = await subscribe(owner, subscriber)
  const tasks = Array.from({ length: 60 }, (_, at) =>
    makeEvent(at % 2 ? owner : elsewhere, `P${at}`),
  )
  await Promise.all(tasks)
  await withStatus(owner, endpoint, 'succeeded', 60)
  const ids = subscriber.received.map(({ headers }) => headers['webhook-id'])
  expect(ids).toHaveLength(60)
  expect(new Set(ids).size).toBe(60)
  await second.stop()
  await other.close()
})

const clientIn = ({ app }: World, { token }: Client): Pick<Client, 'post'> => ({
  post: (url, body) =>
    app.inject({
      method: 'POST',
      url: `/api/v1${url}`,
      headers: { authorization: `Bearer ${token}` },
      payload: body as object,
    }),
})

test('a process that stops releases its deliveries', async () => {
  const { owner } = await world.organization()
  const subscriber = await receiverForTest()
  const endpoint = await subscribe(owner, subscriber)
  await background.stop()
  await makeEvent(owner)
  expect(await deliveriesOf(owner, endpoint)).toMatchObject([{ status: 'pending' }])
  background = await deliveringIn(world)
  await subscriber.arrived(1)
  await withStatus(owner, endpoint, 'succeeded')
})

/** Events for a receiver that answers only once it is let go, and the first ten deliveries under way. */
async function backlog(owner: Client) {
  const subscriber = await receiverForTest()
  const held: (() => void)[] = []
  subscriber.answer((_, response) => void held.push(() => response.writeHead(200).end()))
  const endpoint = await subscribe(owner, subscriber, { events: ['profile.*'] })
  for (let at = 0; at < 50; at += 1) await makeEvent(owner, `P${at}`)
  await subscriber.arrived(10)
  const letGo = () => {
    subscriber.answer(200)
    for (const answer of held) answer()
  }
  return { subscriber, endpoint, letGo }
}

const isEachOnce = ({ received }: Receiver) =>
  new Set(received.map(({ headers }) => headers['webhook-id'])).size === received.length

test('a process that stops hands its endpoints over to another at once', async () => {
  const { address } = world.database
  const other = await openWorld({ address, env: openToLocal, clock: world.clock })
  const second = await deliveringIn({ ...other, database: world.database })
  const { owner } = await world.organization()
  const { subscriber, endpoint, letGo } = await backlog(owner)
  const stopped = background.stop()
  letGo()
  await stopped
  const stoppedAt = performance.now()
  expect(subscriber.received).toHaveLength(10)
  await subscriber.arrived(11)
  expect(performance.now() - stoppedAt).toBeLessThan(5_000)
  await withStatus(owner, endpoint, 'succeeded', 50)
  expect(isEachOnce(subscriber)).toBe(true)
  await second.stop()
  await other.close()
  background = await deliveringIn(world)
})

test('a process that loses its lease stops the work, until it can take it over', async () => {
  const { id, owner } = await world.organization()
  const { subscriber, endpoint, letGo } = await backlog(owner)
  const change = (values: string) =>
    world.database.query(`update leases set ${values} where name = $1`, [
      `webhook-endpoint/${id}/${endpoint.id}`,
    ])
  await change(`holder = 'another', expires_at = clock_timestamp() + interval '1 hour'`)
  // Until it must have noticed, however late its timers are.
  await sleep(6_500)
  letGo()
  await withStatus(owner, endpoint, 'succeeded', 10)
  await background.delivery.sweep()
  expect(subscriber.received).toHaveLength(10)
  await change('expires_at = clock_timestamp()')
  await subscriber.arrived(50)
  await withStatus(owner, endpoint, 'succeeded', 50)
  expect(isEachOnce(subscriber)).toBe(true)
})

test('an endpoint taken over by another process is left to it', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const subscriber = await receiverForTest()
  const endpoint = await subscribe(owner, subscriber, { events: ['profile.*'] })
  await makeEvent(owner)
  await subscriber.arrived(1)
  // As when its holder could not renew its lease, and another process took it over, and died.
  const lease = `webhook-endpoint/${organization.id}/${endpoint.id}`
  await world.database.query(
    `update leases set holder = 'another', expires_at = clock_timestamp() where name = $1`,
    [lease],
  )
  await makeEvent(owner, 'later')
  await subscriber.arrived(2)
  await withStatus(owner, endpoint, 'succeeded', 2)
})
