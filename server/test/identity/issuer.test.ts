import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fakeClock } from '../../src/values/clock.ts'
import { type FreshDatabase, migratedDatabase } from '../support/machines/fresh-database.ts'
import { clientOf, openWorld, type World } from '../support/world.ts'

let database: FreshDatabase
const opened: World[] = []

const open = async (env: Record<string, string>, clock = fakeClock()) => {
  const world = await openWorld({ address: database.address, env, clock })
  opened.push(world)
  return world
}

beforeAll(async () => {
  database = await migratedDatabase()
})
afterAll(async () => {
  for (const world of opened) await world.close()
  await database.drop()
})

test('without a public URL processes on any port accept each other’s tokens', async () => {
  const one = await open({ FLIGHTDECK_PORT: '8101' })
  const other = await open({ FLIGHTDECK_PORT: '8102' })
  const { owner } = await one.organization()
  expect(decodeJwt(String(owner.token)).iss).toMatch(/^urn:flightdeck:[0-9a-f]{8}-[0-9a-f-]{27}$/)
  expect((await clientOf(other.app, owner).get('/auth/me')).statusCode).toBe(200)
})

test('after the public URL has changed, older tokens are valid to their end', async () => {
  const before = await open({ FLIGHTDECK_PUBLIC_URL: 'https://before.example.com' })
  const { owner } = await before.organization()
  const later = fakeClock()
  later.advance(2_000)
  const after = await open({ FLIGHTDECK_PUBLIC_URL: 'https://after.example.com' }, later)
  const me = () => clientOf(after.app, owner).get('/auth/me')
  expect((await me()).statusCode).toBe(200)
  const restarted = await open({ FLIGHTDECK_PUBLIC_URL: 'https://after.example.com' }, later)
  expect((await clientOf(restarted.app, owner).get('/auth/me')).statusCode).toBe(200)
  const refreshed = (await clientOf(after.app, owner).post('/auth/refresh')).json()
  expect(decodeJwt(refreshed.token).iss).toBe('https://after.example.com')
  after.clock.advance(24 * 3_600_000)
  expect((await me()).json().code).toBe('token_expired')
})

test('with one it is the issuer, and tokens of another are not accepted', async () => {
  const one = await open({ FLIGHTDECK_PUBLIC_URL: 'https://ads.example.com' })
  const other = await open({ FLIGHTDECK_PUBLIC_URL: 'https://other.example.com' })
  // After the change, or the token would be one of before.
  one.clock.advance(2_000)
  const { owner } = await one.organization()
  expect(decodeJwt(String(owner.token)).iss).toBe('https://ads.example.com')
  const reply = await clientOf(other.app, owner).get('/auth/me')
  expect([reply.statusCode, reply.json().code]).toEqual([401, 'invalid_token'])
})

test('only one spelling of a signature is a token', async () => {
  const world = await open({})
  const { owner } = await world.organization()
  const token = String(owner.token)
  const next = { A: 'B', Q: 'R', g: 'h', w: 'x' }[token.at(-1) ?? '']
  expect(next).toBeDefined()
  const reply = await clientOf(world.app, { ...owner, token: `${token.slice(0, -1)}${next}` }).get(
    '/auth/me',
  )
  expect([reply.statusCode, reply.json().code]).toEqual([401, 'invalid_token'])
  expect((await clientOf(world.app, owner).get('/auth/me')).statusCode).toBe(200)
})
