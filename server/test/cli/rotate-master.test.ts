import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { cipherWith, newMasterKey } from '../../src/crypto/cipher.ts'
import { begin, type Ended, run, type Service, serve } from '../support/machines/command-line.ts'
import { type FreshDatabase, migratedDatabase, urlOf } from '../support/machines/fresh-database.ts'
import { openReceiver, type Receiver } from '../support/machines/receiver.ts'

type Env = Record<string, string>

const email = 'ann@example.com'
const password = 'correct horse battery staple'

/** Calls of a service, as its first owner. */
async function clientOf({ url }: Service) {
  const call = async (method: string, path: string, body?: object, token = '') => {
    const reply = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: reply.status, body: JSON.parse(await reply.text()) }
  }
  const login = await call('POST', '/auth/login', { email, password })
  expect(login.status).toBe(200)
  const { token } = login.body
  return (method: string, path: string, body?: object) => call(method, path, body, token)
}

const proxy = { protocol: 'http', host: 'proxy.example.com', port: 8080, username: 'ann' }
const login = { username: 'ann', password: 'hush' }

describe('keys rotate-master, with two processes running', () => {
  let home: string
  let database: FreshDatabase
  let receiver: Receiver
  let common: Env
  let keyFile: string
  const [oldKey, newKey] = [newMasterKey(), newMasterKey()]
  const started: Service[] = []

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'flightdeck-rotate-'))
    keyFile = join(home, 'new.key')
    await writeFile(keyFile, `${newKey}\n`)
    database = await migratedDatabase()
    receiver = await openReceiver()
    common = {
      FLIGHTDECK_DATABASE_URL: urlOf(database),
      FLIGHTDECK_PUBLIC_URL: 'https://flightdeck.example.com',
      FLIGHTDECK_ADMIN_EMAIL: email,
      FLIGHTDECK_ADMIN_PASSWORD: password,
      FLIGHTDECK_WEBHOOK_ALLOW_HTTP: 'true',
      FLIGHTDECK_EGRESS_ALLOW: '127.0.0.0/8',
      FLIGHTDECK_CAPS: 'proxies=100000',
    }
  })
  afterAll(async () => {
    await Promise.all(started.map((service) => service.stop('SIGKILL')))
    await receiver.close()
    await database.drop()
    await rm(home, { recursive: true })
  })

  async function start(key: string, ...args: string[]): Promise<Service> {
    const service = await serve(home, { ...common, FLIGHTDECK_MASTER_KEY: key }, args)
    started.push(service)
    return service
  }

  const rotate = (key: string, ...args: string[]): Promise<Ended> =>
    run(home, ['keys', 'rotate-master', ...args], { ...common, FLIGHTDECK_MASTER_KEY: key })

  const under = async (key: number): Promise<number> => {
    const sql = 'select count(*)::int as count from proxies where sealed_under = $1'
    const [row] = await database.query<{ count: number }>(sql, [key])
    return row?.count ?? 0
  }

  /** More than are resealed at once. */
  async function addProxies(count: number): Promise<string> {
    const cipher = cipherWith(oldKey)
    const ids = Array.from({ length: count }, (_, at) => `prx_${String(at).padStart(26, '0')}`)
    const sealed = ids.map((id) => cipher.seal('hush', `proxies.password ${id}`))
    await database.query(
      `insert into proxies (organization_id, id, name, name_folded, protocol, host, port, enabled,
        labels, metadata, version, created_at, updated_at, next_check_at, password_sealed)
      select (select id from organizations), n.id, n.id, n.id, 'http', 'a.test', 80, true,
        '{}', '{}', 1, now(), now(), now() + interval '1 day', n.sealed
      from unnest($1::text[], $2::text[]) as n (id, sealed)`,
      [ids, sealed],
    )
    return String(ids.at(-1))
  }

  test('is killed in the middle, goes on, and ends with the new key only', async () => {
    const [one, other] = [await start(oldKey), await start(oldKey, '--role', 'api')]
    const [here, there] = [await clientOf(one), await clientOf(other)]
    const { id } = (await here('POST', '/proxies', { ...proxy, password: 'hush' })).body
    await here('POST', '/webhook_endpoints', { url: receiver.url, events: ['profile.*'] })
    const last = await addProxies(5_000)
    expect((await rotate(oldKey)).stderr).toContain('--new-key-file')
    const wrong = await rotate(oldKey, '--new-key-file', home)
    expect(wrong).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'flightdeck: --new-key-file: the file cannot be read (EISDIR).\n',
    })

    const env = { ...common, FLIGHTDECK_MASTER_KEY: oldKey }
    const unlock = await database.lock('select from proxies where id = $1 for update', [last])
    const killed = begin(home, ['keys', 'rotate-master', '--new-key-file', keyFile], env)
    while ((await under(2)) === 0) await sleep(5)
    killed.signal('SIGKILL')
    await killed.ended
    await unlock()
    expect(await under(2)).toBeGreaterThan(0)
    expect(await under(1)).toBeGreaterThan(0)

    // Both processes open what is under either key, and so do others with the one or the other.
    const calls = [
      here,
      there,
      await clientOf(await start(oldKey)),
      await clientOf(await start(newKey)),
    ]
    for (const call of calls) {
      for (const each of [id, last, 'prx_00000000000000000000000000']) {
        const shown = await call('POST', `/proxies/${each}/credentials`)
        expect(shown).toMatchObject({ status: 200, body: { password: 'hush' } })
      }
      expect((await call('POST', '/proxies', { ...proxy, password: 'x' })).status).toBe(201)
    }
    for (const service of started.splice(2)) await service.stop('SIGTERM')
    expect((await rotate(oldKey, '--finish')).code).toBe(1)

    const again = await rotate(oldKey)
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(again.stdout).toContain('Both keys work now.')
    expect(again.stdout).not.toContain(newKey)
    expect(await under(1)).toBe(0)
    const made = await there('POST', '/profiles', { name: 'Signed' })
    expect(made.status).toBe(201)
    await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(0), 30_000)

    const early = await rotate(oldKey, '--finish')
    expect(early.stderr).toContain('This shell has the old master key.')
    const others = await rotate(newKey, '--finish')
    expect(others.stderr).toMatch(
      /^flightdeck: Started with the old master key: pid \d+ on .*, pid/,
    )
    for (const service of started.splice(0)) expect(await service.stop('SIGTERM')).toBe(0)
    const after = await clientOf(await start(newKey))
    expect((await rotate(newKey, '--finish')).stderr).toContain('less than a day')
    const finished = await rotate(newKey, '--finish', '--at-once', '--json')
    expect(JSON.parse(finished.stdout)).toMatchObject({ finished: true, damaged: [] })

    expect(await after('POST', `/proxies/${last}/credentials`)).toMatchObject({
      body: { password: 'hush' },
    })
    const refused = await run(home, ['serve'], env)
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.stderr).toContain('The master key is not the one')
    const { data } = (await after('GET', '/audit_logs?resource_type=master_key&sort=sequence')).body
    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      'master_key.rotated',
      'master_key.retired',
    ])
    expect((await after('GET', '/audit_logs/verify')).body).toMatchObject({ valid: true })
  }, 180_000)

  test('a process that was held meanwhile ends, and says why', async () => {
    const held = await start(newKey)
    const thirdFile = join(home, 'third.key')
    const thirdKey = newMasterKey()
    await writeFile(thirdFile, thirdKey)
    await vi.waitFor(async () => {
      const rows = await database.query('select from processes where pid = $1', [held.pid])
      expect(rows).toHaveLength(1)
    }, 30_000)
    process.kill(held.pid, 'SIGSTOP')
    expect(await rotate(newKey, '--new-key-file', thirdFile)).toMatchObject({ code: 0, stderr: '' })
    expect(await rotate(thirdKey, '--finish', '--at-once')).toMatchObject({ code: 0, stderr: '' })
    process.kill(held.pid, 'SIGCONT')
    expect(await held.ended).toBe(1)
    // Other lines may follow while it ends.
    const fatal = held.logged.filter(({ level }) => level === 'fatal').map(({ msg }) => msg)
    expect(fatal).toEqual([
      'The master key was changed while this process was cut off from the database. Start it again with the new one.',
    ])
  }, 120_000)
})

describe('keys rotate-master, with the key in the data directory', () => {
  let home: string

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'flightdeck-rotate-'))
  })
  afterAll(() => rm(home, { recursive: true }))

  test('makes a new key, puts it there, and the running service goes on', async () => {
    const service = await serve(home, {
      FLIGHTDECK_ADMIN_EMAIL: email,
      FLIGHTDECK_ADMIN_PASSWORD: password,
    })
    const call = await clientOf(service)
    const { id } = (await call('POST', '/proxies', { ...proxy, password: 'hush' })).body
    const key = () => readFile(join(home, 'data/master.key'), 'utf8')
    const before = await key()
    const rotated = await run(home, ['keys', 'rotate-master'])
    expect(rotated).toMatchObject({ code: 0, stderr: '' })
    expect(await key()).not.toBe(before)
    expect(rotated.stdout).not.toContain((await key()).trim())
    expect((await call('POST', `/proxies/${id}/credentials`)).body).toEqual(login)
    expect(await run(home, ['keys', 'rotate-master', '--finish', '--at-once'])).toMatchObject({
      code: 0,
      stderr: '',
    })
    expect((await call('POST', `/proxies/${id}/credentials`)).body).toEqual(login)
    expect(await service.stop('SIGTERM')).toBe(0)
    const restarted = await serve(home)
    const again = await clientOf(restarted)
    expect((await again('POST', `/proxies/${id}/credentials`)).body).toEqual(login)
    await restarted.stop('SIGTERM')
    const none = await run(home, ['keys', 'rotate-master', '--finish'])
    expect(none.stderr).toBe('flightdeck: No change of the master key is under way.\n')
    await writeFile(join(home, 'data/master.key'), before)
    expect((await run(home, ['users', 'set-password', '--email', email])).code).toBe(1)
  })
})
