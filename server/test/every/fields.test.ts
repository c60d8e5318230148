import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { methodsOf } from '../../src/http/endpoint.ts'
import { queryOf } from '../../src/http/request/parameters.ts'
import { reportHeld } from '../support/cases/deployment-cases.ts'
import { fullOrganization } from '../support/cases/full-organization.ts'
import { endpoints, watch } from '../support/documented.ts'
import { type Client, openWorld, unlimited, type World } from '../support/world.ts'

type Json = Record<string, unknown>

let world: World
let owner: Client
let sandboxOwner: Client

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
  const organization = await fullOrganization(world)
  owner = organization.owner
  const [profile] = (await owner.get('/profiles')).json().data
  await reportHeld(organization, profile.id)
  await budgetThisMonth()
  await shareReport()
  await owner.post('/auth/factors', { kind: 'totp' })
  sandboxOwner = (await world.organization({ sandbox: true })).owner
})
afterAll(() => world.close())

/** The pacing of a client has a row for each currency of its budget. */
async function budgetThisMonth(): Promise<void> {
  const [client] = (await owner.get('/clients')).json().data
  const month = world.clock.now().toISOString().slice(0, 7)
  await owner.put(`/clients/${client.id}/budgets/${month}`, { amounts: { USD: 100, EUR: 5 } })
}

/** The newest report has a snapshot and a link. */
async function shareReport(): Promise<void> {
  const [{ id }] = (await owner.get('/reports')).json().data
  await owner.post(`/reports/${id}/snapshots`)
  const expires_at = new Date(world.clock.now().getTime() + 86_400_000).toISOString()
  await owner.post(`/reports/${id}/links`, { expires_at })
}

/** Connectors alone may use theirs. */
const gets = endpoints.filter(
  (endpoint) => methodsOf(endpoint).includes('GET') && !endpoint.path.startsWith('/connector/'),
)
const selecting = gets.filter((endpoint) => 'fields' in queryOf(endpoint))
const paths = selecting.map(({ path }) => path)
const listPaths = paths.filter((path) => !path.includes(':'))

/** The path with the id of the first object of each collection in it, or undefined without one. */
async function urlOf(path: string): Promise<string | undefined> {
  let url = ''
  for (const part of path.split('/').slice(1)) {
    const id = part.startsWith(':') ? (await owner.get(url)).json().data[0]?.id : part
    if (id === undefined) return undefined
    url += `/${id}`
  }
  return url
}

const clientOf = (path: string) => (path === '/sandbox' ? sandboxOwner : owner)

const objectsIn = (body: Json): Json[] => (Array.isArray(body.data) ? body.data : [body])
const pick = (object: Json, names: readonly string[]) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)))

test('is on every list, and on every object that has an id', () => {
  const without = gets.filter(({ path }) => !paths.includes(path)).map(({ path }) => path)
  expect(without.sort()).toEqual(
    [
      '/api_keys/:id/agent',
      '/audit_logs/export',
      '/audit_logs/verify',
      '/auth/login_code',
      '/auth/me',
      '/auth/me/notifications',
      '/auth/sso',
      '/campaigns/:id/pacing',
      '/campaigns/export',
      '/clients/export',
      '/results/export',
      '/events/stream',
      '/limits',
      '/profiles/:id/connection',
      '/reference/campaign_states',
      '/reports/:id/data',
      '/reports/:id/page',
      '/reports/:id/snapshots/:snapshot_id',
      '/reports/:id/snapshots/:snapshot_id/page',
    ].sort(),
  )
})

describe('fields leaves the chosen fields as they are, and nothing else', () => {
  test.each(paths)('%s', async (path) => {
    const url = await urlOf(path)
    if (url === undefined) return expect(path).toMatch(/deliveries/)
    const client = clientOf(path)
    const whole = (await client.get(url)).json()
    const names = Object.keys(objectsIn(whole)[0] ?? {})
    const property = fc.asyncProperty(fc.subarray(names, { minLength: 1 }), async (chosen) => {
      const part = (await client.get(`${url}?fields=${chosen}`)).json()
      const kept = ['id', ...chosen]
      expect(objectsIn(part)).toEqual(objectsIn(whole).map((object) => pick(object, kept)))
      expect(part.meta).toEqual(whole.meta)
    })
    await fc.assert(property, { numRuns: 4, seed: 4711, endOnFailure: true })
  })
})

test.each(listPaths)('an unknown field of %s is 400 and names the known ones', async (path) => {
  const client = clientOf(path)
  const [whole, reply] = [await client.get(path), await client.get(`${path}?fields=nmae`)]
  expect([reply.statusCode, reply.json().code]).toEqual([400, 'invalid_parameter'])
  const [fault] = reply.json().errors
  expect(fault).toMatchObject({ parameter: 'fields', code: 'invalid_enum_value', given: 'nmae' })
  const [first = {}] = objectsIn(whole.json())
  expect(fault.allowed).toEqual(expect.arrayContaining(Object.keys(first)))
})

describe('fields', () => {
  test('may be sent several times, in any order and repeatedly', async () => {
    for (const search of ['fields=name,status', 'fields=status&fields=name&fields=name']) {
      const { data } = (await owner.get(`/campaigns?${search}`)).json()
      for (const object of data) expect(Object.keys(object)).toEqual(['id', 'name', 'status'])
    }
  })

  test('is refused when empty, and names of other objects are unknown', async () => {
    for (const name of ['', 'data', 'delivery.state', '__proto__', 'x'.repeat(100)]) {
      const reply = await owner.get(`/campaigns?fields=${name}`)
      expect([name, reply.statusCode]).toEqual([name, 400])
      expect(reply.body).not.toContain('x'.repeat(65))
    }
    const suggestion = (await owner.get('/campaigns?fields=nmae')).json().errors[0].message
    expect(suggestion).toBe('has an unknown name; did you mean "name"?')
  })

  test('changes neither tag nor page, and works with as_of, HEAD and a cursor', async () => {
    const { data } = (await owner.get('/campaigns?limit=1')).json()
    const url = `/campaigns/${data[0].id}`
    const part = await owner.get(`${url}?fields=name`)
    expect(part.headers.etag).toBe(`"${data[0].version}"`)
    const again = await owner.get(`${url}?fields=name`, { 'if-none-match': '*' })
    expect(again.statusCode).toBe(304)
    const now = world.clock.now().toISOString()
    expect((await owner.get(`${url}?fields=name&as_of=${now}`)).body).toBe(part.body)
    const head = await owner.call({ method: 'HEAD', url: `${url}?fields=name` })
    expect([head.statusCode, head.headers['content-type']]).toEqual([
      200,
      part.headers['content-type'],
    ])
    const first = await owner.get('/campaigns?fields=name&limit=1')
    expect(first.headers.link).toContain('fields=name')
    const { next_cursor } = first.json().meta
    const second = (await owner.get(`/campaigns?cursor=${next_cursor}&fields=name`)).json()
    expect(Object.keys(second.data[0])).toEqual(['id', 'name'])
  })

  test('refusals stay whole', async () => {
    const reply = await owner.get('/campaigns/cmp_01m7yez275fk1a52pr5qevn8kn?fields=name')
    expect(reply.json()).toMatchObject({ status: 404, code: 'not_found' })
  })

  test('spares what is not shown', async () => {
    const counted: string[] = []
    const { reader } = world.services.database
    const { query } = reader
    Object.assign(reader, {
      query: (statement: { sql: string }) => {
        counted.push(statement.sql)
        return query(statement as Parameters<typeof query>[0])
      },
    })
    try {
      await owner.get('/campaigns?fields=name')
      expect(counted.filter((sql) => sql.includes('"profiles"'))).toEqual([])
      await owner.get('/campaigns?fields=delivery')
      expect(counted.filter((sql) => sql.includes('"profiles"'))).toHaveLength(1)
    } finally {
      Object.assign(reader, { query })
    }
  })
})
