import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  deliveriesTo,
  endpointOf,
  hookUrl,
  makeEvents,
  rowsOf,
} from '../../test/support/deliveries.ts'
import { lockWaits } from '../../test/support/machines/citus.ts'
import { type OwnWorld, openOwnWorld } from '../../test/support/own-world.ts'
import type { TestOrganization } from '../../test/support/world.ts'
import { recordResults } from './record.ts'

let world: OwnWorld

beforeAll(async () => {
  world = await openOwnWorld()
})
afterAll(() => world.close())

const year = 365 * 86_400_000
const after = (ms: number) => new Date(world.clock.now().getTime() + ms).toISOString()

/** A failed attempt with a clock that is a year ahead, of a sandbox that is `aheadMs` ahead. */
async function attempted(aheadMs: number) {
  const organization = await world.organization({ sandbox: true })
  const endpoint = await endpointOf(organization)
  await makeEvents(organization, 1)
  const [delivery] = await deliveriesTo(organization.owner, endpoint.id)
  await setClock(world.database, organization, aheadMs)
  const { id, next_attempt_at } = delivery ?? { id: '', next_attempt_at: '' }
  const startedAt = after(year)
  const outcome = {
    started_at: startedAt,
    duration_ms: 1,
    address: null,
    response_status: 500,
    response_headers: null,
    response_body: null,
    error: { kind: 'http_status', message: 'answered 500' },
  } as const
  const result = {
    deliveryId: id,
    number: 1,
    trigger: 'auto',
    dueAt: String(next_attempt_at),
    aheadMs: year,
    requestHeaders: {},
    outcome,
    status: 'pending',
    retryCount: 1,
    nextAttemptAt: after(year + 5_000),
  } as const
  const health = {
    lastSuccessAt: null,
    lastFailureAt: startedAt,
    consecutiveFailures: 10,
    failingSince: startedAt,
    pausedUntil: after(year + 60_000),
  }
  const key = { organizationId: organization.id, endpointId: endpoint.id }
  const attempt = { key, results: [result], health, url: hookUrl, now: startedAt, aheadMs: year }
  const record = (other: Partial<typeof attempt> = {}) =>
    recordResults(world.services.database, { ...attempt, ...other })
  return { organization, record }
}

type QueriedPart = { query(sql: string, parameters: unknown[]): Promise<unknown> }

const setClock = (database: QueriedPart, { id }: TestOrganization, aheadMs: number) =>
  database.query('update organizations set clock_ahead_ms = $2 where id = $1', [id, aheadMs])

async function stateOf(organization: TestOrganization) {
  const [delivery] = await rowsOf(world, 'webhook_deliveries', organization)
  const [endpoint] = await rowsOf(world, 'webhook_endpoints', organization)
  return [delivery?.attempt_count, delivery?.next_attempt_at, endpoint?.paused_until]
}

test.each([
  ['was not set', year, year],
  ['was set forward', 2 * year, year],
  ['was set back', 0, 0],
])(
  'when the clock %s meanwhile, the attempt is recorded with the new time',
  async (_, aheadMs, recorded) => {
    const { organization, record } = await attempted(aheadMs)
    await record()
    const pausedUntil = aheadMs === 0 ? null : after(year + 60_000)
    expect(await stateOf(organization)).toEqual([1, after(recorded + 5_000), pausedUntil])
  },
)

test('recording waits for a running reset', async () => {
  const { organization, record } = await attempted(year)
  const reset = new pg.Client(world.database.address)
  await reset.connect()
  await reset.query('begin')
  await reset.query('update webhook_endpoints set paused_until = null where organization_id = $1', [
    organization.id,
  ])
  await setClock(reset, organization, 0)
  const recorded = record()
  await expect.poll(() => lockWaits(world.database)).toBe(1)
  await reset.query('commit')
  await reset.end()
  await recorded
  expect((await stateOf(organization)).at(-1)).toBeNull()
})

test('when the URL has changed meanwhile, the attempt is recorded, and the health left alone', async () => {
  const { organization, record } = await attempted(year)
  await record({ url: 'https://example.com/former' })
  expect(await stateOf(organization)).toEqual([1, after(year + 5_000), null])
})
