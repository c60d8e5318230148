import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, openWorld, password, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({ env: { FLIGHTDECK_CAPS: 'members=3,api_keys=2' } })
})
afterAll(() => world.close())

const kinds = {
  // The owner already counts.
  members: { limit: 3, free: 2, body: () => memberBody() },
  api_keys: { limit: 2, free: 2, body: () => ({ name: 'Reporting', role: 'viewer' }) },
}

const memberBody = () => {
  const email = `${randomUUID()}@example.com`
  return { email, name: 'Grace', role: 'viewer', password }
}

const capOf = async (owner: Client, kind: string) => (await owner.get('/limits')).json().caps[kind]

test.each(Object.entries(kinds))(
  '%s are capped exactly, also under concurrency',
  async (kind, cap) => {
    const { owner } = await world.organization()
    const { limit, free, body } = cap
    expect(await capOf(owner, kind)).toEqual({ limit, used: limit - free })
    const all = Array.from({ length: free + 2 }, () => owner.post(`/${kind}`, body()))
    const replies = await Promise.all(all)
    const [made, refused] = [201, 409].map((status) =>
      replies.filter(({ statusCode }) => statusCode === status),
    )
    expect(made).toHaveLength(free)
    expect(refused).toHaveLength(2)
    expect(refused?.[0]?.json()).toMatchObject({ code: 'limit_exceeded', resource: kind, limit })
    expect(await capOf(owner, kind)).toEqual({ limit, used: limit })
    const id = made?.[0]?.json().id
    expect((await owner.delete(`/${kind}/${id}`)).statusCode).toBe(204)
    expect(await capOf(owner, kind)).toEqual({ limit, used: limit - 1 })
    expect((await owner.post(`/${kind}`, body())).statusCode).toBe(201)
  },
)
