import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, unlimited, type World } from '../../server/test/support/world.ts'
import { triggers } from '../src/fixtures/known.ts'
import { terminalAt } from './flightdeck.ts'

let world: World
let url: string

beforeAll(async () => {
  world = await openWorld({ env: unlimited })
  url = await world.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => world.close())

async function opened({ sandbox = true } = {}) {
  const organization = await world.organization({ sandbox })
  const terminal = await terminalAt(url, { FLIGHTDECK_TOKEN: organization.owner.token ?? '' })
  const file = async (text: string) => {
    const path = join(terminal.directory, 'fixture.yaml')
    await writeFile(path, text)
    return path
  }
  const list = async (path: string) => (await organization.owner.get(path)).json().data
  return { ...terminal, organization, file, list }
}

test('each event that requests make is made by its trigger, twice too', async () => {
  const { run, list } = await opened()
  for (const type of Object.keys(triggers)) {
    const ended = await run(['trigger', type])
    expect([type, ended.code, ended.stderr]).toEqual([type, 0, ''])
    expect((await list(`/events?type=${type}`)).length, type).toBeGreaterThan(0)
  }
  expect((await run(['trigger', 'client.created'])).code).toBe(0)
}, 120_000)

test('an event that no request makes alone is refused, with the one that was meant', async () => {
  const { run } = await opened()
  const near = await run(['trigger', 'campaign.activate'])
  expect(near).toMatchObject({ code: 2, stderr: expect.stringContaining('campaign.activated?') })
  const far = await run(['trigger', 'pacing.stale'])
  expect(far).toMatchObject({ code: 2, stderr: expect.stringContaining('It takes campaign.') })
})

test('the requests of a file are sent in order, with what former ones answered', async () => {
  const { run, file, list } = await opened()
  const path = await file(`
steps:
  - {name: client, send: POST /clients, body: {name: "Acme \${run.id}"}}
  - {name: profile, send: POST /profiles, body: {name: Acme, client_id: "\${client.id}"}}
  - send: PATCH /profiles/\${profile.id}
    body: {notes: "of \${client.name}, version \${profile.version}"}
`)
  const ended = await run(['fixtures', 'run', path])
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(ended.stdout).toMatch(/^POST \/clients {2}cli_\w+\nPOST \/profiles {2}prf_\w+\nPATCH /)
  const [profile] = await list('/profiles')
  expect(profile.notes).toMatch(/^of Acme \w+, version 1$/)
})

test('with --json the answers are one value', async () => {
  const { run, file } = await opened()
  const path = await file('steps: [{send: POST /templates, body: {name: A}}]')
  const { stdout } = await run(['fixtures', 'run', path, '--json'])
  expect(JSON.parse(stdout)).toMatchObject([{ send: 'POST /templates', answer: { name: 'A' } }])
})

test('a step that is refused ends the run, which says how far it came', async () => {
  const { run, file, list } = await opened()
  const path = await file(
    'steps: [{send: POST /templates, body: {name: A}}, {send: POST /templates, body: {}}]',
  )
  const ended = await run(['fixtures', 'run', path])
  expect(ended.code).toBe(1)
  expect(ended.stderr).toContain('1 of 2 requests were done; POST /templates was not:')
  expect(await list('/templates')).toHaveLength(1)
})

test('faults of a file are shown all at once, before anything is sent', async () => {
  const { run, file, list } = await opened()
  const path = await file(`
steps:
  - {send: POST /templates, body: {name: A}}
  - {send: POST https://evil.example/, body: {name: "\${nothing.id}"}}
  - {name: Ä, send: GET /clients, more: 1}
`)
  const ended = await run(['fixtures', 'run', path])
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr.split('\n').filter(Boolean)).toHaveLength(4)
  expect(await list('/templates')).toEqual([])
})

test('outside of a sandbox nothing is sent', async () => {
  const { run, list } = await opened({ sandbox: false })
  const ended = await run(['trigger', 'template.created'])
  expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining('not_a_sandbox')])
  expect(await list('/templates')).toEqual([])
})
