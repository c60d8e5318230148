import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openWorld, type World } from '../../server/test/support/world.ts'
import { connect as connectGoogle } from './google-ads.ts'
import { type Connected, connect, deployed, deploymentOf } from './test/connected.ts'
import { credential, customerId } from './test/credential.ts'

let world: World
let address: string
let all: Connected
let printed: string
let directory: string

beforeAll(async () => {
  world = await openWorld()
  address = await world.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => world.close())
beforeEach(async () => {
  all = await connect(world, address)
  directory = await mkdtemp(join(tmpdir(), 'google-ads-'))
  vi.stubEnv('GOOGLE_KEY', all.key)
  vi.stubEnv('GOOGLE_CREDENTIAL', credential)
  printed = ''
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      printed += String(text)
      return true
    })
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await all.close()
})

const run = (...args: string[]) =>
  connectGoogle([
    ...['--api', address, '--key', 'env:GOOGLE_KEY', '--credentials', 'env:GOOGLE_CREDENTIAL'],
    ...['--google-ads-url', all.fake.url, '--oauth-url', all.fake.url, ...args],
  ])

test('--once brings all in sync', async () => {
  const id = await deployed(all)
  expect(await run('--once')).toBe(0)
  expect((await deploymentOf(all.owner, id)).state).toBe('in_sync')
})

test('--check says what works, writes nothing, and keeps a transcript without secrets', async () => {
  await deployed(all)
  const path = join(directory, 'transcript.jsonl')
  expect(await run('--check', '--transcript', path)).toBe(0)
  expect(printed.match(/^works {4}/gm)).toHaveLength(6)
  expect(printed).toContain('No deployment would be refused.')
  expect(all.fake.counts.get('mutate')).toBeUndefined()
  expect(all.fake.counts.get('validate')).toBeGreaterThan(0)
  expect(all.fake.control.campaigns(customerId)).toEqual([])
  const transcript = await readFile(path, 'utf8')
  const lines = transcript.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).status)).toContain(200)
  for (const secret of ['secret-1', 'refresh-1', ...all.fake.issuer.issued, customerId])
    expect(transcript + printed.replaceAll(`Account ${customerId}`, '')).not.toContain(secret)
})

test.each([
  ['authorizationError.USER_PERMISSION_DENIED', 'login_customer_id'],
  ['authorizationError.PROJECT_DISABLED', 'enable the Google Ads API'],
  ['authorizationError.CLOUD_PROJECT_NOT_APPROVED_FOR_PRODUCTION', 'use a test account'],
])('--check says how to mend %s', async (word, fix) => {
  all.fake.control.setFaults([{ kind: 'error', word }])
  expect(await run('--check')).toBe(3)
  expect(printed).toContain('missing  Account')
  expect(printed).toContain(fix)
  expect(printed).not.toContain('No deployment')
})

test.each([
  ['SERVICE_DISABLED', 'enable the Google Ads API'],
  ['ACCESS_TOKEN_SCOPE_INSUFFICIENT', 'it lacks the scope adwords'],
])('--check says how to mend what a Cloud project is refused: %s', async (word, fix) => {
  all.fake.control.setFaults([{ kind: 'project', word }])
  expect(await run('--check')).toBe(3)
  expect(printed).toContain(`refused to the project: ${word}. Fix: `)
  expect(printed).toContain(fix)
})

test.each([
  ['CONTAINS_EU_POLITICAL_ADVERTISING', 'political advertising'],
  ['DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING', 'no political advertising'],
  ['UNSPECIFIED', 'nothing on political advertising'],
])('--check says what the account declares: %s', async (declaration, said) => {
  Object.assign(all.fake.control.account(customerId), { declaration })
  expect(await run('--check')).toBe(0)
  expect(printed).toContain(`works    The account declares ${said} for the EU\n`)
})

test('--check says what else is missing', async () => {
  const account = all.fake.control.account(customerId)
  Object.assign(account, { timeZone: 'Europe/Zurich', perDayMinimumMicros: '90000000' })
  expect(await run('--check')).toBe(3)
  expect(printed).toContain('the account’s time zone, Europe/Zurich: it has UTC')
  expect(printed).toContain('on trial (validate_only): The budget is below')
})

test('credentials go to no other machine unasked', async () => {
  const other = ['--google-ads-url', 'http://192.0.2.1']
  expect(await run('--once', ...other)).toBe(1)
  expect(printed).toContain('--any-host')
  expect(await connectGoogle(['--help'])).toBe(0)
  expect(printed).toContain('(default: 360)')
})

test('--login puts a refresh token into the file of the credential', async () => {
  const path = join(directory, 'google.json')
  const client = { client_id: 'client-1', client_secret: 'secret-1' }
  await writeFile(path, JSON.stringify({ installed: client }))
  const done = connectGoogle([
    '--login',
    '--credentials',
    `file:${path}`,
    '--oauth-url',
    all.fake.url,
  ])
  await expect.poll(() => printed).toContain('code_challenge=')
  const asked = new URL(/https:\S+/.exec(printed)?.[0] ?? '')
  const redirect = new URL(asked.searchParams.get('redirect_uri') ?? '')
  const back = async (state: string) => {
    redirect.search = String(new URLSearchParams({ state, code: 'code-1' }))
    return (await fetch(redirect)).status
  }
  expect(await back('another')).toBe(400)
  expect(await back(asked.searchParams.get('state') ?? '')).toBe(200)
  expect(await done).toBe(0)
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
    ...client,
    refresh_token: 'refresh-1',
  })
  expect((await stat(path)).mode & 0o077).toBe(0)
  expect(printed).not.toContain('secret-1')
  expect(await readdir(directory)).toEqual(['google.json'])
  expect(await connectGoogle(['--login'])).toBe(1)
})

test('--login says nothing of a file that is no client', async () => {
  const path = join(directory, 'google.json')
  await writeFile(path, '{client_secret: "secret-1"}')
  expect(await connectGoogle(['--login', '--credentials', `file:${path}`])).toBe(1)
  expect(printed).toContain(`${path} must have client_id and client_secret`)
  expect(printed).not.toContain('secret-1')
})

test('--login sends the client to no other machine unasked', async () => {
  const path = join(directory, 'google.json')
  await writeFile(path, JSON.stringify({ client_id: 'client-1', client_secret: 'secret-1' }))
  const login = ['--login', '--credentials', `file:${path}`, '--oauth-url']
  expect(await connectGoogle([...login, 'http://192.0.2.1'])).toBe(1)
  expect(printed).toContain('--any-host')
  expect(printed).not.toContain('code_challenge=')
})
