import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MadeKey, madeKey, withKey } from '../../../test/support/api-keys.ts'
import { watch } from '../../../test/support/documented.ts'
import { citusAddress } from '../../../test/support/machines/citus.ts'
import {
  type Client,
  openWorld,
  type Reply,
  type TestOrganization,
  type World,
} from '../../../test/support/world.ts'
import type { Role } from '../../identity/permissions.ts'
import { createApiKey } from './api-keys.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld())
})
afterAll(() => world.close())

const migration = new URL('../../../migrations/0016_makers_of_api_keys.sql', import.meta.url)

const codeOf = (reply: Reply) =>
  reply.statusCode < 300 ? reply.statusCode : [reply.statusCode, reply.json().code]

type Made = { organization: TestOrganization; maker: Client; made: MadeKey }

/** A key, and the user who made it. */
async function keyOf(role: Role): Promise<Made> {
  const organization = await world.organization()
  const maker = await organization.as(role)
  return { organization, maker, made: await madeKey(world, maker) }
}

const dataOf = async (client: Client, path: string) => (await client.get(path)).json().data

describe('the key of a user who is', () => {
  test.each([
    ['disabled', (owner: Client, id: string) => owner.put(`/members/${id}`, { disabled: true })],
    ['deleted', (owner: Client, id: string) => owner.delete(`/members/${id}`)],
  ])('%s is revoked in the same change, with its own record and event', async (_, remove) => {
    const { organization, maker, made } = await keyOf('admin')
    const { owner } = organization
    const kept = await madeKey(world, owner)
    expect(codeOf(await made.client.get('/organization'))).toBe(200)
    expect((await remove(owner, maker.userId)).statusCode).toBeLessThan(300)
    expect(codeOf(await made.client.get('/organization'))).toEqual([401, 'token_revoked'])
    expect(codeOf(await owner.get(`/api_keys/${made.id}`))).toEqual([404, 'not_found'])
    const resource = { type: 'api_key', id: made.id }
    const action = 'api_key.revoked'
    const [record] = await dataOf(owner, `/audit_logs?action=${action}`)
    expect(record).toMatchObject({ resource, actor: { type: 'user', id: owner.userId } })
    const [event] = await dataOf(owner, `/events?type=${action}`)
    expect(event.data.object.id).toBe(made.id)
    expect(codeOf(await kept.client.get('/organization'))).toBe(200)
  })

  test('enabled again stays revoked', async () => {
    const { organization, maker, made } = await keyOf('admin')
    for (const disabled of [true, false]) {
      await organization.owner.put(`/members/${maker.userId}`, { disabled })
    }
    expect(codeOf(await made.client.get('/organization'))).toEqual([401, 'token_revoked'])
  })

  test('gone or disabled since before this rule is refused nevertheless', async () => {
    const { organization, maker, made } = await keyOf('admin')
    await world.services.database.transaction(async (tx) => {
      const parameters = [organization.id, maker.userId]
      const sql = 'update users set disabled = true where organization_id = $1 and id = $2'
      tx.send({ sql, parameters })
    })
    world.services.identity.apiKeys.forget(organization.id)
    expect(codeOf(await made.client.get('/organization'))).toEqual([401, 'token_revoked'])
  })
})

describe('a key may do what both its role and its maker’s current one may', () => {
  const attempts: Record<string, (key: Client) => Promise<Reply>> = {
    campaigns: (key) => key.get('/campaigns'),
    proxies: (key) => key.get('/proxies'),
    endpoints: (key) => key.get('/webhook_endpoints'),
    'audit log': (key) => key.get('/audit_logs'),
    'new template': (key) => key.post('/templates?validate_only=true', { name: 'A' }),
    'renamed organization': (key) => key.patch('/organization?validate_only=true', { name: 'A' }),
  }

  async function granted(key: Client): Promise<string[]> {
    const replies = await Promise.all(Object.values(attempts).map((attempt) => attempt(key)))
    expect(replies.map(({ statusCode }) => statusCode).filter((code) => code > 403)).toEqual([])
    return Object.keys(attempts).filter((_, at) => replies[at]?.statusCode !== 403)
  }

  const asAdmin = ['campaigns', 'proxies', 'endpoints', 'audit log', 'new template']
  const asEditor = ['campaigns', 'proxies', 'new template']

  test.each<[role: Role, makerRole: Role, may: string[]]>([
    ['owner', 'owner', Object.keys(attempts)],
    ['owner', 'admin', asAdmin],
    ['admin', 'editor', asEditor],
    ['editor', 'admin', asEditor],
    ['admin', 'viewer', ['campaigns', 'proxies']],
    ['admin', 'auditor', ['campaigns', 'audit log']],
    ['editor', 'auditor', ['campaigns']],
    ['auditor', 'viewer', ['campaigns']],
  ])('%s, made by a user who is now %s', async (role, makerRole, may) => {
    const { owner, as } = await world.organization()
    const maker = await as('owner')
    const { client } = await madeKey(world, maker, { role })
    await owner.put(`/members/${maker.userId}`, { role: makerRole })
    expect(await granted(client)).toEqual(may)
  })

  test('a key regains its rights with its maker', async () => {
    const { organization, maker, made } = await keyOf('admin')
    const turn = (role: Role) => organization.owner.put(`/members/${maker.userId}`, { role })
    await turn('viewer')
    const refused = await made.client.get('/webhook_endpoints')
    expect(codeOf(refused)).toEqual([403, 'insufficient_role'])
    expect(refused.json().detail).toContain('the user who created it: viewer')
    await turn('admin')
    expect(codeOf(await made.client.get('/webhook_endpoints'))).toBe(200)
  })

  test('a key of the command line has no maker', async () => {
    const { ctx } = await world.organization()
    const { key } = await createApiKey(ctx, { name: 'CI', role: 'owner' })
    expect(await granted(withKey(world, String(key)))).toEqual(Object.keys(attempts))
  })
})

test.skipIf(citusAddress())(
  'a key made by a key belongs, after the migration, to the user behind both',
  async () => {
    const { organization, maker, made } = await keyOf('admin')
    const child = await madeKey(world, organization.owner)
    const [, backfill = ''] = readFileSync(migration, 'utf8').split('-- Keys were once')
    await world.services.database.transaction(async (tx) => {
      const parameters = [organization.id, child.id, made.id]
      const sql =
        'update api_keys set created_by = $3, maker_id = null where organization_id = $1 and id = $2'
      tx.send({ sql, parameters })
      tx.send({ sql: backfill.replace(/^.*\n/, ''), parameters: [] })
    })
    expect(codeOf(await child.client.get('/webhook_endpoints'))).toBe(200)
    await organization.owner.put(`/members/${maker.userId}`, { role: 'viewer' })
    expect(codeOf(await child.client.get('/webhook_endpoints'))).toEqual([403, 'insufficient_role'])
  },
)

test('a key cannot enable its disabled maker', async () => {
  const { organization, maker, made } = await keyOf('admin')
  const { client } = made
  const attempts = [
    client.put(`/members/${maker.userId}`, { disabled: false }),
    client.delete(`/members/${maker.userId}`),
    client.post('/members', { email: 'back@example.com', name: 'Back', role: 'admin' }),
  ]
  for (const reply of await Promise.all(attempts)) {
    expect(codeOf(reply)).toEqual([403, 'insufficient_role'])
  }
  expect(codeOf(await client.get(`/members/${maker.userId}`))).toBe(200)
  const denied = await dataOf(organization.owner, '/audit_logs?outcome=denied&sort=sequence')
  expect(denied.map(({ action }: { action: string }) => action).sort()).toEqual([
    'member.created',
    'member.deleted',
    'member.updated',
  ])
})
