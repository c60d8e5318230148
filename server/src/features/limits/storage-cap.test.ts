import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  env,
  fill,
  largeMetadata,
  limit,
  refused,
  write,
} from '../../../test/support/cases/storage.ts'
import {
  type Client,
  clientOf,
  openWorld,
  type TestOrganization,
  type World,
} from '../../../test/support/world.ts'
import { storageWarning } from '../../kernel/storage.ts'
import { setOrganization } from '../organizations/organization.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({ env })
})
afterAll(() => world.close())

const newOrganization = () => world.organization({ plan: 'free' })

async function full(organization?: TestOrganization): Promise<TestOrganization> {
  const own = organization ?? (await newOrganization())
  await fill(own.owner)
  return own
}

const limitsOf = async (client: Client) => (await client.get('/limits')).json()

const warningsOf = async ({ owner }: TestOrganization) =>
  (await owner.get(`/events?type=${storageWarning}`)).json().data

describe('the cap on storage', () => {
  test('refuses what would exceed it, as other caps do', async () => {
    const { owner } = await newOrganization()
    const before = await limitsOf(owner)
    expect(before.caps.storage.limit).toBe(limit)
    expect(before.caps.storage.used).toBeLessThan(limit / 10)
    expect(before.storage.state).toBe('ok')
    const reply = await fill(owner)
    expect(reply.statusCode).toBe(409)
    expect(reply.json()).toMatchObject(refused)
    const { caps, storage } = await limitsOf(owner)
    expect(caps.storage.used).toBeGreaterThan(limit * 0.8)
    expect(caps.storage.used).toBeLessThan(limit + 50_000)
    expect(storage.state).not.toBe('ok')
    const tried = await owner.post('/profiles?validate_only=true', {
      name: 'B',
      metadata: largeMetadata(),
    })
    expect(tried.json()).toMatchObject(refused)
  })

  test('is none where the plan has none', async () => {
    const { owner } = await world.organization({ plan: 'zion' })
    await Promise.all(Array.from({ length: 20 }, () => write(owner)))
    const { caps, storage } = await limitsOf(owner)
    expect(caps.storage.limit).toBeNull()
    expect(caps.storage.used).toBeGreaterThan(limit)
    expect(storage.state).toBe('ok')
  })

  test('counts in a sandbox too, until that is reset', async () => {
    const { owner } = await full(await world.organization({ plan: 'free', sandbox: true }))
    expect((await owner.delete('/sandbox')).statusCode).toBe(204)
    world.clock.advance(60_000)
    expect((await write(owner)).statusCode).toBe(201)
  })

  test('lets writes go on once the plan is raised', async () => {
    const { owner, ctx } = await full()
    await setOrganization(ctx, () => ({ plan: 'operator' }))
    expect((await write(owner)).statusCode).toBe(201)
    expect((await limitsOf(owner)).caps.storage.limit).toBe(2_000_000)
  })

  test('lets writes go on within a minute after others have freed space', async () => {
    const organization = await full()
    const { owner, id } = organization
    const events = { sql: 'delete from events where organization_id = $1', parameters: [id] }
    await world.services.database.transaction(async (tx) => tx.send(events))
    expect((await write(owner)).json()).toMatchObject(refused)
    world.clock.advance(60_000)
    expect((await write(owner)).statusCode).toBe(201)
  })

  test('is the same in all processes, at once', async () => {
    const other = await openWorld({ env, clock: world.clock })
    const { owner } = await full()
    const elsewhere = clientOf(other.app, owner)
    expect((await write(elsewhere)).json()).toMatchObject(refused)
    await other.close()
  })

  test('counts what was stored before it was counted', async () => {
    const { owner, id, ctx } = await world.organization({ plan: 'operator' })
    await Promise.all(Array.from({ length: 20 }, () => write(owner)))
    const uncount = `update organization_heads set stored_bytes = 0, bytes_measured_at = null
      where organization_id = $1`
    await world.services.database.transaction(async (tx) =>
      tx.send({ sql: uncount, parameters: [id] }),
    )
    await setOrganization(ctx, () => ({ plan: 'free' }))
    expect((await write(owner)).json()).toMatchObject(refused)
  })

  test('is estimated while it cannot be measured', async () => {
    const { owner } = await newOrganization()
    await fill(owner)
    world.clock.advance(60_000)
    const { reader } = world.services.database
    const query = vi.spyOn(reader, 'query').mockImplementation(async () => {
      throw new Error('too slow')
    })
    expect((await write(owner)).json()).toMatchObject(refused)
    query.mockRestore()
  })
})

const nearlyFull = async (organization: TestOrganization) => {
  while ((await limitsOf(organization.owner)).caps.storage.used < limit * 0.8) {
    await write(organization.owner)
    world.clock.advance(60_000)
  }
}

describe('at 80 % of the cap', () => {
  test('there is one warning, as an event, in the audit log, the log and the metrics', async () => {
    const organization = await newOrganization()
    const { owner, id } = organization
    const counted = world.services.observability.counters.storageWarnings
    await nearlyFull(organization)
    expect((await limitsOf(owner)).storage.state).toBe('nearly_full')
    await write(owner)
    await owner.post('/templates', { name: 'B', defaults: {} })
    const warnings = await warningsOf(organization)
    expect(warnings).toMatchObject([
      { actor: { type: 'system' }, data: { object: { id, plan: 'free', limit }, previous: null } },
    ])
    const { data } = (await owner.get(`/audit_logs?action=${storageWarning}`)).json()
    expect(data).toMatchObject([{ actor: { type: 'system' }, resource: { id } }])
    const lines = world.logged.filter(({ organization_id }) => organization_id === id)
    expect(lines).toMatchObject([{ limit, used: warnings[0].data.object.used }])
    expect(world.services.observability.counters.storageWarnings).toBe(counted + 1)
  })

  test('there is another warning for another limit', async () => {
    const organization = await newOrganization()
    const { owner, ctx } = organization
    await nearlyFull(organization)
    await write(owner)
    await setOrganization(ctx, () => ({ plan: 'operator' }))
    await owner.post('/templates', { name: 'B', defaults: {} })
    await setOrganization(ctx, () => ({ plan: 'free' }))
    await owner.post('/templates', { name: 'C', defaults: {} })
    expect(await warningsOf(organization)).toHaveLength(2)
  })
})
