import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, migratedDatabase } from '../support/fresh-database.ts'
import { clientOf, openWorld, type World } from '../support/world.ts'

let database: FreshDatabase
const opened: World[] = []

const open = async (env: Record<string, string>) => {
  const world = await openWorld({ address: database.address, env })
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

test('with one it is the issuer, and tokens of another are not accepted', async () => {
  const one = await open({ FLIGHTDECK_PUBLIC_URL: 'https://ads.example.com' })
  const other = await open({ FLIGHTDECK_PUBLIC_URL: 'https://other.example.com' })
  const { owner } = await one.organization()
  expect(decodeJwt(String(owner.token)).iss).toBe('https://ads.example.com')
  const reply = await clientOf(other.app, owner).get('/auth/me')
  expect([reply.statusCode, reply.json().code]).toEqual([401, 'invalid_token'])
})
