import { afterEach, beforeEach, expect, test } from 'vitest'
import { proposing } from '../../test/support/cases/change-sets.ts'
import { ssoBody } from '../../test/support/cases/people/sso-cases.ts'
import { made } from '../../test/support/cases/writes.ts'
import { endpointOf } from '../../test/support/deliveries.ts'
import { type OwnWorld, openOwnWorld } from '../../test/support/own-world.ts'
import { pruneBefore } from '../../test/support/prune-before.ts'
import {
  type Client,
  clientOf,
  openWorld,
  type TestOrganization,
  type World,
} from '../../test/support/world.ts'
import type { Statement } from '../database/driver/protocol.ts'
import type { Row } from '../database/tables/tenant-tables.ts'
import { allSealed } from '../features/index.ts'
import { cipherWith, newMasterKey } from './cipher.ts'
import { type Keyring, openKeyring } from './keyring.ts'
import {
  activation,
  announceKey,
  changeUnderWay,
  isStillUsed,
  OtherChange,
  removal,
  resealAll,
  sendAll,
} from './rotation.ts'
import { openSecrets } from './webhook-secret.ts'

const oldKey = newMasterKey()
const newKey = newMasterKey()

/** A mail server that is away, so that mails wait. */
const mail = {
  FLIGHTDECK_SMTP_URL: 'smtp://127.0.0.1:1',
  FLIGHTDECK_MAIL_FROM: 'flightdeck@example.com',
  FLIGHTDECK_PUBLIC_URL: 'https://flightdeck.example.com',
}

let world: OwnWorld
let opened: World[]

beforeEach(async () => {
  world = await openOwnWorld({ env: { FLIGHTDECK_MASTER_KEY: oldKey, ...mail } })
  opened = []
})
afterEach(async () => {
  for (const each of opened) await each.close()
  await world.close()
})

const database = () => world.services.database

/** A process that is started with this key. */
async function startedWith(key: string): Promise<World> {
  const started = await openWorld({
    address: world.database.address,
    clock: world.clock,
    env: { FLIGHTDECK_MASTER_KEY: key },
  })
  opened.push(started)
  return started
}

const send = (statements: readonly Statement[]) => sendAll(database(), statements)

const announce = (key = newKey) => announceKey(database(), world.services.crypto.keyring, key)

async function reseal() {
  const {
    crypto: { keyring },
  } = world.services
  await keyring.refresh()
  return resealAll({ database: database(), keyring, tables: allSealed() }, 1)
}

const open = (key: string): Promise<Keyring> => openKeyring(database().reader, key)

const stages = {
  'that was announced': announce,
  'that is in use': async () => {
    await announce()
    await send(activation(2))
  },
  'that everything is under': async () => {
    await announce()
    await send(activation(2))
    await reseal()
  },
}

test.each(Object.entries(stages))(
  'with a new key %s, processes start with either one, and open what the other seals',
  async (_, reach) => {
    await reach()
    const [one, other] = [await open(oldKey), await open(newKey)]
    expect([one.ids, other.ids]).toEqual([
      [1, 2],
      [1, 2],
    ])
    expect(one.cipher.keyId).toBe(other.cipher.keyId)
    expect(other.cipher.open(one.cipher.seal('hush', 'test'), 'test')).toBe('hush')
    expect(one.cipher.verify('text', 'test', other.cipher.sign('text', 'test'))).toBe(true)
    const organization = await (await startedWith(newKey)).organization()
    const there = clientOf((await startedWith(oldKey)).app, organization.owner)
    expect((await there.get('/organization')).statusCode).toBe(200)
  },
)

test('a key that is neither of them is refused', async () => {
  await announce()
  await expect(open(newMasterKey())).rejects.toThrow('The master key is not the one')
  await expect(announce(newMasterKey())).rejects.toThrow(OtherChange)
  await announce()
  expect(await changeUnderWay(database())).toMatchObject({ from: 1, to: 2, isActive: false })
})

type Sealed = {
  acme: TestOrganization
  proxyId: string
  endpointId: string
  cursor: string
  keyed: (client: Client) => ReturnType<Client['post']>
}

/** An organization with something in each place that depends on the master key. */
async function sealedThings(): Promise<Sealed> {
  const acme = await world.organization()
  const { owner } = acme
  const proxy = { protocol: 'http', host: 'proxy.example.com', port: 8080 }
  const login = { username: 'ann', password: 'hush' }
  const proxyId = await made(owner, '/proxies', { ...proxy, ...login })
  await made(owner, '/proxies', { ...proxy, port: 8081 })
  const { id: endpointId } = await endpointOf(acme)
  await owner.post(`/webhook_endpoints/${endpointId}/rotate_secret`)
  const change = { op: 'create', resource: 'proxy', body: { ...proxy, ...login, port: 8082 } }
  await proposing(owner, [change])
  await owner.post('/auth/factors', { kind: 'totp' })
  await owner.put('/organization/sso', ssoBody('acme.example'))
  await owner.post('/invitations', { email: `${crypto.randomUUID()}@example.com`, role: 'viewer' })
  const channel = { kind: 'slack', name: 'Ads', target: 'https://example.com/T0', events: ['*'] }
  await owner.post('/notification_channels', channel)
  const cursor = (await owner.get('/proxies?limit=1')).json().meta.next_cursor
  const operations = [{ op: 'create', body: { name: 'Keyed' } }]
  const keyed = (client: Client) =>
    client.post('/campaigns/bulk', { mode: 'partial', operations }, { 'idempotency-key': 'k' })
  await keyed(owner)
  world.clock.advance(1_000)
  await owner.patch('/organization', { name: 'Later' })
  await pruneBefore(world, acme, world.clock.now().toISOString())
  return { acme, proxyId, endpointId, cursor, keyed }
}

async function secretsOf({ services }: World, id: string): Promise<string[]> {
  const sql = 'select * from webhook_endpoints where id = $1'
  const [row] = await world.database.query<Row<'webhook_endpoints'>>(sql, [id])
  if (!row) throw new Error('the endpoint is gone')
  return openSecrets(services.crypto.cipher, row, world.clock.now().toISOString())
}

/** The rows under each key, by table. */
const underKeys = () =>
  world.database.query(`
    select 'proxies' as name, sealed_under as key, count(*)::int from proxies group by 2
    union all select 'webhook_endpoints', sealed_under, count(*)::int from webhook_endpoints group by 2
    union all select 'signing_keys', sealed_under, count(*)::int from signing_keys group by 2
    union all select 'change_set_operations', sealed_under, count(*)::int
      from change_set_operations group by 2
    union all select 'audit_anchors', sealed_under, count(*)::int from audit_anchors group by 2
    union all select 'idempotency_keys', sealed_under(body), count(*)::int from idempotency_keys
      where body is not null group by 2
    union all select 'factors', sealed_under, count(*)::int from factors group by 2
    union all select 'sso_settings', sealed_under, count(*)::int from sso_settings group by 2
    union all select 'notification_channels', sealed_under, count(*)::int
      from notification_channels group by 2
    union all select 'mails', sealed_under, count(*)::int from mails group by 2
    order by 1, 2`)

test('everything comes under the new key, works as before, and the old one opens nothing', async () => {
  const { acme, proxyId, endpointId, cursor, keyed } = await sealedThings()
  const secrets = await secretsOf(world, endpointId)
  expect(secrets).toHaveLength(2)
  const versions = await world.database.query(
    'select id, version, updated_at from proxies order by id',
  )
  await announce()
  await send(activation(2))
  expect(await reseal()).toEqual({
    rows: {
      signing_keys: 1,
      idempotency_keys: 1,
      proxies: 1,
      webhook_endpoints: 1,
      audit_anchors: 1,
      change_set_operations: 1,
      mails: 1,
      factors: 1,
      sso_settings: 1,
      notification_channels: 1,
    },
    damaged: [],
  })
  expect(await underKeys()).toEqual([
    { name: 'audit_anchors', key: 2, count: 1 },
    { name: 'change_set_operations', key: 2, count: 1 },
    { name: 'factors', key: 2, count: 1 },
    { name: 'idempotency_keys', key: 2, count: 1 },
    { name: 'mails', key: 2, count: 1 },
    { name: 'notification_channels', key: 2, count: 1 },
    { name: 'proxies', key: 2, count: 1 },
    { name: 'proxies', key: null, count: 1 },
    { name: 'signing_keys', key: 2, count: 1 },
    { name: 'sso_settings', key: 2, count: 1 },
    { name: 'webhook_endpoints', key: 2, count: 1 },
  ])
  for (const key of [oldKey, newKey]) {
    const there = clientOf((await startedWith(key)).app, acme.owner)
    expect((await keyed(there)).headers['idempotency-replayed']).toBe('true')
    expect((await there.get(`/proxies?cursor=${cursor}`)).statusCode).toBe(200)
  }

  await send(removal(1))
  await expect(startedWith(oldKey)).rejects.toThrow('The master key is not the one')
  const after = await startedWith(newKey)
  const owner = clientOf(after.app, acme.owner)
  const revealed = await owner.post(`/proxies/${proxyId}/credentials`)
  expect(revealed.json()).toEqual({ username: 'ann', password: 'hush' })
  expect(await secretsOf(after, endpointId)).toEqual(secrets)
  expect((await owner.get('/audit_logs/verify')).json()).toMatchObject({ valid: true })
  expect((await owner.get(`/proxies?cursor=${cursor}`)).json()).toMatchObject({
    code: 'invalid_cursor',
  })
  expect(
    await world.database.query('select id, version, updated_at from proxies order by id'),
  ).toEqual(versions)
})

test('the old key stays while anything is under it, and nothing is stored under it afterwards', async () => {
  const { acme } = await sealedThings()
  // Another process, which notices nothing of what follows.
  const unaware = clientOf((await startedWith(oldKey)).app, acme.owner)
  await announce()
  await send(activation(2))
  await expect(send(removal(1))).rejects.toSatisfy(isStillUsed)
  await reseal()
  const proxy = { protocol: 'http', host: 'proxy.example.com', port: 9090, password: 'late' }
  await made(unaware, '/proxies', proxy)
  await expect(send(removal(1))).rejects.toSatisfy(isStillUsed)
  expect((await reseal()).rows).toMatchObject({ proxies: 1 })
  await send(removal(1))
  const refused = await unaware.post('/proxies', proxy)
  expect([refused.statusCode, refused.json().code]).toEqual([503, 'unavailable'])
  const endpoint = await unaware.post('/webhook_endpoints', { url: 'https://example.com/' })
  expect([endpoint.statusCode, endpoint.json().code]).toEqual([503, 'unavailable'])
})

test('a value that changes meanwhile keeps the change', async () => {
  const { acme, proxyId } = await sealedThings()
  await announce()
  await send(activation(2))
  await world.services.crypto.keyring.refresh()
  let last = ''
  const changing = (async () => {
    for (let at = 0; at < 30; at += 1) {
      last = `password ${at}`
      const reply = await acme.owner.patch(`/proxies/${proxyId}`, { password: last })
      expect(reply.statusCode).toBe(200)
    }
  })()
  for (let at = 0; at < 10; at += 1) {
    // As another process that has yet to notice would leave it.
    const sealed = cipherWith(oldKey).seal('late', `proxies.username ${proxyId}`)
    const sql = 'update proxies set username_sealed = $2 where id = $1'
    await world.database.query(sql, [proxyId, sealed])
    await reseal()
  }
  await changing
  await reseal()
  await send(removal(1))
  const { password } = (await acme.owner.post(`/proxies/${proxyId}/credentials`)).json()
  expect(password).toBe(last)
})

test('a value that no key opens is reported, and stays so', async () => {
  const { acme, proxyId } = await sealedThings()
  const sql = `update proxies set username_sealed = repeat('A', 64) where id = $1`
  await world.database.query(sql, [proxyId])
  await announce()
  await send(activation(2))
  expect((await reseal()).damaged).toEqual([`proxies ${acme.id} ${proxyId}`])
  await send(removal(1))
  const read = 'select username_sealed from proxies where id = $1'
  const [row] = await world.database.query(read, [proxyId])
  expect(row).toEqual({ username_sealed: `2.${'A'.repeat(64)}` })
})
