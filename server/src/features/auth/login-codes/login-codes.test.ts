import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { madeKey } from '../../../../test/support/api-keys.ts'
import { guard } from '../../../../test/support/clients/second-factor.ts'
import { type OwnWorld, openOwnWorld } from '../../../../test/support/own-world.ts'
import { type Client, clientOf, type Reply } from '../../../../test/support/world.ts'
import { purgeLoginCodes } from './store.ts'

let world: OwnWorld
beforeAll(async () => {
  world = await openOwnWorld({ env: { FLIGHTDECK_PUBLIC_URL: 'https://ads.example.com' } })
})
afterAll(() => world.close())

let address = 0
const nextAddress = () => {
  address += 1
  return `198.51.100.${address}`
}
/** A program, from an address of its own unless one is given. */
const send = (path: string, payload: object, remoteAddress = nextAddress()) =>
  world.app.inject({
    method: 'POST',
    url: `/api/v1/auth/login_code${path}`,
    headers: { 'user-agent': 'flightdeck/1.0.0' },
    remoteAddress,
    payload,
  })

type Begun = { code: string; secret: string }
const begin = async (): Promise<Begun> => (await send('', {})).json()
const claim = (secret: string) => send('/claim', { secret })
const confirm = (client: Client, code: string) => client.post('/auth/login_code/confirm', { code })
const look = (client: Client, code: string) =>
  client.get(`/auth/login_code?code=${encodeURIComponent(code)}`)
const codeOf = (reply: Reply) => [reply.statusCode, reply.json().code]
const owner = async () => (await world.organization()).owner
const answered = async (secret: string) => (await claim(secret)).json()

describe('a login by a code', () => {
  test('waits until a person confirms it, and is claimed once', async () => {
    const person = await owner()
    const begun = await send('', {}, '203.0.113.9')
    expect([begun.statusCode, begun.json()]).toMatchObject([
      201,
      {
        code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
        confirm_url: 'https://ads.example.com/console/device',
        interval_seconds: 2,
      },
    ])
    const { code, secret } = begun.json()
    expect(await answered(secret)).toEqual({ status: 'waiting', login: null })
    const typed = ` ${code.toLowerCase().replace('-', ' ')}`
    expect((await look(person, typed)).json().waiting).toMatchObject({
      program: 'flightdeck/1.0.0',
      ip: '203.0.113.9',
    })
    expect((await confirm(person, typed)).statusCode).toBe(204)
    const { status, login } = await answered(secret)
    expect([status, login.user.email]).toEqual(['confirmed', person.email])
    const program = clientOf(world.app, { token: login.token, userId: '', email: '' })
    expect((await program.get('/auth/me')).json().user.email).toBe(person.email)
    expect(codeOf(await claim(secret))).toEqual([410, 'link_expired'])
    const { data } = (await person.get('/audit_logs?limit=5')).json()
    expect(data.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['auth.login_code_confirmed', 'auth.login_succeeded']),
    )
    const trail = (await person.get('/audit_logs')).body + JSON.stringify(world.logged)
    for (const hidden of [secret, code, login.token]) expect(trail).not.toContain(hidden)
  })

  test('two claims at once open one session', async () => {
    const person = await owner()
    const { code, secret } = await begin()
    await confirm(person, code)
    const replies = await Promise.all(Array.from({ length: 5 }, () => claim(secret)))
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 410, 410, 410, 410])
  })

  test('is refused', async () => {
    const person = await owner()
    const { code, secret } = await begin()
    expect((await person.post('/auth/login_code/refuse', { code })).statusCode).toBe(204)
    expect(await answered(secret)).toEqual({ status: 'refused', login: null })
    expect(codeOf(await confirm(person, code))).toEqual([404, 'not_found'])
  })

  test('is answered by one person, and looks to others as if there were none', async () => {
    const [one, other] = [await owner(), await owner()]
    const { code, secret } = await begin()
    await confirm(one, code)
    const [answeredOne, none] = [await look(other, code), await look(other, 'BBBB-BBBB')]
    expect([answeredOne.body, none.body]).toEqual(['{"waiting":null}', '{"waiting":null}'])
    expect(codeOf(await confirm(other, code))).toEqual([404, 'not_found'])
    expect((await answered(secret)).login.user.email).toBe(one.email)
  })

  test('ends after ten minutes, confirmed or not, and is deleted an hour later', async () => {
    const person = await owner()
    const [late, confirmed] = [await begin(), await begin()]
    await confirm(person, confirmed.code)
    world.clock.advance(10 * 60_000)
    expect((await look(person, late.code)).json()).toEqual({ waiting: null })
    expect(codeOf(await confirm(person, late.code))).toEqual([404, 'not_found'])
    for (const { secret } of [late, confirmed])
      expect(codeOf(await claim(secret))).toEqual([410, 'link_expired'])
    await purgeLoginCodes(world.services)
    expect(codeOf(await claim(late.secret))).toEqual([410, 'link_expired'])
    world.clock.advance(60 * 60_000 + 1)
    await purgeLoginCodes(world.services)
    expect(codeOf(await claim(late.secret))).toEqual([404, 'not_found'])
  })

  test('ends with the session that confirmed it, and with its person', async () => {
    const organization = await world.organization()
    const [changes, leaves] = [await organization.as('editor'), await organization.as('editor')]
    const [first, second] = [await begin(), await begin()]
    await confirm(changes, first.code)
    await confirm(leaves, second.code)
    expect((await changes.delete('/auth/logout')).statusCode).toBe(204)
    await organization.owner.delete(`/members/${leaves.userId}`)
    for (const { secret } of [first, second])
      expect(codeOf(await claim(secret))).toEqual([410, 'link_expired'])
  })

  test('is confirmed by people alone, with a recent login where they have a factor', async () => {
    const person = await owner()
    const { client: key } = await madeKey(world, person, { role: 'admin' })
    const { code } = await begin()
    expect(codeOf(await confirm(key, code))).toEqual([403, 'session_required'])
    expect(codeOf(await look(key, code))).toEqual([403, 'session_required'])
    await guard(world, person)
    world.clock.advance(16 * 60_000)
    const later = await begin()
    expect(codeOf(await confirm(person, later.code))).toEqual([403, 'recent_login_required'])
  })

  test('is guessed by no one', async () => {
    const person = await owner()
    const { code, secret } = await begin()
    const guesses = Array.from({ length: 10 }, () => look(person, 'BBBB-BBBB'))
    for (const guess of guesses) expect((await guess).json()).toEqual({ waiting: null })
    expect(codeOf(await confirm(person, code))).toEqual([429, 'login_throttled'])
    const wrong = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`
    const one = nextAddress()
    for (let tries = 0; tries < 30; tries += 1)
      expect((await send('/claim', { secret: wrong }, one)).statusCode).toBe(404)
    expect(codeOf(await send('/claim', { secret: wrong }, one))).toEqual([429, 'login_throttled'])
  })

  test('is begun 30 times a minute from one address', async () => {
    const one = nextAddress()
    const begun = await Promise.all(Array.from({ length: 30 }, () => send('', {}, one)))
    expect(new Set(begun.map(({ statusCode }) => statusCode))).toEqual(new Set([201]))
    expect(codeOf(await send('', {}, one))).toEqual([429, 'login_throttled'])
  })
})
