import { Pool } from 'undici'
import { every } from '../../tools/paced.ts'
import type { Tenant } from '../../tools/seed.ts'
import { type Asked, askedIn } from './requests.ts'
import { follow, hangUp, logIn, type Person } from './visits.ts'

export type Clients = { port: number; tenants: readonly Tenant[]; person: Person }

/** Low enough for two busy cores to keep up. */
const perSecond = { asked: 40, streams: 1, hangUps: 2, logins: 1 / 3 }
const longestStreamSeconds = 20
const lost = 0

/** Answers by status at the end; lost connections count under 0. */
export function startLoad({ port, tenants, person }: Clients) {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 16 })
  const tenantAt = (turn: number): Tenant => {
    const tenant = tenants[(turn * 3) % tenants.length]
    if (!tenant) throw new Error('there are no tenants')
    return tenant
  }
  const asking = every(perSecond.asked, (turn) => {
    const tenant = tenantAt(turn)
    return ask(pool, tenant, askedIn(turn, tenant)).catch(() => lost)
  })
  const others = [
    every(perSecond.logins, (turn) => {
      const isWrong = turn % 5 === 4
      const unknown = { email: `unknown-${turn}@example.com`, password: 'wrong' }
      return logIn(pool, isWrong ? unknown : person).catch(() => lost)
    }),
    every(perSecond.streams, (turn) =>
      follow(port, tenantAt(turn), 1 + (turn % longestStreamSeconds)),
    ),
    every(perSecond.hangUps, (turn) => hangUp(port, tenantAt(turn), turn)),
  ]
  return {
    async end(): Promise<Map<number, number>> {
      const [statuses] = await Promise.all([asking.end(), ...others.map((each) => each.end())])
      await pool.destroy()
      const byStatus = Map.groupBy(statuses, (status) => status)
      return new Map([...byStatus].map(([status, all]) => [status, all.length]))
    },
  }
}

async function ask(pool: Pool, { token }: Tenant, asked: Asked): Promise<number> {
  const { method = 'GET', path, body, headers } = asked
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const reply = await pool.request({
    path: `/api/v1${path}`,
    method: method as 'GET',
    headers: {
      authorization: `Bearer ${token}`,
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: text ?? null,
  })
  await reply.body.dump()
  return reply.statusCode
}
