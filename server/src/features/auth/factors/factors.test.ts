import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fromOwnPage } from '../../../../test/support/clients/own-page.ts'
import { guard, timeCode } from '../../../../test/support/clients/second-factor.ts'
import {
  type MailServer,
  mailSettings,
  openMailServer,
} from '../../../../test/support/machines/mail/mail-server.ts'
import { type OwnWorld, openOwnWorld } from '../../../../test/support/own-world.ts'
import { type Client, password, type Reply, unlimited } from '../../../../test/support/world.ts'
import { sendDueMails } from '../../../mail/send-due.ts'
import { purgeFactors } from '../retention.ts'

let server: MailServer
let world: OwnWorld
let owner: Client

beforeAll(async () => {
  server = await openMailServer()
  world = await openOwnWorld({ env: { ...unlimited, ...mailSettings(server) } })
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
const nextAddress = () => {
  address += 1
  return `198.51.${address % 250}.7`
}
/** From an address of its own each time, unless one is given. */
const send = (path: string, payload: object, remoteAddress = nextAddress()) =>
  world.app.inject({ method: 'POST', url: `/api/v1${path}`, remoteAddress, payload })
const login = (more: object = {}, from?: string) =>
  send('/auth/login', { email: owner.email, password, ...more }, from)
const verify = (challenge: string, answer: object, from?: string) =>
  send('/auth/login/verify', { challenge, ...answer }, from)
const challenged = async () => (await login()).json().challenge as string

const mailed = async (subject: string) => {
  await sendDueMails(world.services, AbortSignal.timeout(10_000))
  return server.mails.filter(
    ({ to, headers }) => to.includes(owner.email) && headers.get('subject')?.[0] === subject,
  )
}
const ofFactors = 'The second factors of your Flightdeck login changed'

describe('a factor', () => {
  test('guards nothing until it is verified, and goes after an hour', async () => {
    const begun = await owner.post('/auth/factors', { kind: 'totp', name: ' Phone ' })
    expect([begun.statusCode, begun.json()]).toMatchObject([
      201,
      { name: 'Phone', verified: false, secret: expect.stringMatching(/^[A-Z2-7]{32}$/) },
    ])
    const { id, secret, otpauth_url } = begun.json()
    expect(otpauth_url).toMatch(/^otpauth:\/\/totp\/Flightdeck:.*secret=[A-Z2-7]{32}/)
    expect((await login()).statusCode).toBe(200)
    expect((await owner.get('/auth/factors')).json().data).toMatchObject([{ id, verified: false }])
    world.clock.advance(3_600_001)
    expect((await owner.get('/auth/factors')).json().data).toEqual([])
    const late = { otp: timeCode(secret, world.clock.now()) }
    expect(codeOf(await owner.post(`/auth/factors/${id}/verify`, late))).toEqual([404, 'not_found'])
    await purgeFactors(world.services, AbortSignal.timeout(5_000))
    const [row] = await world.database.query<{ count: number }>(
      'select count(*)::int from factors where id = $1',
      [id],
    )
    expect(row?.count).toBe(0)
  })

  test('is verified by a code, comes with ten recovery codes, and is shown to admins', async () => {
    const { id } = (await owner.post('/auth/factors', { kind: 'totp' })).json()
    const wrong = await owner.post(`/auth/factors/${id}/verify`, { otp: '000000' })
    expect(codeOf(wrong)).toEqual(refused)
    const { recoveryCodes, id: guarded } = await guard(world, owner)
    expect(new Set(recoveryCodes).size).toBe(10)
    const { data } = (await owner.get('/auth/factors')).json()
    expect(data.find((each: { id: string }) => each.id === guarded)).toMatchObject({
      verified: true,
    })
    expect(data.find((each: { kind: string }) => each.kind === 'recovery_codes')).toMatchObject({
      codes_left: 10,
    })
    expect((await owner.get(`/members/${owner.userId}`)).json().second_factor).toBe(true)
    const again = await owner.post(`/auth/factors/${guarded}/verify`, { otp: '000000' })
    expect(codeOf(again)).toEqual([409, 'invalid_state_transition'])
  })

  test('shows its secrets once, and nowhere else', async () => {
    const keyed = { 'idempotency-key': crypto.randomUUID() }
    const first = await owner.post('/auth/factors', { kind: 'totp' }, keyed)
    const replayed = await owner.post('/auth/factors', { kind: 'totp' }, keyed)
    expect(replayed.json()).toMatchObject({ id: first.json().id, secret: null, otpauth_url: null })
    const { secret, recoveryCodes } = await guard(world, owner)
    const places = [
      (await owner.get('/audit_logs')).body,
      (await owner.get('/events')).body,
      (await owner.get('/auth/factors')).body,
      JSON.stringify(world.logged),
      JSON.stringify(await world.database.query('select * from factors')),
      JSON.stringify(await world.database.query('select * from idempotency_keys')),
    ]
    for (const text of places) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(recoveryCodes[0])
    }
  })

  test('is the person’s own', async () => {
    const { id } = await guard(world, owner)
    const { owner: stranger } = await world.organization()
    for (const client of [stranger]) {
      expect((await client.delete(`/auth/factors/${id}`)).statusCode).toBe(404)
      expect((await client.post(`/auth/factors/${id}/verify`, { otp: '123456' })).statusCode).toBe(
        404,
      )
      expect((await client.get('/auth/factors')).json().data).toEqual([])
    }
  })

  test('is removed with the recovery codes, and the person hears of each change', async () => {
    const { id } = await guard(world, owner)
    expect((await owner.delete(`/auth/factors/${id}`)).statusCode).toBe(204)
    expect((await owner.get('/auth/factors')).json().data).toEqual([])
    expect((await login()).statusCode).toBe(200)
    const texts = (await mailed(ofFactors)).map(({ text }) => text)
    expect(texts).toEqual([
      expect.stringContaining('was added to your login'),
      expect.stringContaining('was removed from your login'),
    ])
    const actions = (await owner.get('/audit_logs?limit=100')).json().data
    expect(actions.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['auth.factor_begun', 'auth.factor_added', 'auth.factor_removed']),
    )
  })

  test('that an admin removes is mailed as the doing of someone else', async () => {
    const organization = await world.organization()
    owner = await organization.as('editor')
    await guard(world, owner)
    await organization.owner.delete(`/members/${owner.userId}/factors`)
    const texts = (await mailed(ofFactors)).map(({ text }) => text)
    const text = texts.find((each) => each.includes('removed the second factors of your login'))
    expect(text).toContain('Your password alone logs you in until you set up a new one.')
    expect(text).not.toContain('If that was you')
  })

  test('is one of at most ten', async () => {
    for (let at = 0; at < 10; at += 1) await owner.post('/auth/factors', { kind: 'totp' })
    expect(codeOf(await owner.post('/auth/factors', { kind: 'totp' }))).toEqual([
      409,
      'limit_exceeded',
    ])
  })
})

describe('a login with a factor', () => {
  test('takes the code at once, or in a second step', async () => {
    const { code } = await guard(world, owner)
    expect((await login({ otp: code() })).json().user.id).toBe(owner.userId)
    const asked = await login()
    expect([asked.statusCode, asked.json()]).toMatchObject([
      401,
      { code: 'second_factor_required', methods: ['otp', 'recovery_code'] },
    ])
    const { challenge } = asked.json()
    const reply = await verify(challenge, { otp: code() })
    expect([reply.statusCode, reply.json().token_type]).toEqual([200, 'Bearer'])
    expect(codeOf(await verify(challenge, { otp: code() }))).toEqual(refused)
  })

  test('takes codes one step early or late, and each once', async () => {
    const { secret } = await guard(world, owner)
    world.clock.advance(120_000)
    const at = (steps: number) => timeCode(secret, world.clock.now(), steps)
    expect((await login({ otp: at(-2) })).statusCode).toBe(401)
    expect((await login({ otp: at(2) })).statusCode).toBe(401)
    expect((await login({ otp: at(-1) })).statusCode).toBe(200)
    expect((await login({ otp: at(-1) })).statusCode).toBe(401)
    expect((await login({ otp: at(1) })).statusCode).toBe(200)
    // Older than the last one that was used.
    expect((await login({ otp: at(0) })).statusCode).toBe(401)
  })

  test('uses a code once, also when it is sent many times at once', async () => {
    const { code, recoveryCodes } = await guard(world, owner)
    for (const otp of [code(), recoveryCodes[0]]) {
      const replies = await Promise.all(Array.from({ length: 6 }, () => login({ otp })))
      const right = replies.filter(({ statusCode }) => statusCode === 200)
      expect(right).toHaveLength(1)
    }
  })

  test('takes each recovery code once, however it is typed, and mails about it', async () => {
    const { recoveryCodes } = await guard(world, owner)
    const [first = '', second = ''] = recoveryCodes
    const typed = first.toUpperCase().replaceAll('-', ' ')
    expect((await verify(await challenged(), { recovery_code: typed })).statusCode).toBe(200)
    expect((await verify(await challenged(), { recovery_code: first })).statusCode).toBe(401)
    const again = { kind: 'recovery_codes', name: 'In the safe' }
    const { recovery_codes: renewed, name } = (await owner.post('/auth/factors', again)).json()
    expect(name).toBe('In the safe')
    expect((await login({ otp: second })).statusCode).toBe(401)
    expect((await login({ otp: renewed[0] })).statusCode).toBe(200)
    const texts = (await mailed(ofFactors)).map(({ text }) => text)
    expect(texts.filter((text) => text.includes('9 are left'))).toHaveLength(2)
  })

  test('has five tries in five minutes', async () => {
    const { code } = await guard(world, owner)
    const challenge = await challenged()
    for (let left = 4; left >= 0; left -= 1) {
      const reply = await verify(challenge, { otp: '000000' })
      expect([reply.statusCode, reply.json().tries_left]).toEqual([401, left])
    }
    expect(codeOf(await verify(challenge, { otp: code() }))).toEqual(refused)
    const late = await challenged()
    world.clock.advance(300_001)
    expect(codeOf(await verify(late, { otp: code() }))).toEqual(refused)
    expect(codeOf(await verify('A'.repeat(43), { otp: code() }))).toEqual(refused)
    const both = { otp: code(), recovery_code: 'abcdef' }
    expect((await verify(await challenged(), both)).statusCode).toBe(422)
  })

  test('never counts more tries than five, also at once', async () => {
    await guard(world, owner)
    const challenge = await challenged()
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => verify(challenge, { otp: '000000' })),
    )
    const left = replies.map((reply) => reply.json().tries_left).filter((each) => each > 0)
    expect(left.sort()).toEqual([1, 2, 3, 4])
  })

  test('ends its challenge with the password that it was for, and with the account', async () => {
    const { code } = await guard(world, owner)
    const challenge = await challenged()
    await owner.post('/auth/password', { current_password: password, new_password: `${password}!` })
    expect(codeOf(await verify(challenge, { otp: code() }))).toEqual(refused)
  })

  test('answers the challenge by a code of its own person only', async () => {
    await guard(world, owner)
    const { owner: other } = await world.organization()
    const theirs = await guard(world, other)
    expect(codeOf(await verify(await challenged(), { otp: theirs.code() }))).toEqual(refused)
    const code = theirs.recoveryCodes[0]
    expect(codeOf(await verify(await challenged(), { recovery_code: code }))).toEqual(refused)
  })
})

describe('guesses', () => {
  const one = '203.0.113.9'

  test('of codes are slowed down as guesses of passwords are, and are recorded', async () => {
    const { code } = await guard(world, owner)
    for (let at = 0; at < 5; at += 1) {
      // The right password in between forgives nothing.
      expect((await login({}, one)).json().code).toBe('second_factor_required')
      expect(codeOf(await login({ otp: '000000' }, one))).toEqual(refused)
    }
    expect((await login({ otp: code() }, one)).statusCode).toBe(429)
    const challenge = await challenged()
    expect((await verify(challenge, { otp: code() }, one)).statusCode).toBe(429)
    const trail = (await owner.get('/audit_logs?action=auth.login_failed')).json()
    expect(trail.data).toHaveLength(5)
  })

  test('from many networks are bounded for a person, who is known in another', async () => {
    const { code } = await guard(world, owner)
    const home = '192.0.2.1'
    expect((await login({ otp: code() }, home)).statusCode).toBe(200)
    let guesses = 0
    const guess = () => {
      guesses += 1
      return login({ otp: '000000' }, `10.${Math.floor(guesses / 200)}.${guesses % 200}.1`)
    }
    for (let at = 0; at < 100; at += 1) expect((await guess()).statusCode).toBe(401)
    expect((await login({ otp: code() }, '172.16.0.1')).statusCode).toBe(429)
    expect((await login({ otp: code() }, home)).statusCode).toBe(200)
  })

  test('with a wrong code say no more than those with a wrong password', async () => {
    await guard(world, owner)
    const wrongCode = await login({ otp: '000000' })
    const wrongBoth = await login({ otp: '000000', password: 'not the password' })
    const strip = ({ request_id: _, ...rest }: Record<string, unknown>) => rest
    expect(strip(wrongCode.json())).toEqual(strip(wrongBoth.json()))
    const unknown = await login({ otp: '000000', email: 'unknown@example.com' })
    expect(strip(unknown.json())).toEqual(strip(wrongBoth.json()))
  })
})

describe('the factor is left out by', () => {
  const consoleLogin = (path: string, payload: object) =>
    world.app.inject({
      method: 'POST',
      url: `/console/session${path}`,
      headers: fromOwnPage,
      payload,
    })

  test('no login to the console', async () => {
    const { code } = await guard(world, owner)
    const credentials = { email: owner.email, password }
    const asked = await consoleLogin('', credentials)
    expect(codeOf(asked)).toEqual([401, 'second_factor_required'])
    expect(asked.headers['set-cookie']).toBeUndefined()
    const { challenge } = asked.json()
    const wrong = await consoleLogin('/verify', { challenge, otp: '000000' })
    expect(wrong.headers['set-cookie']).toBeUndefined()
    const right = await consoleLogin('/verify', { challenge, otp: code() })
    expect([right.statusCode, right.json().token]).toEqual([200, undefined])
    expect(String(right.headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Strict/)
    const once = await consoleLogin('', { ...credentials, otp: code() })
    expect(once.headers['set-cookie']).toBeDefined()
  })

  test('no reset of the password, which stays possible by a recovery code', async () => {
    const { code, recoveryCodes } = await guard(world, owner)
    const linkOf = async () => {
      await world.anonymous.post('/auth/password/forgotten', { email: owner.email })
      let texts: string[] = []
      await expect
        .poll(async () => {
          texts = (await mailed('Set a new Flightdeck password')).map(({ text }) => text)
          return texts.length
        })
        .toBeGreaterThan(0)
      return /#(\S+)/.exec(texts.at(-1) ?? '')?.[1]
    }
    const secret = await linkOf()
    const reset = (more: object) =>
      send('/auth/password/reset', { secret, password: `${password}?`, ...more })
    const asked = await reset({})
    expect([asked.statusCode, asked.json()]).toMatchObject([
      401,
      { code: 'second_factor_required', challenge: null, methods: ['otp', 'recovery_code'] },
    ])
    expect(codeOf(await reset({ otp: '000000' }))).toEqual(refused)
    expect((await login({ otp: code() })).statusCode).toBe(200)
    expect((await reset({ otp: recoveryCodes[0] })).statusCode).toBe(204)
    expect(codeOf(await reset({ otp: recoveryCodes[1] }))).toEqual([410, 'link_expired'])
    expect((await login({ otp: code() })).statusCode).toBe(401)
    expect((await login({ otp: code(), password: `${password}?` })).statusCode).toBe(200)
  })

  test('no change of the password, nor a refresh of what was no login', async () => {
    const { code } = await guard(world, owner)
    await owner.post('/auth/password', { current_password: password, new_password: `${password}!` })
    const next = { password: `${password}!` }
    expect((await login(next)).json().code).toBe('second_factor_required')
    const { challenge } = (await login(next)).json()
    for (const path of ['/auth/refresh', '/auth/me', '/auth/factors']) {
      const headers = { authorization: `Bearer ${challenge}` }
      const method = path === '/auth/refresh' ? 'POST' : 'GET'
      const reply = await world.app.inject({ method, url: `/api/v1${path}`, headers })
      expect(codeOf(reply)).toEqual([401, 'invalid_token'])
    }
    expect((await login({ ...next, otp: code() })).statusCode).toBe(200)
  })

  test('no removal and adding of a member’s account by others', async () => {
    const organization = await world.organization()
    const admin = await organization.as('admin')
    await guard(world, organization.owner)
    const path = `/members/${organization.owner.userId}`
    expect((await admin.patch(path, { second_factor: false })).statusCode).toBe(403)
    const own = await organization.owner.patch(path, { second_factor: false })
    expect([own.statusCode, own.json().errors[0].code]).toEqual([422, 'read_only_field'])
  })
})
