import { stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignBody, made, profileOf } from '../../server/test/support/cases/writes.ts'
import { guard } from '../../server/test/support/clients/second-factor.ts'
import {
  openWorld,
  password,
  type TestOrganization,
  unlimited,
  type World,
} from '../../server/test/support/world.ts'
import { terminalAt } from './flightdeck.ts'

let world: World
let url: string

beforeAll(async () => {
  world = await openWorld({ env: unlimited })
  url = await world.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => world.close())

/** A terminal with the token of an owner, and some campaigns. */
async function opened(names: readonly string[] = []) {
  const organization = await world.organization()
  const profile_id = await profileOf(organization)
  const ids: string[] = []
  for (const [at, name] of names.entries()) {
    const body = { ...campaignBody(profile_id), name, external_id: `ext-${at}`, labels: ['spring'] }
    ids.push(await made(organization.owner, '/campaigns', body))
  }
  const terminal = await terminalAt(url, { FLIGHTDECK_TOKEN: organization.owner.token ?? '' })
  const get = async (id = '') => (await organization.owner.get(`/campaigns/${id}`)).json()
  return { organization, profile_id, ids, get, ...terminal }
}

const emailOf = ({ owner }: TestOrganization) => owner.email

describe('a login', () => {
  test('by a password on standard input is kept for its owner alone, and ended', async () => {
    const organization = await world.organization()
    const { run, directory } = await terminalAt(url)
    expect((await run(['campaigns', 'list'])).code).toBe(4)
    const words = ['login', '--email', emailOf(organization), '--password', '-']
    const wrong = await run(words, { input: 'wrong-password\n' })
    expect([wrong.code, wrong.stdout]).toEqual([4, ''])
    expect((await run(words, { input: `${password}\n` })).code).toBe(0)
    expect((await stat(join(directory, 'tokens.json'))).mode & 0o777).toBe(0o600)
    expect((await run(['whoami'])).stdout).toContain(emailOf(organization))
    expect((await run(['campaigns', 'list', '--json'])).code).toBe(0)
    expect((await run(['logout'])).code).toBe(0)
    expect((await run(['campaigns', 'list'])).code).toBe(4)
  })

  test('takes the code of a second factor', async () => {
    const { owner } = await world.organization()
    const { code } = await guard(world, owner)
    const { run } = await terminalAt(url)
    const words = ['login', '--email', owner.email, '--password', '-']
    const asked = await run(words, { input: `${password}\n` })
    expect(asked.stderr).toContain('There is no terminal to ask for: Code of your second factor')
    expect((await run([...words, '--otp', code()], { input: `${password}\n` })).code).toBe(0)
    expect((await run(['whoami'])).stdout).toContain(owner.email)
  })

  test('by a code waits for its confirmation in the console', async () => {
    const { owner } = await world.organization()
    const { begin, run } = await terminalAt(url)
    const waiting = begin(['login', '--web'])
    const shown = async () => /code ([A-Z]{4}-[A-Z]{4})/.exec(waiting.output.stderr)?.[1]
    await expect.poll(shown).toBeTruthy()
    expect(waiting.output.stderr).toContain(`Open ${url}/console/device\n`)
    const asked = (await owner.get(`/auth/login_code?code=${await shown()}`)).json()
    expect(asked.waiting.program).toMatch(/^flightdeck\/\d+\.\d+\.\d+ on \S+/)
    await owner.post('/auth/login_code/confirm', { code: await shown() })
    expect(await waiting.ended).toMatchObject({ code: 0, stdout: '' })
    expect((await run(['whoami'])).stdout).toContain(owner.email)
  })

  test('by a code that is refused fails', async () => {
    const { owner } = await world.organization()
    const { begin } = await terminalAt(url)
    const waiting = begin(['login', '--web'])
    const shown = async () => /code ([A-Z]{4}-[A-Z]{4})/.exec(waiting.output.stderr)?.[1]
    await expect.poll(shown).toBeTruthy()
    await owner.post('/auth/login_code/refuse', { code: await shown() })
    expect(await waiting.ended).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('refused in the console'),
    })
    const both = await begin(['login', '--web', '--email', 'a@example.com']).ended
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('leave the other') })
  })

  test('takes no secret as an argument', async () => {
    const { run } = await terminalAt(url)
    const refused = await run([
      'login',
      '--email',
      'a@example.com',
      '--password',
      'secret-in-sight',
    ])
    expect([refused.code, refused.stdout]).toEqual([2, ''])
    expect(refused.stderr).not.toContain('secret-in-sight')
  })

  test('at another service is not sent to this one', async () => {
    const organization = await world.organization()
    const { run } = await terminalAt(url)
    const input = `${password}\n`
    await run(['login', '--email', emailOf(organization), '--password', '-'], { input })
    const other = await run(['--url', url.replace('127.0.0.1', 'localhost'), 'whoami'])
    expect(other.code).toBe(4)
  })
})

describe('a list', () => {
  const names = ['Spring sale', 'Summer sale', '=1+1, "x"']

  test('comes as lines, as JSON, as JSON lines and as CSV, and nothing else on standard output', async () => {
    const { run, organization, ids } = await opened(names)
    const api = (await organization.owner.get('/campaigns?limit=2')).json()
    expect(JSON.parse((await run(['campaigns', 'list', '--limit', '2', '--json'])).stdout)).toEqual(
      api,
    )
    const lines = await run(['campaigns', 'list', '--limit', '2'])
    expect(lines.stdout.split('\n').map((line) => line.split('\t')[0])).toEqual([
      ids[2],
      ids[1],
      '',
    ])
    expect(lines.stderr).toBe('2 of 3; --all shows them all.\n')
    const limited = await run(['campaigns', 'list', '--limit', '2', '--jsonl'])
    expect(limited.stdout.trim().split('\n')).toHaveLength(2)
    const words = ['campaigns', 'list', '--limit', '2', '--all', '--jsonl', '--fields', 'name']
    const all = await run(words)
    const rows = all.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(rows.map(({ name }) => name)).toEqual([...names].reverse().map((name) => name.trim()))
    const csv = await run(['campaigns', 'list', '--csv', '--fields', 'name,labels'])
    expect(csv.stdout.split('\n')[0]).toBe('id,name,labels')
    expect(csv.stdout).toContain(`"'=1+1, ""x""`)
    const empty = await run(['campaigns', 'list', '--status', 'archived'])
    expect([empty.code, empty.stdout]).toEqual([0, ''])
  })

  test('with a faulty filter is refused with the place of each fault', async () => {
    const { run } = await opened()
    const refused = await run(['campaigns', 'list', '--sort', 'nonsense', '--json'])
    expect([refused.code, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr.match(/is not an allowed value/g)).toHaveLength(1)
    expect(refused.stderr).toContain('sort: is not an allowed value')
    expect(refused.stderr).toContain('flightdeck explain invalid_parameter')
  })
})

describe('an expression of jq', () => {
  test('prints what it makes of an answer, strings as they are', async () => {
    const { run, ids } = await opened(['Spring sale', 'Summer sale'])
    const of = async (expression: string, ...more: readonly string[]) =>
      (await run(['campaigns', 'list', ...more, '--jq', expression])).stdout
    expect(await of('.data[].name')).toBe('Summer sale\nSpring sale\n')
    expect(await of('.data|map({id})', '--limit', '1')).toBe(`[{"id":"${ids[1]}"}]\n`)
    expect(await of('.data|length', '--limit', '1', '--all', '--json')).toBe('2\n')
    expect(await of('.data[]|select(.name=="none")')).toBe('')
    const one = await run(['campaigns', 'get', ids[0] ?? '', '--jq', '.name,.labels'])
    expect(one.stdout).toBe('Spring sale\n["spring"]\n')
    const api = await run(['api', 'GET', '/campaigns', '--paginate', '--jq', '.data[0].id'])
    expect(api.stdout).toBe(`${ids[1]}\n`)
    const many = ['campaigns', 'archive', '--filter', 'label=spring', '--yes']
    const archived = await run([...many, '--jq', '.results|map(.status)|unique'])
    expect(archived.stdout).toBe('["archived"]\n')
  })

  test('with a fault is refused before a request, and prints nothing where it fails', async () => {
    const { run } = await opened(['Spring sale'])
    const faulty = await run(['profiles', 'create', '--name', 'x', '--jq', '.data['])
    expect([faulty.code, faulty.stdout]).toEqual([2, ''])
    expect(faulty.stderr).toContain("--jq '.data['")
    expect((await run(['profiles', 'list', '--q', 'x', '--jq', '.data'])).stdout).toBe('[]\n')
    const failed = await run(['campaigns', 'list', '--jq', '.data[0].name,.data.name'])
    expect([failed.code, failed.stdout]).toEqual([1, ''])
    const both = await run(['campaigns', 'list', '--jq', '.', '--csv'])
    expect([both.code, both.stdout]).toEqual([2, ''])
  })
})

describe('a file', () => {
  test('is printed as it is', async () => {
    const { run, organization } = await opened(['Spring sale'])
    for (const [words, path] of [
      [['campaigns', 'export'], '/campaigns/export'],
      [['campaigns', 'export', '--format', 'csv'], '/campaigns/export?format=csv'],
    ] as const) {
      const exported = await run(words)
      expect([exported.code, exported.stderr]).toEqual([0, ''])
      expect(exported.stdout).toBe((await organization.owner.get(path)).body)
    }
  })
})

describe('objects', () => {
  test('are meant by id, external id, name, or ids on standard input', async () => {
    const { run, ids, get } = await opened(['Spring sale', 'Summer sale', 'summer SALE'])
    const idIn = ({ stdout }: { stdout: string }) => JSON.parse(stdout).id
    for (const target of [ids[0] ?? '', 'ext:ext-0', 'name:spring SALE']) {
      expect(idIn(await run(['campaigns', 'get', target, '--json']))).toBe(ids[0])
    }
    // Its very letters go before the same in another case.
    expect(idIn(await run(['campaigns', 'get', 'name:Summer sale', '--json']))).toBe(ids[1])
    for (const target of ['name:sUmmer sale', 'name:Winter', 'ext:none', '..', '']) {
      expect((await run(['campaigns', 'get', target])).code).toBe(2)
    }
    const input = `${ids[0]}\n${ids[1]}\n`
    expect((await run(['campaigns', 'delete', '-', '--yes'], { input })).code).toBe(0)
    expect((await get(ids[0])).code).toBe('not_found')
    expect((await get(ids[2])).name).toBe('summer SALE')
  })

  test('are meant so by flags and filters too', async () => {
    const { run, organization, profile_id } = await opened()
    const { name } = (await organization.owner.get(`/profiles/${profile_id}`)).json()
    await organization.owner.patch(`/profiles/${profile_id}`, { external_id: 'acme' })
    const words = ['campaigns', 'create', '--name', 'A', '--objective', 'sales']
    const money = ['--daily-budget', '5', '--jq', '.profile_id']
    for (const target of [`name:${name}`, 'ext:acme']) {
      const created = await run([...words, '--profile-id', target, ...money])
      expect([created.code, created.stdout]).toEqual([0, `${profile_id}\n`])
      const listed = await run([
        'campaigns',
        'list',
        '--profile-id',
        target,
        '--jq',
        '.data|length',
      ])
      expect(listed.stdout).not.toBe('0\n')
    }
    const none = await run([...words, '--profile-id', 'name:none', ...money])
    expect([none.code, none.stderr]).toEqual([2, 'flightdeck: Nothing has the name "none".\n'])
    const many = ['campaigns', 'delete', '--filter', 'profile_id=ext:acme', '--yes']
    expect((await run([...many, '--jq', '.results|length'])).stdout).toBe('2\n')
  })
})

describe('a change', () => {
  test('names fields by flags, over --data, and nothing is sent that is not named', async () => {
    const { run, profile_id, get } = await opened()
    const data = { name: 'A', objective: 'sales', profile_id, daily_budget: 5, notes: 'kept' }
    const words = ['campaigns', 'create', '--data', '-', '--name', 'B', '--daily-budget', '33.51']
    const { stdout } = await run([...words, '--label', 'x', '--label', 'y', '--json'], {
      input: JSON.stringify(data),
    })
    const { id } = JSON.parse(stdout)
    expect(await get(id)).toMatchObject({
      ...{ name: 'B', daily_budget: 33.51, notes: 'kept', labels: ['x', 'y'] },
    })
    await run([
      'campaigns',
      'update',
      id,
      '--clear',
      'notes',
      '--remove-label',
      'x',
      '--add-label',
      'z',
    ])
    expect(await get(id)).toMatchObject({ name: 'B', notes: null, labels: ['y', 'z'], version: 2 })
  })

  test('that spends more asks first, and needs --yes where there is no terminal', async () => {
    const { run, ids, get } = await opened(['Spring sale'])
    const [id = ''] = ids
    const { daily_budget: before } = await get(id)
    for (const words of [
      ['campaigns', 'launch', id],
      ['campaigns', 'delete', id],
      ['campaigns', 'update', id, '--daily-budget', '+10%'],
      ['campaigns', 'update', id, '--clear', 'daily-budget', '--lifetime-budget', '1000000'],
    ]) {
      const asked = await run(words)
      expect([asked.code, asked.stdout]).toEqual([2, ''])
    }
    expect(await get(id)).toMatchObject({ status: 'draft', daily_budget: before, version: 1 })
    expect((await run(['campaigns', 'update', id, '--daily-budget', '-10%'])).code).toBe(0)
    const words = ['--name', 'Save 10%', '--daily-budget', '+10%', '--yes']
    const raised = await run(['campaigns', 'update', id, ...words])
    expect((await get(id)).name).toBe('Save 10%')
    expect(raised.stderr).toMatch(/^daily_budget: [\d.]+ becomes [\d.]+\n$/)
    expect((await run(['campaigns', 'launch', id, '--yes'])).code).toBe(0)
    expect((await get(id)).status).toBe('active')
  })

  test('is judged by the version that it is sent for', async () => {
    const { run, ids, organization } = await opened(['Spring sale'])
    const [id = ''] = ids
    const lowered = ['campaigns', 'update', id, '--daily-budget', '1']
    const seen: (string | undefined)[] = []
    world.app.server.on('request', note)
    expect((await run(lowered)).code).toBe(0)
    world.app.server.off('request', note)
    expect(seen).toEqual(['GET', 'PATCH "1"'])
    expect((await organization.owner.get(`/campaigns/${id}`)).json().version).toBe(2)

    function note({ method, url, headers }: IncomingMessage) {
      const version = headers['if-match']
      if (url?.includes(id)) seen.push([method, version].filter(Boolean).join(' '))
    }
  })

  test('of several says at which it stopped, and how many are done', async () => {
    const { run, ids, get } = await opened(['Spring sale', 'Summer sale'])
    const missing = 'cmp_01m7yez275fk1a52pr5qevn8kn'
    const input = `${ids[0]}\n${missing}\n${ids[1]}\n`
    const stopped = await run(['campaigns', 'delete', '-', '--yes'], { input })
    expect(stopped.code).toBe(1)
    expect(stopped.stderr).toContain(`Stopped at ${missing}: 1 of 3 done.`)
    expect((await get(ids[1])).name).toBe('Summer sale')
  })

  test('is tried out', async () => {
    const { run, ids, get } = await opened(['Spring sale'])
    const [id = ''] = ids
    const tried = await run(['campaigns', 'launch', id, '--dry-run', '--json'])
    expect(JSON.parse(tried.stdout).status).toBe('active')
    expect((await get(id)).status).toBe('draft')
  })

  test('has its reason and its key', async () => {
    const { run, ids, organization } = await opened(['Spring sale'])
    const [id = ''] = ids
    const words = ['campaigns', 'update', id, '--name', 'B', '--reason', 'Renamed by the client']
    for (let time = 0; time < 2; time += 1) {
      expect((await run([...words, '--idempotency-key', 'once', '--if-match', '1'])).code).toBe(0)
    }
    const { data } = (await organization.owner.get(`/audit_logs?resource_id=${id}`)).json()
    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      'campaign.updated',
      'campaign.created',
    ])
    expect(data[0].reason).toBe('Renamed by the client')
  })
})

describe('a change of all that meet a filter', () => {
  const names = ['Spring sale', 'Summer sale', 'Autumn sale']
  const daily = (organization: TestOrganization, id: string, daily_budget: number) =>
    organization.owner.patch(`/campaigns/${id}`, { daily_budget })

  async function launched() {
    const all = await opened(names)
    for (const id of all.ids) await daily(all.organization, id, 40)
    const [first = '', second = ''] = all.ids
    for (const id of [first, second]) await all.organization.owner.post(`/campaigns/${id}/launch`)
    return all
  }
  const statuses = async ({ ids, get }: Awaited<ReturnType<typeof opened>>) =>
    Promise.all(ids.map(async (id) => (await get(id)).status))

  test('says how many and what a day costs less, and asks', async () => {
    const all = await launched()
    const words = ['campaigns', 'pause', '--filter', 'label=spring', '--filter', 'status=active']
    const asked = await all.run(words)
    expect([asked.code, asked.stdout]).toEqual([2, ''])
    expect(asked.stderr).toContain('pause: 2 campaigns; a day costs 80.00 USD less.')
    expect(await statuses(all)).toEqual(['active', 'active', 'draft'])
    const done = await all.run([...words, '--yes', '--reason', 'Sold out', '--json'])
    expect([done.code, done.stderr]).toEqual([0, ''])
    expect(JSON.parse(done.stdout).results).toHaveLength(2)
    expect(await statuses(all)).toEqual(['paused', 'paused', 'draft'])
    const { status_change } = await all.get(all.ids[0])
    expect(status_change.reason).toBe('Sold out')
  })

  test('changes the others where some are refused, and says which', async () => {
    const all = await launched()
    const words = ['campaigns', 'pause', '--filter', 'label=spring', '--yes']
    const tried = await all.run([...words, '--dry-run'])
    expect([tried.code, tried.stderr]).toEqual([1, '2 of 3 would be done.\n'])
    const some = await all.run(words)
    expect(some.code).toBe(1)
    expect(some.stderr).toBe('2 of 3 done.\n')
    const [line] = some.stdout.split('\n').filter((each) => each.startsWith(all.ids[2] ?? ''))
    expect(line).toContain('invalid_state_transition')
    expect(await statuses(all)).toEqual(['paused', 'paused', 'draft'])
  })

  test('takes a percentage of what each has, and is tried out', async () => {
    const all = await launched()
    await daily(all.organization, all.ids[1] ?? '', 10)
    const words = ['campaigns', 'update', '--filter', 'q=sale', '--daily-budget', '+10%']
    const tried = await all.run([...words, '--dry-run'])
    expect(tried.code).toBe(0)
    expect((await all.get(all.ids[0])).daily_budget).toBe(40)
    const asked = await all.run(words)
    expect(asked.stderr).toContain('update: 3 campaigns; a day costs 5.00 USD more.')
    expect((await all.run([...words, '--yes'])).code).toBe(0)
    expect((await all.get(all.ids[0])).daily_budget).toBe(44)
    expect((await all.get(all.ids[1])).daily_budget).toBe(11)
  })

  test('of other resources goes one by one', async () => {
    const { run, organization } = await opened()
    const deleted = ['One', 'Two']
    for (const name of deleted)
      await made(organization.owner, '/clients', { name, labels: ['old'] })
    const words = ['clients', 'delete', '--filter', 'label=old']
    const asked = await run(words)
    expect(asked.stderr).toContain('delete: 2 clients.')
    expect((await run([...words, '--yes'])).code).toBe(0)
    expect((await organization.owner.get('/clients?label=old')).json().data).toEqual([])
  })

  test('is refused without a filter that the list has, or beside an id', async () => {
    const { run, ids } = await opened(['Spring sale'])
    const codeOf = async (...words: string[]) => (await run(['campaigns', 'pause', ...words])).code
    expect(await codeOf()).toBe(2)
    expect(await codeOf('--filter', 'lable=spring', '--yes')).toBe(2)
    expect(await codeOf('--filter', 'limit=1', '--yes')).toBe(2)
    expect(await codeOf('--filter', 'status', '--yes')).toBe(2)
    expect(await codeOf(ids[0] ?? '', '--filter', 'status=draft', '--yes')).toBe(2)
    expect(await codeOf('--filter', 'status=draft', '--if-match', '1', '--yes')).toBe(2)
    expect(await codeOf('--filter', 'status=archived', '--yes')).toBe(0)
  })
})

describe('a command that waits', () => {
  async function proposed(fields: object = {}) {
    const all = await opened(['Spring sale'])
    const operations = [{ op: 'update', id: all.ids[0], body: { notes: 'Agreed' } }]
    const set = await made(all.organization.owner, '/change_sets', {
      ...{ title: 'Notes', operations },
      ...fields,
    })
    return { ...all, set }
  }

  test('ends with what it waited for', async () => {
    const { run, set } = await proposed()
    const words = ['change-sets', 'apply', set, '--wait', '--yes', '--json']
    const applied = await run(words)
    expect([applied.code, JSON.parse(applied.stdout).status]).toEqual([0, 'applied'])
  })

  test('sees what another does meanwhile, and fails where that is its end', async () => {
    const { run, set, organization } = await proposed()
    const waiting = run(['change-sets', 'get', set, '--wait', '60'])
    expect((await organization.owner.post(`/change_sets/${set}/cancel`)).statusCode).toBe(200)
    const { code, stdout } = await waiting
    expect([code, stdout]).toEqual([1, expect.stringContaining('cancelled')])
  })

  test('ends when the time is over, and takes no other time', async () => {
    const { run, set } = await proposed()
    const over = await run(['change-sets', 'get', set, '--wait', '1'])
    expect([over.code, over.stderr]).toEqual([7, 'After 1 s it is still open.\n'])
    expect((await run(['change-sets', 'get', set, '--wait', 'long'])).code).toBe(2)
    expect((await run(['change-sets', 'apply', set, '--wait', '0', '--yes'])).code).toBe(2)
    expect((await run(['change-sets', 'get', set, '--json'])).stdout).toContain('"open"')
  })
})

test('the clock of a sandbox moves on, and no other', async () => {
  const organization = await world.organization({ sandbox: true })
  const { run } = await terminalAt(url, { FLIGHTDECK_TOKEN: organization.owner.token ?? '' })
  const before = (await organization.owner.get('/sandbox')).json()
  expect((await run(['sandbox', 'advance', '7d', '--json'])).code).toBe(0)
  const after = (await organization.owner.get('/sandbox')).json()
  const moved = Date.parse(after.now) - Date.parse(before.now)
  expect(Math.round(moved / 86_400_000)).toBe(7)
  for (const time of ['7', 'd', '0d', '-1d', '7y']) {
    expect((await run(['sandbox', 'advance', time])).code).toBe(2)
  }
  const { run: outside } = await opened()
  expect((await outside(['sandbox', 'advance', '7d'])).code).not.toBe(0)
})

describe('the exit code', () => {
  test('says what kind of refusal it was', async () => {
    const { run, ids, organization } = await opened(['Spring sale'])
    const [id = ''] = ids
    const codeOf = async (...words: string[]) => (await run(words)).code
    expect(await codeOf('campaigns', 'get', 'cmp_01m7yez275fk1a52pr5qevn8kn')).toBe(1)
    expect(await codeOf('campaigns', 'create', '--daily-budget', 'much')).toBe(2)
    expect(await codeOf('campaigns', 'create', '--data', '{')).toBe(2)
    expect(await codeOf('campaigns', 'create', '--name', 'A', '--daily-budget', '+10%')).toBe(2)
    expect(await codeOf('campaigns', 'update', '-', '--data', '-')).toBe(2)
    expect(await codeOf('members', 'create', '--email', 'a@example.com')).toBe(2)
    expect(await codeOf('nonsense')).toBe(2)
    expect(await codeOf('campaigns', 'update', id, '--name', 'B', '--if-match', '7')).toBe(6)
    expect(await codeOf('--url', 'http://127.0.0.1:1', 'campaigns', 'list')).toBe(7)
    const viewer = await organization.as('viewer')
    const env = { FLIGHTDECK_TOKEN: viewer.token ?? '' }
    expect((await run(['campaigns', 'update', id, '--name', 'B'], { env })).code).toBe(4)
    await organization.owner.put('/organization/guardrails', { approval: { always: true } })
  })
})

describe('by hand', () => {
  test('any request, all pages of it', async () => {
    const { run, ids } = await opened(['A', 'B', 'C'])
    const words = [
      'api',
      'get',
      '/campaigns',
      '--query',
      'limit=1',
      '--query',
      'sort=created_at',
      '--paginate',
    ]
    const { data } = JSON.parse((await run(words)).stdout)
    expect(data.map(({ id }: { id: string }) => id)).toEqual(ids)
  })

  test('an error code is explained, an object has its address, and the doctor finds all well', async () => {
    const { run, ids } = await opened(['A'])
    expect((await run(['explain', 'launch_blocked'])).stdout).toContain('What to do: ')
    expect((await run(['open', ids[0] ?? ''])).stdout).toBe(`${url}/console/campaigns/${ids[0]}\n`)
    expect((await run(['open', '../x'])).code).toBe(2)
    const examined = await run(['doctor'])
    expect([examined.code, examined.stdout]).toEqual([
      0,
      expect.stringMatching(/^Login +by FLIGHTDECK_TOKEN$/m),
    ])
    const away = await run(['--url', 'http://127.0.0.1:1', 'doctor'])
    expect(away.code).toBe(7)
  })

  test('contexts name services', async () => {
    const { run } = await terminalAt('', {})
    const env = { FLIGHTDECK_URL: '' }
    expect((await run(['context', 'add', 'here', `${url}/api/v1/`], { env })).code).toBe(0)
    expect((await run(['context', 'add', 'here', url], { env })).code).toBe(2)
    expect((await run(['context', 'list'], { env })).stdout).toBe(`* here\t${url}\n`)
    expect((await run(['doctor'], { env })).stdout).toContain(`${url} (context here)`)
    expect((await run(['--context', 'there', 'whoami'], { env })).code).toBe(2)
    expect((await run(['context', 'delete', 'here'], { env })).code).toBe(0)
    expect((await run(['context', 'list'], { env })).stdout).toBe('')
  })

  test('events are printed as they happen, until Ctrl-C', async () => {
    const { begin, organization } = await opened()
    const { output, ended, signal } = begin(['events', 'stream', '--json'])
    await expect
      .poll(async () => {
        await organization.owner.post('/templates', { name: `Streamed ${crypto.randomUUID()}` })
        return output.stdout
      })
      .toContain('template.created')
    signal('SIGINT')
    expect((await ended).code).toBe(0)
    const [line = ''] = output.stdout.split('\n')
    expect(JSON.parse(line)).toMatchObject({
      type: 'template.created',
      timestamp: expect.any(String),
    })
  })

  test('words are completed: commands, flags, values, ids and names', async () => {
    const { run, ids } = await opened(['Spring sale'])
    const linesOf = async (...words: string[]) =>
      (await run(['__complete', '--', ...words])).stdout.split('\n').filter(Boolean)
    expect(await linesOf('camp')).toEqual(['campaigns'])
    expect(await linesOf('campaigns', 'la')).toEqual(['launch'])
    expect(await linesOf('campaigns', 'launch', '--dr')).toEqual(['--dry-run'])
    expect(await linesOf('campaigns', 'list', '--status', 'a')).toEqual(['active', 'archived'])
    expect(await linesOf('campaigns', 'get', 'cmp')).toEqual(ids)
    expect(await linesOf('campaigns', 'get', 'name:S')).toEqual(['name:Spring sale'])
    for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
      expect((await run(['completion', shell])).stdout).toContain('flightdeck __complete')
    }
  })
})
