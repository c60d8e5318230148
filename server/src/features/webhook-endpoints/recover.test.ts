import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  deliveriesTo,
  endpointOf,
  execute,
  makeEvents,
  rowsOf,
  setStatus,
} from '../../../test/support/deliveries.ts'
import { watch } from '../../../test/support/documented.ts'
import {
  clientOf,
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../../../test/support/world.ts'
import type { Signal } from '../../signals/signals.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
})
afterAll(() => world.close())

const hourMs = 3_600_000
const ago = (hours: number) => new Date(world.clock.now().getTime() - hours * hourMs).toISOString()

const recover = ({ owner }: TestOrganization, id: string, body: object) =>
  owner.post(`/webhook_endpoints/${id}/recover`, body)

/** Deliveries to a new endpoint, an hour between any two; the newest an hour ago. */
async function failedLog(organization: TestOrganization, states: readonly string[]) {
  const { id } = await endpointOf(organization)
  for (const _ of states) {
    await makeEvents(organization, 1)
    world.clock.advance(hourMs)
  }
  const log = await deliveriesTo(organization.owner, id)
  for (const [at, status] of states.entries()) {
    if (status !== 'pending') await setStatus(world, [String(log[at]?.id)], status)
  }
  return { id, log }
}

const statusesOf = async ({ owner }: TestOrganization, id: string) =>
  (await deliveriesTo(owner, id)).map(({ status, trigger }) => `${status} ${trigger}`)

describe('recovery', () => {
  test('sends what failed or was skipped, and leaves the rest', async () => {
    const organization = await world.organization()
    const { id, log } = await failedLog(organization, [
      'failed',
      'succeeded',
      'skipped',
      'cancelled',
      'pending',
    ])
    const reply = await recover(organization, id, { since: ago(24) })
    expect([reply.statusCode, reply.json()]).toEqual([202, { recovered: 2, has_more: false }])
    expect(await statusesOf(organization, id)).toEqual([
      'pending recover',
      'succeeded auto',
      'pending recover',
      'cancelled auto',
      'pending auto',
    ])
    const rows = await rowsOf(world, 'webhook_deliveries', organization)
    const now = world.clock.now().toISOString()
    expect(rows.find((row) => row.id === log[0]?.id)).toMatchObject({
      retry_count: 0,
      attempt_count: 10,
      next_attempt_at: now,
      updated_at: now,
    })
  })

  test('includes deliveries made in [since, until)', async () => {
    const organization = await world.organization()
    const { id, log } = await failedLog(organization, ['failed', 'failed', 'failed', 'failed'])
    const [, second, , fourth] = log.map(({ created_at }) => created_at)
    const reply = await recover(organization, id, { since: second, until: fourth })
    expect(reply.json()).toMatchObject({ recovered: 2 })
    const sent = ['pending recover', 'pending recover']
    expect(await statusesOf(organization, id)).toEqual(['failed auto', ...sent, 'failed auto'])
    const rest = await recover(organization, id, { since: ago(48), until: null })
    expect(rest.json()).toMatchObject({ recovered: 2 })
    expect((await recover(organization, id, { since: ago(48) })).json()).toMatchObject({
      recovered: 0,
    })
  })

  test('is limited to the endpoint', async () => {
    const organization = await world.organization()
    const other = await endpointOf(organization)
    const { id } = await failedLog(organization, ['failed'])
    const log = await deliveriesTo(organization.owner, other.id)
    await setStatus(
      world,
      log.map((each) => each.id),
      'failed',
    )
    expect((await recover(organization, id, { since: ago(24) })).json()).toMatchObject({
      recovered: 1,
    })
    expect(new Set(await statusesOf(organization, other.id))).toEqual(new Set(['failed auto']))
  })

  test('skips tests, and events that are no longer stored', async () => {
    const organization = await world.organization()
    const { id, log } = await failedLog(organization, ['failed', 'failed'])
    const tested = (await organization.owner.post(`/webhook_endpoints/${id}/test`)).json()
    await setStatus(world, [tested.id], 'failed')
    const purge = `delete from events e using events last
      where e.organization_id = $1 and last.organization_id = $1 and last.id = $2
        and e.sequence <= last.sequence`
    await execute(world, purge, [organization.id, log[0]?.event_id])
    world.clock.advance(1_000)
    expect((await recover(organization, id, { since: ago(24) })).json()).toMatchObject({
      recovered: 1,
    })
  })

  test('requires the endpoint to be enabled first', async () => {
    const organization = await world.organization()
    const { id } = await endpointOf(organization)
    await organization.owner.post(`/webhook_endpoints/${id}/disable`)
    await makeEvents(organization, 3)
    world.clock.advance(1_000)
    const refused = await recover(organization, id, { since: ago(1) })
    expect(refused.statusCode).toBe(409)
    expect(refused.json()).toMatchObject({
      code: 'invalid_state_transition',
      current_status: 'disabled',
      action: 'recover',
      allowed_actions: ['enable', 'rotate_secret', 'test'],
    })
    await organization.owner.post(`/webhook_endpoints/${id}/enable`)
    expect((await recover(organization, id, { since: ago(1) })).json()).toMatchObject({
      recovered: 3,
    })
  })

  test('is in the audit log, and makes no event', async () => {
    const organization = await world.organization()
    const { id } = await failedLog(organization, ['failed'])
    const before = await rowsOf(world, 'events', organization)
    await recover(organization, id, { since: ago(24) })
    expect(await rowsOf(world, 'events', organization)).toEqual(before)
    const { data } = (await organization.owner.get('/audit_logs?limit=1')).json()
    expect(data).toMatchObject([
      { action: 'webhook_endpoint.recovered', resource: { type: 'webhook_endpoint', id } },
    ])
    expect((await organization.owner.get('/audit_logs/verify')).json().valid).toBe(true)
  })

  test('happens once under one key, and wakes the delivery once', async () => {
    const organization = await world.organization()
    const { id, log } = await failedLog(organization, ['failed', 'skipped'])
    const reported: Signal[] = []
    const stop = world.services.signals.subscribe((signal) => void reported.push(signal))
    const body = { since: ago(24) }
    const send = () =>
      organization.owner.post(`/webhook_endpoints/${id}/recover`, body, { 'idempotency-key': 'k' })
    await send()
    await setStatus(world, [String(log[0]?.id)], 'failed')
    const second = await send()
    stop()
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect([second.statusCode, second.json()]).toEqual([202, { recovered: 2, has_more: false }])
    expect(await statusesOf(organization, id)).toEqual(['failed recover', 'pending recover'])
    expect(reported).toMatchObject([{ endpointIds: [id] }])
  })

  test('on two replicas, beside other writes, counts each delivery once', async () => {
    const organization = await world.organization()
    const { id } = await failedLog(organization, Array(20).fill('failed'))
    const replica = watch(await openWorld({ clock: world.clock }))
    const there = { ...organization, owner: clientOf(replica.app, organization.owner) }
    const since = ago(48)
    const [replies] = await Promise.all([
      Promise.all(
        [organization, there, organization, there].map((it) => recover(it, id, { since })),
      ),
      makeEvents(organization, 3),
      makeEvents(there, 3),
    ])
    await replica.close()
    const counts = replies.map((reply) => reply.json().recovered)
    expect(counts.sort()).toEqual([0, 0, 0, 20])
    expect((await organization.owner.get('/audit_logs/verify')).json().valid).toBe(true)
  })
})

describe('the time to recover', () => {
  const day = 24
  const refused: [string, () => object, string[]][] = [
    ['is needed', () => ({}), ['/since required']],
    ['is a time', () => ({ since: 'yesterday' }), ['/since invalid_format']],
    ['is an instant', () => ({ since: '2026-02-30T00:00:00Z' }), ['/since invalid_format']],
    ['does not end before', () => ({ since: ago(1), until: ago(2) }), ['/until end_before_start']],
    ['is not empty', () => ({ since: ago(1), until: ago(1) }), ['/until end_before_start']],
    [
      'has all its faults reported',
      () => ({ since: 'long ago', until: 7, to: 'x' }),
      ['/since invalid_format', '/to unknown_field', '/until invalid_type'],
    ],
  ]

  test.each(refused)('%s', async (_, body, faults) => {
    const organization = await world.organization()
    const { id } = await endpointOf(organization)
    const reply = await recover(organization, id, body())
    expect(reply.statusCode).toBe(422)
    const found = reply.json().errors as { pointer: string; code: string }[]
    expect(found.map(({ pointer, code }) => `${pointer} ${code}`).sort()).toEqual(faults)
  })

  test('may be earlier than anything that is kept, and have an offset', async () => {
    const organization = await world.organization()
    const { id } = await failedLog(organization, ['failed', 'failed'])
    const since = ago(400 * day).replace('Z', '+00:00')
    const none = await recover(organization, id, { since, until: ago(31 * day) })
    expect([none.statusCode, none.json()]).toEqual([202, { recovered: 0, has_more: false }])
    expect((await recover(organization, id, { since })).json()).toMatchObject({ recovered: 2 })
  })

  test('may be in the future: clocks differ', async () => {
    const organization = await world.organization()
    const { id } = await failedLog(organization, ['failed'])
    for (const body of [
      { since: ago(0) },
      { since: ago(-1) },
      { since: ago(-1), until: ago(-2) },
    ]) {
      const reply = await recover(organization, id, body)
      expect([reply.statusCode, reply.json()]).toEqual([202, { recovered: 0, has_more: false }])
    }
  })
})

test('a given version must be that of the endpoint, and is optional', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const { id, log } = await failedLog(organization, ['failed'])
  const path = `/webhook_endpoints/${id}`
  const requests: [string, object][] = [
    [`${path}/recover`, { since: ago(24) }],
    [`${path}/deliveries/${log[0]?.id}/redeliver`, {}],
    [`${path}/test`, {}],
  ]
  await owner.patch('/organization', { require_if_match: true })
  for (const [url, body] of requests) {
    const stale = await owner.post(url, body, { 'if-match': '"7"' })
    expect([url, stale.statusCode]).toEqual([url, 412])
    expect(stale.json()).toMatchObject({ code: 'version_mismatch', current_version: 1 })
    expect(await statusesOf(organization, id)).not.toContain('pending test')
  }
  expect((await statusesOf(organization, id))[0]).toBe('failed auto')
  for (const [url, body] of requests) {
    for (const headers of [{ 'if-match': '"1"' }, {}]) {
      const reply = await owner.post(url, body, headers as Record<string, string>)
      expect([url, reply.statusCode]).toEqual([url, 202])
    }
  }
})

test('very many are recovered in several batches, the oldest first', {
  timeout: 60_000,
}, async () => {
  const organization = await world.organization()
  const { id, log } = await failedLog(organization, ['failed'])
  const many = `
    insert into webhook_deliveries (organization_id, id, endpoint_id, event_id, event_type,
      event_sequence, status, trigger, created_at, updated_at)
    select organization_id, left(id, 20) || lpad(n::text, 10, '0'), endpoint_id, event_id, event_type, event_sequence,
      'skipped', 'auto', created_at - n * interval '1 ms', updated_at
    from webhook_deliveries, generate_series(1, 50000) as n
    where id = $1`
  await execute(world, many, [log[0]?.id])
  const since = ago(24)
  const first = await recover(organization, id, { since })
  expect(first.json()).toEqual({ recovered: 50_000, has_more: true })
  const left = await organization.owner.get(`/webhook_endpoints/${id}/deliveries/${log[0]?.id}`)
  expect(left.json().status).toBe('failed')
  const rest = await recover(organization, id, { since })
  expect(rest.json()).toEqual({ recovered: 1, has_more: false })
})
