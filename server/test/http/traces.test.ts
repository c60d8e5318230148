import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { traceSettings } from '../../src/config/trace-settings.ts'
import { openTracing, traced } from '../../src/observability/traces.ts'
import type { Tracing } from '../../src/observability/tracing.ts'
import { endpointOf, makeEvents } from '../support/deliveries.ts'
import { backgroundOf } from '../support/machines/background.ts'
import { receiverForTest } from '../support/machines/receiver.ts'
import { msUntil } from '../support/machines/replica.ts'
import { type OwnWorld, openOwnWorld } from '../support/own-world.ts'

type Value = { stringValue?: string; intValue?: number | string }
type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  status: { code?: number }
  attributes: { key: string; value: Value }[]
}
type Export = {
  resourceSpans: {
    resource: { attributes: Span['attributes'] }
    scopeSpans: { spans: Span[] }[]
  }[]
}

/** Receives like a collector of OTLP over HTTP. */
async function openCollector() {
  const exports: { headers: NodeJS.Dict<string | string[]>; body: Export }[] = []
  const server = createServer(async (request, response) => {
    exports.push({ headers: request.headers, body: (await json(request)) as Export })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, exports, close: () => server.close() }
}

const env = { FLIGHTDECK_WEBHOOK_ALLOW_HTTP: 'true', FLIGHTDECK_EGRESS_ALLOW: '127.0.0.0/8' }
let collector: Awaited<ReturnType<typeof openCollector>>
let world: OwnWorld
let tracing: Tracing | null

beforeAll(async () => {
  collector = await openCollector()
  // OpenTelemetry's library reads them itself.
  const variables = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=ours',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  }
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  tracing = await openTracing(traceSettings(variables))
  world = await openOwnWorld({
    env,
    alter: (services) => traced(services, tracing),
  })
})
afterAll(async () => {
  vi.unstubAllEnvs()
  collector.close()
  await world.close()
})

const attributesOf = ({ attributes }: Pick<Span, 'attributes'>) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  )

test('requests, their transactions and webhook attempts are spans, with no path or secret', async () => {
  const receiver = await receiverForTest()
  const organization = await world.organization()
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`
  const made = await organization.owner.post('/profiles', { name: 'Hush' }, { traceparent })
  expect(made.statusCode).toBe(201)
  await organization.owner.get('/campaigns/cmp_0?q=hush')
  await world.app.inject('/readyz')
  const { services } = world
  const background = backgroundOf({ services, address: world.database.address })
  await endpointOf(organization, { url: `${receiver.url}?secret=hush` })
  receiver.answer(500, 200)
  await makeEvents(organization, 2)
  await msUntil(() => services.observability.counters.deliveries.succeeded === 1, 10_000)
  await background.stop()
  await tracing?.close()

  const spans = collector.exports.flatMap(({ body }) =>
    body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans)),
  )
  const named = (name: string) => spans.filter((span) => span.name === name)
  const request = spans.find((span) => span.traceId === traceId && span.kind === 2)
  expect(request).toMatchObject({ name: 'POST /api/v1/profiles', parentSpanId: 'b7ad6b7169203331' })
  expect(attributesOf(request as Span)).toEqual({
    'http.request.method': 'POST',
    'http.route': '/api/v1/profiles',
    'http.response.status_code': 201,
    'flightdeck.request_id': made.headers['x-request-id'],
  })
  const inside = named('transaction').filter(({ parentSpanId }) => parentSpanId === request?.spanId)
  expect(inside.map((span) => [span.traceId, span.kind])).toEqual([[traceId, 3]])
  expect(named('GET /api/v1/campaigns/:id').map(attributesOf)).toMatchObject([
    { 'http.response.status_code': 404 },
  ])
  const attempts = named('webhook attempt')
  expect(attempts.map(attributesOf)).toMatchObject([
    { 'server.address': '127.0.0.1', 'http.response.status_code': 500 },
    { 'server.address': '127.0.0.1', 'http.response.status_code': 200 },
  ])
  expect(attempts.map(({ status }) => status.code ?? 0)).toEqual([2, 0])
  expect(spans.map(({ name }) => name).join()).not.toMatch(/readyz|metrics/)
  expect(JSON.stringify(collector.exports.map(({ body }) => body))).not.toMatch(/hush|cmp_0/i)

  const [first] = collector.exports
  expect(first?.headers['x-tenant']).toBe('ours')
  expect(attributesOf(first?.body.resourceSpans[0]?.resource ?? { attributes: [] })).toMatchObject({
    'service.name': 'flightdeck',
    'deployment.environment.name': 'test',
  })
})

test('the library is loaded only by one file, on demand', async () => {
  const src = join(import.meta.dirname, '../../src')
  const paths = await Array.fromAsync(glob('**/*.ts', { cwd: src }))
  const importersOf = (text: RegExp) =>
    paths.filter((path) => text.test(readFileSync(join(src, path), 'utf8')))
  expect(importersOf(/from '@opentelemetry/)).toEqual(['observability/open-telemetry.ts'])
  expect(importersOf(/from '.*open-telemetry/)).toEqual([])
})

test('without the variables, or disabled, nothing is exported', async () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }
  expect(traceSettings({})).toBeNull()
  expect(traceSettings({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBeNull()
  expect(traceSettings({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toBeNull()
  expect(await openTracing(null)).toBeNull()
  expect(traced(world.services, null)).toBe(world.services)
})
