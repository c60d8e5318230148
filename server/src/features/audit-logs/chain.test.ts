import { afterAll, beforeAll, expect, test } from 'vitest'
import { citusAddress } from '../../../test/support/machines/citus.ts'
import { type OwnWorld, openOwnWorld } from '../../../test/support/own-world.ts'
import { pruneBefore } from '../../../test/support/prune-before.ts'
import type { TestOrganization } from '../../../test/support/world.ts'
import { pruneAuditLogs } from './retention.ts'

// Pruning affects all organizations: it gets its own database.
let world: OwnWorld

beforeAll(async () => {
  world = await openOwnWorld()
})
afterAll(async () => {
  await world.close()
})

async function renamed(times: number): Promise<TestOrganization> {
  const acme = await world.organization()
  for (let at = 0; at < times; at += 1) await acme.owner.patch('/organization', { name: `N${at}` })
  return acme
}

const verify = async ({ owner }: TestOrganization) => (await owner.get('/audit_logs/verify')).json()

/** Acts with the database's own account, which can disable the protection. */
async function tamper(sql: string, organizationId: string): Promise<void> {
  await world.database.query('begin')
  await world.database.query('alter table audit_logs disable trigger audit_logs_are_final')
  await world.database.query(sql, [organizationId])
  await world.database.query('alter table audit_logs enable always trigger audit_logs_are_final')
  await world.database.query('commit')
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
    checkpoints: { count: expect.any(Number), last_sequence: expect.toBeOneOf([null, 6]) },
  })
})

test('a changed record is detected', async () => {
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

test('a missing record in the middle and a truncated tail are detected', async () => {
  const middle = await renamed(3)
  await tamper('delete from audit_logs where organization_id = $1 and sequence = 4', middle.id)
  expect(await verify(middle)).toMatchObject({ valid: false, first_bad_sequence: 4 })
  const tail = await renamed(3)
  await tamper('delete from audit_logs where organization_id = $1 and sequence > 4', tail.id)
  expect(await verify(tail)).toMatchObject({ valid: false, to_sequence: 4, first_bad_sequence: 5 })
})

test('a chain rewritten from one record on does not match its head', async () => {
  const acme = await renamed(1)
  await tamper(
    `update audit_logs set hash = repeat('a', 64) where organization_id = $1 and sequence = 4`,
    acme.id,
  )
  expect(await verify(acme)).toMatchObject({ valid: false, first_bad_sequence: 4 })
})

test('the database refuses to change, delete or truncate the audit log, for any role', async () => {
  const { id } = await renamed(1)
  const where = `where organization_id = '${id}'`
  const attempts = [
    `update audit_logs set outcome = 'denied' ${where}`,
    `delete from audit_logs ${where}`,
    'truncate audit_logs',
  ]
  for (const sql of attempts) {
    await expect(world.database.query(sql)).rejects.toThrow(
      'audit records cannot be changed or deleted',
    )
  }
  const roles = await world.database.query(
    'select rolsuper from pg_roles where rolname = current_user',
  )
  // On Citus the tests' role may create extensions: there a superuser is refused as well.
  expect(roles).toEqual([{ rolsuper: citusAddress() !== null }])
})

/** All records so far, and how many are pruned. */
const prune = (id: string): Promise<number> =>
  pruneBefore(world, { id }, world.clock.now().toISOString())

test('pruning leaves a sealed anchor from which the rest still verifies', async () => {
  const acme = await renamed(3)
  world.clock.advance(1_000)
  const { userId } = await acme.as('viewer')
  expect(await prune(acme.id)).toBe(6)
  const { data } = (await acme.owner.get('/audit_logs')).json()
  expect(data).toMatchObject([
    { sequence: 8, action: 'auth.login_succeeded' },
    { sequence: 7, resource: { id: userId } },
  ])
  expect(await verify(acme)).toMatchObject({ valid: true, from_sequence: 7, to_sequence: 8 })
  const moved = 'update audit_anchors set hash = $2 where organization_id = $1'
  await world.database.query(moved, [
    acme.id,
    data[1].prev_hash.replace(/^./, (first: string) => (first === 'f' ? '0' : 'f')),
  ])
  expect(await verify(acme)).toMatchObject({ valid: false, first_bad_sequence: 7 })
})

test('pruning continues from an anchor, and keeps the newest record however old', async () => {
  const acme = await renamed(2)
  world.clock.advance(1_000)
  expect(await prune(acme.id)).toBe(4)
  expect(await verify(acme)).toMatchObject({ valid: true, from_sequence: 5, to_sequence: 5 })
  await acme.owner.patch('/organization', { name: 'Later' })
  world.clock.advance(1_000)
  expect(await prune(acme.id)).toBe(1)
  expect(await verify(acme)).toMatchObject({ valid: true, from_sequence: 6, to_sequence: 6 })
  expect(await prune(acme.id)).toBe(0)
})

test('after pruning deletion is forbidden again', async () => {
  const { id } = await renamed(1)
  world.clock.advance(1_000)
  await prune(id)
  const statement = { sql: 'delete from audit_logs where organization_id = $1', parameters: [id] }
  const forbidden = world.services.database.transaction((tx) => tx.write(statement))
  await expect(forbidden).rejects.toThrow('audit records cannot be changed')
})

test('the job keeps records within the retention', async () => {
  const acme = await renamed(1)
  await pruneAuditLogs(world.services, AbortSignal.timeout(10_000))
  expect(await verify(acme)).toMatchObject({ valid: true, from_sequence: 1 })
})
