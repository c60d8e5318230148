import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Services } from '../../src/kernel/context.ts'
import { campaignBody, made, profileOf } from '../support/cases/writes.ts'
import { type Client, openWorld, unlimited, type World } from '../support/world.ts'

let world: World
/** Campaign lists that wait at the gate while it is closed. */
const waiting: (() => void)[] = []
let isClosed = false

beforeEach(async () => {
  world = await openWorld({ env: unlimited, alter: withGate })
})
afterEach(async () => {
  openGate()
  await world.close()
})

/** Campaign list queries stop at the gate, so that running ones can be counted. */
function withGate(services: Services): Services {
  const { reader } = services.database
  const query: typeof reader.query = async (statement) => {
    const isPage = /from "campaigns"/.test(statement.sql) && statement.budget !== undefined
    if (isClosed && isPage) await new Promise<void>((resolve) => waiting.push(resolve))
    return reader.query(statement)
  }
  return { ...services, database: { ...services.database, reader: { ...reader, query } } }
}

function openGate(): void {
  isClosed = false
  for (const pass of waiting.splice(0)) pass()
}

/** Sends them all, and resolves once nothing changes any more. */
async function sendAll(client: Client, paths: readonly string[]) {
  isClosed = true
  const replies = paths.map((path) => client.get(path))
  // These are sent later and take the same path.
  for (const _ of paths) expect((await client.get('/organization')).statusCode).toBe(200)
  return replies
}

const times = (count: number, path: string) => Array.from({ length: count }, () => path)

test('a fifth large read of an organization waits and is then served', async () => {
  const [{ owner }, other] = [await world.organization(), await world.organization()]
  const replies = await sendAll(owner, times(6, '/campaigns?limit=26'))
  expect(waiting).toHaveLength(4)
  const others = await sendAll(other.owner, times(3, '/campaigns?limit=100'))
  expect(waiting).toHaveLength(7)
  openGate()
  for (const reply of [...replies, ...others]) expect((await reply).statusCode).toBe(200)
})

test('lists of the default size do not wait', async () => {
  const { owner } = await world.organization()
  const replies = await sendAll(owner, times(8, '/campaigns'))
  expect(waiting).toHaveLength(8)
  openGate()
  await Promise.all(replies)
})

test('for a minute after a large page they do wait', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const metadata = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [at, 'x'.repeat(500)]))
  const body = { ...campaignBody(await profileOf(organization)), metadata }
  for (let at = 0; at < 10; at += 1) await made(owner, '/campaigns', body)
  await owner.get('/campaigns')
  const replies = await sendAll(owner, times(8, '/campaigns'))
  expect(waiting).toHaveLength(4)
  openGate()
  await Promise.all(replies)
  world.clock.advance(61_000)
  const later = await sendAll(owner, times(8, '/campaigns'))
  expect(waiting).toHaveLength(8)
  openGate()
  await Promise.all(later)
})

test('a read that fails frees its slot', async () => {
  const { owner } = await world.organization()
  const faulty = times(8, '/campaigns?limit=100&cursor=x')
  for (const path of faulty) expect((await owner.get(path)).statusCode).toBe(400)
  const query = vi.spyOn(world.services.database.reader, 'query')
  query.mockRejectedValueOnce(new Error('once'))
  expect((await owner.get('/campaigns?limit=100')).statusCode).toBe(500)
  query.mockRestore()
  const replies = await sendAll(owner, times(5, '/campaigns?limit=100'))
  expect(waiting).toHaveLength(4)
  openGate()
  for (const reply of replies) expect((await reply).statusCode).toBe(200)
})
