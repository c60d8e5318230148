import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { run } from '../../../test/support/machines/command-line.ts'
import { type OwnWorld, openOwnWorld } from '../../../test/support/own-world.ts'
import type { TestOrganization } from '../../../test/support/world.ts'
import { makeCheckpoints } from './checkpointing.ts'
import { InvalidCheckpoints, readSavedCheckpoints } from './kept-checkpoints.ts'
import { verifyExport } from './verify-export.ts'

let world: OwnWorld
let dir: string
let acme: TestOrganization

beforeAll(async () => {
  world = await openOwnWorld()
  dir = await mkdtemp(join(tmpdir(), 'flightdeck-kept-'))
})
afterAll(async () => {
  await world.close()
  await rm(dir, { recursive: true, force: true })
})

const path = (name: string) => join(dir, name)
const write = (name: string, text: string) => writeFile(path(name), text)
const read = async (url: string) => (await acme.owner.get(url)).body
const sign = () => makeCheckpoints(world.services, AbortSignal.timeout(10_000))
const rename = (name: string) => acme.owner.patch('/organization', { name })

/** Saves as an auditor would: an export of 8 records, checkpoints of 4 and 6, and the keys. */
beforeEach(async () => {
  acme = await world.organization()
  for (const names of [['A'], ['B', 'C']]) {
    for (const name of names) await rename(name)
    await sign()
  }
  await rename('D')
  await write('export', await read('/audit_logs/export'))
  await write('checkpoints', await read('/audit_logs/checkpoints'))
  await write('jwks', (await world.app.inject('/.well-known/jwks.json')).body)
})

const marks = (checkpoints = 'checkpoints', jwks = 'jwks') =>
  readSavedCheckpoints({ checkpoints: path(checkpoints), jwks: path(jwks) })
const verify = async (...kept: string[]) =>
  verifyExport(path('export'), { marks: await marks(...kept) })

/** Changes lines of the export, counted from 1. */
async function keep(of: (sequence: number) => boolean): Promise<void> {
  const lines = (await read('/audit_logs/export')).trimEnd().split('\n')
  await write('export', lines.filter((_, at) => of(at + 1)).join('\n'))
}

test('a complete export matches the saved checkpoints', async () => {
  expect(await verify()).toMatchObject({
    valid: true,
    to_sequence: 8,
    checkpoints: { count: 2, last_sequence: 6 },
  })
})

test('a truncated export is detected by a checkpoint of the missing tail only', async () => {
  await keep((sequence) => sequence <= 5)
  expect(await verifyExport(path('export'))).toEqual({
    valid: true,
    from_sequence: 1,
    to_sequence: 5,
    head_hash: expect.any(String),
    first_bad_sequence: null,
    checkpoints: { count: 0, last_sequence: null },
  })
  expect(await verify()).toMatchObject({ valid: false, to_sequence: 5, first_bad_sequence: 6 })
  await keep(() => false)
  expect(await verify()).toMatchObject({ valid: false, to_sequence: null, first_bad_sequence: 1 })
})

test('an export whose oldest records were pruned matches the remaining checkpoints', async () => {
  await keep((sequence) => sequence > 5)
  expect(await verify()).toMatchObject({ valid: true, from_sequence: 6 })
  await keep((sequence) => sequence > 6)
  expect(await verify()).toMatchObject({ valid: true, from_sequence: 7 })
})

test('an export of another organization does not match', async () => {
  acme = await world.organization()
  for (const name of ['A', 'B', 'C', 'D']) await rename(name)
  await keep(() => true)
  expect(await verify()).toMatchObject({ valid: false, to_sequence: 3, first_bad_sequence: 4 })
})

test('checkpoints and keys may be saved as answers or items, one per line, repeatedly', async () => {
  const { data } = JSON.parse(await read('/audit_logs/checkpoints'))
  const lines = [...data, { data }, ...data].map((value) => JSON.stringify(value))
  await write('lines', `${lines.join('\n')}\n`)
  const jwks = (await world.app.inject('/.well-known/jwks.json')).body
  await write('jwks lines', `${jwks}\n${jwks}\n`)
  expect(await verify('lines', 'jwks lines')).toMatchObject({
    valid: true,
    checkpoints: { count: 2 },
  })
})

test('a saved checkpoint that was changed, or contradicts another, matches nothing', async () => {
  const { data } = JSON.parse(await read('/audit_logs/checkpoints?sort=sequence'))
  const changed = [data[0], { ...data[1], head_hash: 'f'.repeat(64) }]
  await write('changed', JSON.stringify({ data: changed }))
  expect(await verify('changed')).toMatchObject({ valid: false, first_bad_sequence: 6 })
  await write('both', JSON.stringify([...changed, data[1]]))
  expect(await verify('both')).toMatchObject({ valid: false, first_bad_sequence: 6 })
})

test('files that prove nothing are refused by name', async () => {
  const other = (await world.organization()).owner
  await sign()
  const mixed = [
    await read('/audit_logs/checkpoints'),
    (await other.get('/audit_logs/checkpoints')).body,
  ]
  const files = {
    'no json': '{"data":[]}\n{"data',
    nothing: '',
    'an answer': '{"status":401,"code":"token_expired"}',
    mixed: mixed.join('\n'),
  }
  for (const [name, text] of Object.entries(files)) {
    await write(name, text)
    await expect(marks(name)).rejects.toThrow(InvalidCheckpoints)
    await expect(marks(name)).rejects.toThrow(path(name))
  }
  await write('no keys', '{"keys":[]}')
  await expect(marks('checkpoints', 'no keys')).rejects.toThrow(/has no key key_\w+, which signed/)
  const { keys } = (await world.app.inject('/.well-known/jwks.json')).json()
  await write('bad key', JSON.stringify([{ kid: keys[0].kid, kty: 'OKP' }]))
  await expect(marks('checkpoints', 'bad key')).rejects.toThrow('is damaged')
  await expect(marks('missing')).rejects.toThrow(`${path('missing')} cannot be read: ENOENT`)
})

test('the command needs no database, and says clearly what is missing', async () => {
  await keep((sequence) => sequence <= 5)
  const [first, , ...rest] = (await readFile(path('export'), 'utf8')).split('\n')
  await write('gaps', [first, ...rest].join('\n'))
  const env = { FLIGHTDECK_DATABASE_URL: 'postgres://unknown@127.0.0.1:1/none' }
  const audit = (...args: string[]) => run(dir, ['audit', 'verify', ...args], env)
  const [cut, without, swapped, missing, gaps, filtered, alone] = await Promise.all([
    audit('--file', 'export', '--checkpoints', 'checkpoints', '--jwks', 'jwks'),
    audit('--file', 'export', '--checkpoints', 'checkpoints'),
    audit('--file', 'export', '--checkpoints', 'jwks', '--jwks', 'checkpoints'),
    audit('--file', 'missing'),
    audit('--file', 'gaps'),
    audit('--file', 'gaps', '--filtered'),
    audit('--filtered'),
  ])
  expect(cut).toMatchObject({ code: 1, stderr: '' })
  expect(cut.stdout).toMatch(/^the file +BROKEN at 6 +1 to 5 +2, up to 6 /m)
  expect(gaps.stdout).toMatch(/^the file +BROKEN at 2 /m)
  expect(filtered).toMatchObject({ code: 0, stderr: '' })
  expect(filtered.stdout).toMatch(/^the file +valid +1 to 5 /m)
  expect(alone).toMatchObject({ code: 2, stderr: 'flightdeck: Give --file with --filtered.\n' })
  expect(without).toMatchObject({ code: 2, stdout: '' })
  expect(without.stderr).toBe('flightdeck: Give --checkpoints and --jwks together.\n')
  expect(swapped).toMatchObject({ code: 1, stdout: '' })
  expect(swapped.stderr).toBe(
    'flightdeck: jwks contains items that are not checkpoints (GET /audit_logs/checkpoints).\n',
  )
  expect(missing).toMatchObject({ code: 1, stdout: '' })
  expect(missing.stderr).toMatch(/^flightdeck: missing cannot be read: ENOENT: .+\n$/)
})
