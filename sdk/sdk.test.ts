import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  openWorld,
  password,
  type TestOrganization,
  type World,
} from '../server/test/support/world.ts'
import { createFlightdeck, type Flightdeck, FlightdeckError, type Schema } from './src/client.ts'

let world: World
let baseUrl: string
let organization: TestOrganization
let flightdeck: Flightdeck

beforeAll(async () => {
  world = await openWorld()
  baseUrl = `${await world.app.listen({ host: '127.0.0.1', port: 0 })}/api/v1`
  organization = await world.organization()
  const { email } = organization.owner
  flightdeck = createFlightdeck({ baseUrl, login: { email, password } })
})
afterAll(() => world.close())

const token = () => organization.owner.token ?? ''

const draft = (profile_id: string, name = 'Spring Sale 2026') => ({
  name,
  objective: 'sales',
  profile_id,
  daily_budget: 33.51,
  currency: 'USD',
})

/** The error that the promise rejects with. */
async function refusal(promise: Promise<unknown>): Promise<FlightdeckError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof FlightdeckError)) throw new Error(`not a FlightdeckError: ${error}`)
  return error
}

describe('the client', () => {
  test('logs in by itself and goes from a profile to a running campaign', async () => {
    const profile = await flightdeck.post('/profiles', { body: { name: 'Main account' } })
    const created: Schema<'Campaign'> = await flightdeck.post('/campaigns', {
      body: draft(profile.id),
    })
    expect(created).toMatchObject({
      status: 'draft',
      daily_budget: 33.51,
      daily_budget_minor: 3351,
    })
    const params = { path: { id: created.id } }
    const changed = await flightdeck.patch('/campaigns/{id}', { params, body: { notes: 'ours' } })
    expect(changed).toMatchObject({ version: 2, notes: 'ours' })
    expect(await flightdeck.post('/campaigns/{id}/launch', { params })).toMatchObject({
      status: 'active',
    })
    await flightdeck.post('/campaigns/{id}/pause', { params })
    expect(await flightdeck.delete('/campaigns/{id}', { params })).toBeUndefined()
    expect((await refusal(flightdeck.get('/campaigns/{id}', { params }))).code).toBe('not_found')
  })

  test('throws problems as errors that name the fields to correct', async () => {
    const error = await refusal(flightdeck.post('/campaigns', { body: draft('prf_x') }))
    expect(error).toMatchObject({ status: 422, code: 'validation_failed', retry: 'correctable' })
    expect(error.requestId).toMatch(/^req_/)
    expect(error.errors).toMatchObject([{ pointer: '/profile_id', code: 'invalid_reference' }])
  })

  test('iterates over a list of several pages', async () => {
    const profile = await flightdeck.post('/profiles', { body: { name: 'Walked' } })
    for (const name of ['A', 'B', 'C']) {
      await flightdeck.post('/campaigns', { body: draft(profile.id, name) })
    }
    const names: string[] = []
    const query = { profile_id: profile.id, sort: 'name' as const, limit: 2 }
    for await (const campaign of flightdeck.paginate('/campaigns', query)) names.push(campaign.name)
    expect(names).toEqual(['A', 'B', 'C'])
  })

  test('retries a request whose answer was lost, and the service executes it once', async () => {
    let isLost = false
    const client = createFlightdeck({
      baseUrl,
      token: token(),
      fetch: async (request) => {
        const response = await fetch(request)
        if (isLost) return response
        isLost = true
        throw new TypeError('the connection broke')
      },
    })
    const profile = await client.post('/profiles', { body: { name: 'Only once' } })
    const query = { q: 'Only once' }
    const { data } = await client.get('/profiles', { params: { query } })
    expect(data.map(({ id }) => id)).toEqual([profile.id])
  })

  test('waits for Retry-After, keeps the idempotency key, and finally gives up', async () => {
    const keys: (string | null)[] = []
    const client = createFlightdeck({
      baseUrl,
      token: 'any',
      retries: 2,
      fetch: async (request) => {
        keys.push(request.headers.get('idempotency-key'))
        return busy()
      },
    })
    const error = await refusal(client.post('/profiles', { body: { name: 'Never' } }))
    expect(error).toMatchObject({ status: 503, code: 'unavailable', retryAfterSeconds: 0 })
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
  })

  test('throws instead of waiting longer than allowed', async () => {
    let calls = 0
    const fetch = async () => {
      calls += 1
      return busy(61)
    }
    const client = createFlightdeck({ baseUrl, token: 'any', fetch })
    expect((await refusal(client.get('/campaigns'))).retryAfterSeconds).toBe(61)
    expect(calls).toBe(1)
  })

  test('logs in again, once, when its token has been revoked', async () => {
    const { email } = organization.owner
    const client = createFlightdeck({ baseUrl, login: { email, password } })
    const first = await client.get('/auth/me')
    await client.delete('/auth/logout')
    const second = await client.get('/auth/me')
    expect(second.user).toEqual(first.user)
    expect(second.session_id).not.toBe(first.session_id)
  })

  test('reports when a gateway answers instead of the service', async () => {
    const fetch = async () => new Response('<h1>Not here</h1>', { status: 404 })
    const client = createFlightdeck({ baseUrl, token: 'any', fetch })
    expect(await refusal(client.get('/auth/me'))).toMatchObject({ status: 404, code: 'unknown' })
  })
})

const busy = (seconds = 0) =>
  new Response(
    JSON.stringify({
      type: '/problems/unavailable',
      title: 'The service cannot reach its database',
      status: 503,
      detail: 'Later.',
      instance: '/',
      code: 'unavailable',
      request_id: 'req_0',
      retry: 'transient',
      errors: [],
    }),
    {
      status: 503,
      headers: { 'content-type': 'application/problem+json', 'retry-after': String(seconds) },
    },
  )
