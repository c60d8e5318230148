import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { execute } from '../../../test/support/deliveries.ts'
import { watch } from '../../../test/support/documented.ts'
import {
  type Client,
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../../../test/support/world.ts'
import {
  campaignBody,
  pathWith,
  profileOf,
  type Write,
  writes,
} from '../../../test/support/writes.ts'
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
  world = watch(await openWorld({ env: unlimited }))
  owner = (await world.organization()).owner
  catalogue = (await owner.get('/event_types')).json().data
  objects = new Map(
    catalogue.map(({ type, schema }) => [type, ajv.compile(closed(schema) as Json)]),
  )
})
afterAll(() => world.close())

function expectValid({ type, data }: SentEvent): void {
  const validate = objects.get(type)
  const isValid = validate?.(data.object)
  expect([type, isValid, validate?.errors]).toEqual([type, true, null])
  const fields = Object.keys(data.object)
  for (const field of Object.keys(data.previous ?? {})) expect(fields).toContain(field)
}

describe('the catalogue of events', () => {
  test('has every type that can be subscribed to, once', () => {
    expect(catalogue.map(({ type }) => type)).toEqual(world.services.eventTypes)
    expect(new Set(world.services.eventTypes).size).toBe(catalogue.length)
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

  test('is readable for every signed-in user', async () => {
    const organization = await world.organization()
    for (const role of ['viewer', 'auditor'] as const) {
      expect((await (await organization.as(role)).get('/event_types')).statusCode).toBe(200)
    }
    expect((await world.anonymous.get('/event_types')).statusCode).toBe(401)
  })
})

/** All events of the organization. */
async function eventsMadeBy({ id }: TestOrganization): Promise<SentEvent[]> {
  const rows = await world.services.database.reader.query<{ body: string }>({
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

test('every event that is sent is in the catalogue, and matches its schema', async () => {
  const seen = new Set<string>()
  for (const [name, write] of Object.entries(writes)) {
    if (name.includes('/auth/')) continue
    const organization = await world.organization()
    await perform(name, write, organization)
    if (name.endsWith('/enable')) await fail(organization)
    if (name === 'PUT /organization/guardrails') await overspend(organization)
    for (const event of await eventsMadeBy(organization)) {
      expectValid(event)
      seen.add(event.type)
    }
  }
  expect([...seen].sort()).toEqual(world.services.eventTypes.toSorted())
})

/** A change that the new guardrails refuse. */
async function overspend(organization: TestOrganization): Promise<void> {
  const body = { ...campaignBody(await profileOf(organization)), daily_budget: 1001 }
  expect((await organization.owner.post('/campaigns', body)).statusCode).toBe(422)
}

/** Events that webhook delivery itself makes. */
async function fail({ owner, ctx }: TestOrganization): Promise<void> {
  const [endpoint] = (await owner.get('/webhook_endpoints')).json().data
  const failing = 'update webhook_endpoints set failing_since = now() where id = $1'
  await execute(world, failing, [endpoint.id])
  await recordFailing(ctx, endpoint.id)
}
