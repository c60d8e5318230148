import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openWorld, type TestOrganization, type World } from '../../../test/support/world.ts'
import { pruneAuditLogs } from './retention.ts'

const day = 24 * 60 * 60 * 1000

let world: World
let client: pg.Client

beforeAll(async () => {
  world = await openWorld()
  client = new pg.Client(inject('address'))
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await world.close()
})

async function renamed(times: number): Promise<TestOrganization> {
  const acme = await world.organization()
  for (let at = 0; at < times; at += 1) await acme.owner.patch('/organization', { name: `N${at}` })
  return acme
}

const verify = async ({ owner }: TestOrganization) => (await owner.get('/audit_logs/verify')).json()

/** What somebody with the database's own account could do: switch the protection off. */
async function tamper(sql: string, organizationId: string): Promise<void> {
  await client.query('begin')
  await client.query('alter table audit_logs disable trigger all')
  await client.query(sql, [organizationId])
  await client.query('alter table audit_logs enable trigger user')
  await client.query('alter table audit_logs enable always trigger audit_logs_are_final')
  await client.query('commit')
}

test('an untouched chain is valid up to its head', async () => {
  const acme = await renamed(3)
  const { data } = (await acme.owner.get('/audit_logs')).json()
  expect(await verify(acme)).toEqual({
    valid: true,
    from_sequence: 1,
    to_sequence: 6,
    head_hash: data[0].hash,
    first_bad_sequence: null,
  })
})

test('a record that was changed is found', async () => {
  const acme = await renamed(3)
  await tamper(
    `update audit_logs set actor = jsonb_set(actor, '{name}', '"Mallory"')
     where organization_id = $1 and sequence = 5`,
    acme.id,
  )
  expect(await verify(acme)).toMatchObject({
    valid: false,
    from_sequence: 1,
    to_sequence: 4,
    first_bad_sequence: 5,
  })
})

test('a record missing in the middle, and a tail that was cut off, are found', async () => {
  const middle = await renamed(3)
  await tamper('delete from audit_logs where organization_id = $1 and sequence = 4', middle.id)
  expect(await verify(middle)).toMatchObject({ valid: false, first_bad_sequence: 4 })
  const tail = await renamed(3)
  await tamper('delete from audit_logs where organization_id = $1 and sequence > 4', tail.id)
  expect(await verify(tail)).toMatchObject({ valid: false, to_sequence: 4, first_bad_sequence: 5 })
})

test('a chain rewritten from one record on does not fit its head', async () => {
  const acme = await renamed(1)
  await tamper(
    `update audit_logs set hash = repeat('a', 64) where organization_id = $1 and sequence = 4`,
    acme.id,
  )
  expect(await verify(acme)).toMatchObject({ valid: false, first_bad_sequence: 4 })
})

test('the database refuses to change, delete or empty the audit log, for any role', async () => {
  const { id } = await renamed(1)
  const where = `where organization_id = '${id}'`
  const attempts = [
    `update audit_logs set outcome = 'denied' ${where}`,
    `delete from audit_logs ${where}`,
    'truncate audit_logs',
  ]
  for (const sql of attempts) {
    await expect(client.query(sql)).rejects.toThrow('audit records cannot be changed or deleted')
  }
  const { rows } = await client.query('select rolsuper from pg_roles where rolname = current_user')
  expect(rows).toEqual([{ rolsuper: false }])
  await client.query('begin')
  await client.query('create role flightdeck_writer').catch(() => client.query('rollback'))
  await client.query('rollback')
})

test('pruning leaves a sealed anchor from which the rest still verifies', async () => {
  const world = await openWorld()
  const acme = await world.organization()
  for (const name of ['A', 'B', 'C']) await acme.owner.patch('/organization', { name })
  world.clock.advance(401 * day)
  const fresh = await acme.as('owner')
  await pruneAuditLogs(world.services, AbortSignal.timeout(10_000))
  const { data } = (await fresh.get('/audit_logs')).json()
  expect(data.map(({ sequence }: { sequence: number }) => sequence)).toEqual([8, 7])
  expect((await fresh.get('/audit_logs/verify')).json()).toMatchObject({
    valid: true,
    from_sequence: 7,
    to_sequence: 8,
  })
  await client.query(`update audit_anchors set hash = $2 where organization_id = $1`, [
    acme.id,
    data[1].hash,
  ])
  expect((await fresh.get('/audit_logs/verify')).json()).toMatchObject({
    valid: false,
    first_bad_sequence: 7,
  })
  await world.close()
})

test('pruning keeps the newest record, however old, and its permission ends with it', async () => {
  const world = await openWorld({ env: { FLIGHTDECK_AUDIT_RETENTION_DAYS: '1' } })
  const { id } = await world.organization()
  world.clock.advance(3 * day)
  await pruneAuditLogs(world.services, AbortSignal.timeout(10_000))
  const left = 'select sequence from audit_logs where organization_id = $1'
  expect((await client.query(left, [id])).rows).toEqual([{ sequence: '3' }])
  const forbidden = world.services.database.transaction((tx) =>
    tx.query({ sql: 'delete from audit_logs where organization_id = $1', parameters: [id] }),
  )
  await expect(forbidden).rejects.toThrow('audit records cannot be changed')
  await world.close()
})
