import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { deliveriesTo, endpointOf, hookUrl, makeEvents } from '../../../test/support/deliveries.ts'
import { lockWaits } from '../../../test/support/machines/citus.ts'
import { type OwnWorld, openOwnWorld } from '../../../test/support/own-world.ts'
import type { TestOrganization } from '../../../test/support/world.ts'
import { type Result, recordResults, skipPending } from '../../delivery/record.ts'
import type { Services } from '../../kernel/context.ts'

let world: OwnWorld
/** The errors of the transactions that PostgreSQL has aborted. */
let refusals: unknown[] = []

beforeAll(async () => {
  world = await openOwnWorld({ alter: noteRefusals })
})
afterAll(() => world.close())
afterEach(() => {
  refusals = []
})

function noteRefusals(services: Services): Services {
  const { database } = services
  const note = (error: { code?: unknown }) => {
    refusals.push(error.code)
    throw error
  }
  return {
    ...services,
    database: {
      ...database,
      transaction: (work) => database.transaction(work).catch(note),
      sharedTransaction: (key, work) => database.sharedTransaction(key, work).catch(note),
    },
  }
}

type Scene = { organization: TestOrganization; id: string; deliveryIds: string[] }

/** An endpoint of a sandbox with two deliveries of this status. */
async function scene(status: 'pending' | 'skipped'): Promise<Scene> {
  const organization = await world.organization({ sandbox: true })
  const { id } = await endpointOf(organization)
  await makeEvents(organization, 2)
  if (status === 'skipped') {
    await organization.owner.post(`/webhook_endpoints/${id}/disable`)
    await organization.owner.post(`/webhook_endpoints/${id}/enable`)
  }
  world.clock.advance(1_000)
  const deliveries = await deliveriesTo(organization.owner, id)
  return { organization, id, deliveryIds: deliveries.map((delivery) => delivery.id) }
}

const now = () => world.clock.now().toISOString()

const succeeded = (deliveryId: string): Result => ({
  deliveryId,
  number: 1,
  trigger: 'auto',
  dueAt: now(),
  aheadMs: 0,
  requestHeaders: {},
  outcome: {
    started_at: now(),
    duration_ms: 1,
    address: null,
    response_status: 200,
    response_headers: null,
    response_body: null,
    error: null,
  },
  status: 'succeeded',
  retryCount: 0,
  nextAttemptAt: null,
})

/** Records attempts of all deliveries, the newest first. */
const record = ({ organization, id, deliveryIds }: Scene) =>
  recordResults(world.services.database, {
    key: { organizationId: organization.id, endpointId: id },
    results: deliveryIds.toReversed().map(succeeded),
    health: {
      lastSuccessAt: now(),
      lastFailureAt: null,
      consecutiveFailures: 0,
      failingSince: null,
      pausedUntil: null,
    },
    url: hookUrl,
    now: now(),
    aheadMs: 0,
  })

const skip = ({ organization, id }: Scene) =>
  skipPending(world.services.database, { organizationId: organization.id, endpointId: id }, now())

const waiting = () => lockWaits(world.database)

/** A connection with a transaction. */
async function opened(): Promise<pg.Client> {
  const client = new pg.Client(world.database.address)
  await client.connect()
  await client.query('begin')
  return client
}

/** Runs both while all deliveries are locked, so that each holds what it locks before these. */
async function sideBySide(works: readonly ((scene: Scene) => Promise<unknown>)[], on: Scene) {
  const holder = await opened()
  await holder.query('select from webhook_deliveries where organization_id = $1 for update', [
    on.organization.id,
  ])
  const running: Promise<unknown>[] = []
  try {
    for (const work of works) {
      running.push(work(on))
      await expect.poll(waiting).toBe(running.length)
    }
  } finally {
    await holder.query('commit')
    await holder.end()
    await Promise.allSettled(running)
  }
}

const changes = [
  [
    'deleting',
    ({ organization, id }: Scene) => organization.owner.delete(`/webhook_endpoints/${id}`),
  ],
  [
    'disabling',
    ({ organization, id }: Scene) => organization.owner.post(`/webhook_endpoints/${id}/disable`),
  ],
  ['emptying its sandbox', ({ organization }: Scene) => organization.owner.delete('/sandbox')],
  ['skipping its deliveries', skip],
] as const

const bothOrders = changes.flatMap(([name, work]) => [
  [`${name}, then recording attempts`, [work, record]] as const,
  [`recording attempts, then ${name}`, [record, work]] as const,
])

test.each(bothOrders)('an endpoint is locked before its deliveries: %s', async (_, works) => {
  await sideBySide(works, await scene('pending'))
  expect(refusals).toEqual([])
})

const recover = ({ organization, id }: Scene) =>
  organization.owner.post(`/webhook_endpoints/${id}/recover`, {
    since: new Date(world.clock.now().getTime() - 3_600_000).toISOString(),
  })

test.each([
  ['recovering, then recording attempts', [recover, record]],
  ['recording attempts, then recovering', [record, recover]],
] as const)('an endpoint is locked before its deliveries: %s', async (_, works) => {
  await sideBySide(works, await scene('skipped'))
  expect(refusals).toEqual([])
})

test('a recovery locks the head of the organization before the endpoint', async () => {
  const on = await scene('skipped')
  const client = await opened()
  await client.query('select from organization_heads where organization_id = $1 for update', [
    on.organization.id,
  ])
  const recovered = recover(on)
  await expect.poll(waiting).toBe(1)
  // As another process does after the head: it waits for nothing.
  const endpointSql = `select from webhook_endpoints
    where organization_id = $1 and id = $2 for update nowait`
  await client.query(endpointSql, [on.organization.id, on.id])
  await client.query('commit')
  await client.end()
  expect((await recovered).json()).toEqual({ recovered: 2, has_more: false })
})
