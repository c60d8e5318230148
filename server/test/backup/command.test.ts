import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run, type Service, serve } from '../support/machines/command-line.ts'

// One service that moves: backed up while it runs, damaged, refused, restored, started.
let home: string
let other: string
let service: Service
let file: string

const password = 'correct horse battery staple'
const env = { FLIGHTDECK_ADMIN_EMAIL: 'admin@example.com', FLIGHTDECK_ADMIN_PASSWORD: password }

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'flightdeck-from-'))
  other = await mkdtemp(join(tmpdir(), 'flightdeck-to-'))
  file = join(home, 'moving.backup')
  service = await serve(home, env)
  await run(home, ['demo'])
})
afterAll(async () => {
  await service.stop('SIGTERM')
  await rm(home, { recursive: true, force: true })
  await rm(other, { recursive: true, force: true })
})

const campaigns = async () => {
  const login = await fetch(`${service.url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@example.com', password }),
  })
  const { token } = (await login.json()) as { token: string }
  const headers = { authorization: `Bearer ${token}` }
  const path = `${service.url}/api/v1/campaigns?include_archived=true&limit=100`
  return ((await (await fetch(path, { headers })).json()) as { data: unknown[] }).data
}

test('a running service is backed up once; the file is not overwritten', async () => {
  const created = await run(home, ['backup', 'create', '--out', file, '--json'])
  expect([created.code, created.stderr]).toEqual([0, ''])
  expect(JSON.parse(created.stdout)).toMatchObject({ file, tables: { organizations: 1 } })
  expect(await run(home, ['backup', 'create', '--out', file])).toMatchObject({
    code: 1,
    stderr: `flightdeck: ${file} already exists and is not overwritten.\n`,
  })
})

test('verification needs the master key but no database, and locates damage', async () => {
  const FLIGHTDECK_MASTER_KEY = (await readFile(join(home, 'data', 'master.key'), 'utf8')).trim()
  const key = { FLIGHTDECK_MASTER_KEY }
  const whole = await run(other, ['backup', 'verify', file, '--json'], key)
  expect(JSON.parse(whole.stdout)).toMatchObject({ valid: true, tables: { organizations: 1 } })
  const bytes = await readFile(file)
  const damaged = join(home, 'damaged.backup')
  await writeFile(damaged, bytes.subarray(0, bytes.length - 5))
  const cut = await run(other, ['backup', 'verify', damaged], key)
  expect(cut).toMatchObject({ code: 1, stdout: expect.stringMatching(/^DAMAGED at byte \d+: /) })
  expect(await run(other, ['backup', 'verify', join(home, 'none')], key)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('cannot be read: ENOENT'),
  })
})

test('without the right key nothing about the backup is revealed', async () => {
  const keyless = await run(other, ['backup', 'verify', file])
  expect(keyless).toMatchObject({ code: 1, stderr: expect.stringContaining('no master key') })
  const FLIGHTDECK_MASTER_KEY = Buffer.alloc(32, 1).toString('base64')
  const wrong = await run(other, ['backup', 'verify', file], { FLIGHTDECK_MASTER_KEY })
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('another master key') })
})

test('a restore needs the master key, and creates nothing without it', async () => {
  const keyless = await run(other, ['backup', 'restore', file])
  expect(keyless).toMatchObject({ code: 1, stderr: expect.stringContaining('no master key') })
  const FLIGHTDECK_MASTER_KEY = Buffer.alloc(32, 1).toString('base64')
  const wrong = await run(other, ['backup', 'restore', file], { FLIGHTDECK_MASTER_KEY })
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('another master key') })
  expect(await readdir(other)).toEqual([])
})

test('the restored service has the same data', async () => {
  const before = await campaigns()
  await mkdir(join(other, 'data'))
  await copyFile(join(home, 'data', 'master.key'), join(other, 'data', 'master.key'))
  const restored = await run(other, ['backup', 'restore', file])
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('Campaigns') })
  await service.stop('SIGTERM')
  service = await serve(other, env)
  expect(JSON.stringify(service.logged)).not.toContain('first start')
  expect(await campaigns()).toEqual(before)
  const audit = await run(other, ['audit', 'verify', '--json'])
  expect(JSON.parse(audit.stdout)).toMatchObject({ valid: true })
})

test('a restore never overwrites a service that has data', async () => {
  const again = await run(other, ['backup', 'restore', file])
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('not empty') })
})
