import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fromOwnPage } from '../../../../../test/support/clients/own-page.ts'
import { authenticator, type Twist } from '../../../../../test/support/clients/passkey.ts'
import {
  type MailServer,
  mailSettings,
  openMailServer,
} from '../../../../../test/support/machines/mail/mail-server.ts'
import { type OwnWorld, openOwnWorld } from '../../../../../test/support/own-world.ts'
import {
  type Client,
  clientOf,
  openWorld,
  password,
  type Reply,
  unlimited,
} from '../../../../../test/support/world.ts'
import { relyingPartyOf } from '../../../../identity/relying-party.ts'
import { sendDueMails } from '../../../../mail/send-due.ts'

const origin = 'https://flight.example.com'

let server: MailServer
let world: OwnWorld
let owner: Client

beforeAll(async () => {
  server = await openMailServer()
  const env = { ...unlimited, ...mailSettings(server), FLIGHTDECK_PUBLIC_URL: origin }
  world = await openOwnWorld({ env })
})
afterAll(async () => {
  await world.close()
  await server.close()
})
beforeEach(async () => {
  owner = (await world.organization()).owner
})

const codeOf = (reply: Reply) => [reply.statusCode, reply.json().code]
const refused = [401, 'invalid_credentials']

let address = 0
/** From an address of its own each time, unless one is given. */
const send = (path: string, payload: object, from?: string) => {
  address += 1
  const remoteAddress = from ?? `198.18.${Math.floor(address / 250)}.${address % 250}`
  const headers = fromOwnPage
  return world.app.inject({ method: 'POST', url: path, remoteAddress, headers, payload })
}
const api = (path: string, payload: object, from?: string) => send(`/api/v1${path}`, payload, from)

async function begin(client: Client) {
  const begun = await client.post('/auth/factors', { kind: 'passkey', name: 'Laptop' })
  expect(begun.statusCode).toBe(201)
  return begun.json() as { id: string; options: Record<string, unknown> }
}

/** Gives the person a passkey. */
async function withPasskey(client: Client) {
  const key = authenticator(origin)
  const { id, options } = await begin(client)
  const passkey = key.create(options)
  const reply = await client.post(`/auth/factors/${id}/verify`, { passkey })
  expect(reply.statusCode).toBe(200)
  return { key, id, recoveryCodes: reply.json().recovery_codes as string[] }
}

const optionsOf = async (body: object = {}): Promise<Record<string, unknown>> => {
  const reply = await api('/auth/passkey/options', body)
  if (reply.statusCode !== 200) throw new Error(reply.body)
  return reply.json().options
}
const login = (client = owner) => api('/auth/login', { email: client.email, password })
const challenged = async (client = owner) => (await login(client)).json().challenge as string
const alone = (passkey: object, from?: string) => api('/auth/passkey/verify', { passkey }, from)
const second = (challenge: string, passkey: object) =>
  api('/auth/login/verify', { challenge, passkey })

const mailed = async () => {
  await sendDueMails(world.services, AbortSignal.timeout(10_000))
  return server.mails.filter(({ to }) => to.includes(owner.email)).map(({ text }) => text)
}

describe('a passkey', () => {
  test('is made of options that name the service and the person, and comes with recovery codes', async () => {
    const { id, options } = await begin(owner)
    expect(options).toMatchObject({
      rp: { id: 'flight.example.com', name: 'Flightdeck' },
      user: { name: owner.email, id: Buffer.from(owner.userId).toString('base64url') },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    })
    expect((await login()).statusCode).toBe(200)
    const passkey = authenticator(origin).create(options)
    const verified = await owner.post(`/auth/factors/${id}/verify`, { passkey })
    expect(verified.json()).toMatchObject({
      factor: { id, kind: 'passkey', name: 'Laptop', verified: true },
    })
    expect(new Set(verified.json().recovery_codes).size).toBe(10)
    const asked = await login()
    expect([asked.statusCode, asked.json()]).toMatchObject([
      401,
      { code: 'second_factor_required', methods: ['passkey', 'recovery_code'] },
    ])
    const next = await begin(owner)
    expect(next.options.excludeCredentials).toMatchObject([{ id: passkey.id }])
    expect(await mailed()).toEqual([expect.stringContaining('“Laptop” was added to your login')])
    const again = await owner.post(`/auth/factors/${id}/verify`, { passkey })
    expect(codeOf(again)).toEqual([409, 'invalid_state_transition'])
  })

  test('is verified by itself, and a time code by a code', async () => {
    const { id } = await begin(owner)
    const faulty = await owner.post(`/auth/factors/${id}/verify`, { otp: '123456' })
    expect([faulty.statusCode, faulty.json().errors]).toMatchObject([
      422,
      [{ pointer: '/passkey', code: 'required' }],
    ])
    const codes = (await owner.post('/auth/factors', { kind: 'totp' })).json()
    expect(codes.options).toBeNull()
    const other = await owner.post(`/auth/factors/${codes.id}/verify`, { passkey: {} })
    expect(other.json().errors).toMatchObject([{ pointer: '/otp', code: 'required' }])
  })

  test('begun anew takes the place of what was begun', async () => {
    const first = await begin(owner)
    for (let at = 0; at < 10; at += 1) await begin(owner)
    expect((await owner.get('/auth/factors')).json().data).toHaveLength(1)
    const passkey = authenticator(origin).create(first.options)
    const gone = await owner.post(`/auth/factors/${first.id}/verify`, { passkey })
    expect(gone.statusCode).toBe(404)
  })

  const twists: [string, Twist][] = [
    ['at another origin', { origin: 'https://flight.example.org' }],
    ['in a frame of another site', { crossOrigin: true }],
    ['at the same host over http', { origin: 'http://flight.example.com' }],
    ['for another service', { rpId: 'example.com' }],
    ['without a PIN, finger or face', { isVerified: false }],
    ['of another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['with an algorithm that is not allowed', { alg: -65535 }],
    ['with certificates, whose lists would be fetched', { format: 'android-key' }],
    ['by a login', { type: 'webauthn.get' }],
  ]
  test.each(twists)('is refused if it was made %s', async (_, twist) => {
    const { id, options } = await begin(owner)
    const passkey = authenticator(origin).create(options, twist)
    const reply = await owner.post(`/auth/factors/${id}/verify`, { passkey })
    expect(codeOf(reply)).toEqual(refused)
    expect((await login()).statusCode).toBe(200)
  })

  test('is refused late, twice, and by what is none', async () => {
    const late = await begin(owner)
    const key = authenticator(origin)
    const passkey = key.create(late.options)
    world.clock.advance(5 * 60_000 + 1)
    const verify = (id: string, sent: object) =>
      owner.post(`/auth/factors/${id}/verify`, { passkey: sent })
    expect(codeOf(await verify(late.id, passkey))).toEqual(refused)
    const { id, options } = await begin(owner)
    const wrong = [{}, { id: 1, response: null }, { ...key.create(options), rawId: 'other' }]
    for (const each of wrong) expect(codeOf(await verify(id, each))).toEqual(refused)
    expect((await verify(id, { text: 'x'.repeat(70_000) })).statusCode).toBe(422)
    expect((await verify(id, key.create(options))).statusCode).toBe(200)
    const twice = await begin(owner)
    expect(codeOf(await verify(twice.id, key.create(twice.options)))).toEqual(refused)
  })

  test('stands in no log, event or record', async () => {
    const { key } = await withPasskey(owner)
    await alone(key.get(await optionsOf()))
    const places = [
      (await owner.get('/audit_logs')).body,
      (await owner.get('/events')).body,
      (await owner.get('/auth/factors')).body,
      JSON.stringify(world.logged),
      JSON.stringify(await world.database.query('select * from idempotency_keys')),
    ]
    for (const text of places) expect(text).not.toContain(key.id)
  })
})

describe('a second step by a passkey', () => {
  test('logs in, once, as the person whose login waits', async () => {
    const { key } = await withPasskey(owner)
    const challenge = await challenged()
    const options = await optionsOf({ challenge })
    expect(options).toMatchObject({
      rpId: 'flight.example.com',
      userVerification: 'required',
      allowCredentials: [{ id: key.id, transports: ['internal'] }],
    })
    expect(await optionsOf({ challenge })).toEqual(options)
    const passkey = key.get(options)
    const right = await second(challenge, passkey)
    expect([right.statusCode, right.json().user.id]).toEqual([200, owner.userId])
    expect(codeOf(await second(challenge, passkey))).toEqual(refused)
    expect(codeOf(await second(await challenged(), passkey))).toEqual(refused)
  })

  const twists: [string, Twist][] = [
    ['at another origin', { origin: 'https://flight.example.org' }],
    ['in a frame of another site', { crossOrigin: true }],
    ['for another service', { rpId: 'example.org' }],
    ['without a PIN, finger or face', { isVerified: false }],
    ['of another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['with a counter that went back', { count: 1 }],
    ['by its making', { type: 'webauthn.create' }],
  ]
  test.each(twists)('is refused if it was signed %s', async (_, twist) => {
    const { key } = await withPasskey(owner)
    const challenge = await challenged()
    const reply = await second(challenge, key.get(await optionsOf({ challenge }), twist))
    expect([...codeOf(reply), reply.json().tries_left]).toEqual([...refused, 4])
    // Each answer needs options of its own.
    const again = key.get(await optionsOf({ challenge }))
    expect((await second(challenge, again)).statusCode).toBe(200)
  })

  test('mails the person about a counter that went back', async () => {
    const { key } = await withPasskey(owner)
    await alone(key.get(await optionsOf(), { count: 9 }))
    await alone(key.get(await optionsOf(), { count: 9 }))
    expect((await mailed()).join()).toContain('it may have been copied')
  })

  test('takes no passkey of another person, and no options of another login', async () => {
    const { key } = await withPasskey(owner)
    const { owner: stranger } = await world.organization()
    const { key: foreign } = await withPasskey(stranger)
    const challenge = await challenged()
    const options = await optionsOf({ challenge })
    expect(codeOf(await second(challenge, foreign.get(options)))).toEqual(refused)
    const own = key.get(await optionsOf())
    expect(codeOf(await second(challenge, own))).toEqual(refused)
    const both = await api('/auth/login/verify', { challenge, otp: '123456', passkey: own })
    expect(both.statusCode).toBe(422)
  })

  test('has no options without a login that waits, and says no more', async () => {
    const unknown = await api('/auth/passkey/options', { challenge: 'A'.repeat(43) })
    const { key } = await withPasskey(owner)
    const ended = await challenged()
    await second(ended, key.get(await optionsOf({ challenge: ended })))
    const over = await api('/auth/passkey/options', { challenge: ended })
    const strip = ({ request_id: _, ...rest }: Record<string, unknown>) => rest
    expect(codeOf(unknown)).toEqual(refused)
    expect(strip(over.json())).toEqual(strip(unknown.json()))
    const late = await challenged()
    world.clock.advance(5 * 60_000 + 1)
    const expired = await api('/auth/passkey/options', { challenge: late })
    expect(strip(expired.json())).toEqual(strip(unknown.json()))
  })
})

describe('a login by a passkey alone', () => {
  test('needs no password, and counts as recent and as a second factor', async () => {
    const { key } = await withPasskey(owner)
    await owner.patch('/organization', { require_second_factor: true })
    const options = await optionsOf()
    expect(options.allowCredentials).toBeUndefined()
    world.clock.advance(60_000)
    const reply = await alone(key.get(options))
    expect([reply.statusCode, reply.json()]).toMatchObject([
      200,
      { token_type: 'Bearer', user: { id: owner.userId } },
    ])
    world.clock.advance(14 * 60_000 + 30_000)
    const body = { name: 'Key', role: 'viewer' }
    expect(codeOf(await owner.post('/api_keys', body))).toEqual([403, 'recent_login_required'])
    const again = clientOf(world.app, { ...owner, token: reply.json().token })
    expect((await again.post('/api_keys', body)).statusCode).toBe(201)
    const { data } = (await again.get('/audit_logs?action=auth.login_succeeded')).json()
    expect(data.length).toBeGreaterThan(1)
  })

  test('works once for what was asked, and within five minutes', async () => {
    const { key } = await withPasskey(owner)
    const passkey = key.get(await optionsOf(), { count: 0 })
    const options = await optionsOf()
    const signed = key.get(options)
    expect((await alone(signed)).statusCode).toBe(200)
    expect(codeOf(await alone(signed))).toEqual(refused)
    expect(codeOf(await alone(key.get(options)))).toEqual(refused)
    expect(codeOf(await alone(passkey))).toEqual(refused)
    const late = key.get(await optionsOf())
    world.clock.advance(5 * 60_000 + 1)
    expect(codeOf(await alone(late))).toEqual(refused)
  })

  test('works once in the same moment', async () => {
    const { key } = await withPasskey(owner)
    const signed = key.get(await optionsOf())
    const replies = await Promise.all([1, 2, 3, 4].map(() => alone(signed)))
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  const twists: [string, Twist][] = [
    ['at another origin', { origin: 'https://flight.example.org' }],
    ['for another service', { rpId: 'example.org' }],
    ['without a PIN, finger or face', { isVerified: false }],
    ['of what was not asked', { challenge: Buffer.alloc(64).toString('base64url') }],
    ['of what is no challenge', { challenge: 'x'.repeat(200) }],
    ['with a counter that went back', { count: 1 }],
    ['for another person', { userId: 'usr_00000000000000000000000000' }],
    ['for what is no person', { userId: '\u0000' }],
    ['with another key', {}],
  ]
  test.each(twists)('is refused if it was signed %s', async (name, twist) => {
    const { key } = await withPasskey(owner)
    const other = authenticator(origin)
    const options = await optionsOf()
    const forged = { ...other.get(options), id: key.id, rawId: key.id }
    const passkey = name === 'with another key' ? forged : key.get(options, twist)
    expect(codeOf(await alone(passkey))).toEqual(refused)
    expect(codeOf(await send('/console/session/verify', { passkey }))).toEqual(refused)
  })

  test('is of one person: no one else registers the passkey, until its owner lets it go', async () => {
    const organization = await world.organization()
    const { owner: thief } = await world.organization()
    const claim = async (client: Client, key: ReturnType<typeof authenticator>) => {
      const { id, options } = await begin(client)
      return client.post(`/auth/factors/${id}/verify`, { passkey: key.create(options) })
    }
    const leaving: ((client: Client, id: string) => Promise<Reply>)[] = [
      (client, id) => client.delete(`/auth/factors/${id}`),
      ({ userId }) => organization.owner.delete(`/members/${userId}/factors`),
      ({ userId }) => organization.owner.delete(`/members/${userId}`),
    ]
    for (const leave of leaving) {
      const client = await organization.as('editor')
      const { key, id } = await withPasskey(client)
      for (const other of [thief, organization.owner])
        expect(codeOf(await claim(other, key))).toEqual([409, 'passkey_taken'])
      const signed = key.get(await optionsOf(), { userId: client.userId })
      expect((await alone(signed)).json().user.id).toBe(client.userId)
      expect((await leave(client, id)).statusCode).toBe(204)
      expect((await claim(thief, key)).statusCode).toBe(200)
    }
  })

  test('of two who register the passkey at once is one’s', async () => {
    const key = authenticator(origin)
    const { owner: other } = await world.organization()
    const begun = await Promise.all(
      [owner, other].map(async (client) => ({ client, ...(await begin(client)) })),
    )
    const passkeys = begun.map(({ options }) => key.create(options))
    const replies = await Promise.all(
      begun.map(({ client, id }, at) =>
        client.post(`/auth/factors/${id}/verify`, { passkey: passkeys[at] }),
      ),
    )
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  })

  test('ends with the factor, and with the account', async () => {
    const organization = await world.organization()
    const admin = await organization.as('admin')
    const { key, id } = await withPasskey(admin)
    const path = `/members/${admin.userId}`
    const signed = key.get(await optionsOf())
    await organization.owner.patch(path, { disabled: true })
    expect(codeOf(await alone(signed))).toEqual(refused)
    await organization.owner.patch(path, { disabled: false })
    const reply = await alone(key.get(await optionsOf()))
    expect(reply.statusCode).toBe(200)
    const again = clientOf(world.app, { ...admin, token: reply.json().token })
    expect((await again.delete(`/auth/factors/${id}`)).statusCode).toBe(204)
    expect(codeOf(await alone(key.get(await optionsOf())))).toEqual(refused)
  })

  test('opens the console without a token that scripts see, in one step or as the second', async () => {
    const { key } = await withPasskey(owner)
    const passkey = key.get(await optionsOf())
    const reply = await send('/console/session/verify', { passkey })
    expect([reply.statusCode, reply.json().token]).toEqual([200, undefined])
    expect(String(reply.headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Strict/)
    const asked = await send('/console/session', { email: owner.email, password })
    const { challenge } = asked.json()
    const answer = { challenge, passkey: key.get(await optionsOf({ challenge })) }
    const next = await send('/console/session/verify', answer)
    expect(next.headers['set-cookie']).toBeDefined()
    expect(codeOf(await send('/console/session/verify', { otp: '123456' }))).toEqual(refused)
  })

  test('by guesses from one address is slowed down', async () => {
    const key = authenticator(origin)
    const from = '203.0.113.9'
    for (let at = 0; at < 30; at += 1) {
      const reply = await alone(key.get(await optionsOf(), { userId: owner.userId }), from)
      expect(codeOf(reply)).toEqual(refused)
    }
    const more = await alone(key.get(await optionsOf(), { userId: owner.userId }), from)
    expect(codeOf(more)).toEqual([429, 'login_throttled'])
  })
})

describe('passkeys are bound to the name of the public URL', () => {
  const parties: [string | null, string | null][] = [
    ['https://flight.example.com', 'flight.example.com'],
    ['https://flight.example.com:8443/', 'flight.example.com'],
    ['http://localhost:8080', 'localhost'],
    ['http://flight.localhost:8080', 'flight.localhost'],
    ['http://flight.example.com', null],
    ['https://192.0.2.1', null],
    ['https://[2001:db8::1]', null],
    ['https://3221225985', null],
    [null, null],
  ]
  test.each(parties)('%s: %s', (issuer, id) => {
    expect(relyingPartyOf({ issuer })?.id ?? null).toBe(id)
  })

  test('and are refused without one, whatever host a request names', async () => {
    const nameless = await openWorld({ env: unlimited })
    try {
      const { owner } = await nameless.organization()
      const headers = { host: 'flight.example.com', 'x-forwarded-host': 'flight.example.com' }
      const begun = await owner.post('/auth/factors', { kind: 'passkey' }, headers)
      expect(codeOf(begun)).toEqual([409, 'invalid_state_transition'])
      expect(begun.json().detail).toContain('FLIGHTDECK_PUBLIC_URL')
      const asked = await nameless.anonymous.post('/auth/passkey/options', {}, headers)
      expect(codeOf(asked)).toEqual([409, 'invalid_state_transition'])
      const sent = await nameless.anonymous.post('/auth/passkey/verify', { passkey: {} })
      expect(codeOf(sent)).toEqual([409, 'invalid_state_transition'])
    } finally {
      await nameless.close()
    }
  })
})
