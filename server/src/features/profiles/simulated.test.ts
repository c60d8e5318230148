import { afterAll, beforeAll, expect, test } from 'vitest'
import { madeKey } from '../../../test/support/api-keys.ts'
import { watch } from '../../../test/support/documented.ts'
import { faultsOf, openWorld, type World } from '../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld())
})
afterAll(() => world.close())

const body = { name: 'A', platform: 'sim', account_ref: 'sim-1' }
const lease = {
  instance: 'one',
  adapter: 'sim',
  adapter_version: '1.0.0',
  platform: 'sim',
  api_version: '1',
  ttl_seconds: 60,
}

/** The replies to a profile of the simulated network, and to a connector for it. */
async function triedIn(of: World, options: { sandbox?: boolean }) {
  const { owner } = await of.organization(options)
  const { client } = await madeKey(of, owner, { role: 'connector' })
  return {
    owner,
    profile: await owner.post('/profiles', body),
    lease: await client.post('/connector/leases', lease),
  }
}

test('the simulated network is a platform of sandboxes', async () => {
  const { profile, lease } = await triedIn(world, { sandbox: true })
  expect([profile.statusCode, lease.statusCode]).toEqual([201, 200])
  expect(lease.json()).toMatchObject({ sandbox: true, profiles: [{ id: profile.json().id }] })
})

test('it is an unknown platform elsewhere', async () => {
  const { owner, profile, lease } = await triedIn(world, {})
  for (const reply of [profile, lease]) {
    expect(reply.statusCode).toBe(422)
    expect(faultsOf(reply)).toEqual(['/platform invalid_enum_value'])
    expect(reply.json().errors[0].allowed).not.toContain('sim')
  }
  const others = { ...body, time_zone: 'Europe/Nowhere' }
  expect(faultsOf(await owner.post('/profiles', others))).toEqual([
    '/platform invalid_enum_value',
    '/time_zone invalid_enum_value',
  ])
})

test('the operator can admit it for every organization', async () => {
  const admitting = await openWorld({ env: { FLIGHTDECK_SIM: 'true' } })
  const { owner, profile, lease } = await triedIn(admitting, {})
  expect([profile.statusCode, lease.statusCode]).toEqual([201, 200])
  await admitting.close()
  // A profile that was made then goes on without it.
  const token = { authorization: `Bearer ${owner.token}` }
  const path = `/profiles/${profile.json().id}`
  const reply = await world.anonymous.patch(path, { name: 'B' }, token)
  expect(reply.json()).toMatchObject({ name: 'B', platform: 'sim' })
})
