import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { madeKey } from '../support/api-keys.ts'
import { run, type Service, serve } from '../support/machines/command-line.ts'
import { urlOf } from '../support/machines/fresh-database.ts'
import { msUntil } from '../support/machines/replica.ts'
import { type OwnWorld, openOwnWorld } from '../support/own-world.ts'
import type { TestOrganization } from '../support/world.ts'

// The commands beside a running service, on the same database.
let world: OwnWorld
let service: Service
let env: Record<string, string>
let acme: TestOrganization
let home: string

beforeAll(async () => {
  world = await openOwnWorld()
  home = await mkdtemp(join(tmpdir(), 'flightdeck-administration-'))
  env = {
    FLIGHTDECK_DATABASE_URL: urlOf(world.database),
    FLIGHTDECK_DATA_DIR: inject('dataDir'),
  }
  acme = await world.organization({ name: 'Acme' })
  service = await serve(tmpdir(), env)
})
afterAll(async () => {
  await service.stop('SIGTERM')
  await world.close()
  await rm(home, { recursive: true, force: true })
})

async function json(...words: string[]) {
  const { code, stdout, stderr } = await run(tmpdir(), [...words, '--json'], env)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const fails = (...words: string[]) => run(tmpdir(), words, env)

/** The status of a read by this bearer, at the running service. */
const asks = async (bearer: string | null) => {
  const headers = { authorization: `Bearer ${bearer}` }
  return (await fetch(`${service.url}/api/v1/campaigns`, { headers })).status
}

const lastRecord = async () => {
  const { data } = (await acme.owner.get('/audit_logs?limit=1')).json()
  return data[0]
}

describe('users', () => {
  test('are listed by organization and role, a page at a time', async () => {
    const [editor, viewer] = [await acme.as('editor'), await acme.as('viewer')]
    await world.organization({ name: 'Other' })
    const { users, next } = await json('users', 'list')
    expect([users.length, next]).toEqual([4, null])
    const own = await json('users', 'list', '--org', acme.id, '--role', 'viewer')
    expect(own.users).toEqual([
      expect.objectContaining({ id: viewer.userId, email: viewer.email, disabled: false }),
    ])
    expect(Object.keys(own.users[0])).not.toContain('password_hash')
    const seen: string[] = []
    for (let after: string | null = ''; after !== null; ) {
      const words: string[] = after === '' ? [] : ['--after', after]
      const page = await json('users', 'list', '--limit', '3', ...words)
      seen.push(...page.users.map(({ id }: { id: string }) => id))
      after = page.next
    }
    expect(seen).toEqual(users.map(({ id }: { id: string }) => id))
    expect(seen).toContain(editor.userId)
    const text = await fails('users', 'list', '--limit', '1')
    expect(text.stdout).toMatch(/EMAIL +NAME.*\n.*\n\nThere are more: --after usr_\w+\n$/)
  })

  test('are disabled at once, enabled and given a role, each audited as the command line', async () => {
    const editor = await acme.as('editor')
    expect(await asks(editor.token)).toBe(200)
    const disabled = await json('users', 'disable', '--email', editor.email)
    expect(disabled).toMatchObject({ id: editor.userId, disabled: true, organization_id: acme.id })
    expect(await lastRecord()).toMatchObject({ action: 'member.updated', actor: { type: 'cli' } })
    await msUntil(async () => (await asks(editor.token)) === 401, 2_000)
    expect(await json('users', 'enable', '--email', editor.email)).toMatchObject({
      disabled: false,
    })
    const viewer = await json('users', 'set-role', '--email', editor.email, '--role', 'viewer')
    expect(viewer).toMatchObject({ role: 'viewer', disabled: false })
  })

  test('keep their last owner', async () => {
    const { email } = acme.owner
    for (const words of [
      ['users', 'disable', '--email', email],
      ['users', 'set-role', '--email', email, '--role', 'viewer'],
    ]) {
      expect(await fails(...words)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('the last enabled owner'),
      })
    }
  })

  test.each([
    [['users', 'list', '--role', 'king'], '"king" is not a role'],
    [['users', 'list', '--limit', '1001'], '"1001" is not a limit'],
    [['users', 'list', '--org', 'acme'], '"acme" is not the id of an organization'],
    [['users', 'disable', '--email', 'x'], '"x" as email'],
    [['api-keys', 'revoke', 'x'], '"x" is not the id of an API key'],
  ])('%j is refused as wrongly used', async (words, fault) => {
    const { code, stderr } = await fails(...words)
    expect([code, stderr]).toEqual([2, expect.stringContaining(fault)])
  })

  test('that are not there are named', async () => {
    const { code, stderr } = await fails('users', 'enable', '--email', 'no@one.example')
    expect([code, stderr]).toEqual([
      1,
      'flightdeck: There is no user with the email no@one.example.\n',
    ])
  })
})

describe('API keys', () => {
  test('are listed without their text, and revoked at once', async () => {
    const { id, key } = await madeKey(world, acme.owner, { role: 'editor' })
    expect(await asks(key)).toBe(200)
    const { api_keys } = await json('api-keys', 'list', '--org', acme.id)
    expect(api_keys).toEqual([
      expect.objectContaining({ id, role: 'editor', key_hint: key.slice(-4) }),
    ])
    expect(api_keys[0].maker_email).toBe(acme.owner.email)
    expect(JSON.stringify(api_keys)).not.toMatch(/fdk_|hash/)
    expect(await json('api-keys', 'revoke', id)).toMatchObject({ id, revoked: true })
    await msUntil(async () => (await asks(key)) === 401, 2_000)
    expect(await lastRecord()).toMatchObject({ action: 'api_key.revoked', actor: { type: 'cli' } })
    expect((await json('api-keys', 'list')).api_keys).toEqual([])
    expect((await fails('api-keys', 'revoke', id)).stderr).toContain('or it is revoked')
  })
})

describe('status', () => {
  test('shows the processes, what is late, the queue and the schema', async () => {
    const status = await json('status')
    expect(status.processes).toEqual([
      expect.objectContaining({ role: 'all', url: service.url, pid: service.pid }),
    ])
    expect(Object.keys(status.processes[0])).toEqual(
      expect.arrayContaining(['version', 'revision']),
    )
    const works = status.work.map(({ work }: { work: string }) => work)
    expect(works).toEqual(expect.arrayContaining(['campaign_starts', 'verification']))
    expect(status.queue).toMatchObject({ deliveries_pending: 0 })
    expect(status.schema).toMatchObject({ unknown: [] })
    expect(status.audit_chains_broken).toBe(0)
  })

  test('shows the last backup, and the last that was verified', async () => {
    const never = { created_at: null, last_verification_at: null }
    expect((await json('status')).backup).toMatchObject(never)
    const file = join(home, 'a.backup')
    const made = await json('backup', 'create', '--out', file)
    expect((await json('status')).backup.created_at).not.toBeNull()
    expect(await json('backup', 'verify', file)).toMatchObject({ valid: true, recorded: true })
    const { backup } = await json('status')
    expect(backup.newest_verified_created_at).toBe(made.created_at)
    expect(backup.last_verification_at >= made.created_at).toBe(true)
    const { stdout } = await fails('status')
    for (const part of ['campaign_starts', 'Last verified', String(service.pid)])
      expect(stdout).toContain(part)
  })
})
