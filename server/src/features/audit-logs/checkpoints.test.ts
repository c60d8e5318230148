import { createLocalJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditChainIn } from '../../../test/support/audit-chain.ts'
import { type OwnWorld, openOwnWorld } from '../../../test/support/own-world.ts'
import { pruneBefore } from '../../../test/support/prune-before.ts'
import { openWorld, type TestOrganization } from '../../../test/support/world.ts'
import { rotateSigningKey } from '../../crypto/signing-keys.ts'
import { audited } from '../../kernel/change.ts'
import { organizationIds } from '../../values/core-ids.ts'
import { newId } from '../../values/ids.ts'
import { makeCheckpoints } from './checkpointing.ts'
import type { AuditCheckpoint } from './schema.ts'

// The job affects all organizations: it gets its own database.
let world: OwnWorld

beforeAll(async () => {
  world = await openOwnWorld()
})
afterAll(async () => {
  await world.close()
})

const signal = () => AbortSignal.timeout(10_000)
const { sign, rename, renamed, signed, verify, records } = auditChainIn(() => world)

const list = async ({ owner }: TestOrganization, query = ''): Promise<AuditCheckpoint[]> =>
  (await owner.get(`/audit_logs/checkpoints${query}`)).json().data

describe('the job', () => {
  test('signs the end of every chain that has grown, and nothing twice', async () => {
    const [acme, other] = [await signed('A'), await signed('B')]
    expect(await sign()).toEqual({ signed: 0 })
    await rename(acme, 'C', 'D')
    world.clock.advance(3_600_000)
    expect(await sign()).toEqual({ signed: 1 })
    const chain = await records(acme)
    expect(await list(acme)).toEqual([
      {
        sequence: 6,
        head_hash: chain[5]?.hash,
        signed_at: `${world.clock.now().toISOString().slice(0, 19)}.000Z`,
        key_id: expect.stringMatching(/^key_/),
        signature: expect.any(String),
      },
      expect.objectContaining({ sequence: 4, head_hash: chain[3]?.hash }),
    ])
    expect(await list(other)).toHaveLength(1)
    expect(await verify(acme)).toEqual({
      valid: true,
      from_sequence: 1,
      to_sequence: 6,
      head_hash: chain[5]?.hash,
      first_bad_sequence: null,
      checkpoints: { count: 2, last_sequence: 6 },
    })
  })

  test('on two replicas at once, beside writers, signs each end once', async () => {
    const replica = await openWorld({ address: world.database.address, clock: world.clock })
    const many = await Promise.all(Array.from({ length: 5 }, () => renamed('A')))
    const writing = many.map((each) =>
      rename(each, ...Array.from({ length: 20 }, (_, at) => `${at}`)),
    )
    for (let at = 0; at < 5; at += 1) {
      await Promise.all([sign(), makeCheckpoints(replica.services, signal())])
    }
    await Promise.all(writing)
    await sign()
    for (const each of many) {
      const { valid, checkpoints } = await verify(each)
      expect({ valid, last: checkpoints.last_sequence }).toEqual({ valid: true, last: 24 })
    }
    await replica.close()
  })

  test('handles more organizations than one batch, and stops when asked', async () => {
    await sign()
    const ids = Array.from({ length: 1_100 }, () => newId(organizationIds))
    await world.database.query(
      `insert into organizations (id, name, plan, created_at, updated_at)
       select id, 'Many', 'free', now(), now() from unnest($1::text[]) as id`,
      [ids],
    )
    await world.database.query(
      `insert into organization_heads (organization_id, audit_sequence)
       select id, 1 from unnest($1::text[]) as id`,
      [ids],
    )
    expect(await makeCheckpoints(world.services, AbortSignal.abort())).toEqual({ signed: 0 })
    expect(await sign()).toEqual({ signed: 1_100 })
    expect(await sign()).toEqual({ signed: 0 })
  })
})

const rotated = {
  action: 'signing_key.rotated',
  resource: { type: 'signing_key', id: null, name: null },
}

describe('a checkpoint', () => {
  test('is a JWS that the published keys verify', async () => {
    const acme = await signed('A')
    const [checkpoint] = await list(acme)
    const published = (await world.app.inject('/.well-known/jwks.json')).json()
    const { payload, protectedHeader } = await jwtVerify(
      String(checkpoint?.signature),
      createLocalJWKSet(published),
    )
    expect(protectedHeader).toEqual({
      alg: 'EdDSA',
      typ: 'audit-checkpoint+jwt',
      kid: checkpoint?.key_id,
    })
    expect(payload).toEqual({
      org: acme.id,
      sequence: 4,
      hash: checkpoint?.head_hash,
      iat: Date.parse(String(checkpoint?.signed_at)) / 1000,
    })
  })

  test('is not a token', async () => {
    const acme = await signed('A')
    const [checkpoint] = await list(acme)
    const authorization = `Bearer ${checkpoint?.signature}`
    const reply = await world.anonymous.get('/auth/me', { authorization })
    expect([reply.statusCode, reply.json().code]).toEqual([401, 'invalid_token'])
  })

  test('is listed newest first, page by page, to those who may read the log', async () => {
    const acme = await signed('A')
    const from = world.clock.now().toISOString()
    for (const name of ['B', 'C', 'D']) {
      world.clock.advance(3_600_000)
      await rename(acme, name)
      await sign()
    }
    const sequences = (data: AuditCheckpoint[]) => data.map(({ sequence }) => sequence)
    const page = (await acme.owner.get('/audit_logs/checkpoints?limit=3')).json()
    expect(sequences(page.data)).toEqual([7, 6, 5])
    expect(sequences(await list(acme, `?cursor=${page.meta.next_cursor}`))).toEqual([4])
    expect(sequences(await list(acme, '?sort=sequence&limit=2'))).toEqual([4, 5])
    const later = new Date(Date.parse(from) + 1_000).toISOString()
    expect(sequences(await list(acme, `?signed_after=${later}`))).toEqual([7, 6, 5])
    expect(sequences(await list(acme, `?signed_before=${later}`))).toEqual([4])
    const path = '/audit_logs/checkpoints'
    expect((await (await acme.as('auditor')).get(path)).statusCode).toBe(200)
    expect((await (await acme.as('editor')).get(path)).statusCode).toBe(403)
    expect((await acme.owner.call({ method: 'DELETE', url: path })).statusCode).toBe(405)
    expect(await list(await world.organization())).toEqual([])
  })

  test('cannot be changed, deleted or truncated, by any role of the database', async () => {
    const { id } = await signed('A')
    const where = `where organization_id = '${id}'`
    const attempts = [
      `update audit_checkpoints set sequence = 9 ${where}`,
      `delete from audit_checkpoints ${where}`,
      'truncate audit_checkpoints',
    ]
    for (const sql of attempts) {
      await expect(world.database.query(sql)).rejects.toThrow('cannot be changed or deleted')
    }
  })

  test('still verifies when its key was retired long ago', async () => {
    const acme = await signed('A')
    for (let at = 0; at < 3; at += 1) {
      await audited(acme.ctx, rotated, rotateSigningKey)
      world.clock.advance(25 * 3_600_000)
      await sign()
    }
    const published = (await world.app.inject('/.well-known/jwks.json')).json().keys
    const later = { ...acme, owner: await acme.as('auditor') }
    const keys = (await list(later)).map(({ key_id }) => key_id)
    expect(new Set(keys).size).toBe(4)
    expect(published).toMatchObject([{ kid: keys[0] }])
    expect(await verify(later)).toMatchObject({ valid: true, checkpoints: { count: 4 } })
  })

  test('cannot be signed with a retired key', async () => {
    const acme = await signed('A')
    await audited(acme.ctx, rotated, rotateSigningKey)
    const rows = await world.database.query<{ id: string; sealed: string; retired: boolean }>(
      `select id, private_jwk_sealed as sealed, retired_at is not null as retired from signing_keys`,
    )
    for (const { id, sealed, retired } of rows) {
      const jwk = JSON.parse(
        world.services.crypto.cipher.open(sealed, `signing_keys.private_jwk ${id}`),
      )
      expect({ retired, isPrivate: 'd' in jwk }).toEqual({ retired, isPrivate: !retired })
    }
  })

  test('is deleted with the records that retention prunes', async () => {
    const acme = await signed('A')
    await rename(acme, 'B', 'C')
    await sign()
    world.clock.advance(1_000)
    await rename(acme, 'D')
    const oldest = world.clock.now().toISOString()
    expect(await pruneBefore(world, acme, oldest)).toBe(6)
    expect(await list(acme)).toEqual([])
    expect(await verify(acme)).toMatchObject({ valid: true, checkpoints: { count: 0 } })
    await sign()
    expect(await verify(acme)).toMatchObject({
      valid: true,
      from_sequence: 7,
      checkpoints: { count: 1, last_sequence: 7 },
    })
  })
})
