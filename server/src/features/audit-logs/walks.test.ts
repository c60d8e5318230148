import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest'
import { lengthenChain } from '../../../test/support/cases/long-chain.ts'
import {
  type Client,
  openWorld,
  type TestOrganization,
  type World,
} from '../../../test/support/world.ts'
import type { Services } from '../../kernel/context.ts'

let world: World
let acme: TestOrganization
/** A walk of its records takes a while. */
let large: TestOrganization
/** Walks wait before each batch that they read, while it is closed. */
let gate = Promise.withResolvers<void>()
/** Batches of records that were requested. */
let batches = 0
/** The gate closes before this one. */
let closesAt = 0
/** The fault of the next batch, if any. */
let fault: Error | null = null

beforeAll(async () => {
  gate.resolve()
  world = await openWorld({ alter: withGate })
  await world.app.listen({ port: 0, host: '127.0.0.1' })
  acme = await world.organization()
  await lengthenChain(inject('address'), acme.id, 1_000)
  large = await world.organization()
  await lengthenChain(inject('address'), large.id, 25_000)
})
afterEach(() => {
  gate.resolve()
  fault = null
  batches = 0
  closesAt = 0
})
afterAll(() => world.close())

function withGate(services: Services): Services {
  const { reader } = services.database
  const query: typeof reader.query = async (statement) => {
    if (!/from "audit_logs"/.test(statement.sql)) return reader.query(statement)
    batches += 1
    if (batches === closesAt) closeGate()
    await gate.promise
    if (fault) throw fault
    return reader.query(statement)
  }
  return { ...services, database: { ...services.database, reader: { ...reader, query } } }
}

const closeGate = () => {
  gate = Promise.withResolvers()
}

const paths = { verify: '/audit_logs/verify', export: '/audit_logs/export' }

/** An answer on a real connection, once its first bytes have arrived. */
async function open(client: Client, path: string): Promise<IncomingMessage> {
  const { port } = world.app.server.address() as AddressInfo
  const headers = { authorization: `Bearer ${client.token}` }
  const call = request({ port, host: '127.0.0.1', path: `/api/v1${path}`, headers }).end()
  call.on('error', () => {})
  const [response] = await once(call, 'response')
  return response
}

const asked = (count: number) => vi.waitFor(() => expect(batches).toBe(count), 20_000)

test.each(['verify', 'export'] as const)('an organization has one %s at a time', async (kind) => {
  closeGate()
  const first = acme.owner.get(paths[kind])
  await asked(1)
  const second = await acme.owner.get(paths[kind])
  expect(second.statusCode).toBe(503)
  expect(second.json().code).toBe('overloaded')
  expect(second.headers['retry-after']).toBe('1')
  gate.resolve()
  expect((await first).statusCode).toBe(200)
  expect((await acme.owner.get(paths[kind])).statusCode).toBe(200)
})

test('a process runs two of them for all organizations', async () => {
  const other = await world.organization()
  closeGate()
  const both = [acme.owner.get(paths.verify), acme.owner.get(paths.export)]
  await asked(2)
  expect((await other.owner.get(paths.verify)).statusCode).toBe(503)
  expect((await other.owner.get(paths.export)).statusCode).toBe(503)
  gate.resolve()
  for (const reply of both) expect((await reply).statusCode).toBe(200)
  expect((await other.owner.get(paths.verify)).json().valid).toBe(true)
})

test.each(['verify', 'export'] as const)('%s stops when its client disconnects', async (kind) => {
  const { port } = world.app.server.address() as AddressInfo
  closeGate()
  const headers = { authorization: `Bearer ${acme.owner.token}` }
  const call = request({ port, host: '127.0.0.1', path: `/api/v1${paths[kind]}`, headers }).end()
  call.on('error', () => {})
  await asked(1)
  call.destroy()
  await vi.waitFor(() => expect(world.app.traffic.underWay).toBe(0), 20_000)
  gate.resolve()
  const whole = await acme.owner.get(paths[kind])
  expect(whole.statusCode).toBe(200)
  const { total } = (await acme.owner.get('/audit_logs?limit=1&include_total=true')).json().meta
  const ofList = 2
  expect(batches).toBe(1 + Math.ceil(total / 200) + ofList)
})

test('a refused export is not recorded, and an invalid one uses no slot', async () => {
  closeGate()
  const first = acme.owner.get(paths.export)
  await asked(1)
  expect((await acme.owner.get(paths.export)).statusCode).toBe(503)
  gate.resolve()
  const records = (await first).body.trimEnd().split('\n')
  expect((await acme.owner.get(`${paths.export}?outcome=none`)).statusCode).toBe(400)
  const next = await acme.owner.get(`${paths.export}?action=audit_log.exported`)
  const exports = next.body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).sequence)
  expect(exports.slice(-2)).toEqual([records.length, records.length + 1])
})

test('a long verification sends whitespace before its JSON', async () => {
  const reply = await large.owner.get(paths.verify)
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(reply.body).toMatch(/^ {2}\{/)
  expect(reply.json()).toMatchObject({ valid: true, from_sequence: 1, first_bad_sequence: null })
  expect(reply.json().to_sequence).toBeGreaterThan(25_000)
})

test('a failure before the first whitespace is a problem, a later one resets the connection', async () => {
  fault = new Error('the database went away')
  expect((await large.owner.get(paths.verify)).statusCode).toBe(500)
  fault = null
  // The first whitespace is sent with the fiftieth batch.
  closesAt = batches + 60
  const response = await open(large.owner, paths.verify)
  expect(response.statusCode).toBe(200)
  fault = new Error('the database went away')
  closesAt = 0
  gate.resolve()
  response.resume()
  await expect(once(response, 'end')).rejects.toMatchObject({ code: 'ECONNRESET' })
  fault = null
  expect((await large.owner.get(paths.verify)).json().valid).toBe(true)
})

test('HEAD leaves no slot in use', async () => {
  for (const path of Object.values(paths)) {
    for (const method of ['HEAD', 'HEAD', 'GET'] as const) {
      expect((await acme.owner.call({ method, url: path })).statusCode).toBe(200)
    }
  }
})

test('an export with a selective filter reads no more than necessary', async () => {
  const { body } = await large.owner.get(`${paths.export}?action=auth.login_succeeded`)
  expect(body.trimEnd().split('\n')).toHaveLength(1)
  expect(batches).toBe(3)
})
