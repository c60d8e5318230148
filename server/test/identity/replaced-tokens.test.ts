import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Client, clientOf, openWorld, type Reply, type World } from '../support/world.ts'

/** Two replicas that share a clock and a database; their session caches do not expire. */
let one: World
let other: World

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  one = await openWorld()
  other = await openWorld({ clock: one.clock })
})
afterAll(async () => {
  await one.close()
  await other.close()
  vi.useRealTimers()
})

const seconds = 1000
const onOther = (client: Client) => clientOf(other.app, client)
const sendMe = (client: Client) => client.get('/auth/me')

async function codeOf(asked: Promise<Reply>): Promise<string> {
  const reply = await asked
  return reply.statusCode < 300 ? String(reply.statusCode) : reply.json().code
}

async function refreshed(client: Client): Promise<Client> {
  const reply = await client.post('/auth/refresh')
  expect([reply.statusCode, reply.body]).toEqual([200, reply.body])
  return clientOf(one.app, { ...client, token: reply.json().token })
}

describe('a token issued by another process', () => {
  test('works at once, also when the session was cached before', async () => {
    const { owner } = await one.organization()
    expect(await codeOf(sendMe(onOther(owner)))).toBe('200')
    const next = await refreshed(owner)
    expect(await codeOf(sendMe(onOther(next)))).toBe('200')
    expect(await codeOf(sendMe(onOther(owner)))).toBe('200')
  })

  test('works at once, also when its clock is ten minutes behind', async () => {
    const { owner } = await one.organization()
    one.clock.advance(600 * seconds)
    const known = await refreshed(owner)
    expect(await codeOf(sendMe(onOther(known)))).toBe('200')
    one.clock.advance(-600 * seconds)
    const next = await refreshed(known)
    expect(await codeOf(sendMe(onOther(next)))).toBe('200')
  })
})

test('an old replaced token causes no query', async () => {
  const { owner } = await one.organization()
  one.clock.advance(601 * seconds)
  const next = await refreshed(await refreshed(owner))
  one.clock.advance(61 * seconds)
  const last = await refreshed(next)
  expect(await codeOf(sendMe(last))).toBe('200')
  const forget = vi.spyOn(one.services.identity.sessions, 'forget')
  expect(await codeOf(sendMe(owner))).toBe('token_revoked')
  expect(forget).not.toHaveBeenCalled()
})

describe('a token replaced by another process', () => {
  /** Simulates a process with this clock offset that did it this long ago. */
  async function asElsewhere(client: Client, { agoMs, offMs }: { agoMs: number; offMs: number }) {
    const { sessionId } = await one.services.identity.tokens.verify(String(client.token))
    const { database } = one.services
    const [stored] = await database.reader.query<{ now: string; tokens: object[] }>({
      sql: `select clock_timestamp() as now, replaced_tokens as tokens from sessions where id = $1`,
      parameters: [sessionId],
    })
    const until = Date.parse(String(stored?.now)) + 60 * seconds - agoMs
    const elsewhere = {
      process: randomUUID(),
      until: new Date(until).toISOString(),
      until_there: new Date(until + offMs).toISOString(),
    }
    const tokens = stored?.tokens.map((token) => ({ ...token, ...elsewhere }))
    const sql = 'update sessions set replaced_tokens = $2 where id = $1'
    const parameters = [sessionId, JSON.stringify(tokens)]
    await database.transaction(async (tx) => tx.send({ sql, parameters }))
    one.services.identity.sessions.forgetAll()
  }

  test.each([-300 * seconds, 300 * seconds])(
    'works for 60 seconds by the clock of the database, with a clock off by %d ms',
    async (offMs) => {
      const { owner } = await one.organization()
      const next = await refreshed(owner)
      await asElsewhere(owner, { agoMs: 50 * seconds, offMs })
      expect(await codeOf(sendMe(owner))).toBe('200')
      expect((await refreshed(owner)).token).toBe(next.token)
      await asElsewhere(owner, { agoMs: 60 * seconds, offMs })
      expect(await codeOf(sendMe(owner))).toBe('token_revoked')
      expect(await codeOf(sendMe(next))).toBe('200')
      expect(await codeOf(owner.post('/auth/refresh'))).toBe('token_revoked')
      expect(await codeOf(sendMe(next))).toBe('token_revoked')
    },
  )
})
