import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type TestOrganization, type World } from '../server/test/support/world.ts'
import { createFlightdeck } from './src/client.ts'

let world: World
let baseUrl: string
let organization: TestOrganization

beforeAll(async () => {
  world = await openWorld()
  baseUrl = `${await world.app.listen({ host: '127.0.0.1', port: 0 })}/api/v1`
  organization = await world.organization()
})
afterAll(() => world.close())

/** A client that loses the first answer to each write, and the answers that came. */
function losing() {
  const answers: string[] = []
  const lost = new Set<string>()
  const client = createFlightdeck({
    baseUrl,
    token: organization.owner.token ?? '',
    fetch: async (request) => {
      const response = await fetch(request)
      if (request.method === 'GET') return response
      answers.push(`${request.method} ${response.status}`)
      const key = request.headers.get('idempotency-key') ?? 'none'
      if (lost.has(key)) return response
      lost.add(key)
      await response.body?.cancel()
      throw new TypeError('the connection broke')
    },
  })
  return { client, answers }
}

describe('a write whose answer is lost is repeated, and gets the answer that was lost', () => {
  test('update', async () => {
    const { client, answers } = losing()
    const template = await client.templates.create({ name: 'Updated' })
    const updated = await client.templates.update(template, { name: 'Once' })
    expect(updated).toMatchObject({ name: 'Once', version: 2 })
    expect(answers).toEqual(['POST 201', 'POST 201', 'PUT 200', 'PUT 200'])
  })

  test('patch', async () => {
    const { client } = losing()
    const template = await client.templates.create({ name: 'Patched' })
    expect(await client.templates.patch(template, { name: 'Now' })).toMatchObject({ version: 2 })
  })

  test('delete', async () => {
    const { client, answers } = losing()
    const template = await client.templates.create({ name: 'Deleted' })
    expect(await client.templates.delete(template)).toBeUndefined()
    expect(answers.slice(2)).toEqual(['DELETE 204', 'DELETE 204'])
  })
})

test('a write without a key is not repeated', async () => {
  let calls = 0
  const client = createFlightdeck({
    baseUrl,
    token: 't',
    idempotencyKeys: false,
    fetch: async () => {
      calls += 1
      throw new TypeError('the connection broke')
    },
  })
  await expect(client.templates.delete('tpl_1')).rejects.toThrow('in 1 attempt: the connection')
  expect(calls).toBe(1)
})

test('reads carry no key, writes the one that the caller gives', async () => {
  const keys: (string | null)[] = []
  const client = createFlightdeck({
    baseUrl,
    token: organization.owner.token ?? '',
    onRequest: (request) => {
      keys.push(request.headers.get('idempotency-key'))
      return undefined
    },
  })
  await client.templates.list()
  await client.request('get', '/templates')
  const { id } = await client.templates.create({ name: 'Keyed' }, { idempotencyKey: 'mine' })
  await client.templates.delete(id, { headers: { 'Idempotency-Key': 'theirs' } })
  expect(keys).toEqual([null, null, 'mine', 'theirs'])
})
