import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Method, methodsOf } from '../../src/http/endpoint.ts'
import { supportsDryRun } from '../../src/http/reply/dry-run.ts'
import type { Route } from '../../src/http/request/path-ids.ts'
import { caseOf, exampleBody } from '../support/cases/example-cases.ts'
import { pathWith } from '../support/cases/write-cases.ts'
import { openToLocal } from '../support/delivering.ts'
import { endpoints, type Json, operationOf, operations, watch } from '../support/documented.ts'
import { type OwnWorld, openOwnWorld } from '../support/own-world.ts'
import { stable } from '../support/stable.ts'
import type { Reply } from '../support/world.ts'

/** A database of its own: the examples have its names and numbers. */
let world: OwnWorld

beforeAll(async () => {
  world = watch(await openOwnWorld({ env: { ...openToLocal, ...named } }))
})
afterAll(() => world.close())

/** Passkeys are bound to a name. */
const named = { FLIGHTDECK_PUBLIC_URL: 'https://flightdeck.example.com' }

/** By status and media type. */
type Examples = Record<string, Record<string, unknown>>

async function examplesOf(route: Route, method: Method): Promise<Examples> {
  // One before may have given the service a mail server.
  Object.assign(world.services, { config: world.config })
  const organization = await world.organization({ name: 'Acme', plan: 'captain' })
  const { arrange, body, headers, anonymous, ...more } = caseOf(world, route, method)
  const ids = (await arrange?.(organization)) ?? ''
  const query = more.queryFor?.(organization) ?? more.query ?? ''
  const payload = body?.(ids, organization) ?? (await exampleBody(organization, route, ids))
  const known = (await more.as?.(organization)) ?? organization.owner
  const client = anonymous ? world.anonymous : known
  const found: Examples = {}
  for (const search of searchesFor(route, method)) {
    const reply = await client.call({
      method,
      url: `${pathWith(route.path, ids)}?${[query, search].filter(Boolean).join('&')}`,
      headers: { ...headers },
      ...(payload && method !== 'GET' && { payload }),
    })
    if (reply.statusCode >= 300) throw new Error(`${method} ${route.path}: ${reply.body}`)
    const [type = ''] = String(reply.headers['content-type']).split(';')
    if (reply.body === '') continue
    found[reply.statusCode] = { ...found[reply.statusCode], [type]: shown(route, reply) }
  }
  return found
}

/** A dry run first, where it has an answer of its own; each format; one row of a list. */
function searchesFor(route: Route, method: Method): string[] {
  const { query = {}, streams = [], status = 200 } = route
  const formats = [...(route.reply && 'format' in query ? ['application/json'] : []), ...streams]
  if (formats.length > 1) return formats.map((type) => `format=${type.replace(/.*[/-]/, '')}`)
  // The second time it is there.
  if (route.mayCreate) return ['', '']
  if ('limit' in query) return ['limit=1']
  const isTried = supportsDryRun(route) && method !== 'GET' && status !== 200
  return isTried ? ['validate_only=true', ''] : ['']
}

function shown(route: Route, reply: Reply): unknown {
  const startedAt = world.clock.now()
  if (!/^application\/json/.test(String(reply.headers['content-type'])))
    return stable(reply.body, startedAt)
  const value = stable(reply.json(), startedAt)
  // Tools take the schemas in these for schemas of the document, and follow their references.
  if (/^\/(?:event_types|reference\/events)$/.test(route.path)) return cut(value, 0)
  return route.tag.name === 'Reference' ? cut(value, 1) : value
}

/** Lists that are the same for everybody, to their last items. */
function cut(value: unknown, most: number): unknown {
  if (Array.isArray(value)) return value.slice(value.length - most).map((each) => cut(each, most))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, name === '$defs' ? {} : cut(each, most)]),
  )
}

/** A response that the document shows, and the operations that have it. */
type Shown = { name: string; of: { operation: string; status: string }[] }

function shownResponses(): Shown[] {
  const found = operations.flatMap(({ name: operation, more }) =>
    Object.entries(more.responses as Record<string, Json>)
      .filter(([status]) => status.startsWith('2') && status !== '204')
      .map(([status, { $ref }]) => ({
        name: typeof $ref === 'string' ? $ref.replace(/.*\//, '') : `${operation} ${status}`,
        operation,
        status,
      })),
  )
  return [...Map.groupBy(found, ({ name }) => name)].map(([name, of]) => ({ name, of }))
}

const routes = new Map(
  endpoints.flatMap((route) =>
    methodsOf(route).map((method) => {
      const { name = '' } = operationOf(method, `/api/v1${route.path}`) ?? {}
      return [name, { route, method }] as const
    }),
  ),
)

/** A reply that all these operations can give: rather of a change than of its dry run. */
async function exampleOf({ of }: Shown): Promise<unknown> {
  const isReal = ({ operation, status }: Shown['of'][number]) =>
    String(routes.get(operation)?.route.status ?? 200) === status
  const chosen = of.find(isReal) ?? of[0]
  const found = routes.get(chosen?.operation ?? '')
  if (!chosen || !found) throw new Error('no operation has this response')
  const made = replies.get(chosen.operation) ?? (await examplesOf(found.route, found.method))
  replies.set(chosen.operation, made)
  return made[chosen.status]
}

/** An email is taken once: each operation is called for all of its responses. */
const replies = new Map<string, Examples>()

test('the document has the replies of the service as examples', async () => {
  const examples: Record<string, unknown> = {}
  for (const shown of shownResponses()) examples[shown.name] = await exampleOf(shown)
  const text = `${JSON.stringify(examples, null, 2)}\n`
  await expect(text).toMatchFileSnapshot('../../src/http/openapi/examples.json')
})
