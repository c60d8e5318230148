import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  deliveriesTo,
  endpointOf,
  execute,
  makeEvents,
  recordAttempts,
  rowsOf,
  setStatus,
} from '../../../test/support/deliveries.ts'
import { watch } from '../../../test/support/documented.ts'
import {
  openWorld,
  type Reply,
  type TestOrganization,
  unlimited,
  type World,
} from '../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
})
afterAll(() => world.close())

/** An endpoint with this many deliveries, an hour between any two; the oldest first. */
async function logOf(organization: TestOrganization, count: number) {
  const { id } = await endpointOf(organization)
  for (let at = 0; at < count; at += 1) {
    world.clock.advance(3_600_000)
    await makeEvents(organization, 1)
  }
  return {
    id,
    path: `/webhook_endpoints/${id}/deliveries`,
    log: await deliveriesTo(organization.owner, id),
  }
}

describe('the log of an endpoint', () => {
  test('has the newest first, and filters', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { path, log } = await logOf(organization, 3)
    const [first, second, third] = log.map(({ id }) => id)
    await setStatus(world, [String(first)], 'failed')
    world.clock.advance(1)
    await owner.post(`${path.replace('/deliveries', '')}/test`)
    const found = async (query: string) => {
      const { data } = (await owner.get(`${path}?${query}`)).json()
      return data.map(({ id }: { id: string }) => id)
    }
    const tests = await found('event_type=webhook_endpoint.test')
    expect(await found('')).toEqual([...tests, third, second, first])
    expect(await found('sort=created_at')).toEqual([first, second, third, ...tests])
    expect(await found('status=failed')).toEqual([first])
    expect(await found('status=failed,pending')).toEqual([...tests, third, second, first])
    expect(await found('status=skipped')).toEqual([])
    expect(await found('event_type=profile.created,campaign.paused')).toEqual([
      third,
      second,
      first,
    ])
    expect(await found(`event_id=${log[1]?.event_id}`)).toEqual([second])
    expect(await found(`created_after=${log[1]?.created_at}`)).toEqual([...tests, third, second])
    expect(await found(`created_before=${log[1]?.created_at}`)).toEqual([first])
    const later = new Date(world.clock.now().getTime() + 60_000).toISOString()
    await execute(world, 'update webhook_deliveries set updated_at = $2 where id = $1', [
      first,
      later,
    ])
    expect(await found(`updated_after=${later}`)).toEqual([first])
    expect(await found(`updated_before=${log[1]?.created_at}`)).toEqual([])
    expect(await found(`updated_before=${log[2]?.created_at}`)).toEqual([second])
    expect(await found('sort=-updated_at')).toEqual([first, ...tests, third, second])
    expect(await found('sort=updated_at')).toEqual([second, third, ...tests, first])
    const { meta } = (await owner.get(`${path}?status=pending&include_total=true`)).json()
    expect(meta).toEqual({ next_cursor: null, has_more: false, total: 3 })
  })

  test('refuses an unknown status or order', async () => {
    const organization = await world.organization()
    const { path } = await logOf(organization, 0)
    for (const query of ['status=lost', 'sort=status', 'sort=name']) {
      expect((await organization.owner.get(`${path}?${query}`)).statusCode).toBe(400)
    }
    const unknown = await organization.owner.get(`${path}?endpoint_id=whe_x`)
    expect(unknown.json().code).toBe('unknown_parameter')
  })

  test('is paged by cursors, alone or with the same filters', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { path, log } = await logOf(organization, 5)
    await setStatus(world, [String(log[2]?.id)], 'failed')
    const pending = log.filter((_, at) => at !== 2).reverse()
    const seen = []
    let query = 'status=pending&limit=2'
    for (let page = 0; query !== '' && page < 9; page += 1) {
      const { data, meta } = (await owner.get(`${path}?${query}`)).json()
      seen.push(...data)
      const more = page === 0 ? '' : '&status=pending'
      query = meta.has_more ? `cursor=${meta.next_cursor}&limit=1${more}` : ''
    }
    expect(seen.map(({ id }) => id)).toEqual(pending.map(({ id }) => id))
  })

  test('refuses a cursor of another log, or with other filters', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const [one, other] = [await logOf(organization, 3), await logOf(organization, 3)]
    const { meta } = (await owner.get(`${one.path}?limit=1`)).json()
    const cursor = `cursor=${meta.next_cursor}`
    expect((await owner.get(`${one.path}?${cursor}`)).json().data).toHaveLength(6)
    const templates = (await owner.get(`/templates?${cursor}`)).json()
    const refused = [
      (await owner.get(`${other.path}?${cursor}`)).json(),
      (await owner.get(`${one.path}?${cursor}&status=pending`)).json(),
      templates,
    ]
    expect(refused.map(({ code }) => code)).toEqual(refused.map(() => 'invalid_cursor'))
  })
})

describe('the log of all endpoints', () => {
  const path = '/webhook_deliveries'

  async function twoLogs() {
    const organization = await world.organization()
    const [one, other] = [await logOf(organization, 2), await logOf(organization, 2)]
    const first = await deliveriesTo(organization.owner, one.id)
    const second = await deliveriesTo(organization.owner, other.id)
    const found = async (query: string) =>
      (await organization.owner.get(`${path}?${query}`))
        .json()
        .data.map(({ id }: { id: string }) => id)
    return { organization, one, other, first, second, found }
  }

  test('has the deliveries of each, newest first, and filters', async () => {
    const { organization, one, other, first, second, found } = await twoLogs()
    const ids = [...first, ...second].map(({ id }) => id)
    expect(second).toHaveLength(2)
    const all = (await organization.owner.get(`${path}?limit=100`)).json()
    expect(all.data).toHaveLength(first.length + second.length)
    expect(new Set(all.data)).toEqual(new Set([...first, ...second]))
    const times = all.data.map((each: { created_at: string }) => each.created_at)
    expect(times).toEqual(times.toSorted().reverse())
    expect(await found('sort=created_at&limit=100')).toEqual((await found('limit=100')).reverse())
    const [newest] = second.slice(-1)
    const ofEvent = ids.filter((_, at) => [...first, ...second][at]?.event_id === newest?.event_id)
    expect(ofEvent).toHaveLength(2)
    expect((await found(`event_id=${newest?.event_id}`)).sort()).toEqual(ofEvent.sort())
    await setStatus(world, [String(ids[0])], 'failed')
    await setStatus(world, [String(ids.at(-1))], 'succeeded')
    expect(await found('status=failed')).toEqual([ids[0]])
    expect(await found('status=failed,succeeded')).toEqual([ids.at(-1), ids[0]])
    expect(await found(`status=pending&endpoint_id=${other.id}&limit=100`)).toEqual([second[0]?.id])
    expect(await found(`endpoint_id=${one.id},${other.id}&limit=100`)).toHaveLength(ids.length)
    expect(await found(`created_after=${newest?.created_at}`)).toHaveLength(2)
  })

  test('is walked by cursors of its own', async () => {
    const { organization, one, found } = await twoLogs()
    const { owner } = organization
    const seen: string[] = []
    let query: string | null = 'limit=2&status=pending'
    while (query !== null) {
      const reply: Reply = await owner.get(`${path}?${query}`)
      const { data, meta } = reply.json()
      seen.push(...data.map(({ id }: { id: string }) => id))
      query = meta.has_more ? `limit=2&cursor=${meta.next_cursor}` : null
    }
    expect(seen).toEqual(await found('limit=100'))
    const cursorOf = async (url: string) => (await owner.get(`${url}?limit=1`)).json().meta
    const ofOne = await cursorOf(one.path)
    const ofAll = await cursorOf(path)
    for (const url of [
      `${path}?cursor=${ofOne.next_cursor}`,
      `${one.path}?cursor=${ofAll.next_cursor}`,
    ])
      expect((await owner.get(url)).json().code).toBe('invalid_cursor')
  })

  test('is the organization’s own', async () => {
    const { one } = await twoLogs()
    const { owner } = await world.organization()
    expect((await owner.get(`${path}?endpoint_id=${one.id}`)).json().data).toEqual([])
  })
})

const attempt = (number: number) => ({
  number,
  trigger: 'auto',
  started_at: '2026-11-21T09:30:00.000Z',
  duration_ms: 35,
  address: '203.0.113.7',
  request_headers: {
    'content-type': 'application/json',
    'user-agent': 'flightdeck-webhooks/0.1.0',
    'webhook-id': 'evt_01m7ykxs9te009w20gdq6ytgpr',
    'webhook-timestamp': '1795249438',
    'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
  response_status: 503,
  response_headers: { 'content-type': 'text/plain', 'retry-after': '120' },
  response_body: 'try later 🚀',
  error: { kind: 'status', message: 'answered 503' },
})

const unanswered = {
  ...attempt(2),
  address: null,
  response_status: null,
  response_headers: null,
  response_body: null,
  error: { kind: 'timeout', message: 'no answer within 15 s' },
}

describe('a delivery', () => {
  test('shows its attempts in order, and what is sent', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { path, log } = await logOf(organization, 1)
    const [delivery] = log
    const attempts = [unanswered, attempt(1), { ...attempt(3), error: null, response_status: 204 }]
    const deliveryId = String(delivery?.id)
    await recordAttempts(world, organization, { deliveryId, attempts })
    const reply = await owner.get(`${path}/${deliveryId}`)
    const events = await rowsOf(world, 'events', organization)
    expect(reply.json()).toEqual({
      ...delivery,
      request_body: events.at(-1)?.body,
      attempts: [attempts[1], attempts[0], attempts[2]],
    })
    expect(JSON.parse(reply.json().request_body)).toMatchObject({ id: delivery?.event_id })
  })

  test('shows the last hundred of many attempts', async () => {
    const organization = await world.organization()
    const { path, log } = await logOf(organization, 1)
    const deliveryId = String(log[0]?.id)
    const attempts = Array.from({ length: 103 }, (_, at) => attempt(at + 1))
    await recordAttempts(world, organization, { deliveryId, attempts })
    const shown = (await organization.owner.get(`${path}/${deliveryId}`)).json().attempts
    expect(shown).toEqual(attempts.slice(-100))
  })

  test('whose event is no longer stored has no body to show', async () => {
    const organization = await world.organization()
    const { path, log } = await logOf(organization, 1)
    await execute(world, 'delete from events where organization_id = $1', [organization.id])
    const shown = (await organization.owner.get(`${path}/${log[0]?.id}`)).json()
    expect(shown).toEqual({ ...log[0], request_body: null, attempts: [] })
  })

  test('never shows a secret', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { id, secret } = await endpointOf(organization)
    await endpointOf(organization)
    await owner.post(`/webhook_endpoints/${id}/test`)
    const rotated = (await owner.post(`/webhook_endpoints/${id}/rotate_secret`)).json().secret
    const path = `/webhook_endpoints/${id}/deliveries`
    const log = await deliveriesTo(owner, id)
    expect(log.length).toBe(2)
    const replies = await Promise.all(log.map((each) => owner.get(`${path}/${each.id}`)))
    const text = JSON.stringify([log, replies.map((reply) => reply.json())])
    expect(text).not.toMatch(/whsec_|sealed/)
    for (const each of [secret, rotated]) expect(text).not.toContain(each.slice(6))
  })
})

describe('a delivery is found in the log of its own endpoint only', () => {
  const missing = 'dlv_01m7yez275fk1a52pr5qevn8kn'

  test('not in that of a sibling, or of another organization', async () => {
    const [acme, stranger] = [await world.organization(), await world.organization()]
    const { id, log } = await logOf(acme, 1)
    const [sibling, foreign] = [await endpointOf(acme), await endpointOf(stranger)]
    const deliveryId = String(log[0]?.id)
    const tries = [
      [acme, sibling.id, deliveryId],
      [acme, id, missing],
      [acme, foreign.id, deliveryId],
      [stranger, foreign.id, deliveryId],
      [stranger, id, deliveryId],
    ] as const
    for (const [{ owner }, endpointId, each] of tries) {
      const path = `/webhook_endpoints/${endpointId}/deliveries/${each}`
      const replies = [await owner.get(path), await owner.post(`${path}/redeliver`)]
      expect(replies.map(({ statusCode }) => statusCode)).toEqual([404, 404])
      expect(replies[0]?.json().detail).toBe('Nothing exists at this address.')
    }
    const kept = await deliveriesTo(acme.owner, id)
    expect(kept.find((each) => each.id === deliveryId)).toEqual(log[0])
  })

  test('another organization’s endpoint has no log here', async () => {
    const [acme, stranger] = [await world.organization(), await world.organization()]
    const { path } = await logOf(acme, 1)
    expect((await stranger.owner.get(path)).statusCode).toBe(404)
  })
})

test('deleting an endpoint deletes its log and its pending deliveries', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const [one, other] = [await logOf(organization, 2), await endpointOf(organization)]
  const deliveryId = String(one.log[0]?.id)
  await recordAttempts(world, organization, { deliveryId, attempts: [attempt(1)] })
  expect((await owner.delete(`/webhook_endpoints/${one.id}`)).statusCode).toBe(204)
  expect((await owner.get(one.path)).statusCode).toBe(404)
  expect((await owner.get(`${one.path}/${deliveryId}`)).statusCode).toBe(404)
  expect(await rowsOf(world, 'webhook_attempts', organization)).toEqual([])
  const left = await rowsOf(world, 'webhook_deliveries', organization)
  expect(left).toMatchObject([
    { endpoint_id: other.id, event_type: 'webhook_endpoint.deleted', status: 'pending' },
  ])
})
