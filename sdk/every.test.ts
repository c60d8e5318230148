import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectorExamples } from '../server/test/support/cases/connector-cases.ts'
import { writes } from '../server/test/support/cases/write-cases.ts'
import { exampleOf, isArranged, keyOf } from '../server/test/support/clients/example-of.ts'
import {
  openWorld,
  password,
  type TestOrganization,
  unlimited,
  type World,
} from '../server/test/support/world.ts'
import { createFlightdeck, type Flightdeck } from './src/client.ts'
import { type Operation, operationsIn } from './src/operation.ts'
import { operations } from './src/operations.ts'

let world: World
let baseUrl: string

beforeAll(async () => {
  world = await openWorld({
    env: { ...unlimited, FLIGHTDECK_PUBLIC_URL: 'https://flightdeck.example.com' },
  })
  baseUrl = `${await world.app.listen({ host: '127.0.0.1', port: 0 })}/api/v1`
})
afterAll(() => world.close())

const methods = Object.entries(operations).flatMap(([resource, lines]) =>
  operationsIn(lines).map((operation) => ({ resource, name: operation.name, operation })),
)
const cases = methods.map((each) => [`${each.resource}.${each.name}`, each] as const)

type Method = (...given: unknown[]) => PromiseLike<unknown> & AsyncIterable<unknown>

const methodOf = (flightdeck: Flightdeck, resource: string, name: string): Method =>
  Reflect.get(Reflect.get(flightdeck, resource), name)

// Its tests sign by a passkey.
const callable = cases.filter(([name]) => name !== 'auth.loginByPasskey')

test.each(callable)('%s works', async (_, { resource, name, operation }) => {
  const organization = await world.organization()
  const key = keyOf(operation)
  const connector = connectorExamples(world)[key]
  const write = connector ?? exampleOf(operation)
  const id =
    connector || isArranged(operation) ? ((await write?.arrange?.(organization)) ?? '') : ''
  const ids = operation.path.includes('{') ? id.split('/') : []
  const { email } = organization.owner
  const { 'if-match': tag } = writes[key]?.headers ?? {}
  const apiKey = (await connector?.as?.(organization))?.token
  const credential = apiKey ? { token: apiKey } : { login: { email, password } }
  const flightdeck = createFlightdeck({ baseUrl, ...credential, retries: 0 })
  const search = Object.fromEntries(new URLSearchParams(connector?.queryFor?.(organization)))
  const body = operation.input === 'body' ? [write?.body?.(id, organization)] : []
  const file = operation.input === 'csv' ? [write?.body?.(id, organization), {}] : []
  const query = operation.input === 'query' ? [search] : []
  const given = [
    ...ids,
    ...body,
    ...file,
    ...query,
    tag ? { ifMatch: Number(tag.slice(1, -1)) } : {},
  ]
  await run(methodOf(flightdeck, resource, name), { operation, given, organization })
})

type Run = { operation: Operation; given: unknown[]; organization: TestOrganization }

/** Awaits the answer; a stream answers with its first event. */
async function run(method: Method, { operation, given, organization }: Run): Promise<void> {
  if (operation.answer !== 'stream') {
    await expect(Promise.resolve(method(...given))).resolves.not.toBeInstanceOf(Error)
    return
  }
  const opened = Promise.withResolvers<void>()
  const stop = new AbortController()
  const events = method({ onOpen: opened.resolve, signal: stop.signal })[Symbol.asyncIterator]()
  const first = events.next()
  await opened.promise
  await organization.owner.post('/templates', { name: 'Streamed' })
  expect((await first).value).toMatchObject({ type: 'template.created' })
  stop.abort()
}

test('there is a method for each operation of the API', async () => {
  const { paths } = (await world.app.inject('/api/v1/openapi.json')).json<{
    paths: Record<string, Record<string, unknown>>
  }>()
  const all = Object.entries(paths).flatMap(([path, each]) =>
    Object.keys(each).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const ours = methods.map(({ operation: { method, path } }) => `${method} ${path}`)
  expect(ours.sort()).toEqual(all.sort())
})
