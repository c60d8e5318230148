import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { almost } from '../support/cases/arbitrary.ts'
import { byLink } from '../support/cases/people/people-cases.ts'
import {
  expectDocumented,
  type Json,
  type Operation,
  operations,
  resolve,
} from '../support/documented.ts'
import { type Client, openWorld, type Reply, unlimited, type World } from '../support/world.ts'

/**
 * Excluded: these end sessions, count failures that change later answers, or connect to wherever a
 * random proxy points.
 */
const unsteady = /^(login|logout|refresh|endSession|changePassword|checkProxy)$/

let world: World
let owner: Client

beforeAll(async () => {
  world = await openWorld({ env: unlimited })
  owner = (await world.organization()).owner
  const profile = await owner.post('/profiles', { name: 'Main account', currency: 'USD' })
  remember(profile)
  const budget = { daily_budget: 5, currency: 'USD', objective: 'sales' }
  remember(await owner.post('/campaigns', { name: 'A', profile_id: profile.json().id, ...budget }))
})
afterAll(() => world.close())

/** Ids from earlier answers: a random one would hardly ever exist. */
const seen = new Map<string, string>()

function remember(reply: Reply): void {
  const id = /"id":"(([a-z]{3})_[0-9a-z]{26})"/.exec(reply.body)
  if (/^20[12]$/.test(String(reply.statusCode)) && id?.[1] && id[2]) seen.set(id[2], id[1])
}

const placeholder = '01m7yez275fk1a52pr5qevn8kn'

/** Ids in examples do not exist: existing ones replace them. */
const withSeenIds = (text: string) =>
  text.replaceAll(
    new RegExp(`([a-z]{3})_${placeholder}`, 'g'),
    (id, prefix) => seen.get(prefix) ?? id,
  )

function idFor({ parameters }: Operation, name: string): string {
  const { schema } = parameters.find((each) => each.in === 'path' && each.name === name) ?? {}
  const prefix = /^\^([a-z]{3})_/.exec(String((schema as Json | undefined)?.pattern))?.[1] ?? ''
  return seen.get(prefix) ?? `${prefix}_${placeholder}`
}

/** At most two parameters: with more, one is nearly always wrong. */
const queriesFor = ({ parameters }: Operation) => {
  const taken = parameters.filter((parameter) => parameter.in === 'query')
  const fields = taken.map(({ name, schema }) => [name, almost(schema as Json, resolve)] as const)
  return fc
    .subarray(fields, { maxLength: Math.min(2, fields.length) })
    .chain((some) => fc.record(Object.fromEntries(some)))
}

function bodiesFor({ more }: Operation) {
  const { content } = (more.requestBody ?? {}) as { content?: Record<string, Json> }
  const { schema, example } = content?.['application/json'] ?? {}
  if (!schema) return fc.constant(undefined)
  const bodies = almost(schema as Json, resolve)
  return example ? fc.oneof(fc.constant(example), bodies) : bodies
}

type Input = { query: Json; body: unknown }

async function call(operation: Operation, client: Client, { query, body }: Input): Promise<Reply> {
  const texts = Object.entries(query).map(([name, value]) => [name, String(value)])
  const search = texts.length > 0 ? `?${new URLSearchParams(texts)}` : ''
  const url = `${operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => idFor(operation, name))}${search}`
  const sent = body === undefined ? {} : { payload: withSeenIds(JSON.stringify(body)) }
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  // The organization may start to require it during the walk.
  const headers = { 'if-match': '*', ...type }
  const reply = await client.call({ method: operation.method as 'GET', url, headers, ...sent })
  remember(reply)
  return reply
}

const guarded = operations.filter(({ name }) => name !== 'login' && !byLink.includes(name))
// Deletions last, so that objects exist until then.
const steady = operations
  .filter(({ name }) => !unsteady.test(name))
  .sort((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'))

test.each(guarded)('$name answers unauthenticated requests as documented', async (operation) => {
  const reply = await call(operation, world.anonymous, { query: {}, body: undefined })
  expect(reply.statusCode).toBe(401)
  expectDocumented(operation, reply)
})

test.each(steady)('$name answers any request as documented', async (operation) => {
  const inputs = fc.record({ query: queriesFor(operation), body: bodiesFor(operation) })
  const property = fc.asyncProperty(inputs, async (input) => {
    const reply = await call(operation, owner, input as Input)
    expectDocumented(operation, reply, 'fields' in input.query ? '?fields=' : '')
    // Documented everywhere, but never caused by what a client sends.
    expect({ status: reply.statusCode, input }).not.toMatchObject({ status: 500 })
  })
  await fc.assert(property, { numRuns: 25, seed: 4711, endOnFailure: true })
})
