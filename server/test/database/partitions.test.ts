import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makePartitionsAhead } from '../../src/database/upkeep/partitions.ts'
import { pruneAuditLogs } from '../../src/features/audit-logs/retention.ts'
import { purgeEvents } from '../../src/features/events/retention.ts'
import { purgeIdempotencyKeys } from '../../src/kernel/idempotency.ts'
import { type OwnWorld, openOwnWorld } from '../support/own-world.ts'
import { clientOf, openWorld, type TestOrganization } from '../support/world.ts'

// The job creates partitions for all organizations: each test gets its own database.
let world: OwnWorld

beforeEach(async () => {
  world = await openOwnWorld()
})
afterEach(() => world.close())

const day = 86_400_000
const tables = [
  'audit_logs',
  'events',
  'idempotency_keys',
  'results',
  'webhook_attempts',
  'webhook_deliveries',
]
const signal = () => AbortSignal.timeout(10_000)

/** Partitions by table. */
async function partitions(): Promise<Record<string, string[]>> {
  const rows = await world.database.query<{ parent: string; name: string }>(
    `select inhparent::regclass::text as parent, inhrelid::regclass::text as name
     from pg_inherits i join pg_class c on c.oid = i.inhparent and c.relkind = 'p'
     order by name`,
  )
  const groups = Map.groupBy(rows, ({ parent }) => parent)
  return Object.fromEntries([...groups].map(([table, all]) => [table, all.map((it) => it.name)]))
}

const dated = (days: number) =>
  new Date(world.clock.now().getTime() + days * day).toISOString().slice(0, 10).replaceAll('-', '')

/** A change whose event is delivered, and whose reply is stored under a key. */
async function write(organization: TestOrganization): Promise<void> {
  const owner = await organization.as('owner')
  await owner.post('/webhook_endpoints', { url: 'https://example.com/hooks' })
  const headers = { 'idempotency-key': 'k' }
  expect((await owner.post('/profiles', { name: 'A' }, headers)).statusCode).toBe(201)
}

const placesOf = (table: string, { id }: TestOrganization) =>
  world.database.query<{ place: string }>(
    `select distinct tableoid::regclass::text as place from ${table} where organization_id = $1`,
    [id],
  )

describe('partitions', () => {
  test('exist for today and weeks ahead before the service serves; every row goes to its own', async () => {
    const made = await partitions()
    expect(Object.keys(made).sort()).toEqual(tables)
    for (const [table, names] of Object.entries(made)) {
      const last = names.at(-1) ?? ''
      expect(last >= `${table}_${dated(3)}`).toBe(true)
      expect(names.every((name) => /_\d{8}$/.test(name))).toBe(true)
    }
    expect(await makePartitionsAhead(world.services)).toEqual({ made: 0 })
  })

  test('are created ahead by the job as time passes', async () => {
    world.clock.advance(7 * day)
    // A week for each of three tables; keys of today and of three days ahead; for two tables a month
    // occasionally.
    expect((await makePartitionsAhead(world.services)).made).toBeOneOf([7, 9])
    expect(await makePartitionsAhead(world.services)).toEqual({ made: 0 })
    expect((await partitions()).idempotency_keys?.at(-1)).toBe(`idempotency_keys_${dated(3)}`)
  })

  test('are created once by replicas that start at the same time', async () => {
    world.clock.advance(100 * day)
    const { address } = world.database
    const start = () => openWorld({ address, clock: world.clock })
    const replicas = await Promise.all([start(), start(), start()])
    for (const replica of replicas) await replica.close()
    expect(await makePartitionsAhead(world.services)).toEqual({ made: 0 })
  })

  test('are created at the start of a service that was down for three months', async () => {
    const organization = await world.organization()
    await write(organization)
    world.clock.advance(100 * day)
    const replica = await openWorld({ address: world.database.address, clock: world.clock })
    expect((await partitions()).idempotency_keys).toContain(`idempotency_keys_${dated(3)}`)
    const other = await replica.organization()
    await write(other)
    expect(await placesOf('idempotency_keys', other)).toEqual([
      { place: `idempotency_keys_${dated(0)}` },
    ])
    await replica.close()
  })

  test('that are missing while the service runs are created by the first write', async () => {
    const organization = await world.organization()
    world.clock.advance(100 * day)
    await write(organization)
    await write(await world.organization())
    expect(await makePartitionsAhead(world.services)).toEqual({ made: 0 })
    const { owner } = await world.organization()
    expect((await owner.get('/audit_logs/verify')).json()).toMatchObject({ valid: true })
  })

  test('follow real time, however far ahead the clock of a sandbox is', async () => {
    const sandbox = await world.organization({ sandbox: true })
    const headers = { 'idempotency-key': 'k' }
    const ahead = { advance_seconds: 9 * 365 * 86_400 }
    expect((await sandbox.owner.post('/sandbox/clock', ahead, headers)).statusCode).toBe(200)
    await sandbox.owner.post('/webhook_endpoints', { url: 'https://example.com/hooks' })
    await sandbox.owner.post('/profiles', { name: 'A' })
    for (const table of tables.filter((name) => !/webhook_attempts|results/.test(name))) {
      expect([table, await placesOf(table, sandbox)]).toEqual([table, [expect.anything()]])
    }
    expect(await makePartitionsAhead(world.services)).toEqual({ made: 0 })
  })

  test('are pruned by id, and searched by an index', async () => {
    for (const [table, key] of [
      ['events', 'id'],
      ['webhook_deliveries', 'id'],
      ['webhook_attempts', 'delivery_id'],
    ]) {
      const id = `${table === 'events' ? 'evt' : 'dlv'}_7zzzzzzzzzzzzzzzzzzzzzzzzz`
      const names = (await partitions())[String(table)] ?? []
      const bounds = await world.database.query<{ low: string }>(
        `select substring(pg_get_expr(relpartbound, oid) from $$FROM \\('([^']+)$$) as low
         from pg_class where relname = $1`,
        [names[1]],
      )
      await world.database.query('set enable_seqscan = off')
      const plan = await world.database.query<{ 'QUERY PLAN': string }>(
        `explain select * from ${table}
         where organization_id = 'o' and ${key} = '${bounds[0]?.low}${id.slice(14)}'`,
      )
      expect(plan.map((line) => line['QUERY PLAN'])[0]).toMatch(`on ${names[1]}`)
      expect(plan[0]?.['QUERY PLAN']).toMatch('Index Scan')
    }
  })
})

describe('retention', () => {
  test('drops events by week, 30 days after it, without deleting rows', async () => {
    const organization = await world.organization()
    const countOf = async () => (await world.database.query('select from events')).length
    const before = await countOf()
    world.clock.advance(30 * day)
    await makePartitionsAhead(world.services)
    expect(await purgeEvents(world.services, signal())).toEqual({ dropped: 0 })
    expect(await countOf()).toBe(before)
    world.clock.advance(7 * day)
    expect(await purgeEvents(world.services, signal())).toEqual({ dropped: 1 })
    expect(await countOf()).toBe(0)
    const owner = await organization.as('owner')
    await owner.post('/profiles', { name: 'A' })
    const [newest] = (await owner.get('/events')).json().data
    expect(newest.sequence).toBe(before + 2)
  })

  test('keeps keys for 24 hours, then drops them by day', async () => {
    const organization = await world.organization()
    const headers = { 'idempotency-key': 'k' }
    const send = async () => {
      const { owner } = organization
      return owner.post('/templates', { name: 'Once' }, headers)
    }
    const first = await send()
    expect([(await send()).body, first.statusCode]).toEqual([first.body, 201])
    world.clock.advance(23 * 3_600_000)
    expect(await purgeIdempotencyKeys(world.services, signal())).toEqual({ dropped: 0 })
    expect((await send()).body).toBe(first.body)
    world.clock.advance(2 * day)
    expect((await purgeIdempotencyKeys(world.services, signal())).dropped).toBeGreaterThan(0)
    expect(await world.database.query('select from idempotency_keys')).toEqual([])
  })

  test('drops audit records by month; every chain stays valid and keeps its newest record', async () => {
    const [silent, busy] = [await world.organization(), await world.organization()]
    const prune = () => pruneAuditLogs(world.services, signal())
    const verify = async ({ ctx, as }: TestOrganization) => {
      const auditor = await as('auditor')
      const { valid, from_sequence } = (await auditor.get('/audit_logs/verify')).json()
      return { valid, from_sequence, organization: ctx.organization.id }
    }
    const recordsOf = ({ id }: TestOrganization) =>
      world.database.query<{ sequence: number; stored_on: string }>(
        `select sequence::int, stored_on::text from audit_logs
         where organization_id = $1 order by sequence`,
        [id],
      )
    const before = await recordsOf(silent)
    expect(await prune()).toEqual({ anchored: 0, dropped: 0 })
    world.clock.advance(200 * day)
    await write(busy)
    world.clock.advance(240 * day)
    expect((await prune()).dropped).toBeGreaterThan(0)
    const [kept, ...more] = await recordsOf(silent)
    expect([kept?.sequence, more]).toEqual([before.length, []])
    expect((await recordsOf(busy))[0]?.sequence).toBe(before.length + 1)
    expect(await verify(busy)).toMatchObject({ valid: true, from_sequence: before.length + 1 })
    expect(await verify(silent)).toMatchObject({ valid: true, from_sequence: before.length })
    world.clock.advance(500 * day)
    expect((await prune()).dropped).toBeGreaterThan(0)
    for (const organization of [silent, busy]) {
      expect(await recordsOf(organization)).toHaveLength(1)
      expect(await verify(organization)).toMatchObject({ valid: true })
    }
  })
})

describe('a partition of the audit log', () => {
  test('has both triggers, also for a session with the replica role', async () => {
    const triggers = await world.database.query<{ name: string; fires: string }>(
      `select t.tgname as name, t.tgenabled::text as fires from pg_trigger t
       join pg_inherits i on i.inhrelid = t.tgrelid and i.inhparent = 'audit_logs'::regclass`,
    )
    const [final, emptied] = ['audit_logs_are_final', 'audit_logs_are_never_emptied']
    const each = [final, emptied].map((name) => ({ name, fires: 'A' }))
    const { audit_logs: names = [] } = await partitions()
    expect(triggers).toHaveLength(2 * names.length)
    expect(triggers).toEqual(expect.arrayContaining(each))
    expect(triggers.filter(({ fires }) => fires !== 'A')).toEqual([])
  })

  test('refuses what the audit log refuses, also under its own name', async () => {
    const { id } = await world.organization()
    const [{ place } = { place: '' }] = await placesOf('audit_logs', { id } as TestOrganization)
    for (const sql of [
      `delete from ${place}`,
      `update ${place} set reason = 'x'`,
      `truncate ${place}`,
      `update audit_logs set stored_on = stored_on - 1`,
    ]) {
      await expect(world.database.query(sql)).rejects.toThrow('cannot be changed or deleted')
    }
    await world.database.query('begin')
    await world.database.query(`set local flightdeck.pruning = 'on'`)
    const change = world.database.query(`update audit_logs set reason = 'x', stored_on = now()`)
    await expect(change).rejects.toThrow('cannot be changed or deleted')
    await world.database.query('rollback')
  })
})

test('two replicas that write for one organization neither repeat nor skip a sequence', async () => {
  const other = await openWorld({ address: world.database.address, clock: world.clock })
  const organization = await world.organization()
  const clients = [organization.owner, clientOf(other.app, organization.owner)]
  const replies = await Promise.all(
    Array.from({ length: 60 }, (_, at) =>
      clients[at % 2]?.post('/templates', { name: `Template ${at}` }),
    ),
  )
  expect(replies.map((reply) => reply?.statusCode)).toEqual(replies.map(() => 201))
  for (const table of ['audit_logs', 'events']) {
    const rows = await world.database.query<{ sequence: number }>(
      `select sequence::int from ${table} where organization_id = $1 order by sequence`,
      [organization.id],
    )
    expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_, at) => at + 1))
    expect(rows.length).toBeGreaterThan(60)
  }
  expect((await organization.owner.get('/audit_logs/verify')).json()).toMatchObject({ valid: true })
  await other.close()
})
