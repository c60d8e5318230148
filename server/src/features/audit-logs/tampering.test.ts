import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditChainIn } from '../../../test/support/audit-chain.ts'
import { type OwnWorld, openOwnWorld } from '../../../test/support/own-world.ts'
import type { TestOrganization } from '../../../test/support/world.ts'
import { signingKeyIds } from '../../crypto/signing-keys.ts'
import { settingsOnShards } from '../../database/upkeep/citus/settings.ts'
import { chainHash } from '../../kernel/ledger.ts'
import { newId } from '../../values/ids.ts'
import { signatureOf } from './checkpoint-signature.ts'

// The job affects all organizations: it gets its own database.
let world: OwnWorld

beforeAll(async () => {
  world = await openOwnWorld()
})
afterAll(async () => {
  await world.close()
})

const { sign, rename, renamed, signed, verify, records } = auditChainIn(() => world)

type TamperingStep = [sql: string, ...parameters: unknown[]]

/** Acts with the database’s own account. */
async function tamper(...steps: TamperingStep[]): Promise<void> {
  const protections = ['audit_logs_are_final', 'audit_checkpoints_are_final']
  const switched = (how: string) =>
    protections.map(
      (name): TamperingStep => [
        `alter table ${name.replace('_are_final', '')} ${how} trigger ${name}`,
      ],
    )
  const all: TamperingStep[] = [
    ['begin'],
    ...switched('disable'),
    ...steps,
    ...switched('enable always'),
  ]
  for (const [sql, ...parameters] of [...all, ['commit'] as TamperingStep]) {
    await world.database.query(sql, parameters)
  }
}

/** Truncates the chain like pruning, and adjusts the head. */
async function cutAfter(acme: TestOrganization, sequence: number): Promise<void> {
  const last = (await records(acme)).find((record) => record.sequence === sequence)
  await world.database.query('begin')
  await world.database.query(settingsOnShards)
  await world.database.query(`set local flightdeck.pruning = 'on'`)
  const cut = 'delete from audit_logs where organization_id = $1 and sequence > $2'
  await world.database.query(cut, [acme.id, sequence])
  const head = `update organization_heads set audit_sequence = $2, audit_hash = $3
    where organization_id = $1`
  await world.database.query(head, [acme.id, sequence, last?.hash])
  await world.database.query('commit')
}

/** Changes a record, and adjusts every later hash and the head. */
async function rewrite(acme: TestOrganization, from: number): Promise<void> {
  const steps: TamperingStep[] = []
  let previous = ''
  for (const { prev_hash, hash, ...said } of await records(acme)) {
    if (said.sequence < from) continue
    if (said.sequence === from) said.reason = 'Nothing to see here'
    const before = previous || prev_hash
    previous = chainHash(before, said)
    steps.push([
      `update audit_logs set reason = $3, prev_hash = $4, hash = $5
       where organization_id = $1 and sequence = $2`,
      ...[acme.id, said.sequence, said.reason, before, previous],
    ])
  }
  steps.push([
    'update organization_heads set audit_hash = $2 where organization_id = $1',
    acme.id,
    previous,
  ])
  await tamper(...steps)
}

describe('verification detects', () => {
  test('a truncated tail, although chain and head match', async () => {
    const acme = await signed('A', 'B', 'C')
    await cutAfter(acme, 4)
    const reported = {
      valid: false,
      to_sequence: 4,
      first_bad_sequence: 5,
      checkpoints: { count: 1, last_sequence: 6 },
    }
    expect(await verify(acme)).toMatchObject(reported)
    expect(await sign()).toEqual({ signed: 0 })
    expect(await verify(acme)).toMatchObject(reported)
  })

  test('a truncated tail that has grown again', async () => {
    const acme = await signed('A', 'B', 'C')
    await cutAfter(acme, 4)
    await rename(acme, 'D', 'E', 'F')
    await sign()
    expect(await verify(acme)).toMatchObject({
      valid: false,
      to_sequence: 5,
      first_bad_sequence: 6,
      checkpoints: { count: 2, last_sequence: 7 },
    })
  })

  test('a chain that was rewritten including its head', async () => {
    const acme = await signed('A', 'B', 'C')
    await rewrite(acme, 4)
    expect(await verify(acme)).toMatchObject({ valid: false, first_bad_sequence: 6 })
    const unsigned = await renamed('A', 'B', 'C')
    await rewrite(unsigned, 4)
    // Without a checkpoint this cannot be detected: that is their purpose.
    expect(await verify(unsigned)).toMatchObject({ valid: true, checkpoints: { count: 0 } })
  })

  test('a checkpoint that was changed to match', async () => {
    const acme = await signed('A', 'B', 'C')
    await rewrite(acme, 4)
    const hash = (await records(acme)).at(-1)?.hash
    const sql = 'update audit_checkpoints set head_hash = $2 where organization_id = $1'
    await tamper([sql, acme.id, hash])
    expect(await verify(acme)).toMatchObject({ valid: false, first_bad_sequence: 6 })
  })

  test.each(['signed_at = now()', `key_id = 'key_\\x'`, `signature = 'a.b.c'`, `signature = ''`])(
    'a checkpoint with another %s',
    async (change) => {
      const acme = await signed('A')
      expect(await verify(acme)).toMatchObject({ valid: true })
      await tamper([`update audit_checkpoints set ${change} where organization_id = $1`, acme.id])
      expect(await verify(acme)).toMatchObject({ valid: false, first_bad_sequence: 4 })
    },
  )

  test('a checkpoint of another organization', async () => {
    const [acme, other] = [await renamed('A'), await renamed('B')]
    const [head] = (await records(acme)).slice(-1)
    const statement = {
      organizationId: other.id,
      sequence: 4,
      hash: String(head?.hash),
      signedAt: new Date('2026-11-21T09:00:00Z'),
    }
    const key = await world.services.identity.tokens.signingKey()
    await plant(acme, { ...statement, keyId: key.id, signature: await signatureOf(statement, key) })
    expect(await verify(acme)).toMatchObject({ valid: false, first_bad_sequence: 4 })
  })

  test('a checkpoint signed by a foreign key among the service’s keys', async () => {
    const acme = await signed('A', 'B', 'C')
    await rewrite(acme, 4)
    await tamper(['delete from audit_checkpoints where organization_id = $1', acme.id])
    const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
    const id = newId(signingKeyIds)
    await world.database.query(
      `insert into signing_keys (id, public_jwk, private_jwk_sealed, created_at, retired_at)
       select $1, $2, private_jwk_sealed, created_at, created_at
       from signing_keys where retired_at is null`,
      [id, JSON.stringify(await exportJWK(publicKey))],
    )
    const statement = {
      organizationId: acme.id,
      sequence: 6,
      hash: String((await records(acme)).at(-1)?.hash),
      signedAt: new Date('2026-11-21T09:00:00Z'),
    }
    const signature = await signatureOf(statement, { id, key: privateKey })
    await plant(acme, { ...statement, keyId: id, signature })
    expect(await verify(acme)).toMatchObject({ valid: false, first_bad_sequence: 6 })
  })
})

type Planted = { sequence: number; hash: string; signedAt: Date; keyId: string; signature: string }

const plant = (acme: TestOrganization, { sequence, hash, signedAt, keyId, signature }: Planted) =>
  world.database.query(
    `insert into audit_checkpoints
       (organization_id, sequence, head_hash, signed_at, key_id, signature)
     values ($1, $2, $3, $4, $5, $6)`,
    [acme.id, sequence, hash, signedAt, keyId, signature],
  )

describe('a verification since the newest checkpoint', () => {
  const since = async ({ owner }: TestOrganization) =>
    (await owner.get('/audit_logs/verify?since_checkpoint=true')).json()

  test('starts there, and says so', async () => {
    const acme = await renamed('A')
    const begun = { valid: true, from_sequence: 1, to_sequence: 4, since_checkpoint: null }
    expect(await since(acme)).toMatchObject(begun)
    await sign()
    await rename(acme, 'B', 'C')
    expect(await since(acme)).toMatchObject({
      ...{ valid: true, from_sequence: 4, to_sequence: 6, since_checkpoint: 4 },
      checkpoints: { count: 1, last_sequence: 4 },
    })
    expect(await verify(acme)).not.toHaveProperty('since_checkpoint')
  })

  test('skips earlier records, and detects later changes', async () => {
    const acme = await signed('A')
    await rename(acme, 'B', 'C')
    const change = 'update audit_logs set reason = $3 where organization_id = $1 and sequence = $2'
    await tamper([change, acme.id, 2, 'Nothing to see here'])
    expect(await since(acme)).toMatchObject({ valid: true })
    expect(await verify(acme)).toMatchObject({ valid: false, first_bad_sequence: 2 })
    await tamper([change, acme.id, 5, 'Nothing to see here'])
    expect(await since(acme)).toMatchObject({ valid: false, first_bad_sequence: 5 })
  })

  test('detects that the checkpoint does not match the record', async () => {
    const acme = await signed('A', 'B')
    await rewrite(acme, 4)
    expect(await since(acme)).toMatchObject({ valid: false, first_bad_sequence: 5 })
    const forged = await signed('A')
    const forge = `update audit_checkpoints set signature = '' where organization_id = $1`
    await tamper([forge, forged.id])
    expect(await since(forged)).toMatchObject({ valid: false, first_bad_sequence: 4 })
  })

  test('detects that the record is gone', async () => {
    const acme = await signed('A', 'B')
    await rename(acme, 'C')
    await cutAfter(acme, 4)
    expect(await since(acme)).toMatchObject({
      ...{ valid: false, from_sequence: null, first_bad_sequence: 5, since_checkpoint: 5 },
    })
  })
})
