import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import {
  listen,
  type OpenStream,
  openStream,
  type StreamedEvent,
} from '../../../test/support/event-stream.ts'
import {
  type Client,
  clientOf,
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../../../test/support/world.ts'
import type { Services } from '../../kernel/context.ts'
import { setOrganization } from '../organizations/organization.ts'

/** Two replicas on one database, each on its own port. */
let one: World
let other: World
let url: string
let otherUrl: string
let database: pg.Client

const day = 86_400_000
const env = unlimited

beforeAll(async () => {
  // The clock of streams: a second passes when the test says so.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  one = await openWorld({ env })
  other = await openWorld({ env, clock: one.clock })
  database = new pg.Client(inject('address'))
  await database.connect()
  url = await listen(one.app)
  otherUrl = await listen(other.app)
})
afterEach(async () => {
  for (const stream of opened.splice(0)) await stream.hangUp()
})
afterAll(async () => {
  await one.close()
  await other.close()
  await database.end()
  vi.useRealTimers()
})

const opened: OpenStream[] = []

/** An open stream whose first block has been read. */
async function follow(
  client: Pick<Client, 'token'>,
  options: Parameters<typeof openStream>[2] & { at?: string } = {},
): Promise<OpenStream & { first: Record<string, string> }> {
  const stream = await openStream(options.at ?? url, client, options)
  opened.push(stream)
  const first = stream.status === 200 ? await stream.block() : {}
  return { ...stream, first: first ?? {} }
}

const aSecondLater = () => vi.advanceTimersByTimeAsync(1_000)
const secondsLater = async (seconds: number) => {
  for (let passed = 0; passed < seconds; passed += 1) await aSecondLater()
}

const range = (count: number) => Array.from({ length: count }, (_, at) => at)
const sequencesOf = (events: StreamedEvent[]) => events.map(({ sequence }) => sequence)
const rename = (client: Client, name: string) => client.patch('/organization', { name })

async function newest({ owner }: TestOrganization): Promise<StreamedEvent> {
  return (await owner.get('/events?limit=1')).json().data[0]
}

describe('a stream', () => {
  test('starts at once, and shows its position', async () => {
    const organization = await one.organization()
    const stream = await follow(organization.owner)
    expect(stream.status).toBe(200)
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      connection: 'close',
      'x-request-id': expect.stringMatching(/^req_/),
      'ratelimit-policy': '"plan";q=1000000;w=60',
    })
    const { id } = await newest(organization)
    expect(stream.first).toEqual({ retry: '2000', comment: 'connected', id })
  })

  test('sends new events just as GET /events/:id shows them', async () => {
    const { owner } = await one.organization()
    await rename(owner, 'Before')
    const stream = await follow(owner)
    await rename(owner, 'Größe\u2028🚀 "quoted"')
    await owner.post('/templates', { name: 'Preset', description: 'One\nand two\r\n' })
    const received = await stream.events(2)
    expect(received.map(({ type }) => type)).toEqual(['organization.updated', 'template.created'])
    for (const event of received) {
      const pulled = await owner.get(`/events/${event.id}`)
      expect(pulled.json()).toEqual(event)
    }
  })

  test('resumes after Last-Event-ID, page after page', async () => {
    const organization = await one.organization()
    const { id, sequence } = await newest(organization)
    for (const at of range(230)) await rename(organization.owner, `Name ${at}`)
    const stream = await follow(organization.owner, { lastEventId: id })
    const received = await stream.events(230)
    expect(sequencesOf(received)).toEqual(range(230).map((at) => sequence + 1 + at))
  })

  test('starts with new events when Last-Event-ID is empty', async () => {
    const organization = await one.organization()
    const { id } = await newest(organization)
    const stream = await follow(organization.owner, { lastEventId: '' })
    expect([stream.status, stream.first.id]).toEqual([200, id])
    await rename(organization.owner, 'After')
    expect(await stream.events(1)).toMatchObject([{ data: { object: { name: 'After' } } }])
  })

  test('counts as one request, however long it lasts', async () => {
    const { owner } = await one.organization()
    const used = async () => (await owner.get('/limits')).json().requests.remaining
    const before = await used()
    await follow(owner)
    await secondsLater(3)
    expect(await used()).toBe(before - 2)
  })

  test('never shows another organization’s events', async () => {
    const [acme, stranger] = [await one.organization(), await one.organization()]
    const [mine, theirs] = [await follow(acme.owner), await follow(stranger.owner)]
    for (const at of range(20)) {
      await rename(acme.owner, `Acme ${at}`)
      await rename(stranger.owner, `Stranger ${at}`)
    }
    for (const [stream, { id }] of [
      [mine, acme],
      [theirs, stranger],
    ] as const) {
      const received = await stream.events(20)
      expect(new Set(received.map((event) => event.organization_id))).toEqual(new Set([id]))
    }
  })

  test('gets within a second what another process commits', async () => {
    const { owner } = await one.organization()
    const stream = await follow(owner)
    const there = clientOf(other.app, owner)
    for (const at of range(5)) await rename(there, `There ${at}`)
    await aSecondLater()
    const names = (await stream.events(5)).map(({ data }) => data.object.name)
    expect(names).toEqual(range(5).map((at) => `There ${at}`))
  })
})

describe('no event is lost or repeated', () => {
  test('for a waiting stream, although another has read further', async () => {
    const organization = await one.organization()
    const { owner } = organization
    const { id, sequence } = await newest(organization)
    const waiting = await follow(owner)
    await rename(clientOf(other.app, owner), 'There')
    const early = await follow(owner, { lastEventId: id })
    expect(sequencesOf(await early.events(1))).toEqual([sequence + 1])
    await aSecondLater()
    expect(sequencesOf(await waiting.events(1))).toEqual([sequence + 1])
  })

  test('while a client reconnects, and both processes write', async () => {
    const organization = await one.organization()
    const { owner } = organization
    const { id, sequence } = await newest(organization)
    const count = 240
    const writers = [owner, clientOf(other.app, owner)]
    const writing = Promise.all(
      writers.map(async (writer, who) => {
        for (const at of range(count / 2)) await rename(writer, `${who} ${at}`)
      }),
    )
    const seconds = setSecondsGoing()
    const received: StreamedEvent[] = []
    let lastEventId = id
    for (let visit = 0; received.length < count; visit += 1) {
      const at = visit % 2 === 0 ? url : otherUrl
      const stream = await follow(owner, { lastEventId, at })
      received.push(
        ...(await stream.events(Math.min(1 + ((visit * 7) % 40), count - received.length))),
      )
      lastEventId = received.at(-1)?.id ?? ''
      await stream.hangUp()
    }
    await writing
    seconds.stop()
    expect(sequencesOf(received)).toEqual(range(count).map((at) => sequence + 1 + at))
  })

  test('for many streams at once, each at its own pace', async () => {
    const organization = await one.organization()
    const { owner } = organization
    const { sequence } = await newest(organization)
    const streams = await Promise.all(range(40).map(() => follow(owner)))
    const reading = Promise.all(streams.map((stream) => stream.events(150)))
    for (const at of range(150)) await rename(owner, `Name ${at}`)
    for (const received of await reading) {
      expect(sequencesOf(received)).toEqual(range(150).map((at) => sequence + 1 + at))
    }
  })
})

/** Lets seconds pass as fast as possible, until stopped. */
function setSecondsGoing() {
  let isGoing = true
  const going = (async () => {
    while (isGoing) {
      await aSecondLater()
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  return {
    stop: () => {
      isGoing = false
      return going
    },
  }
}

describe('the filter', () => {
  test('passes only the types that it names', async () => {
    const { owner } = await one.organization()
    const stream = await follow(owner, { query: '?type=template.*,profile.created' })
    await rename(owner, 'Unheard')
    const { id } = (await owner.post('/templates', { name: 'A' })).json()
    await owner.post('/profiles', { name: 'B' })
    await owner.delete(`/templates/${id}`)
    const types = (await stream.events(3)).map(({ type }) => type)
    expect(types).toEqual(['template.created', 'profile.created', 'template.deleted'])
  })

  test('is refused with an unknown type, as in the list', async () => {
    const { owner } = await one.organization()
    const stream = await follow(owner, { query: '?type=campaign.pausd' })
    expect(stream.status).toBe(400)
    expect(await stream.problem()).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ parameter: 'type', code: 'unknown_event', given: 'campaign.pausd' }],
    })
  })

  test('moves the id past filtered events, with the heartbeat', async () => {
    const organization = await one.organization()
    const stream = await follow(organization.owner, { query: '?type=campaign.*' })
    await rename(organization.owner, 'Unheard')
    const { id } = await newest(organization)
    await secondsLater(15)
    expect(await stream.block()).toEqual({ comment: 'heartbeat', id })
    await secondsLater(15)
    expect(await stream.block()).toEqual({ comment: 'heartbeat' })
  })
})

describe('a heartbeat', () => {
  test('is sent after each 15 seconds of silence', async () => {
    const { owner } = await one.organization()
    const stream = await follow(owner)
    await secondsLater(13)
    await rename(owner, 'Noise')
    await stream.events(1)
    for (const _ of range(3)) {
      await secondsLater(15)
      expect(await stream.block()).toEqual({ comment: 'heartbeat' })
    }
  })
})

describe('an unusable Last-Event-ID is 400, with advice', () => {
  const refused = async (client: Client, lastEventId: string) => {
    const stream = await follow(client, { lastEventId })
    expect([lastEventId, stream.status]).toEqual([lastEventId, 400])
    const problem = await stream.problem()
    expect(problem).toMatchObject({
      code: 'invalid_header',
      detail: expect.stringContaining('with GET /events'),
      errors: [{ header: 'Last-Event-ID', code: 'invalid_reference' }],
    })
  }

  test('when malformed, of another kind, or unknown', async () => {
    const { owner, id } = await one.organization()
    for (const lastEventId of ['42', 'evt_', id, 'evt_01m7yez275fk1a52pr5qevn8kn']) {
      await refused(owner, lastEventId)
    }
  })

  test('when it belongs to another organization', async () => {
    const [acme, stranger] = [await one.organization(), await one.organization()]
    await refused(stranger.owner, (await newest(acme)).id)
  })

  test('when it is older than 30 days, so purged', async () => {
    const organization = await one.organization()
    const { id, sequence } = await newest(organization)
    await rename(organization.owner, 'After')
    await purgeUpTo(organization, sequence)
    await refused(organization.owner, id)
    expect((await follow(organization.owner)).status).toBe(200)
  })

  test('a stream whose next events are purged ends: there is a gap', async () => {
    const organization = await one.organization()
    const { id, sequence } = await newest(organization)
    for (const at of range(3)) await rename(organization.owner, `Name ${at}`)
    await purgeUpTo(organization, sequence + 1)
    await database.query(
      `insert into events (organization_id, sequence, id, type, occurred_at, body)
        values ($1, $2, $3, 'organization.updated', now(), '{}')`,
      [organization.id, sequence, id],
    )
    const stream = await follow(organization.owner, { lastEventId: id })
    expect(await stream.rest()).toEqual([{ comment: 'end invalid_header' }])
  })
})

/** Ages them beyond the retention: running the job would affect other tests’ organizations. */
async function purgeUpTo({ id }: TestOrganization, sequence: number): Promise<void> {
  const sql = 'delete from events where organization_id = $1 and sequence <= $2'
  await database.query(sql, [id, sequence])
}

/** Holds reads of the service that match, until it is opened. */
function gateBefore(sql: RegExp) {
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const alter = (services: Services): Services => {
    const { reader } = services.database
    const query: typeof reader.query = async (statement) => {
      if (sql.test(statement.sql)) {
        reached.resolve()
        await opened.promise
      }
      return reader.query(statement)
    }
    return { ...services, database: { ...services.database, reader: { ...reader, query } } }
  }
  return { alter, reached: reached.promise, open: opened.resolve }
}

const endOf = async (stream: OpenStream): Promise<string | undefined> =>
  (await stream.rest()).at(-1)?.comment

describe('a stream ends within a second, with the reason,', () => {
  test('when its session logs out', async () => {
    const { owner } = await one.organization()
    const streams = [await follow(owner), await follow(owner, { at: otherUrl })]
    await owner.delete('/auth/logout')
    await secondsLater(2)
    for (const stream of streams) expect(await endOf(stream)).toBe('end token_revoked')
    expect((await follow(owner)).status).toBe(401)
  })

  test('when its member is deleted', async () => {
    const organization = await one.organization()
    const editor = await organization.as('editor')
    const stream = await follow(editor)
    await organization.owner.delete(`/members/${editor.userId}`)
    await aSecondLater()
    expect(await endOf(stream)).toBe('end token_revoked')
  })

  test('when its role may no longer read events, but not at other role changes', async () => {
    const organization = await one.organization()
    const editor = await organization.as('editor')
    const setRole = (role: string) =>
      organization.owner.patch(`/members/${editor.userId}`, { role })
    const stream = await follow(editor)
    await setRole('admin')
    await secondsLater(2)
    expect((await stream.events(1))[0]?.type).toBe('member.updated')
    await setRole('viewer')
    await aSecondLater()
    expect(await endOf(stream)).toBe('end insufficient_role')
    expect((await follow(editor)).status).toBe(403)
  })

  test('when its organization is suspended, which events still show', async () => {
    const organization = await one.organization()
    const stream = await follow(organization.owner)
    await setOrganization(organization.ctx, () => ({ status: 'suspended' }))
    await aSecondLater()
    expect(await endOf(stream)).toBe('end organization_suspended')
    const again = await follow(organization.owner)
    expect(await again.problem()).toMatchObject({ status: 403, code: 'organization_suspended' })
    expect(await newest(organization)).toMatchObject({ data: { object: { status: 'suspended' } } })
  })

  test('when its token was replaced, but not before the grace period is over', async () => {
    const { owner } = await one.organization()
    const stream = await follow(owner)
    const { token } = (await owner.post('/auth/refresh')).json()
    one.clock.advance(59_000)
    await secondsLater(2)
    await rename(clientOf(one.app, { ...owner, token }), 'Heard')
    await stream.events(1)
    one.clock.advance(2_000)
    await secondsLater(2)
    expect(await endOf(stream)).toBe('end token_revoked')
  })

  test('when its token has expired', async () => {
    const { owner } = await one.organization()
    const stream = await follow(owner)
    one.clock.advance(day)
    await aSecondLater()
    expect(await endOf(stream)).toBe('end token_expired')
  })

  test('and not even the next event is sent to a user who lost access', async () => {
    const organization = await one.organization()
    const editor = await organization.as('editor')
    const stream = await follow(editor)
    await organization.owner.patch(`/members/${editor.userId}`, { role: 'viewer' })
    for (const at of range(3)) await rename(organization.owner, `Secret ${at}`)
    expect(await stream.rest()).toEqual([{ comment: 'end insufficient_role' }])
  })

  test('not even if they were committed while it read', async () => {
    const gate = gateBefore(/octet_length\(body\)/)
    const third = await openWorld({ env, clock: one.clock, alter: gate.alter })
    const organization = await third.organization()
    const editor = await organization.as('editor')
    const stream = await follow(editor, { at: await listen(third.app) })
    await gate.reached
    await organization.owner.patch(`/members/${editor.userId}`, { role: 'viewer' })
    await rename(organization.owner, 'Secret')
    gate.open()
    expect(await stream.rest()).toEqual([{ comment: 'end insufficient_role' }])
    await third.close()
  })

  test('when the app closes, with every connection', async () => {
    const third = await openWorld({ env, clock: one.clock })
    const { owner } = await one.organization()
    const at = await listen(third.app)
    const streams = await Promise.all(range(20).map(() => follow(owner, { at })))
    const began = Date.now()
    await third.close()
    // Sooner than the next heartbeat.
    expect(Date.now() - began).toBeLessThan(10_000)
    for (const stream of streams) expect(await endOf(stream)).toBe('end shutting_down')
  })
})

describe('open streams are limited', () => {
  test('by organization, then by process, and closing one makes room', async () => {
    const narrow = { ...env, FLIGHTDECK_EVENT_STREAMS: 'organization=2,process=3' }
    const third = await openWorld({ env: narrow, clock: one.clock })
    const at = await listen(third.app)
    const [acme, stranger] = [await third.organization(), await third.organization()]
    const [first] = [await follow(acme.owner, { at }), await follow(acme.owner, { at })]
    const refused = await follow(acme.owner, { at })
    expect(await refused.problem()).toMatchObject({
      status: 409,
      code: 'limit_exceeded',
      resource: 'event_streams',
      limit: 2,
    })
    expect((await follow(stranger.owner, { at })).status).toBe(200)
    const overloaded = await follow(stranger.owner, { at })
    expect(overloaded.headers['retry-after']).toBe('1')
    expect(await overloaded.problem()).toMatchObject({ status: 503, code: 'overloaded' })
    await first?.hangUp()
    for (const _ of range(5)) {
      const head = await follow(stranger.owner, { at, method: 'HEAD' })
      expect([head.status, head.headers['content-type']]).toEqual([200, 'text/event-stream'])
    }
    await vi.waitFor(async () => {
      expect((await follow(acme.owner, { at })).status).toBe(200)
    }, 20_000)
    await third.close()
  })
})
