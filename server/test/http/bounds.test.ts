import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignBody, profileOf } from '../support/cases/writes.ts'
import { openWorld, type Reply, type TestOrganization, type World } from '../support/world.ts'

let world: World
let acme: TestOrganization

beforeAll(async () => {
  world = await openWorld()
  acme = await world.organization()
})
afterAll(() => world.close())

const json = { 'content-type': 'application/json' }

const send = (path: string, payload: string, headers: Record<string, string> = {}) =>
  acme.owner.call({ method: 'POST', url: path, headers: { ...json, ...headers }, payload })

const codeOf = (reply: Reply) => `${reply.statusCode} ${reply.json().code}`
const codes = (reply: Reply) => reply.json().errors.map((each: { code: string }) => each.code)

const keys = (count: number) => Array.from({ length: count }, (_, at) => `"k${at}":0`).join()

describe('a body beyond a limit is 400 `malformed_json`', () => {
  test('a number of more than 400 characters, before it is parsed', async () => {
    const body = (length: number) => `{"a":1${'0'.repeat(length - 2)}1}`
    const login = { method: 'POST', url: '/auth/login', headers: json } as const
    for (const [length, code] of [
      [400, '422 validation_failed'],
      [401, '400 malformed_json'],
    ] as const) {
      expect(codeOf(await send('/templates', body(length)))).toBe(code)
      const reply = await world.anonymous.call({ ...login, payload: body(length) })
      expect(codeOf(reply)).toBe(code)
    }
    expect(codeOf(await send('/templates', body(500_000)))).toBe('400 malformed_json')
  })

  test('more than 5,000 members and items', async () => {
    expect(codeOf(await send('/templates', `{${keys(5_000)}}`))).toBe('422 validation_failed')
    expect(codeOf(await send('/templates', `{${keys(5_001)}}`))).toBe('400 malformed_json')
    const labels = `{"labels":[${Array(5_000).fill('0')}]}`
    expect(codeOf(await send('/templates', labels))).toBe('400 malformed_json')
  })

  test('more than 50,000 in a bulk request', async () => {
    const body = (count: number) => `{"mode":"partial","operations":[${Array(count).fill('0')}]}`
    expect(codeOf(await send('/campaigns/bulk', body(49_998)))).toBe('422 validation_failed')
    expect(codeOf(await send('/campaigns/bulk', body(49_999)))).toBe('400 malformed_json')
  })

  test.each([
    ['/campaigns/bulk', '{"mode":"partial","operations":[{"op":"delete","id":"\\ud800"}]}'],
    ['/campaigns/bulk', '{"mode":"partial","operations":[{"op":"delete","\\udc00":1}]}'],
    ['/templates', '{"name":"\\ud83d"}'],
    ['/auth/password', '{"\\ud83d":1}'],
  ])('an unpaired surrogate, also with an idempotency key: %s %s', async (path, body) => {
    const reply = await send(path, body, { 'idempotency-key': 'surrogate' })
    expect(codeOf(reply)).toBe('400 malformed_json')
  })
})

test('an amount of more than 64 characters is `invalid_format`', async () => {
  const profile = await profileOf(acme)
  const budget = (daily_budget: string) =>
    acme.owner.post('/campaigns', { ...campaignBody(profile), daily_budget })
  expect((await budget(`33.51${'0'.repeat(59)}`)).statusCode).toBe(201)
  for (const length of [65, 40_000]) {
    const reply = await budget(`1${'0'.repeat(length - 2)}1`)
    expect(reply.json().errors).toMatchObject([
      { pointer: '/daily_budget', code: 'invalid_format' },
    ])
  }
})

test('metadata of more than 16 KiB in total is `too_long`', async () => {
  const metadata = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`key_${at}`, 'x'.repeat(500)]),
  )
  const reply = await acme.owner.post('/templates', { name: 'Large', metadata })
  expect(reply.statusCode).toBe(422)
  expect(reply.json().errors).toMatchObject([
    { pointer: '/metadata', code: 'too_long', limit: 16 * 1024 },
  ])
})

test('a key with U+0000 is reported with a pointer', async () => {
  const reply = await acme.owner.post('/templates', { name: 'A', metadata: { 'a\u0000/b': 'x' } })
  expect(reply.json().errors).toMatchObject([
    { pointer: '/metadata/a\u0000~1b', code: 'invalid_format' },
  ])
})

describe('a name of more than 64 characters is not repeated', () => {
  const name = 'n'.repeat(65)

  test.each([
    ['a field', { name: 'A', [name]: 1 }],
    ['a key', { name: 'A', metadata: { [name]: 1 } }],
    ['a field in a field', { name: 'A', defaults: { [name]: 1 } }],
  ])('%s', async (_, body) => {
    const reply = await acme.owner.post('/templates', body)
    expect(reply.statusCode).toBe(422)
    expect(reply.body).not.toContain(name)
  })

  test('a duplicate key, a parameter', async () => {
    const twice = await send('/templates', `{"${name}":1,"${name}":2}`)
    expect(codeOf(twice)).toBe('400 malformed_json')
    const replies = [twice, await acme.owner.get(`/templates?${name}=1`)]
    for (const { body, statusCode } of replies) {
      expect(statusCode).toBe(400)
      expect(body).not.toContain(name)
    }
  })
})

test('at most fifty faults of any kind are reported', async () => {
  for (const body of [`{${keys(5_000)}}`, `{"metadata":{${keys(4_000)}}}`]) {
    expect(codes(await send('/templates', body))).toHaveLength(50)
  }
  const query = Array.from({ length: 1_000 }, (_, at) => `k${at}=1`).join('&')
  expect(codes(await acme.owner.get(`/templates?${query}`))).toHaveLength(50)
})

describe('a body counts as one request per started 16 KiB', () => {
  const unit = 16 * 1024
  const remaining = ({ headers }: Reply) => Number(headers['x-ratelimit-remaining'])
  const left = async ({ owner }: TestOrganization) =>
    (await owner.get('/limits')).json().requests.remaining
  const body = (bytes: number) => `{"notes":"${'x'.repeat(bytes - 12)}"}`
  const malformed = (bytes: number) => body(bytes).slice(0, -1).padEnd(bytes, 'x')

  const sendOf =
    ({ owner }: TestOrganization, headers: Record<string, string> = {}) =>
    (payload: string | Readable, path = '/templates') =>
      owner.call({ method: 'POST', url: path, headers: { ...json, ...headers }, payload })

  test('whether or not it is valid', async () => {
    const organization = await world.organization({ plan: 'free' })
    const send = sendOf(organization)
    for (const [payload, after] of [
      [body(unit), 99],
      [body(unit + 1), 97],
      [malformed(10 * unit), 87],
      [body(64 * unit), 23],
      [body(64 * unit + 1), 22],
    ] as const) {
      expect([payload.length, remaining(await send(payload))]).toEqual([payload.length, after])
    }
    const refused = await send(body(64 * unit))
    expect(codeOf(refused)).toBe('429 rate_limited')
    // A refused body does not count; the attempt does.
    expect(await left(organization)).toBe(21)
  })

  test('also in chunks, before it is parsed', async () => {
    const organization = await world.organization({ plan: 'free' })
    const send = sendOf(organization, { 'transfer-encoding': 'chunked' })
    expect(remaining(await send(Readable.from([body(4 * unit)])))).toBe(96)
    expect(remaining(await send(Readable.from([malformed(60 * unit)])))).toBe(36)
    expect(codeOf(await send(Readable.from([malformed(40 * unit)])))).toBe('429 rate_limited')
    expect(await left(organization)).toBe(35)
  })

  test('or per ten operations, whichever is more', async () => {
    const organization = await world.organization({ plan: 'free' })
    const send = sendOf(organization)
    const bulk = (count: number, padding: number) =>
      JSON.stringify({
        mode: 'partial',
        operations: Array(count).fill({ op: 'delete', id: 'cmp_x' }),
      }).padEnd(padding, ' ')
    expect(remaining(await send(bulk(30, 0), '/campaigns/bulk'))).toBe(97)
    expect(remaining(await send(bulk(30, 2 * unit), '/campaigns/bulk'))).toBe(94)
    expect(remaining(await send(bulk(30, 5 * unit), '/campaigns/bulk'))).toBe(89)
  })
})
