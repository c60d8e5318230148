import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { watch } from '../../../test/support/documented.ts'
import { type Client, openWorld, type World } from '../../../test/support/world.ts'

let world: World
let database: pg.Client

beforeAll(async () => {
  world = watch(await openWorld())
  database = new pg.Client(inject('address'))
  await database.connect()
})
afterAll(async () => {
  await database.end()
  await world.close()
})

type ShownEvent = { id: string; type: string; sequence: number; timestamp: string }

const listed = async (client: Client, query = ''): Promise<ShownEvent[]> => {
  const reply = await client.get(`/events${query}`)
  expect([query, reply.statusCode]).toEqual([query, 200])
  return reply.json().data
}

/** An hour passes before each of these. */
async function fourEvents() {
  const { owner, id } = await world.organization()
  const an = (write: () => Promise<unknown>) => {
    world.clock.advance(3_600_000)
    return write()
  }
  await an(() => owner.post('/templates', { name: 'A' }))
  await an(() => owner.post('/profiles', { name: 'B' }))
  await an(() => owner.post('/templates', { name: 'C' }))
  await an(() => owner.patch('/organization', { name: 'D' }))
  const events = await listed(owner, '?sort=sequence')
  return { owner, id, events, last: events.slice(-4) }
}

describe('the list of events', () => {
  test('is newest first, or oldest first by sequence, which has no gaps', async () => {
    const { owner, events } = await fourEvents()
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1))
    expect(events[0]?.type).toBe('organization.created')
    expect(await listed(owner)).toEqual(events.toReversed())
    expect(await listed(owner, '?sort=-sequence')).toEqual(events.toReversed())
  })

  test('shows each event exactly as stored and sent', async () => {
    const { owner, id, events } = await fourEvents()
    const sql = 'select body from events where organization_id = $1 order by sequence'
    const { rows } = await database.query(sql, [id])
    expect(events).toEqual(rows.map(({ body }) => JSON.parse(body)))
    for (const event of events) {
      const reply = await owner.get(`/events/${event.id}`)
      expect(JSON.parse(reply.body)).toEqual(event)
    }
  })

  test('is paged by cursor while events are added', async () => {
    const { owner, events } = await fourEvents()
    const seen: ShownEvent[] = []
    let cursor = ''
    do {
      const { data, meta } = (await owner.get(`/events?limit=1${cursor}`)).json()
      seen.push(...data)
      cursor = meta.has_more ? `&cursor=${meta.next_cursor}` : ''
      await owner.patch('/organization', { name: `Walk ${seen.length}` })
    } while (cursor)
    expect(seen).toEqual(events.toReversed())
    const { meta } = (await owner.get('/events?include_total=true&type=template.*')).json()
    expect(meta.total).toBe(2)
  })

  test.each([
    ['type=template.created', [0, 2]],
    ['type=template.created,profile.created', [0, 1, 2]],
    ['type=template.*', [0, 2]],
    ['type=profile.*, organization.updated', [1, 3]],
    ['type=*&occurred_after=T0', [0, 1, 2, 3]],
    ['type=campaign.*', []],
    ['occurred_after=T2', [2, 3]],
    ['occurred_after=T1&occurred_before=T3', [1, 2]],
    ['created_after=T3', [3]],
    ['updated_after=T1&updated_before=T2', [1]],
  ])('with %s has %o', async (query, expected) => {
    const { owner, last } = await fourEvents()
    const search = query.replaceAll(/T(\d)/g, (_, at) => last[at]?.timestamp ?? '')
    const found = await listed(owner, `?sort=sequence&${search}`)
    expect(found).toEqual(expected.map((at) => last[at]))
  })

  test('refuses an unknown type, and lists the known ones', async () => {
    const { owner } = await fourEvents()
    for (const [given, nearest] of [
      ['campaign.pausd', 'campaign.paused'],
      ['campain.*', 'campaign.*'],
      ['template', 'template.*'],
    ]) {
      const reply = await owner.get(`/events?type=profile.created,${given}`)
      expect(reply.json()).toMatchObject({
        status: 400,
        code: 'invalid_parameter',
        errors: [
          {
            parameter: 'type',
            code: 'unknown_event',
            given,
            message: `is not a type of event; did you mean "${nearest}"?`,
            allowed: expect.arrayContaining(['*', 'campaign.*', 'webhook_endpoint.failing']),
          },
        ],
      })
    }
    const many = Array.from({ length: 21 }, () => 'campaign.*').join(',')
    const reply = await owner.get(`/events?type=${many}`)
    expect(reply.json().errors).toMatchObject([{ code: 'too_many_items', limit: 20 }])
  })
})

test('sequences continue although all earlier events have been purged', async () => {
  const { owner, id, events } = await fourEvents()
  await database.query('delete from events where organization_id = $1', [id])
  expect(await listed(owner)).toEqual([])
  expect((await owner.get(`/events/${events[0]?.id}`)).statusCode).toBe(404)
  await owner.patch('/organization', { name: 'After' })
  const [next] = await listed(owner)
  expect(next).toMatchObject({ sequence: events.length + 1, type: 'organization.updated' })
})
