import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { every } from '../../tools/paced.ts'
import type { Tenant } from '../../tools/seed.ts'
import { type Asked, askedIn, proposalIn, reportIn } from './requests.ts'
import { follow, hangUp, logIn, type Person } from './visits.ts'

export type Clients = { port: number; tenants: readonly Tenant[]; person: Person }

/** Each change set is two requests: proposed, then applied. */
const perSecond = { asked: 110, reports: 6, changeSets: 2, streams: 1, hangUps: 2, logins: 1 / 3 }
export const requestsPerSecond = perSecond.asked + perSecond.reports + 2 * perSecond.changeSets
const longestStreamSeconds = 20
/** A service that is too slow leaves requests behind, which are dropped. */
const longestWaitMs = (longestStreamSeconds + 1) * 1000
const lost = 0

const isServed = (status: number) => status !== lost && status !== 503 && status !== 429

type Count = { sent: number; done: number }

/** Answers so far, by status; lost connections count under 0. */
export type Outcome = { answers: Map<number, number>; reports: Count; changeSets: Count }

export function startLoad({ port, tenants, person }: Clients) {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 16 })
  const outcome: Outcome = { answers: new Map(), reports: noneYet(), changeSets: noneYet() }
  const tenantAt = (turn: number): Tenant => {
    const tenant = tenants[(turn * 3 + Math.floor(turn / 40)) % tenants.length]
    if (!tenant) throw new Error('there are no tenants')
    return tenant
  }
  const running = [
    ...startRequests(pool, tenantAt, outcome),
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
    served: () => countOf(outcome.answers, isServed),
    async end(): Promise<Outcome> {
      const ended = Promise.all(running.map((each): Promise<unknown> => each.end()))
      await Promise.race([ended, sleep(longestWaitMs)])
      const found = structuredClone(outcome)
      await pool.destroy()
      return found
    },
  }
}

const noneYet = (): Count => ({ sent: 0, done: 0 })

/** The requests that count for the rate. */
function startRequests(pool: Pool, tenantAt: (turn: number) => Tenant, outcome: Outcome) {
  const { answers, reports, changeSets } = outcome
  const counted = async (tenant: Tenant, asked: Asked): Promise<Answer> => {
    const answer = await ask(pool, tenant, asked).catch(() => ({ status: lost, text: '' }))
    answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1)
    return answer
  }
  return [
    every(perSecond.asked, async (turn) => {
      const tenant = tenantAt(turn)
      await counted(tenant, askedIn(turn, tenant))
    }),
    every(perSecond.reports, async (turn) => {
      const tenant = tenantAt(turn)
      reports.sent += 1
      const { status, text } = await counted(tenant, reportIn(turn, tenant))
      if (status === 207 && !text.includes('"outcome":"failed"')) reports.done += 1
    }),
    every(perSecond.changeSets, async (turn) => {
      const tenant = tenantAt(turn)
      changeSets.sent += 1
      const { status, text } = await counted(tenant, proposalIn(turn, tenant))
      if (status !== 201) return
      const path = `/change_sets/${JSON.parse(text).id}/apply`
      const applied = await counted(tenant, { method: 'POST', path })
      if (applied.status === 200) changeSets.done += 1
    }),
  ]
}

const countOf = (answers: Outcome['answers'], isCounted: (status: number) => boolean): number =>
  [...answers].reduce((sum, [status, times]) => sum + (isCounted(status) ? times : 0), 0)

type Answer = { status: number; text: string }

async function ask(pool: Pool, { token }: Tenant, asked: Asked): Promise<Answer> {
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
  return { status: reply.statusCode, text: await reply.body.text() }
}
