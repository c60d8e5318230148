import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findRunningEmbedded } from '../../src/database/embedded/start.ts'
import { revision, version } from '../../src/version.ts'
import { run, runWith, type Service, serve } from '../support/machines/command-line.ts'

// One service through its life: first start, running, stopped, killed, restarted.
let home: string
let service: Service
let token: string
let firstPassword: string

const email = 'admin@flightdeck.local'

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'flightdeck-cli-'))
  service = await serve(home)
})
afterAll(async () => {
  await service.stop('SIGTERM')
  await rm(home, { recursive: true, force: true })
})

const flightdeck = (...args: string[]) => run(home, args)

async function json(...args: string[]) {
  const { code, stdout, stderr } = await flightdeck(...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

async function logIn(user: string, password: string): Promise<string> {
  const reply = await call('/auth/login', { email: user, password })
  expect(reply.status).toBe(200)
  return (await jsonOf(reply)).token
}

/** The value of a JSON reply, for the test to inspect. */
const jsonOf = async (reply: Response | Promise<Response>) => JSON.parse(await (await reply).text())

const call = (path: string, body?: unknown, bearer = token) =>
  fetch(`${service.url}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

test('the first start logs its address and where the password is, and nothing that is not JSON', async () => {
  const file = join(home, 'data/first-password')
  expect(service.logged).toEqual([
    expect.objectContaining({ level: 'warn', email, password_file: file }),
    expect.objectContaining({
      msg: 'listening',
      docs: `${service.url}/docs`,
      data_dir: join(home, 'data'),
      version,
      revision,
    }),
  ])
  expect(service.said()).toBe('')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  firstPassword = (await readFile(file, 'utf8')).trim()
  expect(JSON.stringify(service.logged)).not.toContain(firstPassword)
  token = await logIn(email, firstPassword)
  const organization = await jsonOf(call('/organization'))
  expect(organization).toMatchObject({ name: 'My organization', plan: 'zion' })
})

test('it becomes ready, including its queue', async () => {
  await vi.waitFor(async () => {
    const reply = await fetch(`${service.url}/readyz`)
    expect(reply.status).toBe(200)
  }, 30_000)
})

describe('while the service runs', () => {
  let acme: { id: string; token: string }

  test('an organization can be created', async () => {
    const made = await json('orgs', 'create', '--name', 'Acme', '--plan', 'free')
    expect(made).toMatchObject({ name: 'Acme', plan: 'free', owner: { role: 'owner' } })
    acme = { id: made.id, token: await logIn(made.owner.email, made.password) }
    const listed = await json('orgs', 'list')
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(['My organization', 'Acme'])
  })

  test('its plan can be changed', async () => {
    await json('orgs', 'set-plan', acme.id, 'captain')
    await vi.waitFor(async () => {
      const { plan, requests } = await jsonOf(call('/limits', undefined, acme.token))
      expect({ plan, limit: requests.limit }).toEqual({ plan: 'captain', limit: 1000 })
    }, 20_000)
  })

  test('a user can be created; a new password ends the sessions', async () => {
    const fields = ['--org', acme.id, '--email', 'Eve@example.com', '--role', 'editor']
    const eve = await json('users', 'create', ...fields)
    expect(eve).toMatchObject({ email: 'eve@example.com', name: 'Eve', role: 'editor' })
    const session = await logIn('eve@example.com', eve.password)
    const reset = await json('users', 'set-password', '--email', 'eve@example.com')
    await vi.waitFor(async () => {
      expect((await call('/auth/me', undefined, session)).status).toBe(401)
    }, 20_000)
    await logIn('eve@example.com', reset.password)
  })

  test('each of these changes is in the audit log', async () => {
    const trail = await jsonOf(call('/audit_logs?sort=sequence', undefined, acme.token))
    const byCli = trail.data.filter(
      (record: { actor: { type: string } }) => record.actor.type === 'cli',
    )
    expect(byCli.map((record: { action: string }) => record.action)).toEqual([
      'organization.created',
      'member.created',
      'organization.updated',
      'member.created',
      'auth.password_changed',
    ])
  })
})

test('the demo command fills the first organization once, with campaigns in every status', async () => {
  const { campaigns, campaigns_by_status } = await json('demo')
  expect(Object.keys(campaigns_by_status).sort()).toEqual([
    'active',
    'archived',
    'completed',
    'draft',
    'paused',
    'scheduled',
  ])
  const path = '/campaigns?include_archived=true&include_total=true&limit=1'
  expect((await jsonOf(call(path))).meta.total).toBe(campaigns)
  expect(await flightdeck('demo')).toMatchObject({
    code: 1,
    stderr: 'flightdeck: My organization already has the demo data.\n',
  })
})

test('a rotated key signs at once, and no session ends', async () => {
  const { kid, retired } = await json('keys', 'rotate')
  const fresh = await logIn(email, firstPassword)
  expect(decodeProtectedHeader(fresh).kid).toBe(kid)
  expect(retired).toEqual([decodeProtectedHeader(token).kid])
  expect((await call('/auth/me')).status).toBe(200)
  const { keys } = await jsonOf(fetch(`${service.url}/.well-known/jwks.json`))
  expect(keys.map((key: { kid: string }) => key.kid).sort()).toEqual([kid, ...retired].sort())
})

test('the audit log and its offline export verify until a record is altered', async () => {
  const { valid, organizations } = await json('audit', 'verify')
  expect(valid).toBe(true)
  expect(organizations).toHaveLength(2)
  const file = join(home, 'export.ndjson')
  await writeFile(file, await (await call('/audit_logs/export')).text())
  const offline = { FLIGHTDECK_DATABASE_URL: 'postgres://unknown@127.0.0.1:1/none' }
  const whole = await run(home, ['audit', 'verify', '--file', file, '--json'], offline)
  expect(JSON.parse(whole.stdout)).toMatchObject({ valid: true, from_sequence: 1 })
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('"auth.login_succeeded"', '"auth.logged_out"'))
  const touched = await run(home, ['audit', 'verify', '--file', file], offline)
  expect(touched).toMatchObject({ code: 1, stdout: expect.stringContaining('BROKEN at 3') })
})

const warningOf = (name: string) =>
  `flightdeck: warning: other users of this machine can see --${name}; use "--${name} -" and standard input.`

test('passwords come from standard input, or with a warning from the arguments', async () => {
  const words = ['orgs', 'create', '--name', 'Umbra', '--plan', 'free', '--json']
  const owner = ['--owner-email', 'umbra@example.com', '--owner-password']
  const made = await runWith(home, [...words, ...owner, '-'], 'piped correct horse\nmore\n')
  expect([made.code, made.stderr]).toEqual([0, ''])
  expect(JSON.parse(made.stdout).password).toBe(null)
  await logIn('umbra@example.com', 'piped correct horse')
  const reset = ['users', 'set-password', '--email', 'umbra@example.com', '--password']
  expect(await runWith(home, [...reset, '-'], 'second correct horse\r\n')).toMatchObject({
    code: 0,
  })
  await logIn('umbra@example.com', 'second correct horse')
  const clear = await flightdeck(...reset, 'third correct horse')
  expect([clear.code, clear.stderr]).toEqual([0, `${warningOf('password')}\n`])
  await logIn('umbra@example.com', 'third correct horse')
  expect(await runWith(home, [...reset, '-'], '')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'flightdeck: --password - reads standard input, which is empty.\n',
  })
})

test('each error is one clear line: exit code 2 for wrong usage, 1 otherwise', async () => {
  const org = 'org_01m7yez275fk1a52pr5qevn8kn'
  const fields = ['--email', 'a@b.cd', '--role', 'owner']
  expect(await flightdeck('users', 'create', '--org', org, ...fields, '--json')).toEqual({
    code: 1,
    stdout: '',
    stderr: `flightdeck: There is no organization ${org}.\n`,
  })
  const wrong = ['--org', 'org_1', '--email', 'bad', '--role', 'boss', '--password', 'short-one']
  expect(await flightdeck('users', 'create', ...wrong, '--json')).toEqual({
    code: 2,
    stdout: '',
    stderr: [
      warningOf('password'),
      'flightdeck: "org_1" is not the id of an organization (org_…). "flightdeck orgs list" shows them.',
      'flightdeck: "bad" as email: is not a valid email.',
      'flightdeck: "boss" is not a role: use one of owner, admin, editor, viewer, auditor.',
      'flightdeck: The password: must have at least 12 characters.',
      '',
    ].join('\n'),
  })
})

test.each([
  ['orgs', 'suspend', 'org_1'],
  ['demo', '--org', 'org_1'],
  ['users', 'set-password', '--email', 'a@b.cd', '--password', 'short'],
  ['orgs', 'create'],
  ['orgs', 'explode'],
])('a wrong call ends with 2: %s %s', async (...call) => {
  expect([call, await flightdeck(...call)]).toMatchObject([call, { code: 2, stdout: '' }])
})

test('config check lists every fault but no secret, and changes nothing', async () => {
  const env = {
    FLIGHTDECK_DATA_DIR: join(home, 'untouched'),
    FLIGHTDECK_PORT: 'abc',
    FLIGHTDECK_PROT: '1',
    FLIGHTDECK_METRICS_TOKEN: 'hush-hush',
    FLIGHTDECK_REDIS_URL: 'http://:hush-hush@redis.example.com',
    FLIGHTDECK_ADMIN_EMAIL: 'a@b.cd',
    FLIGHTDECK_ADMIN_PASSWORD: 'password1234',
  }
  const { code, stdout } = await run(home, ['config', 'check', '--json'], env)
  expect(code).toBe(1)
  expect(stdout).not.toMatch(/hush-hush|password1234/)
  expect(JSON.parse(stdout).faults).toEqual([
    'FLIGHTDECK_PROT: is not a setting; did you mean FLIGHTDECK_PORT?',
    'FLIGHTDECK_PORT: must be a whole number from 0 to 65535',
    'FLIGHTDECK_REDIS_URL: must be a URL that starts with redis:// or rediss://',
    'FLIGHTDECK_ADMIN_PASSWORD: is among the most common passwords',
  ])
  await expect(readFile(join(home, 'untouched', 'master.key'))).rejects.toThrow('ENOENT')
})

test('config check says which secrets files set, and prints none of them', async () => {
  const path = join(home, 'token')
  await writeFile(path, 'hush-hush\n')
  const env = { FLIGHTDECK_METRICS_TOKEN_FILE: path, FLIGHTDECK_REDIS_URL_FILE: 'hush-hush' }
  const { code, stdout, stderr } = await run(home, ['config', 'check', '--json'], env)
  expect(code).toBe(1)
  expect(stdout + stderr).not.toContain('hush-hush')
  const { settings, faults } = JSON.parse(stdout)
  expect(faults).toEqual(['FLIGHTDECK_REDIS_URL_FILE: the file cannot be read (ENOENT)'])
  const value = (name: string) =>
    settings.find((each: { name: string }) => each.name === `FLIGHTDECK_${name}`).value
  expect(['METRICS_TOKEN', 'REDIS_URL', 'MASTER_KEY'].map(value)).toEqual([
    '[set by a file]',
    '[set by a file]',
    '[not set]',
  ])
})

test('a second service on the data directory, or one without a login, says why it cannot start', async () => {
  const second = await flightdeck('serve')
  expect(second).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is in use by flightdeck serve'),
  })
  const address = await findRunningEmbedded(join(home, 'data'))
  const query = `host=${encodeURIComponent(address?.host ?? '')}&port=${address?.port}`
  const url = `postgres://${address?.user}:wrong-password@/${address?.database}?${query}`
  const refused = await run(home, ['serve'], { FLIGHTDECK_DATABASE_URL: url })
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('password authentication failed')
  expect(refused.stderr).not.toContain('wrong-password')
  expect(refused.stderr.trim().split('\n')).toHaveLength(1)
})

test('SIGTERM lets running requests finish, accepts no others, and exits with 0', async () => {
  const { port, hostname } = new URL(service.url)
  const body = JSON.stringify({ email, password: firstPassword })
  const slow = connect(Number(port), hostname)
  await once(slow, 'connect')
  const head = `POST /api/v1/auth/login HTTP/1.1\r\nhost: x\r\nconnection: close\r\n`
  slow.write(`${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`)
  slow.write(body.slice(0, 10))
  await (await fetch(`${service.url}/livez`)).text()
  const ended = service.stop('SIGTERM')
  await vi.waitFor(async () => {
    expect((await fetch(`${service.url}/readyz`)).status).toBe(503)
  }, 30_000)
  const refused = await call('/auth/me')
  expect(refused.status).toBe(503)
  expect(await refused.json()).toMatchObject({ code: 'shutting_down', retry: 'transient' })
  slow.write(body.slice(10))
  expect(await textOf(slow)).toMatch(/^HTTP\/1\.1 200 /)
  expect(await ended).toBe(0)
})

test('without a running service a command starts the database itself, silently', async () => {
  const made = await json('orgs', 'create', '--name', 'Trial', '--plan', 'free', '--sandbox')
  const { stdout } = await run(home, ['orgs', 'list'])
  const lines = stdout.trimEnd().split('\n')
  expect(lines).toHaveLength(5)
  expect(lines[0]).toMatch(/^ID +NAME +PLAN +SANDBOX +STATUS +CREATED$/)
  expect(lines[1]).toMatch(/ zion +no +active /)
  expect(lines[4]).toMatch(new RegExp(`^${made.id} +Trial +free +yes +active `))
  expect(await findRunningEmbedded(join(home, 'data'))).toBeNull()
})

test('after kill -9 the next start has every acknowledged row, and creates no second owner', async () => {
  service = await serve(home)
  expect(JSON.stringify(service.logged)).not.toContain('first start')
  const bearer = await logIn(email, firstPassword)
  const fields = { name: 'Kept', role: 'viewer', email: 'kept@example.com' }
  const made = await jsonOf(call('/members', fields, bearer))
  await service.stop('SIGKILL')
  service = await serve(home)
  const kept = await call(`/members/${made.id}`, undefined, await logIn(email, firstPassword))
  expect(await kept.json()).toMatchObject(fields)
  expect((await json('audit', 'verify')).valid).toBe(true)
})
