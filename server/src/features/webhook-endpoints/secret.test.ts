import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpointOf, rowsOf } from '../../../test/support/deliveries.ts'
import { watch } from '../../../test/support/documented.ts'
import { openWorld, type TestOrganization, type World } from '../../../test/support/world.ts'
import { openSecrets } from '../../crypto/webhook-secret.ts'
import type { Row } from '../../database/tables/tenant-tables.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld())
})
afterAll(() => world.close())

const rotate = ({ owner }: TestOrganization, id: string, body?: object) =>
  owner.post(`/webhook_endpoints/${id}/rotate_secret`, body)

const inSeconds = (seconds: number) =>
  new Date(world.clock.now().getTime() + seconds * 1000).toISOString()

/** The secrets that would sign in this many seconds. */
async function signing(organization: TestOrganization, seconds = 0): Promise<string[]> {
  const [row] = await rowsOf(world, 'webhook_endpoints', organization)
  return openSecrets(
    world.services.crypto.cipher,
    row as Row<'webhook_endpoints'>,
    inSeconds(seconds),
  )
}

describe('rotating the secret', () => {
  test('shows the new one once', async () => {
    const organization = await world.organization()
    const created = await endpointOf(organization)
    const reply = await rotate(organization, created.id)
    expect(reply.statusCode).toBe(200)
    expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', etag: '"2"' })
    const { secret, ...endpoint } = reply.json()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(secret).not.toBe(created.secret)
    expect(endpoint).toMatchObject({
      id: created.id,
      secret_hint: secret.slice(-4),
      previous_secret_expires_at: inSeconds(86_400),
      version: 2,
    })
    const { owner } = organization
    expect((await owner.get(`/webhook_endpoints/${created.id}`)).json()).toEqual(endpoint)
    expect((await owner.get('/webhook_endpoints')).json().data).toEqual([endpoint])
  })

  test('lets the previous one sign too, for a day', async () => {
    const organization = await world.organization()
    const { id, secret: before } = await endpointOf(organization)
    expect(await signing(organization)).toEqual([before])
    const { secret } = (await rotate(organization, id)).json()
    expect(await signing(organization)).toEqual([secret, before])
    expect(await signing(organization, 86_399)).toEqual([secret, before])
    expect(await signing(organization, 86_400)).toEqual([secret])
  })

  test('accepts another grace period', async () => {
    const organization = await world.organization()
    const { id, secret: before } = await endpointOf(organization)
    const reply = (await rotate(organization, id, { grace_period_seconds: 604_800 })).json()
    expect(reply.previous_secret_expires_at).toBe(inSeconds(604_800))
    expect(await signing(organization, 604_799)).toEqual([reply.secret, before])
  })

  test('without a grace period ends the previous one at once', async () => {
    const organization = await world.organization()
    const { id } = await endpointOf(organization)
    await rotate(organization, id)
    const reply = (await rotate(organization, id, { grace_period_seconds: 0 })).json()
    expect(reply.previous_secret_expires_at).toBeNull()
    expect(await signing(organization)).toEqual([reply.secret])
    const [row] = await rowsOf(world, 'webhook_endpoints', organization)
    expect(row).toMatchObject({ previous_secrets: [] })
  })

  test('twice gives each its own grace period', async () => {
    const organization = await world.organization()
    const { id, secret: first } = await endpointOf(organization)
    const { secret: second } = (await rotate(organization, id)).json()
    world.clock.advance(3_600_000)
    const reply = (await rotate(organization, id, { grace_period_seconds: 3600 })).json()
    const { secret: third } = reply
    expect(reply.previous_secret_expires_at).toBe(inSeconds(82_800))
    expect(await signing(organization)).toEqual([third, second, first])
    expect(await signing(organization, 3600)).toEqual([third, first])
    expect(await signing(organization, 82_799)).toEqual([third, first])
    expect(await signing(organization, 82_800)).toEqual([third])
    // Expired secrets are not kept.
    world.clock.advance(3_600_000)
    await rotate(organization, id)
    const [row] = await rowsOf(world, 'webhook_endpoints', organization)
    expect(row?.previous_secrets).toHaveLength(2)
  })

  test('allows at most five active secrets; one more is refused until one ends, or all at once', async () => {
    const organization = await world.organization()
    const { id } = await endpointOf(organization)
    for (let times = 0; times < 4; times += 1) {
      const hour = { grace_period_seconds: 3_600 }
      expect((await rotate(organization, id, hour)).statusCode).toBe(200)
      world.clock.advance(1_000)
    }
    const five = await signing(organization)
    expect(new Set(five).size).toBe(5)
    const refused = await rotate(organization, id)
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      { code: 'limit_exceeded', resource: 'signing_secrets', limit: 5 },
    ])
    expect(await signing(organization)).toEqual(five)
    world.clock.advance(3_596_000)
    expect((await rotate(organization, id)).statusCode).toBe(200)
    expect(await signing(organization)).toHaveLength(5)
    const last = (await rotate(organization, id, { grace_period_seconds: 0 })).json()
    expect(await signing(organization)).toEqual([last.secret])
  })

  test.each([-1, 604_801, 1.5, '60', null])('refuses %j as a grace period', async (seconds) => {
    const organization = await world.organization()
    const { id, secret } = await endpointOf(organization)
    const reply = await rotate(organization, id, { grace_period_seconds: seconds })
    expect(reply.statusCode).toBe(422)
    expect(reply.json().errors).toMatchObject([{ pointer: '/grace_period_seconds' }])
    expect(await signing(organization)).toEqual([secret])
  })

  test('happens once under one key, and is shown once', async () => {
    const organization = await world.organization()
    const { id } = await endpointOf(organization)
    const send = () =>
      organization.owner.post(`/webhook_endpoints/${id}/rotate_secret`, undefined, {
        'idempotency-key': 'k',
      })
    const [first, second] = [(await send()).json(), await send()]
    expect(second.headers).toMatchObject({
      'idempotency-replayed': 'true',
      'cache-control': 'no-store',
    })
    expect(second.json()).toEqual({ ...first, secret: null })
    expect((await signing(organization))[0]).toBe(first.secret)
  })

  test('checks If-Match', async () => {
    const organization = await world.organization()
    const { id, secret } = await endpointOf(organization)
    const path = `/webhook_endpoints/${id}/rotate_secret`
    const stale = await organization.owner.post(path, {}, { 'if-match': '"7"' })
    expect(stale.statusCode).toBe(412)
    expect(await signing(organization)).toEqual([secret])
    const fresh = await organization.owner.post(path, {}, { 'if-match': '"1"' })
    expect(fresh.statusCode).toBe(200)
  })

  test('is in the audit log and sent to other endpoints, without the secret', async () => {
    const organization = await world.organization()
    const [one, other] = [await endpointOf(organization), await endpointOf(organization)]
    const { secret } = (await rotate(organization, one.id)).json()
    const { data } = (await organization.owner.get('/audit_logs?limit=1')).json()
    expect(data).toMatchObject([
      { action: 'webhook_endpoint.secret_rotated', resource: { id: one.id } },
    ])
    const redacted = { field: 'secret', before: '[redacted]', after: '[redacted]' }
    expect(data[0].changes).toContainEqual(redacted)
    const reported = await rowsOf(world, 'webhook_deliveries', organization)
    const rotated = reported.filter((row) => row.event_type === 'webhook_endpoint.secret_rotated')
    expect(rotated.map((row) => row.endpoint_id)).toEqual([other.id])
    const tables = ['webhook_endpoints', 'audit_logs', 'events', 'webhook_deliveries']
    const rows = await Promise.all(tables.map((table) => rowsOf(world, table, organization)))
    for (const text of [one.secret, other.secret, secret]) {
      expect(JSON.stringify([rows, world.logged])).not.toContain(text.slice('whsec_'.length))
    }
  })
})
