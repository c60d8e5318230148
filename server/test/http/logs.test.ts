import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { madeKey } from '../support/api-keys.ts'
import { made } from '../support/cases/writes.ts'
import { backgroundOf } from '../support/machines/background.ts'
import { receiverForTest } from '../support/machines/receiver.ts'
import { msUntil } from '../support/machines/replica.ts'
import { type OwnWorld, openOwnWorld } from '../support/own-world.ts'
import { password } from '../support/world.ts'

const env = { FLIGHTDECK_WEBHOOK_ALLOW_HTTP: 'true', FLIGHTDECK_EGRESS_ALLOW: '127.0.0.0/8' }
/** The number of pino's level `warn`. */
const warning = 40

let world: OwnWorld

beforeAll(async () => {
  world = await openOwnWorld({ env })
})
afterAll(async () => {
  await world.close()
})

test('a complete run logged at trace level contains no secret', async () => {
  const { logged } = world
  const { owner } = await world.organization()
  const receiver = await receiverForTest()
  const logger = pino({ level: 'trace' }, { write: (line) => void logged.push(JSON.parse(line)) })
  const { services } = world
  const background = backgroundOf({ services, address: world.database.address, logger })

  const login = { email: owner.email, password }
  const { token } = (await world.anonymous.post('/auth/login', login)).json()
  await world.anonymous.post('/auth/login', { ...login, password: 'hush wrong password' })
  const newPassword = 'hush a new password'
  await owner.post('/auth/password', { current_password: password, new_password: newPassword })
  const refreshed = (await owner.post('/auth/refresh')).json()
  const member = (
    await owner.post('/members', { email: 'ed@example.com', name: 'Ed', role: 'editor' })
  ).json()
  const key = await madeKey(world, owner)
  const proxy = { name: 'P', protocol: 'http', host: 'proxy.example.com', port: 8080 }
  const credentials = { username: 'hush-user', password: 'hush-proxy-password' }
  const id = await made(owner, '/proxies', { ...proxy, ...credentials })
  expect((await owner.post(`/proxies/${id}/credentials`)).json()).toMatchObject(credentials)
  receiver.answer(500, 200)
  const url = `${receiver.url}?key=hush-in-the-url`
  const endpoint = (await owner.post('/webhook_endpoints', { url })).json()
  const rotated = await owner.post(`/webhook_endpoints/${endpoint.id}/rotate_secret`)
  await made(owner, '/profiles', { name: 'One' })
  await msUntil(() => receiver.received.length > 0, 10_000)
  await owner.get('/campaigns?q=hush-search')
  await owner.post('/campaigns', { name: 'hush-name', password: 'hush-field' })
  await background.stop()

  const text = JSON.stringify(logged)
  const secrets = [owner.token, token, refreshed.token, member.temporary_password, key.key]
  const ofEndpoint = [endpoint.secret, rotated.json().secret].map((each) => each.slice(6))
  for (const secret of [...secrets, ...ofEndpoint, password, newPassword]) {
    expect(secret.length).toBeGreaterThan(10)
    expect(text).not.toContain(secret)
  }
  expect(text).not.toMatch(/hush|bearer |whsec_|fdk_|argon2/i)
  const requests = logged.filter(({ msg }) => msg === 'request')
  expect(requests.length).toBeGreaterThan(10)
  for (const line of requests) expect(line.request_id).toMatch(/^req_/)
})

test.each([
  ['4bf92f3577b34da6', '4bf92f3577b34da6'],
  ['a\u001b[31m b"\u00e9\t', 'a[31mb"'],
  ['x'.repeat(5_000), 'x'.repeat(128)],
  ['\u00e9', undefined],
  ['', undefined],
])(
  'the id %j that a client gives its request is logged beside ours as %j',
  async (given, logged) => {
    const before = world.logged.length
    const headers = { 'x-request-id': given }
    const reply = await world.app.inject({ url: '/api/v1/campaigns', headers })
    const lines = world.logged.slice(before).filter(({ msg }) => msg === 'request')
    expect(lines).toEqual([
      expect.objectContaining({ request_id: reply.headers['x-request-id'], status: 401 }),
    ])
    expect(lines[0]?.client_request_id).toBe(logged)
  },
)

test('a request that no server could carry out is not logged as a fault of the service', async () => {
  const before = world.logged.length
  const headers = { 'transfer-encoding': 'gzip' }
  const reply = await world.app.inject({ method: 'POST', url: '/api/v1/auth/login', headers })
  expect(reply.statusCode).toBe(501)
  const notable = world.logged.slice(before).filter(({ level }) => Number(level) >= warning)
  expect(notable).toEqual([])
})
