import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFlightdeck } from '../../../sdk/src/client.ts'
import { madeKey } from '../support/api-keys.ts'
import {
  openWorld,
  password,
  type Reply,
  type TestOrganization,
  type World,
} from '../support/world.ts'

let world: World
let acme: TestOrganization

beforeAll(async () => {
  world = await openWorld({ env: { FLIGHTDECK_TRUSTED_PROXIES: '127.0.0.1' } })
  acme = await world.organization()
})
afterAll(() => world.close())

const origin = 'https://ads.example.com'
const proxied = { host: 'ads.example.com', 'x-forwarded-proto': 'https' }
/** Headers that a browser sends with a request of the console's own page. */
const own = { ...proxied, 'sec-fetch-site': 'same-origin', 'x-flightdeck-console': '1' }

const ownLogin = { ...own, origin }

type Headers = Record<string, string>

const logIn = (headers: Headers = ownLogin, body: object = { email: acme.owner.email, password }) =>
  world.app.inject({ method: 'POST', url: '/console/session', headers, payload: body })

const setCookie = (reply: Reply) => String(reply.headers['set-cookie'] ?? '')
const cookieOf = (reply: Reply) => setCookie(reply).split(';')[0] ?? ''

const send = (method: 'GET' | 'PATCH' | 'DELETE', url: string, headers: Headers) =>
  world.app.inject({
    method,
    url,
    headers,
    ...(method === 'PATCH' && { payload: { name: 'Acme' } }),
  })

const codeOf = (reply: Reply) => [reply.statusCode, reply.statusCode < 400 ? '' : reply.json().code]

describe('a login of the console', () => {
  test('answers who it is, and keeps the token from scripts', async () => {
    const reply = await logIn()
    expect(reply.statusCode).toBe(200)
    expect(Object.keys(reply.json()).sort()).toEqual(['expires_at', 'organization', 'user'])
    expect(reply.json().user.email).toBe(acme.owner.email)
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(setCookie(reply)).toMatch(
      /^__Host-flightdeck=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000; Secure$/,
    )
  })

  test('on plain http has a cookie that browsers accept there', async () => {
    const local = { host: 'localhost:8080', 'x-forwarded-proto': 'http' }
    const headers = { ...own, ...local, origin: 'http://localhost:8080' }
    expect(setCookie(await logIn(headers))).toMatch(
      /^flightdeck=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/,
    )
  })

  test('is throttled, audited and checked like each login', async () => {
    const wrong = { email: acme.owner.email, password: 'not this one' }
    expect(codeOf(await logIn(ownLogin, wrong))).toEqual([401, 'invalid_credentials'])
    const again = await logIn(ownLogin, wrong)
    expect([401, 429]).toContain(again.statusCode)
    expect(codeOf(await logIn(ownLogin, { email: 'x' }))).toEqual([422, 'validation_failed'])
    const { data } = (await acme.owner.get('/audit_logs?action=auth.*')).json()
    const paths = data.map((each: { action: string; request: { path: string } | null }) =>
      [each.action, each.request?.path].join(' '),
    )
    expect(paths).toContain('auth.login_succeeded /console/session')
    expect(paths).toContain('auth.login_failed /console/session')
  })
})

describe('a login with a cookie', () => {
  test('is refused for pages of other origins', async () => {
    const foreign = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example.com' },
      { origin: 'http://ads.example.com' },
      { origin: 'null' },
    ]
    const unsaid = await logIn(own)
    expect([...codeOf(unsaid), setCookie(unsaid)]).toEqual([401, 'missing_token', ''])
    for (const each of foreign) {
      const reply = await logIn({ ...ownLogin, ...each })
      expect([each, ...codeOf(reply), setCookie(reply)]).toEqual([each, 401, 'missing_token', ''])
    }
    expect((await logIn(ownLogin)).statusCode).toBe(200)
  })

  test('is open to what is no browser, and says not where it is from', async () => {
    expect((await logIn(proxied)).statusCode).toBe(200)
  })
})

describe('the cookie is a credential', () => {
  let cookie: string

  beforeAll(async () => {
    const { owner } = await world.organization()
    cookie = cookieOf(await logIn(ownLogin, { email: owner.email, password }))
  })

  test('for requests of the service’s own page', async () => {
    const headers = { ...own, cookie }
    const read = await send('GET', '/api/v1/organization', headers)
    expect([read.statusCode, read.headers.vary]).toEqual([200, expect.stringContaining('Cookie')])
    const write = await send('PATCH', '/api/v1/organization', { ...headers, origin })
    expect(write.json().name).toBe('Acme')
  })

  test('for no other request: it is as without', async () => {
    const headers = { ...own, cookie }
    const { 'x-flightdeck-console': _, ...withoutHeader } = headers
    const { 'sec-fetch-site': __, ...withoutSite } = headers
    const foreign = [
      withoutHeader,
      withoutSite,
      { ...headers, 'x-flightdeck-console': '0' },
      { ...headers, 'sec-fetch-site': 'same-site' },
      { ...headers, 'sec-fetch-site': 'cross-site' },
      { ...headers, 'sec-fetch-site': 'none' },
      { ...headers, cookie: cookie.replace('__Host-', '') },
      { ...headers, cookie: '__Host-flightdeck=' },
    ]
    for (const each of foreign) {
      const reply = await send('GET', '/api/v1/organization', each)
      expect(codeOf(reply)).toEqual([401, 'missing_token'])
    }
    for (const from of [undefined, 'https://evil.example.com', 'http://ads.example.com', 'null']) {
      const each = from === undefined ? headers : { ...headers, origin: from }
      const reply = await send('PATCH', '/api/v1/organization', each)
      expect([from, ...codeOf(reply)]).toEqual([from, 401, 'missing_token'])
    }
  })

  test('for a session, never for an API key that was put there', async () => {
    const { key } = await madeKey(world, acme.owner)
    const headers = { ...own, cookie: `__Host-flightdeck=${key}` }
    expect(codeOf(await send('GET', '/api/v1/auth/me', headers))).toEqual([401, 'missing_token'])
  })

  test('only where there is no Authorization', async () => {
    const reply = await send('GET', '/api/v1/auth/me', {
      ...own,
      cookie,
      authorization: 'Bearer x',
    })
    expect(codeOf(reply)).toEqual([401, 'invalid_token'])
  })

  test('on plain http to another machine without Sec-Fetch-Site, which browsers leave out there', async () => {
    const { 'sec-fetch-site': _, ...rest } = own
    const plain = { ...rest, host: 'deck.local:8080', 'x-forwarded-proto': 'http' }
    const { owner } = await world.organization()
    const made = cookieOf(await logIn(plain, { email: owner.email, password }))
    expect((await send('GET', '/api/v1/auth/me', { ...plain, cookie: made })).statusCode).toBe(200)
    const crossing = { ...plain, cookie: made, 'sec-fetch-site': 'cross-site' }
    expect((await send('GET', '/api/v1/auth/me', crossing)).statusCode).toBe(401)
  })
})

describe('a session of the console', () => {
  test('is one of the user’s sessions, and ends with the logout', async () => {
    const { owner } = await world.organization()
    const cookie = cookieOf(await logIn(ownLogin, { email: owner.email, password }))
    const headers = { ...own, cookie, origin }
    const sessions = (await send('GET', '/api/v1/auth/sessions', headers)).json().data
    expect(sessions.filter(({ current }: { current: boolean }) => current)).toHaveLength(1)
    const ended = await send('DELETE', '/console/session', headers)
    expect(ended.statusCode).toBe(204)
    expect(setCookie(ended)).toMatch(/^__Host-flightdeck=; .*Max-Age=0/)
    expect(codeOf(await send('GET', '/api/v1/auth/me', headers))).toEqual([401, 'token_revoked'])
  })

  test('is renewed at half the life of its token, and stays alive in use', async () => {
    const { owner } = await world.organization()
    let cookie = cookieOf(await logIn(ownLogin, { email: owner.email, password }))
    const read = async () => send('GET', '/api/v1/auth/me', { ...own, cookie })
    expect(setCookie(await read())).toBe('')
    for (let halfDays = 0; halfDays < 4; halfDays += 1) {
      world.clock.advance(13 * 60 * 60 * 1000)
      const reply = await read()
      expect(reply.statusCode).toBe(200)
      expect(cookieOf(reply)).not.toBe(cookie)
      cookie = cookieOf(reply)
    }
    expect(setCookie(await read())).toBe('')
  })

  test('is refreshed in the cookie alone: no script gets the token', async () => {
    const { owner } = await world.organization()
    const cookie = cookieOf(await logIn(ownLogin, { email: owner.email, password }))
    const refresh = (more: Headers) =>
      world.app.inject({
        method: 'POST',
        url: '/api/v1/auth/refresh',
        headers: { ...own, origin, ...more },
      })
    const reply = await refresh({ cookie, 'idempotency-key': 'one' })
    expect(reply.json()).toMatchObject({ token: null, user: { email: owner.email } })
    const renewed = cookieOf(reply)
    expect(renewed).toMatch(/^__Host-flightdeck=[\w.-]{100}/)
    expect(renewed).not.toBe(cookie)
    const replayed = await refresh({ cookie, 'idempotency-key': 'one' })
    expect([replayed.json().token, setCookie(replayed)]).toEqual([null, ''])
    world.clock.advance(61_000)
    const me = await send('GET', '/api/v1/auth/me', { ...own, cookie: renewed })
    expect(me.json().user.email).toBe(owner.email)
    const bearer = { authorization: `Bearer ${renewed.split('=')[1]}` }
    expect((await refresh(bearer)).json().token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  })

  test('behind a proxy that is not trusted goes by the public URL', async () => {
    const other = await openWorld({ env: { FLIGHTDECK_PUBLIC_URL: origin } })
    const { owner } = await other.organization()
    const headers = { host: 'ads.example.com', 'sec-fetch-site': 'same-origin', origin }
    const payload = { email: owner.email, password }
    const page = { ...headers, 'x-flightdeck-console': '1' }
    const made = await other.app.inject({
      method: 'POST',
      url: '/console/session',
      headers: page,
      payload,
    })
    expect(setCookie(made)).toMatch(/^__Host-flightdeck=.*Secure$/)
    const reply = await other.app.inject({
      method: 'POST',
      url: '/api/v1/templates',
      headers: { ...page, cookie: cookieOf(made) },
      payload: { name: 'Written' },
    })
    await other.close()
    expect(reply.statusCode).toBe(201)
  })

  test('a cookie is never sent to pages of other origins', async () => {
    const other = await openWorld({ env: { FLIGHTDECK_CORS_ORIGINS: '*' } })
    const reply = await other.app.inject({
      method: 'OPTIONS',
      url: '/api/v1/auth/me',
      headers: { origin: 'https://evil.example.com', 'access-control-request-method': 'GET' },
    })
    await other.close()
    expect(reply.headers['access-control-allow-credentials']).toBeUndefined()
  })
})

test('the SDK uses the cookie in the console', async () => {
  const { owner } = await world.organization()
  const cookie = cookieOf(await logIn(ownLogin, { email: owner.email, password }))
  const flightdeck = createFlightdeck({
    baseUrl: `${origin}/api/v1`,
    cookie: true,
    // In place of a browser.
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url)
      const sent = Object.fromEntries(request.headers)
      const headers = { ...proxied, 'sec-fetch-site': 'same-origin', origin, cookie, ...sent }
      const method = request.method as 'GET'
      const payload = await request.text()
      const reply = await world.app.inject({
        method,
        url: `${pathname}${search}`,
        headers,
        payload,
      })
      return new Response(reply.body, { status: reply.statusCode })
    },
  })
  expect((await flightdeck.auth.me()).user?.email).toBe(owner.email)
  expect(await flightdeck.templates.create({ name: 'From the console' })).toMatchObject({
    version: 1,
  })
})
