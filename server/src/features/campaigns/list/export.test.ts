import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { campaignBody, profileOf } from '../../../../test/support/cases/writes.ts'
import {
  type Client,
  openWorld,
  type Reply,
  type TestOrganization,
  unlimited,
  type World,
} from '../../../../test/support/world.ts'
import type { Services } from '../../../kernel/context.ts'
import { Campaign } from '../schema.ts'

let world: World
let organization: TestOrganization
let owner: Client
let profile: string

/** Pages of campaigns wait while it is closed. */
let gate = Promise.withResolvers<void>()
let pages = 0

function withGate(services: Services): Services {
  const { reader } = services.database
  const query: typeof reader.query = async (statement) => {
    if (!/from "campaign/.test(statement.sql)) return reader.query(statement)
    pages += 1
    await gate.promise
    return reader.query(statement)
  }
  return { ...services, database: { ...services.database, reader: { ...reader, query } } }
}

beforeAll(async () => {
  gate.resolve()
  world = await openWorld({ env: unlimited, alter: withGate })
  await world.app.listen({ port: 0, host: '127.0.0.1' })
  organization = await world.organization()
  owner = organization.owner
  profile = await profileOf(organization, { currency: null })
  for (let at = 0; at < 230; at += 10) {
    const operations = Array.from({ length: 10 }, (_, n) => ({ op: 'create', body: body(at + n) }))
    await owner.post('/campaigns/bulk', { mode: 'atomic', operations })
  }
})
afterAll(async () => {
  gate.resolve()
  await world.close()
})

const names = ['Spring', '=1+1', '\t@x', 'a "b", c', '-5 % off', '  =2', 'Zürich']
const money = [
  { daily_budget: 33.51, currency: 'USD' },
  { daily_budget: 2000, lifetime_budget: 90_000, currency: 'JPY' },
  { daily_budget: null, lifetime_budget: 1.005, currency: 'KWD' },
]

const body = (at: number) => ({
  ...campaignBody(profile),
  name: `${names[at % names.length]}`.trim(),
  ...money[at % money.length],
  labels: at % 2 === 0 ? ['a,b', 'spring'] : [],
  metadata: at % 3 === 0 ? { crm: '=4711' } : {},
  notes: at % 5 === 0 ? 'two\nlines, "quoted"' : null,
  external_id: `crm-${at}`,
  end_at: at % 4 === 0 ? '2031-01-01T00:00:00Z' : null,
  schedule: at % 7 === 0 ? [{ day: 'mon', start: '09:00', end: '17:30' }] : [],
})

type ExportedRow = Record<string, unknown>

const fields = Object.keys(Campaign.properties)
  .filter((field) => field !== 'performance')
  .join()

/** With every field: some are listed only on request. */
async function listed(search = ''): Promise<ExportedRow[]> {
  const rows: ExportedRow[] = []
  for (let cursor = ''; ; ) {
    const { data, meta } = (
      await owner.get(`/campaigns?limit=100&fields=${fields}&${search}${cursor}`)
    ).json()
    rows.push(...data)
    if (!meta.has_more) return rows
    cursor = `&cursor=${meta.next_cursor}`
  }
}

const objectsIn = (reply: Reply): ExportedRow[] =>
  reply.body
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

/** RFC 4180. */
function recordsIn(csv: string): string[][] {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  const records: string[][] = [[]]
  for (const [, quoted, plain = '', end] of csv.matchAll(cell)) {
    records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end !== ',') records.push([])
  }
  expect(records.pop()).toEqual([])
  return records
}

describe('an export of campaigns', () => {
  test('as NDJSON has the objects of the list, in its order', async () => {
    const reply = await owner.get('/campaigns/export')
    expect(reply.statusCode).toBe(200)
    expect(reply.headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'cache-control': 'no-store',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="campaigns_org_\w+_\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.ndjson"$/,
      ),
    })
    const rows = await listed()
    expect(rows).toHaveLength(230)
    expect(objectsIn(reply)).toEqual(rows)
  })

  test('as CSV has a row for each, under the names of the fields, without formulas', async () => {
    const reply = await owner.get('/campaigns/export?format=csv')
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    const [header = [], ...records] = recordsIn(reply.body)
    const rows = await listed()
    expect(records).toHaveLength(rows.length)
    const safe = (text: string) => (/^[=+\-@]/.test(text) ? `'${text}` : text)
    for (const [at, row] of rows.entries()) {
      const delivery = row.delivery as { state: string; reasons: string[] }
      const change = row.status_change as { by: { name: string } } | null
      const fields = {
        ...row,
        deployment_state: null,
        deployment_network_object_id: null,
        delivery_state: delivery.state,
        delivery_reasons: delivery.reasons,
        ...Object.fromEntries(
          ['action', 'at', 'reason'].map((name) => [
            `status_change_${name}`,
            (change as ExportedRow | null)?.[name] ?? null,
          ]),
        ),
        status_change_by_name: change?.by.name ?? null,
      }
      const expected = header.map((name) => {
        const value = (fields as ExportedRow)[name]
        expect([name, value]).not.toEqual([name, undefined])
        if (value === null) return ''
        return safe(typeof value === 'string' ? value : JSON.stringify(value))
      })
      expect(records[at]).toEqual(expected)
    }
    expect(header).toEqual(expect.arrayContaining(['id', 'name', 'daily_budget', 'labels']))
    expect(reply.body).not.toMatch(/(^|,)"?\s*[=+@-]/m)
  })

  test.each([
    'status=archived',
    'currency=JPY,KWD',
    'delivery=not_eligible&q=spring',
    'currency=USD&daily_budget_min=33.51&label=a,b&label=none',
    'external_id=crm-7&include_archived=true',
  ])('takes the filter %s', async (search) => {
    const rows = await listed(search)
    expect(objectsIn(await owner.get(`/campaigns/export?${search}`))).toEqual(rows)
  })

  test('of nothing is empty, or a header', async () => {
    expect((await owner.get('/campaigns/export?q=none')).body).toBe('')
    expect((await owner.get('/campaigns?q=sprng')).json().meta.search).toBe('similar')
    expect((await owner.get('/campaigns/export?q=sprng')).body).toBe('')
    const csv = (await owner.get('/campaigns/export?q=none&format=csv')).body
    expect(recordsIn(csv)).toHaveLength(1)
  })

  test('refuses what the list refuses', async () => {
    const bounded = ['limit=5', 'daily_budget_min=5', 'fields=id', 'currency=usd']
    for (const search of ['format=xml', 'status=x', ...bounded]) {
      const reply = await owner.get(`/campaigns/export?${search}`)
      expect([search, reply.statusCode]).toEqual([search, 400])
    }
  })

  test('is for all who read campaigns, and leaves no trace', async () => {
    const viewer = await organization.as('viewer')
    const before = (await owner.get('/audit_logs?limit=1')).json().data[0].sequence
    expect((await viewer.get('/campaigns/export?q=none')).statusCode).toBe(200)
    expect((await owner.get('/audit_logs?limit=1')).json().data[0].sequence).toBe(before)
    expect((await world.anonymous.get('/campaigns/export')).statusCode).toBe(401)
  })
})

const asked = (count: number) => vi.waitFor(() => expect(pages).toBe(count), 20_000)

function closeGate() {
  gate = Promise.withResolvers()
  pages = 0
}

/** An answer on a real connection. */
function open(client: Client, path: string) {
  const { port } = world.app.server.address() as AddressInfo
  const headers = { authorization: `Bearer ${client.token}` }
  const call = request({ port, host: '127.0.0.1', path: `/api/v1${path}`, headers }).end()
  call.on('error', () => {})
  return call
}

describe('exports', () => {
  test('run one at a time in an organization, and two in all, with those of audit logs', async () => {
    const other = await world.organization()
    closeGate()
    const first = owner.get('/campaigns/export')
    await asked(1)
    for (const path of ['/campaigns/export', '/audit_logs/export']) {
      const reply = await owner.get(path)
      expect([path, reply.statusCode, reply.json().code]).toEqual([path, 503, 'overloaded'])
      expect(reply.headers['retry-after']).toBe('1')
    }
    const second = other.owner.get('/campaigns/export')
    await asked(2)
    const third = (await world.organization()).owner
    expect((await third.get('/campaigns/export')).statusCode).toBe(503)
    gate.resolve()
    expect([(await first).statusCode, (await second).statusCode]).toEqual([200, 200])
    expect((await third.get('/campaigns/export')).statusCode).toBe(200)
  })

  test('stop reading when the client leaves', async () => {
    closeGate()
    const call = open(owner, '/campaigns/export')
    await asked(1)
    call.destroy()
    // The slot is free again, although the page has not come.
    await vi.waitFor(async () => {
      expect((await owner.get('/audit_logs/export?action=none')).statusCode).toBe(200)
    }, 20_000)
    gate.resolve()
    expect((await owner.get('/campaigns?limit=1')).statusCode).toBe(200)
    expect(pages).toBe(2)
  })

  test('answer HEAD without reading', async () => {
    closeGate()
    gate.resolve()
    const reply = await owner.call({ method: 'HEAD', url: '/campaigns/export?format=csv' })
    expect([reply.statusCode, reply.body, pages]).toEqual([200, '', 0])
    const response: IncomingMessage = (await once(open(owner, '/campaigns/export'), 'response'))[0]
    expect(response.statusCode).toBe(200)
    response.resume()
    await once(response, 'end')
  })
})
