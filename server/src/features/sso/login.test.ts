import { createHmac } from 'node:crypto'
import { exportPKCS8, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { domainOfTest } from '../../../test/support/cases/people/sso-cases.ts'
import { clientSecret, type Idp, openIdp } from '../../../test/support/clients/identity-provider.ts'
import { guard } from '../../../test/support/clients/second-factor.ts'
import {
  clientOf,
  openWorld,
  password,
  type Reply,
  type TestOrganization,
  unlimited,
  type World,
} from '../../../test/support/world.ts'
import { trustDomain } from './domains.ts'

const publicUrl = 'https://flightdeck.example.com'
const callback = `${publicUrl}/api/v1/auth/sso/callback`
const host = 'flightdeck.example.com'

let world: World
let idp: Idp
let other: Idp

beforeAll(async () => {
  idp = await openIdp([callback])
  other = await openIdp([callback])
  world = await openWorld({
    env: {
      ...unlimited,
      FLIGHTDECK_PUBLIC_URL: publicUrl,
      FLIGHTDECK_EGRESS_ALLOW: '127.0.0.1',
      FLIGHTDECK_WEBHOOK_ALLOW_HTTP: 'true',
    },
  })
})
afterAll(async () => {
  await world.close()
  await idp.close()
  await other.close()
})
/** The provider goes by the real time. */
const align = () => world.clock.advance(Date.now() - world.clock.now().getTime())

beforeEach(() => {
  align()
  idp.issue = null
  idp.publish = (metadata) => metadata
})

const path = '/organization/sso'
let count = 0

async function setUp(more: object = {}, provider = idp) {
  const organization = await world.organization()
  const domain = domainOfTest(organization)
  const body = { issuer: provider.issuer, client_id: 'flightdeck', client_secret: clientSecret }
  const reply = await organization.owner.put(path, { ...body, domains: [domain], ...more })
  expect([reply.statusCode, reply.body]).toEqual([201, expect.any(String)])
  await trustDomain(organization.ctx, domain)
  return { organization, owner: organization.owner, domain }
}

/** A new person of the provider, who answers its next login. */
function personAt(domain: string, claims: object = {}, provider = idp) {
  count += 1
  const email = `person-${count}@${domain}`
  const account = { sub: `sub-${count}`, email, email_verified: true, name: 'Ada Lovelace' }
  provider.accounts.set(account.sub, { ...account, ...claims })
  provider.person = account.sub
  provider.forget()
  return { ...account, ...claims }
}

let address = 0
const get = (url: string, cookie = '', headers: Record<string, string> = {}) => {
  address += 1
  const remoteAddress = `198.51.${Math.floor(address / 250)}.${(address % 250) + 1}`
  return world.app.inject({
    method: 'GET',
    url,
    remoteAddress,
    headers: { host, cookie, ...headers },
  })
}

const cookiesOf = (reply: Reply) =>
  reply.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')

async function begin(email: string, more = '') {
  const reply = await get(`/api/v1/auth/sso/start?email=${encodeURIComponent(email)}${more}`)
  expect([reply.statusCode, reply.body]).toEqual([302, ''])
  return { location: String(reply.headers.location), cookie: cookiesOf(reply), reply }
}

const pathOf = (url: string) => url.slice(publicUrl.length)

async function login(email: string, { more = '' } = {}) {
  const { location, cookie } = await begin(email, more)
  return get(pathOf(await idp.browse(location)), cookie)
}

const tokenOf = (reply: Reply): string =>
  reply.cookies.find(({ name }) => name === '__Host-flightdeck')?.value ?? ''

const clientWith = (reply: Reply) =>
  clientOf(world.app, { token: tokenOf(reply), userId: '', email: '' })

const expectRefused = (reply: Reply, status = 401) => {
  expect([reply.statusCode, tokenOf(reply)]).toEqual([status, ''])
  expect(reply.body).toContain('You are not logged in')
}

const codeOf = (reply: Reply) => [reply.statusCode, reply.json().code]
const membersOf = async ({ owner }: TestOrganization) => (await owner.get('/members')).json().data

describe('a login by single sign-on', () => {
  test('makes a member of a proved domain, with a strict cookie, a page that goes on, and no token', async () => {
    const { organization, domain } = await setUp()
    const person = personAt(domain)
    const {
      location,
      cookie,
      reply: started,
    } = await begin(person.email, '&next=/console/pacing?view=1')
    expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      nonce: expect.stringMatching(/^.{43}$/),
      redirect_uri: callback,
      response_type: 'code',
      state: expect.stringMatching(/^.{43}$/),
    })
    expect(started.cookies).toMatchObject([
      { name: '__Host-flightdeck-sso', sameSite: 'Lax', httpOnly: true, secure: true, maxAge: 600 },
    ])
    const reply = await get(pathOf(await idp.browse(location)), cookie)
    expect(reply.statusCode).toBe(200)
    expect(reply.body).toContain('content="0; url=/console/pacing?view=1"')
    expect(reply.body).not.toContain(tokenOf(reply))
    expect(reply.cookies).toMatchObject([
      { name: '__Host-flightdeck-sso', value: '', maxAge: 0 },
      { name: '__Host-flightdeck', sameSite: 'Strict', httpOnly: true, secure: true },
    ])
    const me = (await clientWith(reply).get('/auth/me')).json()
    expect(me).toMatchObject({
      single_sign_on: true,
      user: { email: person.email, name: 'Ada Lovelace', role: 'viewer' },
      organization: { id: organization.id },
    })
    const [session] = (await clientWith(reply).get('/auth/sessions')).json().data
    expect(Date.parse(session.expires_at) - Date.parse(session.created_at)).toBe(12 * 3_600_000)
    // The second time it is found by its subject, whatever the address says now.
    idp.accounts.set(person.sub, { ...person, email: 'changed@elsewhere.example' })
    const again = await login(person.email)
    expect((await clientWith(again).get('/auth/me')).json().user.id).toBe(me.user.id)
    expect(await membersOf(organization)).toHaveLength(2)
  })

  test('leaves its code, state, token and cookies in no log, record or event', async () => {
    const { owner, domain } = await setUp()
    const { location, cookie } = await begin(personAt(domain).email)
    const back = new URL(await idp.browse(location))
    const reply = await get(pathOf(back.href), cookie)
    const kept = ['code', 'state'].map((name) => back.searchParams.get(name) ?? '')
    const secrets = [...kept, tokenOf(reply), cookie.split('=')[1] ?? '']
    const trail = (await owner.get('/audit_logs')).body + (await owner.get('/events')).body
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(20)
      expect(trail + JSON.stringify(world.logged)).not.toContain(secret)
    }
  })

  test('goes by the public URL, whatever host a request names', async () => {
    const { domain } = await setUp()
    const start = `/api/v1/auth/sso/start?email=a@${domain}`
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    const elsewhere = await get(start, '', headers)
    expect([elsewhere.statusCode, elsewhere.headers.location, elsewhere.cookies]).toEqual([
      302,
      `${publicUrl}${start}`,
      [],
    ])
    const forwarded = await get(start, '', { 'x-forwarded-host': 'evil.example' })
    const asked = new URL(String(forwarded.headers.location))
    expect(asked.searchParams.get('redirect_uri')).toBe(callback)
  })

  test('answers whether and where by the domain alone', async () => {
    const { owner, domain } = await setUp()
    const ask = async (email: string) =>
      (await world.anonymous.get(`/auth/sso?email=${encodeURIComponent(email)}`)).json()
    const found = await ask(`someone@${domain}`)
    expect(found).toMatchObject({ available: true, enforced: false })
    expect(found.start_url).toMatch(
      /^https:\/\/flightdeck\.example\.com\/api\/v1\/auth\/sso\/start\?/,
    )
    const none = { available: false, enforced: false, issuer: null, start_url: null }
    for (const email of [owner.email, `a@sub.${domain}`, 'no address', '@']) {
      if (email.length >= 3) expect(await ask(email)).toEqual(none)
    }
    expect((await get(`/api/v1/auth/sso/start?email=${owner.email}`)).statusCode).toBe(404)
  })

  test('goes on to paths of the console only', async () => {
    const { domain } = await setUp()
    for (const next of [
      'https://evil.example/',
      '//evil.example/console',
      '/\\evil.example',
      '/console/../api/v1',
      '/consoles',
      'javascript:alert(1)',
      '/console\\@evil.example',
    ]) {
      const person = personAt(domain)
      const reply = await login(person.email, { more: `&next=${encodeURIComponent(next)}` })
      expect([next, reply.statusCode]).toEqual([next, 200])
      expect(reply.body).toContain('content="0; url=/console"')
    }
  })

  test('with a parameter that it does not have, or that is no truth, is refused on a page', async () => {
    const { domain } = await setUp()
    const start = (more: string) => get(`/api/v1/auth/sso/start?email=a@${domain}${more}`)
    for (const more of ['&nxt=/console', '&again=1', '&next=/console&next=/console']) {
      const reply = await start(more)
      expectRefused(reply, 400)
      expect([more, reply.headers['content-type']]).toEqual([more, 'text/html; charset=utf-8'])
    }
    expect((await start('&again=false')).statusCode).toBe(302)
  })

  test('too often from one address is refused on a page, and ends no login', async () => {
    const { domain } = await setUp()
    const person = personAt(domain)
    const { location, cookie } = await begin(person.email)
    const back = pathOf(await idp.browse(location))
    const from = (url: string, cookie = '') =>
      world.app.inject({
        method: 'GET',
        url,
        remoteAddress: '203.0.113.77',
        headers: { host, cookie },
      })
    for (let at = 0; at < 60; at += 1) await from('/api/v1/auth/sso?email=a@example.com')
    const start = await from(`/api/v1/auth/sso/start?email=${person.email}`)
    const throttled = await from(back, cookie)
    for (const reply of [start, throttled]) {
      expectRefused(reply, 429)
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
      expect(reply.cookies).toEqual([])
    }
    // The refusals have not ended the login.
    expect(tokenOf(await get(back, cookie))).not.toBe('')
  })

  test('is not begun by another site', async () => {
    const { domain } = await setUp()
    const reply = await get(`/api/v1/auth/sso/start?email=a@${domain}`, '', {
      'sec-fetch-site': 'cross-site',
    })
    expect([reply.statusCode, reply.cookies]).toEqual([200, []])
    expect(reply.body).toContain('Go on to your organization’s login')
  })
})

describe('an answer', () => {
  test('is taken once, by the browser that asked, within ten minutes', async () => {
    const { domain } = await setUp()
    const person = personAt(domain)
    const { location, cookie } = await begin(person.email)
    const back = pathOf(await idp.browse(location))
    expectRefused(await get(back), 400)
    const others = await begin(person.email)
    expectRefused(await get(back, others.cookie), 400)
    expectRefused(await get(back.replace(/state=[^&]+/, 'state=x'), cookie), 400)
    expect((await get(back, cookie)).statusCode).toBe(200)
    expectRefused(await get(back, cookie), 400)
    const late = await begin(person.email)
    const lateBack = pathOf(await idp.browse(late.location))
    world.clock.advance(10 * 60_000)
    expectRefused(await get(lateBack, late.cookie), 400)
  })

  test('of another provider, or of another organization, is refused', async () => {
    const honest = await setUp()
    const foreign = await setUp({}, other)
    const person = personAt(honest.domain)
    personAt(foreign.domain, {}, other)
    const ours = await begin(person.email)
    const theirs = await begin(`a@${foreign.domain}`)
    // The code of one, with the state and cookie of the login at the other.
    const answer = new URL(await idp.browse(ours.location))
    const state = new URL(theirs.location).searchParams.get('state') ?? ''
    answer.searchParams.set('state', state)
    expectRefused(await get(pathOf(answer.href), theirs.cookie))
  })

  test('without PKCE’s verifier of this browser is refused', async () => {
    const { domain } = await setUp()
    const person = personAt(domain)
    const stolen = new URL(await idp.browse((await begin(person.email)).location))
    const mine = await begin(person.email)
    stolen.searchParams.set('state', new URL(mine.location).searchParams.get('state') ?? '')
    expectRefused(await get(pathOf(stolen.href), mine.cookie))
  })

  test('that the person refused says so', async () => {
    const { domain } = await setUp()
    const { location, cookie } = await begin(`a@${domain}`)
    const state = new URL(location).searchParams.get('state')
    const reply = await get(
      `/api/v1/auth/sso/callback?error=access_denied&error_description=<b>x&iss=${idp.issuer}&state=${state}`,
      cookie,
    )
    expectRefused(reply)
    expect(reply.body).toContain('it did not let you in')
    expect(reply.body).not.toContain('<b>x')
  })
})

describe('a token', () => {
  const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const hmac = (key: string, header: object, claims: object) => {
    const text = `${b64(header)}.${b64(claims)}`
    return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
  }
  const faulty: Record<string, NonNullable<Idp['issue']>> = {
    'of another issuer': (claims) => idp.sign({ ...claims, iss: 'https://evil.example' }),
    'for another application': (claims) => idp.sign({ ...claims, aud: 'another' }),
    'for another login': (claims) => idp.sign({ ...claims, nonce: 'another' }),
    'without a subject': (claims) => idp.sign({ ...claims, sub: '' }),
    'with an endless subject': (claims) => idp.sign({ ...claims, sub: 's'.repeat(256) }),
    'without nonce': ({ nonce: _, ...claims }) => idp.sign(claims),
    'that is over': (claims) => idp.sign({ ...claims, exp: Math.floor(Date.now() / 1000) - 3600 }),
    'without signature': async (claims) => `${b64({ alg: 'none' })}.${b64(claims)}.`,
    'signed with the client’s secret': async (claims) =>
      hmac(clientSecret, { alg: 'HS256' }, claims),
    'signed with the public key as a secret': async (claims) =>
      hmac(JSON.stringify(idp.publicJwk), { alg: 'HS256', kid: 'main' }, claims),
    'signed with a key that is not published': async (claims) => {
      const { privateKey } = await generateKeyPair('RS256', { extractable: true })
      expect(await exportPKCS8(privateKey)).toContain('PRIVATE')
      return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'main' }).sign(privateKey)
    },
    'changed after it was signed': async (claims, { sign }) => {
      const [header, , signature] = (await sign(claims)).split('.')
      return `${header}.${b64({ ...claims, sub: 'sub-1' })}.${signature}`
    },
  }

  test.each(Object.entries(faulty))('%s is refused', async (_, issue) => {
    const { organization, domain } = await setUp()
    const person = personAt(domain)
    idp.issue = issue
    idp.publish = (metadata) => ({
      ...metadata,
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    })
    expectRefused(await login(person.email))
    expect(await membersOf(organization)).toHaveLength(1)
    const { data } = (await organization.owner.get('/audit_logs?action=auth.sso_refused')).json()
    expect(data).toMatchObject([{ outcome: 'failed', reason: expect.any(String) }])
  })
})

describe('a person', () => {
  test('with an unverified, foreign or missing address is not let in', async () => {
    const { organization, domain } = await setUp()
    const email = `x@${domain}`
    for (const claims of [
      { email_verified: false },
      { email_verified: 'true' },
      { email_verified: undefined },
      { email: 'x@elsewhere.example' },
      { email: undefined },
      { email: `x@sub.${domain}` },
    ]) {
      personAt(domain, claims)
      expectRefused(await login(email), 403)
    }
    expect(await membersOf(organization)).toHaveLength(1)
    await organization.owner.put(path, { trust_email: true })
    personAt(domain, { email_verified: undefined })
    expect((await login(email)).statusCode).toBe(200)
    personAt(domain, { email_verified: false })
    expectRefused(await login(email), 403)
  })

  test('who is known is linked once, and never to another subject', async () => {
    const { organization, owner, domain } = await setUp()
    const email = `known@${domain}`
    const made = await owner.post('/members', { email, name: 'Known', role: 'editor', password })
    personAt(domain, { email })
    const me = (await clientWith(await login(email)).get('/auth/me')).json()
    expect(me.user).toMatchObject({ id: made.json().id, role: 'editor' })
    personAt(domain, { email })
    expectRefused(await login(email), 403)
    await owner.put(`/members/${made.json().id}`, { disabled: true })
    expect(await membersOf(organization)).toHaveLength(2)
  })

  test('who is disabled, or of another organization, is not let in', async () => {
    const first = await setUp()
    const elsewhere = await world.organization()
    const email = `there@${first.domain}`
    await elsewhere.owner.post('/members', { email, name: 'There', role: 'admin', password })
    personAt(first.domain, { email })
    expectRefused(await login(email), 403)
    const person = personAt(first.domain)
    const me = (await clientWith(await login(person.email)).get('/auth/me')).json()
    await first.owner.put(`/members/${me.user.id}`, { disabled: true })
    expectRefused(await login(person.email), 403)
  })

  test('is not made a member where that is switched off', async () => {
    const { organization, domain } = await setUp({ create_members: false })
    expectRefused(await login(personAt(domain).email), 403)
    expect(await membersOf(organization)).toHaveLength(1)
  })

  test('has the highest mapped role at each login, and owners keep theirs', async () => {
    const role_map = { Leads: 'admin', Makers: 'editor' }
    const { owner, domain } = await setUp({
      role_claim: 'groups',
      role_map,
      default_role: 'auditor',
    })
    const person = personAt(domain, { groups: ['Makers', 'Leads', 'constructor'] })
    const roleAfter = async (groups: unknown) => {
      idp.accounts.set(person.sub, { ...person, groups })
      return (await clientWith(await login(person.email)).get('/auth/me')).json().user
    }
    const { id } = await roleAfter(['Makers', 'Leads', 'constructor'])
    expect((await roleAfter(['Makers', 'Leads'])).role).toBe('admin')
    expect((await roleAfter('Makers')).role).toBe('editor')
    expect((await roleAfter(['Others'])).role).toBe('auditor')
    expect((await roleAfter(undefined)).role).toBe('auditor')
    await owner.put(`/members/${id}`, { role: 'viewer' })
    expect((await roleAfter(['Makers'])).role).toBe('editor')
    await owner.put(`/members/${id}`, { role: 'owner' })
    expect((await roleAfter(['Makers'])).role).toBe('owner')
  })

  test('with a scope is never lifted out of it', async () => {
    const role_map = { Leads: 'admin', Makers: 'editor' }
    const { owner, domain } = await setUp({ role_claim: 'groups', role_map })
    const person = personAt(domain, { groups: ['Makers'] })
    const after = async (groups: unknown) => {
      idp.accounts.set(person.sub, { ...person, groups })
      return (await clientWith(await login(person.email)).get('/auth/me')).json().user
    }
    const { id } = await after(['Makers'])
    const { id: client } = (await owner.post('/clients', { name: 'Acme' })).json()
    const scope = { client_ids: [client] }
    await owner.patch(`/members/${id}`, { scope })
    expect(await after(['Leads'])).toMatchObject({ role: 'editor' })
    const kept = (await owner.get(`/members/${id}`)).json()
    expect(kept).toMatchObject({ role: 'editor', scope })
    await owner.patch(`/members/${id}`, { scope: null })
    expect(await after(['Leads'])).toMatchObject({ role: 'admin' })
  })
})

describe('enforced', () => {
  test('members of the domains log in only so, and owners have their way back', async () => {
    const { organization, owner, domain } = await setUp()
    const email = `member@${domain}`
    await owner.post('/members', { email, name: 'Member', role: 'editor', password })
    const enter = (who: string, more: object = {}) =>
      world.anonymous.post('/auth/login', { email: who, password, ...more })
    const { token } = (await enter(email)).json()
    const member = clientOf(world.app, { token, userId: '', email })
    const link = (
      await owner.post(`/members/${(await member.get('/auth/me')).json().user.id}/password_reset`)
    ).json()
    const invited = (
      await owner.post('/invitations', { email: `new@${domain}`, role: 'viewer' })
    ).json()
    const byFactor = await guard(world, owner)
    expect((await owner.put(path, { enforced: true })).json().enforced).toBe(true)
    expect((await member.get('/auth/me')).statusCode).toBe(401)
    expect((await owner.get('/auth/me')).statusCode).toBe(200)
    expect(codeOf(await enter(email))).toEqual([403, 'sso_required'])
    expect(codeOf(await enter(email, { password: 'a wrong pass phrase' }))).toEqual([
      401,
      'invalid_credentials',
    ])
    const secretIn = (url: string) => url.split('#')[1]
    const next = 'quite another pass phrase'
    expect(
      codeOf(
        await world.anonymous.post('/auth/password/reset', {
          secret: secretIn(link.url),
          password: next,
        }),
      ),
    ).toEqual([403, 'sso_required'])
    expect(
      codeOf(
        await world.anonymous.post('/invitations/accept', {
          secret: secretIn(invited.url),
          name: 'New',
          password: next,
        }),
      ),
    ).toEqual([403, 'sso_required'])
    expect((await enter(owner.email, { otp: byFactor.code() })).statusCode).toBe(200)
    const person = personAt(domain, { email })
    expect((await clientWith(await login(person.email)).get('/auth/me')).statusCode).toBe(200)
    // The way back stays while there is no other.
    const { data } = (await owner.get('/auth/factors')).json()
    const [factor] = data.filter(({ kind }: { kind: string }) => kind === 'totp')
    const removed = await owner.delete(`/auth/factors/${factor.id}`)
    expect(codeOf(removed)).toEqual([409, 'owner_without_factor'])
    const ownFactors = `/members/${owner.userId}/factors`
    expect(codeOf(await owner.delete(ownFactors))).toEqual([409, 'owner_without_factor'])
    const other = { email: `other-${owner.email}`, name: 'Other', role: 'owner', password }
    const { id } = (await owner.post('/members', other)).json()
    const { token: key } = (await enter(other.email)).json()
    const second = clientOf(world.app, { token: key, userId: id, email: other.email })
    expect(codeOf(await second.delete(ownFactors))).toEqual([409, 'owner_without_factor'])
    const disabled = await second.patch(`/members/${owner.userId}`, { disabled: true })
    expect(codeOf(disabled)).toEqual([409, 'owner_without_factor'])
    const deleted = await second.delete(`/members/${owner.userId}`)
    expect(codeOf(deleted)).toEqual([409, 'owner_without_factor'])
    await guard(world, second)
    expect((await owner.delete(`/auth/factors/${factor.id}`)).statusCode).toBe(204)
    expect(await membersOf(organization)).toHaveLength(3)
  })

  test('who loses the way back keeps no session that a password has opened', async () => {
    const { owner, domain } = await setUp()
    await guard(world, owner)
    const guardedOwner = async (name: string) => {
      const email = `${name}@${domain}`
      const { id } = (await owner.post('/members', { email, name, role: 'owner', password })).json()
      const { token } = (await world.anonymous.post('/auth/login', { email, password })).json()
      const client = clientOf(world.app, { token, userId: id, email })
      return { client, factor: await guard(world, client) }
    }
    const [one, two, three] = [
      await guardedOwner('removes'),
      await guardedOwner('is-helped'),
      await guardedOwner('is-demoted'),
    ]
    const spare = await guard(world, one.client)
    expect((await owner.put(path, { enforced: true })).statusCode).toBe(200)
    expect((await one.client.delete(`/auth/factors/${spare.id}`)).statusCode).toBe(204)
    expect((await one.client.get('/auth/me')).statusCode).toBe(200)
    await one.client.delete(`/auth/factors/${one.factor.id}`)
    await owner.delete(`/members/${two.client.userId}/factors`)
    await owner.put(`/members/${three.client.userId}`, { role: 'admin' })
    for (const { client } of [one, two, three]) {
      expect((await client.get('/auth/me')).statusCode).toBe(401)
      const { email } = client
      const reply = await world.anonymous.post('/auth/login', { email, password })
      expect(codeOf(reply)).toEqual([403, 'sso_required'])
    }
  })

  test('single sign-on counts as a second factor, and a recent login is one asked for again', async () => {
    const { owner, domain } = await setUp()
    await guard(world, owner)
    align()
    await owner.patch('/organization', { require_second_factor: true })
    const person = personAt(domain)
    const first = clientWith(await login(person.email))
    const me = (await first.get('/auth/me')).json()
    expect(me.must_set_up_factor).toBe(false)
    expect((await first.get('/campaigns')).statusCode).toBe(200)
    await owner.put(`/members/${me.user.id}`, { role: 'owner' })
    // Later the provider still knows the person, and asks nothing.
    world.clock.advance(16 * 60_000)
    const silent = clientWith(await login(person.email))
    expect(codeOf(await silent.put(path, { default_role: 'editor' }))).toEqual([
      403,
      'recent_login_required',
    ])
    const asked = await begin(person.email, '&again=true')
    expect(Object.fromEntries(new URL(asked.location).searchParams)).toMatchObject({
      max_age: '0',
      prompt: 'login',
    })
    const stale = await get(pathOf(await idp.browse(asked.location)), asked.cookie)
    // The provider’s clock is behind here: what it says is too old.
    expectRefused(stale, 403)
    align()
    const fresh = clientWith(await login(person.email, { more: '&again=true' }))
    expect((await fresh.put(path, { default_role: 'editor' })).statusCode).toBe(200)
    const else_ = personAt(domain)
    expect(else_.email).not.toBe(person.email)
    expectRefused(await login(person.email, { more: '&again=true' }), 403)
  })
})

describe('back-channel logout', () => {
  const event = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const post = (token: string) =>
    world.app.inject({
      method: 'POST',
      url: '/api/v1/auth/sso/backchannel_logout',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `logout_token=${encodeURIComponent(token)}`,
    })
  const claimsFor = (sub: string, more: object = {}) => {
    const iat = Math.floor(world.clock.now().getTime() / 1000)
    const jti = crypto.randomUUID()
    return {
      iss: idp.issuer,
      aud: 'flightdeck',
      iat,
      exp: iat + 120,
      jti,
      sub,
      events: event,
      ...more,
    }
  }

  test('ends the sessions of the person once, and no others', async () => {
    const { domain } = await setUp()
    const one = personAt(domain)
    const first = clientWith(await login(one.email))
    const two = personAt(domain)
    const second = clientWith(await login(two.email))
    for (const more of [
      { nonce: 'x' },
      { events: {} },
      { aud: 'another' },
      { iss: other.issuer },
      { iat: 1 },
    ]) {
      const token = await idp.sign(claimsFor(one.sub, more))
      expect([more, (await post(token)).statusCode]).toEqual([more, 400])
    }
    const [head = '', body = ''] = (await idp.sign(claimsFor(one.sub))).split('.')
    expect((await post(`${head}.${body}.AAAA`)).statusCode).toBe(400)
    expect((await post('nonsense')).statusCode).toBe(400)
    expect((await first.get('/auth/me')).statusCode).toBe(200)
    const token = await idp.sign(claimsFor(one.sub))
    expect((await post(token)).statusCode).toBe(200)
    expect((await first.get('/auth/me')).statusCode).toBe(401)
    expect((await second.get('/auth/me')).statusCode).toBe(200)
    expect((await post(token)).statusCode).toBe(400)
  })
})

describe('the test', () => {
  const run = async ({ owner }: TestOrganization) => (await owner.post(`${path}/test`)).json()

  test('finds nothing wrong, or says in plain words what is', async () => {
    const { organization, owner } = await setUp()
    expect(await run(organization)).toEqual({ ok: true, problems: [], warnings: [] })
    await owner.put(path, { client_secret: 'wrong' })
    expect((await run(organization)).problems).toEqual([
      'Its token_endpoint cannot be used: it refuses the client id or the client secret.',
    ])
    await owner.put(path, { client_secret: clientSecret })
    idp.publish = (metadata) => ({ ...metadata, token_endpoint: 'http://10.0.0.1/token' })
    expect((await run(organization)).problems[0]).toMatch(/^Its token_endpoint cannot be asked/)
    idp.publish = (metadata) => ({ ...metadata, jwks_uri: 'http://169.254.169.254/keys' })
    expect((await run(organization)).problems[0]).toMatch(/^Its keys cannot be read: .*not allowed/)
    idp.publish = (metadata) => ({ ...metadata, authorization_endpoint: 'ftp://evil.example/' })
    expect((await run(organization)).problems[0]).toContain('authorization_endpoint is not https')
    idp.publish = (metadata) => ({ ...metadata, issuer: 'https://another.example' })
    expect((await run(organization)).problems[0]).toContain('it names another issuer')
    idp.publish = (metadata) => ({ ...metadata, filler: 'x'.repeat(300_000) })
    expect((await run(organization)).problems[0]).toContain('answers with too much')
  })

  test('says that no domain is proved, and that the provider is away', async () => {
    const organization = await world.organization()
    const away = await openIdp([callback])
    await away.close()
    await organization.owner.put(path, {
      issuer: away.issuer,
      client_id: 'a',
      client_secret: 'b',
      domains: ['a.example'],
    })
    expect(await run(organization)).toMatchObject({
      ok: false,
      problems: [
        'No domain is proved yet, so no address counts.',
        expect.stringContaining('it refuses connections'),
      ],
    })
  })
})
