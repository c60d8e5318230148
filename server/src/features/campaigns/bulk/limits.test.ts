import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  create,
  everythingOf,
  expectWhole,
  modes,
  send,
  statusesIn,
} from '../../../../test/support/cases/bulk.ts'
import { made, profileOf } from '../../../../test/support/cases/writes.ts'
import { watch } from '../../../../test/support/documented.ts'
import { openWorld, type Reply, type World } from '../../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  const env = { FLIGHTDECK_PLAN_LIMITS: 'free=20,zion=1000000', FLIGHTDECK_CAPS: 'campaigns=3' }
  world = watch(await openWorld({ env }))
})
afterAll(() => world.close())

const remaining = ({ headers }: Reply) => Number(headers['x-ratelimit-remaining'])

const useless = (count: number) =>
  Array.from({ length: count }, () => ({ op: 'delete', id: 'cmp_x' }))

test('a request counts as one per ten operations', async () => {
  const organization = await world.organization({ plan: 'free' })
  for (const [count, left] of [
    [1, 19],
    [10, 18],
    [11, 16],
    [20, 14],
    [21, 11],
  ] as const) {
    const reply = await send(organization, { mode: 'partial', operations: useless(count) })
    expect([reply.statusCode, count, remaining(reply)]).toEqual([207, count, left])
    expect(reply.headers.ratelimit).toMatch(`r=${left};`)
  }
})

test('a request beyond the limit is 429, changes nothing and does not count', async () => {
  const organization = await world.organization({ plan: 'free' })
  const operations = useless(100)
  const first = await send(organization, { mode: 'partial', operations })
  expect(remaining(first)).toBe(10)
  const small = await send(organization, { mode: 'partial', operations: useless(1) })
  expect(remaining(small)).toBe(9)
  const before = await everythingOf(world, organization)
  for (const mode of modes) {
    const reply = await send(organization, { mode, operations })
    expect([reply.statusCode, reply.json().code]).toEqual([429, 'rate_limited'])
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
    expect(remaining(reply)).toBe(9)
  }
  expect(await everythingOf(world, organization)).toEqual(before)
  const fitting = await send(organization, { mode: 'partial', operations: useless(90) })
  expect([fitting.statusCode, remaining(fitting)]).toEqual([207, 0])
})

test('a refused body counts by its operations too, and never as more than ten', async () => {
  const organization = await world.organization({ plan: 'free' })
  const { owner } = organization
  for (const [body, left] of [
    [{}, 19],
    [[], 18],
    [null, 17],
    [{ operations: 'many' }, 16],
    [{ operations: useless(500) }, 6],
  ] as const) {
    const reply = await owner.call({
      method: 'POST',
      url: '/campaigns/bulk',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    })
    expect([reply.statusCode, remaining(reply)]).toEqual([422, left])
  }
})

describe.each([false, true])(
  'caps apply across operations (with a taken external id: %s)',
  (odd) => {
    test('one above the cap fails, unless an earlier operation made room', async () => {
      const organization = await world.organization()
      const profile = await profileOf(organization)
      const first = await made(organization.owner, '/campaigns', {
        ...create(profile).body,
        external_id: 'a',
      })
      const operations = [
        create(profile),
        create(profile, odd ? { external_id: 'a' } : {}),
        create(profile),
        create(profile),
        { op: 'action', id: first, action: 'archive' },
        create(profile),
        { op: 'action', id: first, action: 'unarchive' },
        create(profile),
      ]
      const atomic = await send(organization, { mode: 'atomic', operations })
      expect(atomic.json().code).toBe('bulk_failed')
      await expectWhole(organization)
      const reply = await send(organization, { mode: 'partial', operations })
      const created = odd ? [201, 409, 201, 409] : [201, 201, 409, 409]
      expect(statusesIn(reply)).toEqual([...created, 200, 201, 409, 409])
      expect(reply.json().results[3].problem).toMatchObject({
        code: 'limit_exceeded',
        resource: 'campaigns',
        limit: 3,
      })
      expect(atomic.json().errors.map(({ code }: { code: string }) => code)).toEqual([
        ...(odd ? ['external_id_taken'] : ['limit_exceeded']),
        'limit_exceeded',
        'limit_exceeded',
        'limit_exceeded',
      ])
      await expectWhole(organization)
    })
  },
)
