import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proposing } from '../../../test/support/cases/change-sets.ts'
import { runConnector } from '../../../test/support/cases/connector-cases.ts'
import { secretOf } from '../../../test/support/cases/people/people-cases.ts'
import { write } from '../../../test/support/cases/storage.ts'
import { pathWith, type Write, writes } from '../../../test/support/cases/write-cases.ts'
import { campaignAfter, campaignBody, profileOf } from '../../../test/support/cases/writes.ts'
import { execute } from '../../../test/support/deliveries.ts'
import { expectWebhook, watch } from '../../../test/support/documented.ts'
import { type OwnWorld, openOwnWorld } from '../../../test/support/own-world.ts'
import {
  type Client,
  openWorld,
  password,
  type TestOrganization,
  unlimited,
  type World,
} from '../../../test/support/world.ts'
import { inTransaction } from '../../kernel/transaction.ts'
import { assessClient } from '../campaigns/client-pacing/assess-due.ts'
import { storeWithAlerts } from '../campaigns/pacing/alerts.ts'
import { assessAll } from '../campaigns/pacing/assess.ts'
import { judgeDue } from '../campaigns/target/due.ts'
import { runDue } from '../change-sets/timed/timed.ts'
import { recordFailing } from '../webhook-endpoints/status.ts'

type Json = Record<string, unknown>
type SentEvent = { id: string; type: string; data: { object: Json; previous: Json | null } }
type Entry = {
  type: string
  description: string
  resource: string
  schema: Json
  example: SentEvent
}

let world: World
let owner: Client
let catalogue: Entry[]
/** The exact shape of the object, by event type. */
let objects: Map<string, ValidateFunction>

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
addFormats.default(ajv)

/** Forbids fields that the schema does not name. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed)
  if (typeof part !== 'object' || part === null) return part
  const inner = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, closed(value)]))
  return 'properties' in part && 'type' in part ? { additionalProperties: false, ...inner } : inner
}

beforeAll(async () => {
  world = watch(await openWorld({ env: { ...unlimited, FLIGHTDECK_PLAN_STORAGE: 'free=60kB' } }))
  owner = (await world.organization()).owner
  catalogue = (await owner.get('/event_types')).json().data
  objects = new Map(
    catalogue.map(({ type, schema }) => [type, ajv.compile(closed(schema) as Json)]),
  )
})
afterAll(() => world.close())

function expectValid(event: SentEvent): void {
  const { type, data } = event
  expectWebhook(event)
  const validate = objects.get(type)
  const isValid = validate?.(data.object)
  expect([type, isValid, validate?.errors]).toEqual([type, true, null])
  const fields = Object.keys(data.object)
  for (const field of Object.keys(data.previous ?? {})) expect(fields).toContain(field)
}

describe('the catalogue of events', () => {
  test('has every type that can be subscribed to, once', () => {
    expect(catalogue.map(({ type }) => type)).toEqual(world.services.declared.eventTypes)
    expect(new Set(world.services.declared.eventTypes).size).toBe(catalogue.length)
  })

  test('describes each type', () => {
    for (const { type, resource, description } of catalogue) {
      expect(type.slice(0, type.lastIndexOf('.'))).toBe(resource)
      expect([type, description]).toEqual([type, expect.stringMatching(/^[A-Z].+\.$/)])
    }
    const texts = new Set(catalogue.map(({ description }) => description))
    expect(texts.size).toBe(catalogue.length)
  })

  test('has self-contained schemas, and valid examples', () => {
    for (const { type, schema, example } of catalogue) {
      expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
      expect(JSON.stringify(schema)).not.toContain('$ref')
      expect(example.type).toBe(type)
      expectValid(example)
    }
  })

  test('is the same at /reference/events, where types of one resource share a schema', async () => {
    const reply = await owner.get('/reference/events')
    const { data, $defs } = reply.json()
    const whole = (await owner.get('/event_types')).body
    expect(reply.body.length).toBeLessThan(whole.length / 2)
    const $schema = 'https://json-schema.org/draft/2020-12/schema'
    const resolved = data.map(({ schema, ...rest }: Entry) => {
      const [, name = ''] = String(schema.$ref).split('#/$defs/')
      return { ...rest, schema: { $schema, ...$defs[name] } }
    })
    expect(resolved).toEqual(catalogue)
    expect(Object.keys($defs)).toHaveLength(
      new Set(data.map((each: Entry) => each.schema.$ref)).size,
    )
  })

  test.each([
    ['campaign.paused', ['Campaign']],
    ['proxy.created,campaign.*', ['Campaign', 'CampaignPerformanceChange', 'ProxyEventObject']],
    ['*', undefined],
  ])('of the types %s has these, with what they refer to', async (type, names) => {
    const all = (await owner.get('/reference/events')).json()
    const { data, $defs } = (await owner.get(`/reference/events?type=${type}`)).json()
    expect(Object.keys($defs).sort()).toEqual(names ?? Object.keys(all.$defs).sort())
    const isAsked = (name: string) =>
      type.split(',').some((each) => new RegExp(`^${each.replace('*', '.*')}$`).test(name))
    expect(data).toEqual(all.data.filter((each: Entry) => isAsked(each.type)))
    expect(data.length).toBeGreaterThan(0)
  })

  test('knows its types', async () => {
    const reply = await owner.get('/reference/events?type=campaign.pausd')
    expect(reply.json()).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ parameter: 'type', code: 'unknown_event' }],
    })
  })

  test('says at /event_types that it has moved, also when it refuses', async () => {
    for (const reply of [await owner.get('/event_types'), await owner.get('/event_types?x=1')]) {
      expect(reply.headers).toMatchObject({
        deprecation: expect.stringMatching(/^@\d{10}$/),
        link: '</docs>; rel="deprecation"; type="text/html", </api/v1/reference/events>; rel="successor-version"',
      })
    }
    expect((await owner.get('/reference/events')).headers).not.toHaveProperty('deprecation')
  })

  test('is readable for every signed-in user', async () => {
    const organization = await world.organization()
    for (const role of ['viewer', 'auditor'] as const) {
      const client = await organization.as(role)
      for (const path of ['/event_types', '/reference/events'])
        expect((await client.get(path)).statusCode).toBe(200)
    }
    for (const path of ['/event_types', '/reference/events'])
      expect((await world.anonymous.get(path)).statusCode).toBe(401)
  })
})

/** All events of the organization. */
async function eventsMadeBy({ id }: TestOrganization, of = world): Promise<SentEvent[]> {
  const rows = await of.services.database.reader.query<{ body: string }>({
    sql: `select body from events where organization_id = $1
      union all
      select body from webhook_deliveries where organization_id = $1 and body is not null`,
    parameters: [id],
  })
  return rows.map(({ body }) => JSON.parse(body))
}

async function perform(name: string, write: Write, organization: TestOrganization): Promise<void> {
  const ids = (await write.arrange?.(organization)) ?? ''
  const [method, path = ''] = name.split(' ')
  const payload = write.body?.(ids, organization)
  const url = pathWith(path, ids)
  const reply = await organization.owner.call({
    method: method as 'GET',
    url,
    headers: { ...write.headers },
    ...(payload && { payload }),
  })
  expect([name, reply.statusCode]).toEqual([name, expect.toSatisfy((status) => status < 300)])
}

const hourMs = 3_600_000

/** Change sets at their times, and connectors. On a database of its own, as all that is due is run. */
async function eventsByTheClock(): Promise<SentEvent[]> {
  const own = await openOwnWorld()
  const organization = await own.organization()
  const { owner } = organization
  const id = await campaignAfter(organization, ['launch'])
  const inHours = (hours: number) =>
    new Date(own.clock.now().getTime() + hours * hourMs).toISOString()
  const propose = async (notes: string, times: object = {}) =>
    (await proposing(owner, [{ op: 'update', id, body: { notes } }], times)).json()
  const after = async (hours: number) => {
    own.clock.advance(hours * hourMs)
    await runDue(own.services, AbortSignal.timeout(20_000))
  }
  const waiting = await propose('Sale')
  const times = { apply_at: inHours(1), revert_at: inHours(2) }
  await owner.patch(`/change_sets/${waiting.id}`, times, { 'if-match': `"${waiting.version}"` })
  await after(1)
  await after(1)
  await propose('Stale', { apply_at: inHours(1) })
  await owner.patch(`/campaigns/${id}`, { notes: 'Moved' })
  await after(1)
  await propose('Late', { apply_at: inHours(1) })
  await after(3)
  await runConnector(own, organization)
  await missTarget(own, organization)
  const events = await eventsMadeBy(organization, own)
  await own.close()
  return events
}

/** A campaign that got fewer clicks on a day than it was to get. */
async function missTarget(own: OwnWorld, organization: TestOrganization): Promise<void> {
  const target = { metric: 'clicks', value: 100, window_days: 1 }
  const campaign_id = await campaignAfter(organization, ['launch'], { target })
  const reported_at = own.clock.now().toISOString()
  const rows = [{ campaign_id, date: reported_at.slice(0, 10), spend: 5, clicks: 10 }]
  await organization.owner.post('/results', { source: 'google_ads', reported_at, rows })
  own.clock.advance(24 * hourMs)
  await judgeDue(own.services, AbortSignal.timeout(20_000))
}

async function eventsOfFullStorage(): Promise<SentEvent[]> {
  const organization = await world.organization({ plan: 'free' })
  while ((await write(organization.owner)).statusCode === 201);
  await organization.owner.delete('/auth/logout')
  return eventsMadeBy(organization)
}

test('every event that is sent is in the catalogue, and matches its schema', async () => {
  const seen = new Set<string>()
  for (const [name, write] of Object.entries(writes)) {
    if (name.includes('/auth/')) continue
    const organization = await world.organization()
    await perform(name, write, organization)
    if (name.endsWith('/enable')) await fail(organization)
    await followUps[name]?.(organization)
    for (const event of await eventsMadeBy(organization)) {
      expectValid(event)
      seen.add(event.type)
    }
  }
  for (const event of [...(await eventsByTheClock()), ...(await eventsOfFullStorage())]) {
    expectValid(event)
    seen.add(event.type)
  }
  // A channel is switched off after a day of failures, a schedule on its day: their own tests see that.
  seen.add('notification_channel.disabled')
  seen.add('report_schedule.disabled')
  seen.add('report_schedule.failed')
  expect([...seen].sort()).toEqual(world.services.declared.eventTypes.toSorted())
})

async function join(organization: TestOrganization): Promise<void> {
  const body = { secret: await secretOf(organization), name: 'Grace', password }
  expect((await world.anonymous.post('/invitations/accept', body)).statusCode).toBe(201)
}

/** More events, after a request. */
const followUps: Readonly<Record<string, (organization: TestOrganization) => Promise<void>>> = {
  'PUT /organization/guardrails': overspend,
  'POST /invitations': join,
  'POST /results': reportAgain,
  'DELETE /clients/:id': archive,
  'PUT /clients/:id/budgets/:month': spendForClient,
}

/** A client that is put away, and taken back. */
async function archive({ owner }: TestOrganization): Promise<void> {
  const { id } = (await owner.post('/clients', { name: 'Northwind' })).json()
  for (const status of ['archived', 'active']) await owner.patch(`/clients/${id}`, { status })
}

/** A change that the new guardrails refuse. */
async function overspend(organization: TestOrganization): Promise<void> {
  const body = { ...campaignBody(await profileOf(organization)), daily_budget: 1001 }
  expect((await organization.owner.post('/campaigns', body)).statusCode).toBe(422)
}

/** Reports results of a running campaign, corrects them, and then reports none. */
async function reportAgain(organization: TestOrganization): Promise<void> {
  const { owner, ctx } = organization
  const campaign_id = await campaignAfter(organization, ['launch'])
  const reported_at = world.clock.now().toISOString()
  for (const spend of [10, 20]) {
    const row = { campaign_id, date: reported_at.slice(0, 10), spend, is_final: true }
    const body = { source: 'google_ads', reported_at, restate: true, rows: [row] }
    expect((await owner.post('/results', body)).json()).toMatchObject({ counts: { failed: 0 } })
  }
  const longAgo = `update campaign_pacing set reported_at = now() - interval '2 days' where id = $1`
  await execute(world, longAgo, [campaign_id])
  await inTransaction(ctx, async (ctx) => storeWithAlerts(ctx, await assessAll(ctx, [campaign_id])))
}

/** A client whose campaign is reported for the first time. */
async function spendForClient(organization: TestOrganization): Promise<void> {
  await reportAgain(organization)
  const { owner, ctx } = organization
  const [profile] = (await owner.get('/profiles')).json().data
  const { client_id } = (await owner.patch(`/profiles/${profile.id}`, { client: 'Spends' })).json()
  await assessClient(ctx, { client_id, revision: 1 })
}

/** Events that webhook delivery itself makes. */
async function fail({ owner, ctx }: TestOrganization): Promise<void> {
  const [endpoint] = (await owner.get('/webhook_endpoints')).json().data
  const failing = 'update webhook_endpoints set failing_since = now() where id = $1'
  await execute(world, failing, [endpoint.id])
  await recordFailing(ctx, endpoint.id)
}
