import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaignBody } from '../support/cases/writes.ts'
import { carefulClient } from './careful-client.ts'
import { type Environment, openEnvironment, type Tenant } from './environment.ts'
import { openIncidentLog } from './incident-log.ts'
import { expectRecovery } from './recovery.ts'

let environment: Environment
let tenant: Tenant

const fiveMinutes = 300_000
const off = (ms: number) => ({
  NODE_OPTIONS: `--import=${join(import.meta.dirname, 'clock-process.ts')}`,
  OFF_CLOCK_MS: String(ms),
})
const args = ['--role', 'api']

beforeAll(async () => {
  const [ahead, behind] = [off(fiveMinutes), off(-fiveMinutes)]
  environment = await openEnvironment({
    replicas: [{ args }, { env: ahead }, { env: behind, args }],
  })
  tenant = await environment.found({ plan: 'free' })
})
afterAll(() => environment.close())

/** The same request to each replica in turn. */
async function askEach(path: string, body?: object, token = tenant.token) {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': path,
  }
  const init = body ? { method: 'POST', body: JSON.stringify(body), headers } : { headers }
  const answers = []
  for (const { url } of environment.services) {
    const reply = await fetch(`${url}/api/v1${path}`, init)
    const { id } = (await reply.json()) as { id: string }
    answers.push({ status: reply.status, headers: reply.headers, id })
  }
  return answers
}

test('under load, replicas five minutes ahead and behind answer like the others', async () => {
  const load = await environment.load()
  await load.untilCalm()
  await expectRecovery(environment, load)
  expect(load.incidentLog.incidents).toEqual([])
})

test('a request that is repeated at another replica is executed once', async () => {
  const answers = await askEach('/templates', { name: 'Once' })
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
  expect(answers.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([
    null,
    'true',
    'true',
  ])
})

async function refreshAt(place: number, token: string) {
  const init = { method: 'POST', headers: { authorization: `Bearer ${token}` } }
  const reply = await fetch(`${environment.services[place]?.url}/api/v1/auth/refresh`, init)
  return { status: reply.status, token: ((await reply.json()) as { token: string }).token }
}

test('a token that one replica replaced can be refreshed again at the others, and still works', async () => {
  let { token } = tenant
  for (const first of [0, 1, 2]) {
    const next = await refreshAt(first, token)
    expect(next.status).toBe(200)
    const used = [...(await askEach('/auth/me', undefined, next.token))]
    used.push(...(await askEach('/auth/me', undefined, token)))
    expect(used.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    for (const place of [0, 1, 2]) expect(await refreshAt(place, token)).toEqual(next)
    token = next.token
  }
  Object.assign(tenant, { token })
})

test('a limit is counted by the clock of the database', async () => {
  const answers = [...(await askEach('/organization')), ...(await askEach('/organization'))]
  const left = answers.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
  expect(left).toEqual(left.map((_, at) => Number(left[0]) - at))
})

test('a campaign starts once, by the clock of the process that holds the lease', async () => {
  const { token, profileId } = tenant
  const [service] = environment.services
  const ask = carefulClient({ urls: [service?.url ?? ''], token, incidentLog: openIncidentLog() })
  const start_at = new Date(Date.now() + fiveMinutes - 30_000).toISOString()
  const body = { ...campaignBody(profileId), start_at }
  const { id } = (await ask('POST', '/campaigns', body)).body
  expect((await ask('POST', `/campaigns/${id}/launch`)).body).toMatchObject({ status: 'scheduled' })
  const statusOf = async () => (await ask('GET', `/campaigns/${id}`)).body.status
  await expect.poll(statusOf, { timeout: 10_000, interval: 200 }).toBe('active')
  const events = (await ask('GET', '/events?type=campaign.activated')).body.data
  expect(events).toHaveLength(1)
})
