import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { run, type Service, serve } from '../support/machines/command-line.ts'
import { urlOf } from '../support/machines/fresh-database.ts'
import { openReceiver, type Receiver } from '../support/machines/receiver.ts'
import { medianOf, msUntil } from '../support/machines/replica.ts'
import { type OwnWorld, openOwnWorld } from '../support/own-world.ts'
import { unlimited } from '../support/world.ts'

// Two processes that answer requests and one worker, on their own database.
let world: OwnWorld
let receiver: Receiver
let one: Service
let other: Service
let worker: Service

const settings = {
  FLIGHTDECK_WEBHOOK_ALLOW_HTTP: 'true',
  FLIGHTDECK_EGRESS_ALLOW: '127.0.0.0/8',
  ...unlimited,
  FLIGHTDECK_METRICS_TOKEN: 'scrape',
  FLIGHTDECK_PUBLIC_URL: 'http://127.0.0.1:8080',
}

beforeAll(async () => {
  world = await openOwnWorld({ env: settings })
  receiver = await openReceiver()
  const env = {
    ...settings,
    FLIGHTDECK_DATABASE_URL: urlOf(world.database),
    FLIGHTDECK_DATA_DIR: inject('dataDir'),
  }
  const start = (role: string) => serve(tmpdir(), env, ['--role', role])
  const started = await Promise.all([start('api'), start('api'), start('worker')])
  one = started[0]
  other = started[1]
  worker = started[2]
  await vi.waitFor(async () => expect((await readiness(worker)).status).toBe(200), 20_000)
})
afterAll(async () => {
  const codes = await Promise.all([one, other, worker].map((each) => each.stop('SIGTERM')))
  await receiver.close()
  await world.close()
  expect(codes).toEqual([0, 0, 0])
})

async function readiness(service: Service) {
  const reply = await fetch(`${service.url}/readyz`)
  return { status: reply.status, checks: JSON.parse(await reply.text()).checks }
}

type Caller = { token: string | null }

const callAt = (
  service: Service,
  { token }: Caller,
  path: string,
  body?: unknown,
  method = 'GET',
) =>
  fetch(`${service.url}/api/v1${path}`, {
    method: body === undefined ? method : 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

describe('a worker process', () => {
  test('answers probes and nothing else', async () => {
    expect((await fetch(`${worker.url}/livez`)).status).toBe(200)
    const scraped = { headers: { authorization: 'Bearer scrape' } }
    expect((await fetch(`${worker.url}/metrics`, scraped)).status).toBe(200)
    expect((await readiness(worker)).checks.queue).toBe('running')
    for (const path of ['/', '/docs', '/api/v1/campaigns', '/api/v1/openapi.json']) {
      const reply = await fetch(`${worker.url}${path}`)
      expect([path, reply.status]).toEqual([path, 404])
      expect(JSON.parse(await reply.text())).toMatchObject({ code: 'not_found' })
    }
    expect((await callAt(worker, { token: null }, '/campaigns', {})).status).toBe(404)
    expect(JSON.stringify(worker.logged)).not.toContain('/api/v1')
  })

  test('delivers at once what another process creates', async () => {
    expect((await readiness(one)).checks.queue).toBe('off')
    const { owner } = await world.organization()
    const endpoint = { url: receiver.url, events: ['template.*'] }
    expect((await callAt(one, owner, '/webhook_endpoints', endpoint)).status).toBe(201)
    let made = 0
    const msToDeliver = async () => {
      made += 1
      await callAt(one, owner, '/templates', { name: `Template ${made}` })
      return msUntil(() => receiver.received.length === made)
    }
    // Polling would take half a second on average. The first delivery also loads the HTTP client.
    await msToDeliver()
    await expect.poll(() => medianOf(msToDeliver)).toBeLessThan(300)
    expect(receiver.received).toHaveLength(made)
  })
})

test('a logout at one process applies to the others at once', async () => {
  const { as } = await world.organization()
  const msUntilRefused = async () => {
    const user = await as('viewer')
    expect((await callAt(other, user, '/campaigns')).status).toBe(200)
    expect((await callAt(one, user, '/auth/logout', undefined, 'DELETE')).status).toBe(204)
    return msUntil(async () => (await callAt(other, user, '/campaigns')).status === 401)
  }
  await expect.poll(() => medianOf(msUntilRefused)).toBeLessThan(400)
})

test('after a migration by a newer version the older processes stay ready', async () => {
  await world.database.query(`insert into migrations (name) values ('9999_of_a_newer_version')`)
  for (const each of [one, other, worker]) expect((await readiness(each)).status).toBe(200)
})

describe('a role is refused', () => {
  test.each(['api', 'worker'])(
    '%s on the embedded database, which has one process',
    async (role) => {
      const { code, stderr } = await run(tmpdir(), ['serve', '--role', role])
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: `flightdeck: --role ${role} needs FLIGHTDECK_DATABASE_URL: the embedded database serves a single process, which does everything.\n`,
      })
    },
  )

  test('when it does not exist', async () => {
    const { code, stderr } = await run(tmpdir(), ['serve', '--role', 'boss'])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'flightdeck: "boss" is not a role: use one of all, api, worker.\n',
    })
  })
})
