import { setTimeout as sleep } from 'node:timers/promises'
import { create } from '../support/cases/bulk.ts'
import { campaignBody } from '../support/cases/writes.ts'
import { type Answer, type Ask, carefulClient, type Shown } from './careful-client.ts'
import type { Tenant } from './environment.ts'
import { type IncidentLog, openIncidentLog } from './incident-log.ts'

/** Acknowledged objects of a tenant's clients, by name, and refused ones. */
export type Acknowledged = {
  templates: Map<string, string>
  campaigns: Map<string, { id: string; status: string }>
  refused: Set<string>
}

/** Clients at work on some organizations, until they are stopped. */
export type Load = {
  incidentLog: IncidentLog
  tenants: readonly Tenant[]
  acknowledged(tenant: Tenant): Acknowledged
  /** Milliseconds until each client has completed some rounds without an incident. */
  untilCalm(): Promise<number>
  /** Each client finishes what it has started. */
  stop(): Promise<void>
  /** Includes requests that are still running. */
  close(): void
}

const workersEach = 3
const calmRounds = 3
/** Only ends what hangs: on a slow machine the rounds alone take half a minute. */
const giveUpAfterMs = 120_000

export type Pace = {
  /** Milliseconds that each client rests after a round. */
  pauseMs?: number
}

export function startLoad(
  urls: readonly string[],
  tenants: readonly Tenant[],
  { pauseMs = 10 }: Pace = {},
): Load {
  const incidentLog = openIncidentLog()
  const books = new Map(tenants.map(({ id }) => [id, emptyBook()]))
  const bookOf = ({ id }: Tenant) => books.get(id) ?? emptyBook()
  const workers = tenants.flatMap((tenant) =>
    Array.from({ length: workersEach }, (_, at) =>
      startWorker({ tenant, book: bookOf(tenant), incidentLog, urls, name: `${at}`, pauseMs }),
    ),
  )
  async function untilCalm(): Promise<number> {
    const began = performance.now()
    for (const worker of workers) worker.calm = 0
    while (workers.some(({ calm }) => calm < calmRounds)) {
      if (incidentLog.wrong.length > 0) throw new Error(incidentLog.wrong.join('\n'))
      if (performance.now() - began > giveUpAfterMs) throw new Error(restlessness(workers))
      await sleep(20)
    }
    return performance.now() - began
  }

  return {
    incidentLog,
    tenants,
    acknowledged: bookOf,
    untilCalm,
    async stop() {
      for (const worker of workers) worker.isOver = true
      await Promise.all(workers.map(({ ended }) => ended))
    },
    close() {
      for (const worker of workers) worker.isOver = true
      incidentLog.isClosed = true
    },
  }
}

const restlessness = (workers: readonly Worker[]) =>
  `there is no calm: rounds without an incident, each client: ${workers.map(({ calm }) => calm)}`

const emptyBook = (): Acknowledged => ({
  templates: new Map(),
  campaigns: new Map(),
  refused: new Set(),
})

type Settings = Required<Pace> & {
  tenant: Tenant
  book: Acknowledged
  incidentLog: IncidentLog
  urls: readonly string[]
  name: string
}

/** `calm`: rounds since the last reset or incident. */
type Worker = { calm: number; isOver: boolean; ended: Promise<void> }

function startWorker({ tenant, book, incidentLog, urls, name, pauseMs }: Settings): Worker {
  const worker: Worker = { calm: 0, isOver: false, ended: Promise.resolve() }
  const onIncident = () => {
    worker.calm = 0
  }
  const ask = carefulClient({ urls, token: tenant.token, incidentLog, onIncident })
  const expectOf = expecting(incidentLog)

  async function work(): Promise<void> {
    for (let round = 0; !worker.isOver; round += 1) {
      const step = { ask, expect: expectOf, tenant, book, name: `${name}-${round}` }
      await makeTemplate(step)
      if (round % 3 === 0) await runCampaign(step)
      if (round % 4 === 1) await beRefused(step)
      if (round % 4 === 2) await makeInBulk(step)
      worker.calm += 1
      await sleep(pauseMs)
    }
  }

  worker.ended = work()
  // The caller of `stop` gets the error.
  worker.ended.catch(() => {})
  return worker
}

type Expect = (answer: Answer, status: number, members?: Partial<Shown>) => Shown

/** Records an unexpected answer. */
const expecting =
  ({ wrong }: IncidentLog): Expect =>
  ({ status, body, text }, expected, members = {}) => {
    const isSo = Object.entries(members).every(([key, value]) => body[key] === value)
    if (status !== expected || !isSo) {
      wrong.push(`not ${expected} ${JSON.stringify(members)} but ${status} ${text}`)
      throw new Error(wrong.at(-1))
    }
    return body
  }

type Step = { ask: Ask; expect: Expect; tenant: Tenant; book: Acknowledged; name: string }

async function makeTemplate({ ask, expect, book, name }: Step): Promise<void> {
  const made = expect(await ask('POST', '/templates', { name }), 201, { name })
  book.templates.set(name, made.id)
  expect(await ask('GET', `/templates/${made.id}`), 200, { id: made.id, name })
  expect(await ask('GET', '/templates?limit=5'), 200)
}

async function runCampaign({ ask, expect, tenant, book, name }: Step): Promise<void> {
  const body = { ...campaignBody(tenant.profileId), name }
  const { id } = expect(await ask('POST', '/campaigns', body), 201, { name, status: 'draft' })
  book.campaigns.set(name, { id, status: 'draft' })
  for (const [action, status] of actions) {
    expect(await ask('POST', `/campaigns/${id}/${action}`), 200, { id, status })
    book.campaigns.set(name, { id, status })
    expect(await ask('GET', `/campaigns/${id}`), 200, { id, status })
  }
}

const actions = [
  ['launch', 'active'],
  ['pause', 'paused'],
] as const

async function makeInBulk({ ask, expect, tenant, book, name }: Step): Promise<void> {
  const inBulk = `In bulk ${name}`
  const operations = [create(tenant.profileId, { name: inBulk }), { op: 'delete', id: 'none' }]
  const body = { mode: 'partial', operations }
  const { results } = expect(await ask('POST', '/campaigns/bulk', body), 207)
  const [{ id = '' } = {}] = results as { id?: string }[]
  book.campaigns.set(inBulk, { id, status: 'draft' })
}

async function beRefused({ ask, expect, tenant, book, name }: Step): Promise<void> {
  const refused = `Refused ${name}`
  const body = { ...campaignBody(tenant.profileId), name: refused, daily_budget: -1 }
  expect(await ask('POST', '/campaigns', body), 422, { code: 'validation_failed' })
  const tried = { name: `Tried ${name}` }
  expect(await ask('POST', '/templates?validate_only=true', tried), 200)
  for (const each of [refused, tried.name]) book.refused.add(each)
}
