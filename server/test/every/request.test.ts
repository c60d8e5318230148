import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { methodsOf } from '../../src/http/endpoint.ts'
import { maxBytesOf } from '../../src/http/request/body.ts'
import { rulesOf } from '../../src/query/parameters.ts'
import { madeKey } from '../support/api-keys.ts'
import { missingPath } from '../support/cases/unknown-ids.ts'
import { endpoints, watch } from '../support/documented.ts'
import { type Client, openWorld, type Reply, unlimited, type World } from '../support/world.ts'

const routes = endpoints.flatMap((endpoint) =>
  methodsOf(endpoint).map((method) => ({
    name: `${method} ${endpoint.path}`,
    method,
    url: missingPath(endpoint.path),
    query: Object.keys(endpoint.query ?? {}),
    repeatable: Object.entries(endpoint.query ?? {})
      .filter(([, schema]) => rulesOf(schema).repeats)
      .map(([name]) => name),
    isOpen: endpoint.permission === null,
    isConnectors: endpoint.path.startsWith('/connector/'),
    takesKey: method !== 'GET' && endpoint.permission !== null && !endpoint.noKey,
    mostBytes: maxBytesOf(endpoint),
    isFile: endpoint.takes !== undefined,
    isLarge: endpoint.maxBytes !== undefined,
  })),
)
type Route = (typeof routes)[number]
// Files have tests of their own: server/src/features/change-sets/csv/from-csv.test.ts.
const taking = routes.filter(({ method, isFile }) => method !== 'GET' && !isFile)
const lists = routes.filter(({ query }) => query.includes('cursor'))

let world: World
let owner: Client
let connector: Client

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
  owner = (await world.organization()).owner
  connector = (await madeKey(world, owner, { role: 'connector' })).client
})
afterAll(() => world.close())

/** A client that may use the route. */
const callerOf = ({ isConnectors }: Route): Client => (isConnectors ? connector : owner)

type Sent = { type?: string | null; body: string | Buffer; headers?: Record<string, string> }

const send = (route: Route, { type, body, headers = {} }: Sent): Promise<Reply> =>
  callerOf(route).call({
    method: route.method,
    url: route.url,
    payload: body,
    headers: { ...(type !== null && { 'content-type': type ?? 'application/json' }), ...headers },
  })

/** Members of every problem. */
function expectProblem(reply: Reply, [status, code]: readonly [number, string], hint: unknown) {
  const {
    type,
    status: actualStatus,
    code: actualCode,
    request_id,
    instance,
    errors,
  } = reply.json()
  expect([hint, reply.statusCode, actualCode]).toEqual([hint, status, code])
  expect([type, actualStatus]).toEqual([`/problems/${code}`, status])
  expect(instance).toMatch(/^\/api\/v1\//)
  expect(request_id).toBe(reply.headers['x-request-id'])
  expect(Array.isArray(errors)).toBe(true)
  expect(reply.headers['cache-control']).toBe('no-store')
  expect(reply.headers['content-type']).toMatch(/^application\/problem\+json/)
}

const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`

const malformed: Record<string, string | Buffer> = {
  'half an object': '{"name":',
  'a comma too many': '{"name":"A",}',
  'two values': '{} {}',
  'a comment': '{/* */}',
  'single quotes': "{'name':'A'}",
  NaN: '{"name":NaN}',
  'a bare word': 'name',
  'blanks alone': '  ',
  'a duplicate key': '{"name":"A","name":"B"}',
  'a duplicate key with the same value': '{"name":"A","name":"A"}',
  'a duplicate key in escapes': '{"name":"A","\\u006eame":"B"}',
  'an inner duplicate key': '{"metadata":{"a":"1","a":"2"}}',
  'depth 33': nested(33),
  'depth 100,000': `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  'the key __proto__': '{"__proto__":{"role":"owner"}}',
  'an inner __proto__': '{"metadata":{"__proto__":{}}}',
  'bytes that are no UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  'a lone surrogate in bytes': Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
  'UTF-16': Buffer.from('{"name":"A"}', 'utf16le'),
  'a raw control character': '{"name":"A\nB"}',
  'a lone surrogate': '{"x":"\\ud800"}',
  'a lone surrogate as key': '{"\\udfff":1}',
  'a number of 401 characters': `{"x":1${'0'.repeat(399)}1}`,
  'more members than any body has': `{${Array.from({ length: 50_001 }, (_, at) => `"${at}":0`)}}`,
}

describe('a body that is not JSON is 400', () => {
  test.each(taking)('$name', async (route) => {
    for (const [hint, body] of Object.entries(malformed)) {
      if (body.length > route.mostBytes) continue
      expectProblem(await send(route, { body }), [400, 'malformed_json'], hint)
    }
  })
})

const foreignTypes = [
  null,
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonx',
  'application/json; charset=utf-16',
  'application/json, text/plain',
  'application/xml',
  'text/json',
]

describe('a body of another type is 415', () => {
  test.each(taking)('$name', async (route) => {
    const merge = 'application/merge-patch+json'
    const types = route.method === 'PATCH' ? foreignTypes : [...foreignTypes, merge]
    for (const type of types) {
      const reply = await send(route, { type, body: '{}' })
      expectProblem(reply, [415, 'unsupported_media_type'], type)
    }
    const headers = { 'content-encoding': 'gzip' }
    const packed = await send(route, { body: Buffer.from([0x1f, 0x8b]), headers })
    expectProblem(packed, [415, 'unsupported_media_type'], 'gzip')
  })
})

const fineTypes = [
  'application/json',
  'application/json;charset=utf-8',
  'Application/JSON ; CHARSET="UTF-8"',
]

/** Bodies that are valid JSON but that no endpoint accepts. */
const unacceptable: Record<string, [string, string]> = {
  'an unknown field': ['{"nam":"A"}', 'unknown_field'],
  'an unknown field, a prototype’s': ['{"constructor":{}}', 'unknown_field'],
  null: ['null', 'invalid_type'],
  'a list': ['[]', 'invalid_type'],
  'a text': ['"name"', 'invalid_type'],
  'a number': ['1', 'invalid_type'],
  true: ['true', 'invalid_type'],
  NUL: ['{"x":"a\\u0000b"}', 'invalid_format'],
  'depth 32': [nested(32), 'unknown_field'],
}

describe('a JSON body that the endpoint does not accept is 422 with pointers', () => {
  test.each(taking)('$name', async (route) => {
    for (const [hint, [body, code]] of Object.entries(unacceptable)) {
      for (const type of fineTypes) {
        const reply = await send(route, { type, body })
        expectProblem(reply, [422, 'validation_failed'], hint)
        const faults: { code: string; pointer: string }[] = reply.json().errors
        expect([hint, faults.map((each) => each.code)]).toEqual([
          hint,
          expect.arrayContaining([code]),
        ])
        expect(faults.every(({ pointer }) => typeof pointer === 'string')).toBe(true)
      }
    }
  })
})

describe('a body of more than 1 MiB, 8 MiB of change sets, or 2 KiB where no token is needed, is 413', () => {
  test.each(taking)('$name', async (route) => {
    const usual = route.isOpen ? 2 * 1024 : 1024 * 1024
    expect(route.mostBytes).toBe(route.isLarge ? 8 * 1024 * 1024 : usual)
    const body = JSON.stringify({ x: 'a'.repeat(route.mostBytes) })
    expectProblem(await send(route, { body }), [413, 'body_too_large'], body.length)
  })
})

const badHeaders: [string, string][] = [
  ['if-match', '3'],
  ['if-match', '"3'],
  ['if-match', 'W/3'],
  ['if-match', '"1" "2"'],
  ['if-match', ''],
  ['x-audit-reason', 'r'.repeat(501)],
  ['x-audit-reason', 'a\u0007b'],
]

const badKeys = ['', 'k'.repeat(256), 'schlüssel', 'a\tb']

async function expectRefused(route: Route, [name, value]: [string, string]) {
  const { method, url } = route
  const reply = await callerOf(route).call({ method, url, headers: { [name]: value } })
  expectProblem(reply, [400, 'invalid_header'], [name, value])
  const faults: { header: string }[] = reply.json().errors
  expect(faults.map(({ header }) => header.toLowerCase())).toEqual([name])
}

describe('a malformed header is 400', () => {
  test.each(routes)('$name', async (route) => {
    for (const header of badHeaders) await expectRefused(route, header)
  })
})

describe('a malformed idempotency key is 400 on a write', () => {
  test.each(routes.filter(({ takesKey }) => takesKey))('$name', async (route) => {
    for (const key of badKeys) await expectRefused(route, ['idempotency-key', key])
  })
})

describe('an idempotency key is ignored, whatever it is, on a read and a login', () => {
  test.each(routes.filter(({ takesKey }) => !takesKey))('$name', async ({ method, url }) => {
    const { statusCode } = await owner.call({ method, url })
    for (const key of badKeys) {
      const reply = await owner.call({ method, url, headers: { 'idempotency-key': key } })
      expect([key, reply.statusCode]).toEqual([key, statusCode])
    }
  })
})

describe('an unknown query parameter is 400, and so is one sent too often', () => {
  test.each(routes)('$name', async (route) => {
    const { method, url, query, repeatable } = route
    const caller = callerOf(route)
    for (const search of [
      'colour=red',
      '=',
      'limit[]=1',
      '__proto__=1',
      'toString',
      'page=2&page=3',
    ]) {
      const reply = await caller.call({ method, url: `${url}?${search}` })
      expectProblem(reply, [400, 'unknown_parameter'], search)
    }
    for (const name of query) {
      const times = repeatable.includes(name) ? 101 : 2
      const search = Array.from({ length: times }, () => `${name}=1`).join('&')
      const reply = await caller.call({ method, url: `${url}?${search}` })
      expectProblem(reply, [400, 'invalid_parameter'], name)
    }
  })
})

const badQueries: [string, string][] = [
  ...['0', '-1', '1.5', 'ten', '', '1e1', ' 1', '0x10'].map((it): [string, string] => [
    `limit=${encodeURIComponent(it)}`,
    'invalid_parameter',
  ]),
  ...['', 'x', 'AAAA', '%00', '😀', 'a'.repeat(3000)].map((it): [string, string] => [
    `cursor=${it === '%00' ? it : encodeURIComponent(it)}`,
    it === '%00' ? 'invalid_parameter' : 'invalid_cursor',
  ]),
  ...['', 'colour', '--name', 'name,created_at', 'id', 'organization_id'].map(
    (it): [string, string] => [`sort=${it}`, 'invalid_parameter'],
  ),
  ['include_total=yes', 'invalid_parameter'],
]

describe('a list refuses an invalid limit, cursor or order', () => {
  test.each(lists)('$name', async ({ url, query }) => {
    for (const [search, code] of badQueries) {
      const name = search.split('=')[0] ?? ''
      const expected = query.includes(name) ? code : 'unknown_parameter'
      expectProblem(await owner.get(`${url}?${search}`), [400, expected], search)
    }
    const many = Array.from({ length: 21 }, (_, at) => at).join(',')
    for (const name of query.filter((it) => /^(status|platform|label|role|action)$/.test(it))) {
      const reply = await owner.get(`${url}?${name}=${many}`)
      expectProblem(reply, [400, 'invalid_parameter'], name)
    }
    for (const name of query.filter((it) => /_(after|before)$/.test(it))) {
      for (const value of ['yesterday', '2026-13-01T00:00:00Z', '2026-01-01', '1700000000']) {
        const reply = await owner.get(`${url}?${name}=${value}`)
        expectProblem(reply, [400, 'invalid_parameter'], [name, value])
      }
    }
  })
})
