import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { missingPath } from '../../../../test/support/cases/unknown-ids.ts'
import { guard } from '../../../../test/support/clients/second-factor.ts'
import { endpoints } from '../../../../test/support/documented.ts'
import {
  type Client,
  clientOf,
  openWorld,
  password,
  type Reply,
  unlimited,
  type World,
} from '../../../../test/support/world.ts'
import { methodsOf } from '../../../http/endpoint.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({ env: unlimited })
})
afterAll(() => world.close())

const codeOf = (reply: Reply) => [reply.statusCode, reply.json().code]
const operations = endpoints.flatMap((endpoint) =>
  methodsOf(endpoint).map((method) => ({
    name: `${method} ${endpoint.path}`,
    method,
    path: endpoint.path,
    isGuarded: endpoint.permission !== null,
  })),
)
type Operation = (typeof operations)[number]

const isPublic = ({ isGuarded }: Operation) => !isGuarded
const send = (client: Client, { method, path }: Operation) =>
  client.call({ method, url: missingPath(path) })

/** An organization that requires factors, of an owner who has one. */
async function strict() {
  const organization = await world.organization()
  const guarded = await guard(world, organization.owner)
  const reply = await organization.owner.patch('/organization', { require_second_factor: true })
  expect([reply.statusCode, reply.json().require_second_factor]).toEqual([200, true])
  return { ...organization, ...guarded }
}

describe('a required second factor', () => {
  test('needs an owner who has one', async () => {
    const { owner, as } = await world.organization()
    const admin = await as('admin')
    await guard(world, admin)
    const required = { require_second_factor: true }
    expect(codeOf(await owner.patch('/organization', required))).toEqual([
      409,
      'owner_without_factor',
    ])
    await guard(world, owner)
    expect((await owner.patch('/organization', required)).statusCode).toBe(200)
  })

  test('leaves people without one nothing but to set it up', async () => {
    const { as } = await strict()
    const viewer = await as('admin')
    expect((await viewer.get('/auth/me')).json().must_set_up_factor).toBe(true)
    expect(codeOf(await viewer.get('/campaigns'))).toEqual([403, 'second_factor_required'])
    await guard(world, viewer)
    expect((await viewer.get('/campaigns')).statusCode).toBe(200)
    expect((await viewer.get('/auth/me')).json().must_set_up_factor).toBe(false)
  })

  test('is asked for of who removes the last one, in the session that is open', async () => {
    const { owner, as } = await strict()
    const viewer = await as('viewer')
    const { id } = await guard(world, viewer)
    expect((await viewer.get('/campaigns')).statusCode).toBe(200)
    expect((await viewer.delete(`/auth/factors/${id}`)).statusCode).toBe(204)
    expect(codeOf(await viewer.get('/campaigns'))).toEqual([403, 'second_factor_required'])
    expect((await owner.get('/campaigns')).statusCode).toBe(200)
  })

  const possible = [
    'POST /auth/refresh',
    'DELETE /auth/logout',
    'GET /auth/me',
    'GET /auth/factors',
    'POST /auth/factors',
    'POST /auth/factors/:id/verify',
    'DELETE /auth/factors/:id',
  ]

  test('is asked for by every operation but these', async () => {
    const { as } = await strict()
    const asked: string[] = []
    const others = operations.filter((each) => !isPublic(each))
    for (const operation of others) {
      const client = await as('owner')
      const reply = await send(client, operation)
      if (reply.statusCode === 403 && reply.json().code === 'second_factor_required') continue
      asked.push(operation.name)
    }
    expect(asked.sort()).toEqual([...possible].sort())
  })

  test('holds for a stream that is open, for the console, and not for API keys', async () => {
    const { as, owner } = await strict()
    const key = (await owner.post('/api_keys', { name: 'Reader', role: 'viewer' })).json().key
    const keyed = clientOf(world.app, { token: key, userId: '', email: '' })
    expect((await keyed.get('/campaigns')).statusCode).toBe(200)
    const viewer = await as('viewer')
    const headers = {
      cookie: `flightdeck=${viewer.token}`,
      'x-flightdeck-console': '1',
      'sec-fetch-site': 'same-origin',
    }
    const inConsole = await world.anonymous.get('/campaigns', headers)
    expect(codeOf(inConsole)).toEqual([403, 'second_factor_required'])
    const stream = await viewer.get('/events/stream')
    expect(codeOf(stream)).toEqual([403, 'second_factor_required'])
  })
})

describe('a recent login', () => {
  const protecting =
    /^(?:POST|PUT|PATCH|DELETE) \/(?:auth\/factors|auth\/login_code\/confirm|api_keys|members|invitations(?!\/accept)|organization\/guardrails|organization\/sso(?!\/test))/

  test('is asked for by these operations, of people who have a factor', async () => {
    const { owner } = await world.organization()
    await guard(world, owner)
    world.clock.advance(15 * 60_000 + 1_000)
    const asked: string[] = []
    for (const operation of operations.filter((each) => !isPublic(each))) {
      if (/logout|stream|refresh/.test(operation.path)) continue
      const reply = await send(owner, operation)
      if (reply.statusCode === 403 && reply.json().code === 'recent_login_required')
        asked.push(operation.name)
    }
    // An agent that goes wrong is stopped at once.
    const expected = operations
      .map(({ name }) => name)
      .filter((name) => protecting.test(name) && name !== 'POST /api_keys/:id/stop')
    expect(asked.sort()).toEqual(expected.sort())
  })

  test('is asked for where factors are required or no longer, and by no other field', async () => {
    const { owner, code } = await strict()
    world.clock.advance(16 * 60_000)
    const set = (require_second_factor: boolean, client: Client = owner) =>
      client.patch('/organization', { name: 'Acme', require_second_factor })
    expect(codeOf(await set(false))).toEqual([403, 'recent_login_required'])
    expect((await set(true)).statusCode).toBe(200)
    const credentials = { email: owner.email, password, otp: code() }
    const { token } = (await world.anonymous.post('/auth/login', credentials)).json()
    const again = clientOf(world.app, { ...owner, token })
    expect((await set(false, again)).json().require_second_factor).toBe(false)
    expect(codeOf(await set(true))).toEqual([403, 'recent_login_required'])
  })

  test('is not a refresh, and is one by password and code', async () => {
    const { owner } = await world.organization()
    const { code } = await guard(world, owner)
    world.clock.advance(16 * 60_000)
    const body = { name: 'Late', role: 'viewer' }
    const refreshed = (await owner.post('/auth/refresh')).json().token
    const later = clientOf(world.app, { ...owner, token: refreshed })
    expect(codeOf(await later.post('/api_keys', body))).toEqual([403, 'recent_login_required'])
    const credentials = { email: owner.email, password, otp: code() }
    const { token } = (await world.anonymous.post('/auth/login', credentials)).json()
    const again = clientOf(world.app, { ...owner, token })
    expect((await again.post('/api_keys', body)).statusCode).toBe(201)
  })

  test('is asked of no one without a factor, and of no key', async () => {
    const { owner } = await world.organization()
    world.clock.advance(16 * 60_000)
    expect((await owner.post('/api_keys', { name: 'Any', role: 'viewer' })).statusCode).toBe(201)
    const role = 'admin'
    const { key } = (await owner.post('/api_keys', { name: 'Admin', role })).json()
    await guard(world, owner)
    world.clock.advance(16 * 60_000)
    const keyed = clientOf(world.app, { token: key, userId: '', email: '' })
    expect((await keyed.post('/templates', { name: 'Preset' })).statusCode).toBe(201)
    expect(codeOf(await keyed.post('/members', {}))).toEqual([403, 'insufficient_role'])
  })
})

describe('the factors of a member', () => {
  test('are removed by an admin, of an owner by an owner, and the member hears of it', async () => {
    const { owner, as } = await world.organization()
    const admin = await as('admin')
    const viewer = await as('viewer')
    await guard(world, viewer)
    expect((await admin.delete(`/members/${viewer.userId}/factors`)).statusCode).toBe(204)
    expect((await admin.delete(`/members/${viewer.userId}/factors`)).statusCode).toBe(404)
    expect((await viewer.get('/auth/factors')).json().data).toEqual([])
    expect((await owner.get(`/members/${viewer.userId}`)).json().second_factor).toBe(false)
    await guard(world, owner)
    const refused = await admin.delete(`/members/${owner.userId}/factors`)
    expect(codeOf(refused)).toEqual([403, 'insufficient_role'])
    const { owner: stranger } = await world.organization()
    expect((await stranger.delete(`/members/${owner.userId}/factors`)).statusCode).toBe(404)
    expect((await owner.get(`/members/${owner.userId}`)).json().second_factor).toBe(true)
    const { data } = (await owner.get('/audit_logs?action=auth.factors_removed')).json()
    expect(data.map(({ outcome }: { outcome: string }) => outcome).sort()).toEqual([
      'denied',
      'success',
    ])
  })
})
