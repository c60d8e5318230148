import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { lazy } from '../../src/concurrency/lazy.ts'
import { campaignBody, made, profileOf } from '../support/cases/writes.ts'
import { countReceivedBytes } from '../support/received-bytes.ts'
import {
  type Client,
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../support/world.ts'

let world: World

beforeAll(async () => {
  const env = { ...unlimited, FLIGHTDECK_CAPS: 'webhook_endpoints=1000' }
  world = await openWorld({ env })
})
afterAll(() => world.close())

const mostBytes = 1024 * 1024

const range = (count: number) => Array.from({ length: count }, (_, at) => at)

const wide = '\u{1F69A}'
/** A row of maximal size: JSON escapes double its size in an answer. */
const metadata = Object.fromEntries(range(32).map((key) => [`k${key}`, 'x'.repeat(490)]))
const labels = range(50).map((at) => `${at}${wide.repeat(38)}`)
const notes = '"'.repeat(2000)

/** Each list with a way to make its nth row. */
const lists: Record<string, (organization: TestOrganization) => Promise<(at: number) => object>> = {
  campaigns: async (organization) => {
    const body = campaignBody(await profileOf(organization))
    return () => ({ ...body, notes, labels, metadata })
  },
  profiles: async () => (at) => ({ name: `Name ${at}`, notes, labels, metadata }),
  proxies: async () => (at) => ({
    ...{ name: `Name ${at}`, protocol: 'http', host: 'a.test', port: 8080 },
    ...{ notes, labels, metadata },
  }),
  templates: async () => (at) => ({
    ...{ name: `Name ${at}`, labels, metadata },
    defaults: { notes, labels },
  }),
  webhook_endpoints: async () => (at) => ({ url: `https://example.com/${at}`, metadata }),
}

type Shown = { id: string; sequence?: number }
type PageShown = { data: Shown[]; meta: { next_cursor: string | null; has_more: boolean } }

/** All pages to the end: none too large, each but the last as full as possible. */
async function walk(client: Client, path: string): Promise<Shown[][]> {
  const pages: Shown[][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const reply = await client.get(`${path}${cursor && `&cursor=${cursor}`}`)
    expect(Buffer.byteLength(reply.body)).toBeLessThanOrEqual(mostBytes)
    const { data, meta }: PageShown = reply.json()
    expect(data).not.toHaveLength(0)
    expect(meta.next_cursor === null).toBe(!meta.has_more)
    if (meta.has_more) expect(reply.headers.link).toContain('rel="next"')
    pages.push(data)
    cursor = meta.next_cursor
  }
  return pages
}

describe('a page has at most a mebibyte, and the next continues exactly after it', () => {
  test.each(Object.keys(lists))('%s', async (list) => {
    const organization = await world.organization()
    const { owner } = organization
    const bodyOf = await lists[list]?.(organization)
    if (!bodyOf) throw new Error('no such list')
    const ids: string[] = []
    for (const at of range(80)) ids.push(await made(owner, `/${list}`, bodyOf(at)))
    const pages = await walk(owner, `/${list}?limit=100`)
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.flat().map(({ id }) => id)).toEqual(ids.toReversed())
    const total = (await owner.get(`/${list}?limit=100&include_total=true`)).json().meta.total
    expect(total).toBe(80)
  })

  test.each(['audit_logs?limit=100', 'events?limit=100', 'audit_logs?sort=sequence'])(
    '%s',
    async (path) => {
      const { owner } = await oftenChanged()
      const pages = await walk(owner, `/${path}${path.includes('?') ? '' : '?'}`)
      const sequences = pages.flat().map(({ sequence }) => sequence)
      const first = path.includes('sort') ? 1 : sequences.length
      const step = path.includes('sort') ? 1 : -1
      expect(sequences).toEqual(range(sequences.length).map((at) => first + step * at))
      expect(pages.length).toBeGreaterThan(2)
    },
  )

  test('history', async () => {
    const { owner, id } = await oftenChanged()
    const pages = await walk(owner, `/campaigns/${id}/history?limit=100`)
    const versions = pages.flat().map((entry) => (entry as unknown as { version: number }).version)
    expect(pages.length).toBeGreaterThan(1)
    expect(versions).toEqual(range(91).map((at) => 91 - at))
  })
})

/** A campaign with this many changes, everything large in it each time. */
async function campaignWritten(count: number) {
  const organization = await world.organization()
  const { owner } = organization
  const body = { ...campaignBody(await profileOf(organization)), notes, labels, metadata }
  const id = await made(owner, '/campaigns', body)
  for (const at of range(count)) {
    const changed = { notes: `${at}`.padEnd(2000, '"'), labels: [`${at}`, ...labels.slice(1)] }
    const more = { ...metadata, k0: `${at}`.padEnd(490, 'y') }
    const reply = await owner.patch(`/campaigns/${id}`, { ...changed, metadata: more })
    expect(reply.statusCode).toBe(200)
  }
  return { owner, id }
}

/** One for all tests, which only read. */
const oftenChanged = lazy(() => campaignWritten(90))

test('the database does not send rows that do not fit', async () => {
  const { owner } = await oftenChanged()
  const received = countReceivedBytes()
  const { meta }: PageShown = (await owner.get('/audit_logs?limit=100')).json()
  received.stop()
  expect(meta.has_more).toBe(true)
  expect(received.bytes).toBeLessThan(1.2 * mostBytes)
})

test('a row that is larger than a page comes alone', async () => {
  const { owner, id } = await world.organization()
  await owner.patch('/organization', { name: 'Changed' })
  await insertEvents(id, 2, 1.5 * mostBytes)
  for (const limit of [25, 100]) {
    const first = (await owner.get(`/events?limit=${limit}`)).json()
    expect(first.data).toHaveLength(1)
    const then = (await owner.get(`/events?limit=${limit}&cursor=${first.meta.next_cursor}`)).json()
    expect(then.data).toHaveLength(1)
    expect(then.data[0].sequence).toBe(first.data[0].sequence - 1)
    expect(then.meta.has_more).toBe(true)
  }
})

/** Larger than any row that the service writes. */
async function insertEvents(organization: string, count: number, size: number): Promise<void> {
  const client = new pg.Client(inject('address'))
  await client.connect()
  const columns = 'organization_id, sequence, id, type, occurred_at, body'
  for (const at of range(count)) {
    await client.query(
      `insert into events (${columns})
       select organization_id, sequence + 1, left(id, -1) || $2, type, occurred_at,
         (body::jsonb || jsonb_build_object('sequence', sequence + 1, 'request_id', repeat('x', $3::int)))::text
       from events where organization_id = $1 order by sequence desc limit 1`,
      [organization, `${at}`, size],
    )
  }
  await client.end()
}
