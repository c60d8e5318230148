import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { guard } from '../server/test/support/clients/second-factor.ts'
import {
  openWorld,
  password,
  type TestOrganization,
  type World,
} from '../server/test/support/world.ts'
import {
  bulkAll,
  createFlightdeck,
  type Flightdeck,
  FlightdeckError,
  FlightdeckTimeout,
  isProblem,
  other,
  type Query,
  reportAll,
  type Schema,
} from './src/client.ts'

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

const asOwner = (options: Partial<Parameters<typeof createFlightdeck>[0]> = {}) =>
  createFlightdeck({ baseUrl, token: token(), ...options } as Parameters<
    typeof createFlightdeck
  >[0])

const draft = (profile_id: string, name = 'Spring Sale 2026') => ({
  name,
  objective: 'sales' as const,
  profile_id,
  daily_budget: 33.51,
  currency: 'USD',
})

/** The error that the promise rejects with. */
async function refusal(promise: PromiseLike<unknown>): Promise<FlightdeckError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof FlightdeckError)) throw new Error(`not a FlightdeckError: ${error}`)
  return error
}

describe('methods', () => {
  test('log in by themselves and go from a profile to a running campaign', async () => {
    const profile = await flightdeck.profiles.create({ name: 'Main account' })
    const created: Schema<'Campaign'> = await flightdeck.campaigns.create(draft(profile.id))
    expect(created).toMatchObject({
      status: 'draft',
      daily_budget: 33.51,
      daily_budget_minor: 3351,
    })
    const changed = await flightdeck.campaigns.update(created, { notes: 'ours' })
    expect(changed).toMatchObject({ version: 2, notes: 'ours' })
    expect(await flightdeck.campaigns.launch(changed)).toMatchObject({ status: 'active' })
    const paused = await flightdeck.campaigns.pause(created.id)
    expect(await flightdeck.campaigns.delete(paused)).toBeUndefined()
    expect((await refusal(flightdeck.campaigns.get(created))).code).toBe('not_found')
  })

  test('send the version of the object that they change', async () => {
    const { templates } = flightdeck
    const first = await templates.create({ name: 'First' })
    const second = await templates.update(first, { name: 'Second' })
    const error = await refusal(templates.update(first, { name: 'Third' }))
    if (!isProblem(error, 'version_mismatch')) throw error
    expect(error.problem.current_version).toBe(second.version)
    expect(await templates.update(first.id, { name: 'By id' })).toMatchObject({ version: 3 })
    expect(await templates.update(first, { name: 'Any' }, { ifMatch: null })).toMatchObject({
      version: 4,
    })
  })

  test('send a version that is given with any request', async () => {
    const { id } = await flightdeck.templates.create({ name: 'First' })
    const change = { body: { name: 'Second' }, ifMatch: 7 }
    const error = await refusal(flightdeck.request('PATCH', `/templates/${id}`, change))
    expect(error.code).toBe('version_mismatch')
  })

  test('merge metadata in a patch, and replace it in an update', async () => {
    const { profiles } = flightdeck
    const { id } = await profiles.create({ name: 'Merged', metadata: { a: '1', b: '2' } })
    const patched = await profiles.patch(id, { metadata: { b: '3' } })
    expect(patched.metadata).toEqual({ a: '1', b: '3' })
    expect((await profiles.update(id, { metadata: { c: '4' } })).metadata).toEqual({ c: '4' })
  })

  test('answer status, headers and the request id on demand', async () => {
    const call = flightdeck.profiles.create({ name: 'With headers' })
    const { data, status, headers, requestId } = await call.withResponse()
    expect([status, headers.get('etag')]).toEqual([201, '"1"'])
    expect(requestId).toMatch(/^req_/)
    expect(await call).toBe(data)
  })

  test('send a call that is never awaited, once', async () => {
    let calls = 0
    const client = asOwner({
      fetch: (request) => {
        calls += 1
        return fetch(request)
      },
    })
    const call = client.profiles.list({ q: 'none' })
    await expect.poll(() => calls).toBe(1)
    await Promise.all([call, call.withResponse(), call.finally(() => {})])
    expect(calls).toBe(1)
  })

  test.each(['', '.', '..', null])('refuse the id %j, which would be another path', (id) => {
    expect(() => flightdeck.campaigns.get(id as string)).toThrow('/campaigns/{id} needs an id')
  })

  test('refuse an object with an empty id', () => {
    expect(() => flightdeck.campaigns.delete({ id: '' })).toThrow(TypeError)
  })

  test('take reasons, and requests that have no method', async () => {
    const reason = 'asked by the client'
    const { id } = await flightdeck.profiles.create({ name: 'Reasoned' }, { reason })
    const query = { resource_id: id }
    const logs = await flightdeck.request<{ data: { reason: string }[] }>('GET', '/audit_logs', {
      query,
    })
    expect(logs.data.map((each) => each.reason)).toEqual([reason])
  })
})

describe('a dry run', () => {
  test('shows the result with its warnings, and stores nothing', async () => {
    const profile = await flightdeck.profiles.create({ name: 'Dry', currency: 'USD' })
    const past = { ...draft(profile.id), start_at: '2020-01-01T00:00:00Z' }
    const tried = await flightdeck.campaigns.create(past).dryRun()
    expect(tried.warnings.map(({ pointer }) => pointer)).toContain('/start_at')
    const { name, warnings } = await flightdeck.campaigns.create(draft(profile.id)).dryRun()
    expect([name, warnings]).toEqual(['Spring Sale 2026', []])
    expect((await flightdeck.campaigns.list({ profile_id: profile.id })).data).toEqual([])
  })

  test('of a deletion shows what would go', async () => {
    const template = await flightdeck.templates.create({ name: 'Kept' })
    const tried = await flightdeck.templates.delete(template).dryRun()
    expect(tried.name).toBe('Kept')
    expect(await flightdeck.templates.get(template)).toEqual(template)
  })

  test('comes too late once the request is sent', async () => {
    const call = flightdeck.templates.create({ name: 'Sent' })
    await call
    await expect(call.dryRun()).rejects.toThrow(TypeError)
  })
})

describe('lists', () => {
  const names = ['A', 'B', 'C', 'D', 'E']
  let query: { profile_id: string; sort: 'name'; limit: number }

  beforeAll(async () => {
    const profile = await flightdeck.profiles.create({ name: 'Walked' })
    for (const name of names) await flightdeck.campaigns.create(draft(profile.id, name))
    query = { profile_id: profile.id, sort: 'name', limit: 2 }
  })

  test('are iterated over all their pages', async () => {
    const found: string[] = []
    for await (const campaign of flightdeck.campaigns.list(query)) found.push(campaign.name)
    expect(found).toEqual(names)
  })

  test('become an array of at most the limit', async () => {
    const take = async (limit: number) =>
      (await flightdeck.campaigns.list(query).toArray({ limit })).map(({ name }) => name)
    expect([await take(3), await take(100), await take(0)]).toEqual([names.slice(0, 3), names, []])
  })

  test('answer their first page', async () => {
    const { data, meta } = await flightdeck.campaigns.list(query)
    expect([data.map(({ name }) => name), meta.has_more]).toEqual([['A', 'B'], true])
  })

  test('take several values of a filter', async () => {
    const { data } = await flightdeck.campaigns.list({ ...query, status: ['draft', 'active'] })
    expect(data).toHaveLength(2)
  })

  test('take each value of a list whole, commas included', async () => {
    await flightdeck.templates.create({ name: 'Both', labels: ['spring, summer'] })
    await flightdeck.templates.create({ name: 'One', labels: ['spring'] })
    await flightdeck.templates.create({ name: 'Neither, nor' })
    const found = async (query: Query<'listTemplates'>) =>
      (await flightdeck.templates.list(query)).data.map(({ name }) => name)
    expect(await found({ label: ['spring, summer'] })).toEqual(['Both'])
    expect(await found({ label: 'spring, summer' })).toEqual(['Both'])
    expect(await found({ label: ['spring, summer', 'spring'], sort: 'name' })).toEqual([
      'Both',
      'One',
    ])
    expect(await found({ q: 'Neither, nor' })).toEqual(['Neither, nor'])
    const raw = { query: { label: 'spring,summer' } }
    const { data } = await flightdeck.request<{ data: unknown[] }>('GET', '/templates', raw)
    expect(data).toHaveLength(1)
  })
})

describe('bulk', () => {
  test('sends any number of operations, 100 a request, and numbers them through', async () => {
    const profile = await flightdeck.profiles.create({ name: 'Bulk' })
    const operations = Array.from({ length: 120 }, (_, at) => ({
      op: 'create' as const,
      body: { ...draft(profile.id, `Bulk ${at}`), daily_budget: at === 110 ? -1 : 5 },
    }))
    const outcomes = await Array.fromAsync(bulkAll(flightdeck, operations))
    expect(outcomes.map(({ index }) => index)).toEqual(operations.map((_, at) => at))
    expect(outcomes.filter(({ status }) => status >= 400).map(({ index }) => index)).toEqual([110])
  })

  test('reports any number of days, and tries them out before', async () => {
    const profile = await flightdeck.profiles.create({ name: 'Main' })
    const campaign = await flightdeck.campaigns.create(draft(profile.id, 'Reported'))
    const rows = Array.from({ length: 1_500 }, (_, at) => ({
      campaign_id: campaign.id,
      date: new Date(Date.UTC(2025, 0, 1) - at * 86_400_000).toISOString().slice(0, 10),
      spend: at === 1_400 ? -1 : 5,
    }))
    const report = { source: 'test', reported_at: '2025-06-01T00:00:00Z' }
    for (const dryRun of [true, false]) {
      const outcomes = await Array.fromAsync(reportAll(flightdeck, report, rows, { dryRun }))
      expect(outcomes.map(({ index }) => index)).toEqual(rows.map((_, at) => at))
      const failed = outcomes.filter(({ outcome }) => outcome === 'failed')
      expect(failed.map(({ index }) => index)).toEqual([1_400])
      expect(outcomes.filter(({ outcome }) => outcome === 'created')).toHaveLength(1_499)
    }
  })
})

describe('the stream', () => {
  test('gives events as they happen, and goes on where a connection was cut', async () => {
    const connections: AbortController[] = []
    const client = asOwner({
      fetch: (request) => {
        const cut = new AbortController()
        connections.push(cut)
        return fetch(
          new Request(request, { signal: AbortSignal.any([request.signal, cut.signal]) }),
        )
      },
    })
    const stop = new AbortController()
    const opened: string[] = []
    const stream = client.events.stream({
      type: 'template.*',
      signal: stop.signal,
      onOpen: () => opened.push('open'),
      onLost: ({ waitMs }) => opened.push(`lost, again within ${Math.ceil(waitMs / 1000)} s`),
    })
    const events = stream[Symbol.asyncIterator]()
    const first = events.next()
    await expect.poll(() => opened).toEqual(['open'])
    await flightdeck.templates.create({ name: 'Streamed' })
    const { value } = await first
    expect(value).toMatchObject({
      type: 'template.created',
      data: { object: { name: 'Streamed' } },
    })
    connections[0]?.abort(new TypeError('cut'))
    const missed = events.next()
    await flightdeck.templates.create({ name: 'Missed' })
    expect((await missed).value.data.object.name).toBe('Missed')
    expect(opened).toEqual(['open', 'lost, again within 1 s', 'open'])
    stop.abort()
    expect((await events.next()).done).toBe(true)
  })

  test('fails at once where the request is refused', async () => {
    const stream = flightdeck.events.stream({ type: other('no.such') })
    const error = await refusal(stream[Symbol.asyncIterator]().next())
    expect(error.status).toBe(400)
  })
})

describe('problems', () => {
  test('are errors that name the fields to correct', async () => {
    const error = await refusal(flightdeck.campaigns.create(draft('prf_x')))
    expect(error).toMatchObject({ status: 422, code: 'validation_failed', retry: 'correctable' })
    expect(error.requestId).toMatch(/^req_/)
    expect(error.errors).toMatchObject([{ pointer: '/profile_id', code: 'invalid_reference' }])
  })

  test('have the members of their code', async () => {
    const profile = await flightdeck.profiles.create({ name: 'Paused', status: 'paused' })
    const campaign = await flightdeck.campaigns.create(draft(profile.id))
    const error = await refusal(flightdeck.campaigns.launch(campaign))
    if (!isProblem(error, 'launch_blocked')) throw error
    expect(error.problem.blocked_by).toEqual(['profile_not_active'])
    expect(isProblem(error, 'not_found')).toBe(false)
  })

  test('report when a gateway answers instead of the service', async () => {
    const client = asOwner({
      fetch: async () => new Response('<h1>Not here</h1>', { status: 404 }),
    })
    expect(await refusal(client.auth.me())).toMatchObject({ status: 404, code: 'unknown' })
  })
})

describe('attempts', () => {
  test('repeat a request whose answer was lost, and the service executes it once', async () => {
    let isLost = false
    const client = asOwner({
      fetch: async (request) => {
        const response = await fetch(request)
        if (isLost) return response
        isLost = true
        throw new TypeError('the connection broke')
      },
    })
    const profile = await client.profiles.create({ name: 'Only once' })
    const { data } = await client.profiles.list({ q: 'Only once' })
    expect(data.map(({ id }) => id)).toEqual([profile.id])
  })

  test('wait for Retry-After, keep the idempotency key, and finally give up', async () => {
    const keys: (string | null)[] = []
    const client = asOwner({
      retries: 2,
      fetch: async (request) => {
        keys.push(request.headers.get('idempotency-key'))
        return busy()
      },
    })
    const error = await refusal(client.profiles.create({ name: 'Never' }))
    expect(error).toMatchObject({ status: 503, code: 'unavailable', retryAfterSeconds: 0 })
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
  })

  test('end instead of waiting longer than allowed', async () => {
    let calls = 0
    const client = asOwner({
      fetch: async () => {
        calls += 1
        return busy(61)
      },
    })
    expect((await refusal(client.campaigns.list())).retryAfterSeconds).toBe(61)
    expect(calls).toBe(1)
  })

  test('end after their timeout each, and at once with the signal', async () => {
    const requests: Request[] = []
    const client = asOwner({
      retries: 1,
      timeoutMs: 20,
      fetch: (request) => {
        requests.push(request)
        const { promise, reject } = Promise.withResolvers<Response>()
        request.signal.addEventListener('abort', () => reject(request.signal.reason))
        return promise
      },
    })
    await expect(client.campaigns.list()).rejects.toThrow(FlightdeckTimeout)
    expect(requests).toHaveLength(2)
    const stopped = client.campaigns.list({}, { signal: AbortSignal.abort(new Error('stop')) })
    await expect(stopped).rejects.toThrow('stop')
    expect(requests).toHaveLength(2)
  })

  test('are seen by hooks', async () => {
    const seen: string[] = []
    const client = asOwner({
      onRequest: (request) => {
        request.headers.set('x-request-id', 'mine')
        seen.push(request.method)
        return undefined
      },
      onResponse: ({ status }) => void seen.push(String(status)),
    })
    await client.auth.me()
    expect(seen).toEqual(['GET', '200'])
  })

  test('log in again, once, when the token has been revoked', async () => {
    const { email } = organization.owner
    const client = createFlightdeck({ baseUrl, login: { email, password } })
    const first = await client.auth.me()
    await client.auth.logout()
    const second = await client.auth.me()
    expect(second.user).toEqual(first.user)
    expect(second.session_id).not.toBe(first.session_id)
  })

  test('log in with a second factor, with a new code each time', async () => {
    const { owner } = await world.organization()
    const { code } = await guard(world, owner)
    const { email } = owner
    const error = await refusal(createFlightdeck({ baseUrl, login: { email, password } }).auth.me())
    if (!isProblem(error, 'second_factor_required')) throw error
    expect(error.problem.challenge).toMatch(/^[\w-]{43}$/)
    const client = createFlightdeck({ baseUrl, login: { email, password, otp: code } })
    await client.auth.me()
    await client.auth.logout()
    expect((await client.auth.me()).user?.email).toBe(email)
  })

  test('in a page of the service carry no token', async () => {
    const headers: [string | null, string | null][] = []
    const client = createFlightdeck({
      baseUrl,
      cookie: true,
      retries: 0,
      fetch: async (request) => {
        const { headers: sent } = request
        headers.push([sent.get('authorization'), sent.get('x-flightdeck-console')])
        return busy()
      },
    })
    await refusal(client.auth.me())
    expect(headers).toEqual([[null, '1']])
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
