import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditChainIn } from '../../../../test/support/audit-chain.ts'
import { type OwnWorld, openOwnWorld } from '../../../../test/support/own-world.ts'
import type { TestOrganization } from '../../../../test/support/world.ts'
import { conditionsOf } from '../../../observability/conditions.ts'
import { nextNight } from './due.ts'
import { verifyDue } from './verify-due.ts'

// The job is for every organization, so these tests have their own database.
let world: OwnWorld

beforeAll(async () => {
  world = await openOwnWorld()
})
afterAll(() => world.close())
beforeEach(nightPasses)

const { renamed, rename, sign, signed } = auditChainIn(() => world)

/** To the end of the next night, whenever it begins. */
const nightMs = 30 * 60 * 60 * 1000

/** A night and a verification, after which nothing is due. */
async function nightPasses(): Promise<void> {
  world.clock.advance(nightMs)
  await verifyAll()
}

let errors: object[] = []

async function verifyAll() {
  errors = []
  const logger = { error: (facts: object, text: string) => void errors.push({ ...facts, text }) }
  return verifyDue(world.services, AbortSignal.timeout(20_000), logger)
}

const broken = async () => (await conditionsOf(world.services.database.reader)())?.chainsBroken

async function stateOf({ id }: Pick<TestOrganization, 'id'>) {
  const sql = 'select * from audit_verifications where organization_id = $1'
  const { reader } = world.services.database
  return (await reader.query<Record<string, unknown>>({ sql, parameters: [id] }))[0]
}

/** Acts with the database's own account, which can disable the protection. */
async function tamper(sql: string, ...parameters: unknown[]): Promise<void> {
  for (const table of ['audit_logs', 'audit_checkpoints'])
    await world.database.query(`alter table ${table} disable trigger ${table}_are_final`)
  await world.database.query(sql, parameters)
  for (const table of ['audit_logs', 'audit_checkpoints'])
    await world.database.query(`alter table ${table} enable always trigger ${table}_are_final`)
}

const say = (reason: string | null, { id }: TestOrganization, sequence: number) =>
  tamper(
    'update audit_logs set reason = $1 where organization_id = $2 and sequence = $3',
    ...[reason, id, sequence],
  )

describe('every night', () => {
  test('each chain is verified once, at its own time', async () => {
    const made = [await renamed('A'), await renamed('B')]
    expect(await verifyAll()).toMatchObject({ verified: 2, broken: 0 })
    expect(await verifyAll()).toEqual({ verified: 0, broken: 0 })
    for (const { id } of made) {
      const due = nextNight(id, world.clock.now())
      expect(due.getUTCHours()).toBeLessThan(5)
      expect((await stateOf({ id }))?.due_at).toEqual(due.toISOString())
    }
    const times = made.map(({ id }) => nextNight(id, world.clock.now()).getTime())
    expect(times[0]).not.toBe(times[1])
  })

  test('it begins at the newest checkpoint that was verified, not at the beginning', async () => {
    const acme = await signed('A', 'B')
    await verifyAll()
    expect((await stateOf(acme))?.sequence).toBe(5)
    await rename(acme, 'C', 'D')
    await sign()
    await rename(acme, 'E')
    // Verified the night before, so not looked at again; the checkpoint at 7 is too new to begin at.
    await say('changed', acme, 2)
    await nightPasses()
    expect([await broken(), (await stateOf(acme))?.sequence]).toEqual([0, 8])
    await say(null, acme, 2)
    await rename(acme, 'F')
    await say('changed', acme, 6)
    await nightPasses()
    expect(await broken()).toBe(0)
    await say(null, acme, 6)
  })

  test('a record changed since the last night is found, though checkpoints were signed after it', async () => {
    const acme = await signed('A')
    await verifyAll()
    await rename(acme, 'B', 'C')
    await sign()
    await say('changed', acme, 5)
    await nightPasses()
    expect(await broken()).toBe(1)
    expect(errors).toEqual([
      { organization_id: acme.id, sequence: 5, text: 'an audit chain is broken' },
    ])
    expect(await stateOf(acme)).toMatchObject({ broken_at: 5, sequence: 4 })
    // Until it is whole again.
    await nightPasses()
    expect(errors).toHaveLength(1)
    await say(null, acme, 5)
    await nightPasses()
    expect([await broken(), errors]).toEqual([0, []])
  })

  test('a chain cut off with its head and checkpoints is found', async () => {
    const acme = await signed('A', 'B')
    await verifyAll()
    const cut = (table: string) =>
      tamper(`delete from ${table} where organization_id = $1 and sequence > 4`, acme.id)
    await cut('audit_logs')
    await cut('audit_checkpoints')
    const head = `update organization_heads h set audit_sequence = 4, audit_hash = a.hash
      from audit_logs a where a.organization_id = h.organization_id and a.sequence = 4
        and h.organization_id = $1`
    await world.database.query(head, [acme.id])
    await nightPasses()
    expect(errors).toEqual([expect.objectContaining({ organization_id: acme.id, sequence: 5 })])
    await world.database.query('update audit_verifications set sequence = least(sequence, 4)')
  })

  test('one chain that is broken, and one that cannot be read, do not stop the others', async () => {
    const all = [await signed('A'), await signed('A'), await signed('A')]
    const [first, second, third] = all.sort((a, b) => (a.id < b.id ? -1 : 1))
    if (!first || !second || !third) throw new Error('three were made')
    await verifyAll()
    const remove = 'delete from organization_heads where organization_id = $1'
    await world.database.query(remove, [first.id])
    await say('changed', second, 4)
    await rename(third, 'B')
    world.clock.advance(nightMs)
    await expect(verifyAll()).rejects.toThrow(`${first.id} has no head`)
    expect(await stateOf(third)).toMatchObject({ broken_at: null, sequence: 5 })
    expect(errors).toEqual([expect.objectContaining({ organization_id: second.id })])
  })
})
