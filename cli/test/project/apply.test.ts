import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorld, unlimited, type World } from '../../../server/test/support/world.ts'
import { project } from './acme.ts'
import { run as command } from './in-process.ts'
import { opened } from './opened.ts'

let world: World
let url: string

beforeAll(async () => {
  world = await openWorld({ env: unlimited })
  url = await world.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => world.close())

const unchanged =
  'Project acme-q1: nothing to change.\n5 as the files want them. None is left alone.\n'

test('files are applied once, and then there is nothing to change', async () => {
  const { with: at, run, all } = await opened(world, url)
  expect((await at(project, 'apply')).code).toBe(2)
  const applied = await run('apply', '--yes')
  expect([applied.code, applied.stderr]).toEqual([0, ''])
  expect(applied.stdout).toMatch(/\nApplied chs_\w{26}: 5 created, 1 started or stopped\.\n$/)
  const campaigns = await all('campaigns')
  expect(campaigns['spring-sale']).toMatchObject({
    status: 'active',
    labels: ['acme', 'project:acme-q1'],
    daily_budget: 33.51,
  })
  expect(campaigns.outlet).toMatchObject({ metadata: { crm_id: '4711' }, daily_budget: 20 })
  expect(await run('plan')).toEqual({ code: 0, stdout: unchanged, stderr: '' })
  expect((await run('apply', '--yes')).stdout).toBe(unchanged)
  expect((await run('drift')).stdout).toBe('Project acme-q1: no drift.\n')
})

test('only fields that are named are changed, and only what differs is sent', async () => {
  const { with: at, run, all, organization } = await opened(world, url)
  await at(project, 'apply', '--yes')
  const { outlet } = await all('campaigns')
  await organization.owner.patch(`/campaigns/${outlet?.id}`, { notes: 'by hand' })
  await organization.owner.patch(`/campaigns/${outlet?.id}`, {
    metadata: { ...(outlet?.metadata as object), other: 'x' },
  })
  expect((await run('plan')).code).toBe(0)
  const { stdout } = await at(
    project.replace('33.51', '40').replace('"4711"', '"4712"'),
    'apply',
    '--yes',
  )
  expect(stdout).toContain('daily_budget  33.51 → 40\n')
  expect(stdout).toContain('metadata.crm_id  4711 → 4712\n')
  expect(stdout).not.toContain('changed by')
  const after = await all('campaigns')
  expect(after.outlet).toMatchObject({ notes: 'by hand', metadata: { crm_id: '4712', other: 'x' } })
  expect((await run('plan')).code).toBe(0)
})

test('drift has its author, its time and its reason', async () => {
  const { with: at, run, all, organization } = await opened(world, url)
  await at(project, 'apply', '--yes')
  const { 'spring-sale': sale, outlet } = await all('campaigns')
  const editor = await organization.as('editor')
  await editor.patch(
    `/campaigns/${sale?.id}`,
    { daily_budget: 50 },
    { 'x-audit-reason': 'client asked' },
  )
  await editor.post(`/campaigns/${sale?.id}/pause`)
  await editor.patch(`/campaigns/${outlet?.id}`, { labels: [] })
  const { code, stdout } = await run('drift')
  expect(code).toBe(3)
  const { name } = (await editor.get('/auth/me')).json().user
  const by = new RegExp(`    changed by ${name}, \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC`)
  expect(stdout).toMatch(
    new RegExp(`daily_budget  50, in the files 33.51\n${by.source}, «client asked»`),
  )
  expect(stdout).toMatch(new RegExp(`state  paused, in the files active\n${by.source}\n`))
  expect(stdout).toMatch(new RegExp(`labels  none, in the files acme\n${by.source}\n`))
  const plan = await run('plan')
  expect(plan.stdout).toContain('«client asked»')
  expect(plan.stdout).toContain('→ resume')
  await run('apply', '--yes')
  expect((await run('drift')).code).toBe(0)
  expect((await all('campaigns'))['spring-sale']).toMatchObject({
    daily_budget: 33.51,
    status: 'active',
  })
})

test('a field that leaves the files is said once, and keeps its value', async () => {
  const { with: at, run, all } = await opened(world, url)
  await at(project, 'apply', '--yes')
  const without = project.replace('    daily_budget: 33.51\n', '')
  const plan = await at(without, 'plan')
  expect(plan.code).toBe(3)
  expect(plan.stdout).toContain('daily_budget  33.51, released: no file names it any more\n')
  await run('apply', '--yes')
  expect((await run('plan')).code).toBe(0)
  expect((await all('campaigns'))['spring-sale']).toMatchObject({ daily_budget: 33.51 })
})

test('what no file names is left alone, and ended only by --prune, which has to be allowed', async () => {
  const { with: at, run, all } = await opened(world, url)
  await at(project, 'apply', '--yes')
  const less = project.replace(/ {2}spring-sale:[\s\S]*active\n/, '')
  expect((await at(less, 'plan')).stdout).toContain('1 that no file names is left alone.\n')
  const plan = await run('plan', '--prune')
  expect(plan.stdout).toMatch(/- campaign spring-sale .*\n {4}→ pause, archive\n/)
  expect(plan.stdout).toContain('Applying needs --allow prune.\n')
  const refused = await run('apply', '--prune', '--yes')
  expect([refused.code, refused.stderr]).toEqual([2, 'flightdeck: It needs --allow prune.\n'])
  expect((await run('apply', '--prune', '--yes', '--allow', 'prune')).code).toBe(0)
  expect((await all('campaigns'))['spring-sale']).toMatchObject({ status: 'archived' })
  expect((await run('plan', '--prune')).code).toBe(0)
})

test('a plan is stored, and applied as it was shown, or not at all', async () => {
  const { with: at, run, all, organization, folder } = await opened(world, url)
  await at(project, 'apply', '--yes')
  const { 'spring-sale': sale } = await all('campaigns')
  const out = join(folder, 'plan.json')
  const raised = await at(project.replace('33.51', '40'), 'plan', '--out', out)
  expect(raised.code).toBe(3)
  const text = await readFile(out, 'utf8')
  expect(JSON.parse(text)).toMatchObject({
    project: 'acme-q1',
    service: url,
    versions: { [String(sale?.id)]: sale?.version },
  })
  expect(text).not.toContain('daily_budget')
  await organization.owner.patch(`/campaigns/${sale?.id}`, { notes: 'moved' })
  const stale = await command('apply', out, '--yes')
  expect([stale.code, stale.stderr]).toEqual([
    6,
    expect.stringContaining(`Moved: campaign ${sale?.id}`),
  ])
  await run('plan', '--out', out)
  expect((await command('apply', out, '--yes')).code).toBe(0)
  expect((await command('apply', out, '--yes')).code).toBe(0)
  expect((await all('campaigns'))['spring-sale']).toMatchObject({ daily_budget: 40 })
})

describe('where an approval is needed', () => {
  test('applying leaves the change set open, and goes on after the approval', async () => {
    const { with: at, run, all, as, organization } = await opened(world, url)
    await at(project, 'apply', '--yes')
    await organization.owner.put('/organization/guardrails', {
      change_sets: { approval: 'raises' },
    })
    const editor = await organization.as('editor')
    as(editor)
    const waits = await at(project.replace('33.51', '40'), 'apply', '--yes')
    expect(waits.code).toBe(5)
    expect(waits.stdout).toContain(
      'Needs an approval by owner or admin: it raises what a day costs.\n',
    )
    const [, id] =
      /(chs_\w{26}) waits for an approval .*\/console\/change-sets\/\1\n/.exec(waits.stderr) ?? []
    expect((await run('apply', '--yes')).stderr).toContain(String(id))
    await organization.owner.post(`/change_sets/${id}/approve`, { version: 1 })
    const applied = await run('apply', '--yes')
    expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining(`Applied ${id}`)])
    expect((await all('campaigns'))['spring-sale']).toMatchObject({ daily_budget: 40 })
  })

  test('a change set of another caller with the same reference is not taken up', async () => {
    const { with: at, run, as, organization, all } = await opened(world, url)
    await at(project, 'apply', '--yes')
    await organization.owner.put('/organization/guardrails', {
      change_sets: { approval: 'raises' },
    })
    as(await organization.as('editor'))
    const first = await at(project.replace('33.51', '40'), 'apply', '--yes')
    const [id] = /chs_\w{26}/.exec(first.stderr) ?? []
    const { source } = (await organization.owner.get(`/change_sets/${id}`)).json()
    const thief = await organization.as('editor')
    const { 'spring-sale': sale } = await all('campaigns')
    const operations = [{ op: 'update', id: sale?.id, body: { daily_budget: 400 } }]
    await thief.post('/change_sets', { title: 'Mine', source, operations })
    const again = await run('apply', '--yes')
    expect(/chs_\w{26}/.exec(again.stderr)?.[0]).toBe(id)
  })
})

test('a raise beyond the guardrails has to be allowed, with a reason', async () => {
  const { with: at, run, all, organization } = await opened(world, url)
  await at(project, 'apply', '--yes')
  await organization.owner.put('/organization/guardrails', { max_daily_budget: { USD: 35 } })
  const plan = await at(project.replace('33.51', '40'), 'plan')
  expect([plan.code, plan.stdout]).toEqual([3, expect.stringContaining('--allow guardrail')])
  expect((await run('apply', '--yes')).code).toBe(2)
  const applied = await run('apply', '--yes', '--allow', 'guardrail', '--reason', 'Black Friday')
  expect([applied.code, applied.stderr]).toEqual([0, ''])
  expect((await all('campaigns'))['spring-sale']).toMatchObject({ daily_budget: 40 })
})

test('a project is renamed with all that it has', async () => {
  const { with: at, run, all } = await opened(world, url)
  await at(project, 'apply', '--yes')
  const renamed = project.replace('acme-q1', 'acme-q2').replace(/ {2}outlet.*\n/, '')
  const plain = await at(renamed, 'plan')
  expect([plain.code, plain.stdout]).toEqual([
    1,
    expect.stringContaining('belongs to the project acme-q1'),
  ])
  expect((await run('apply', '--yes', '--rename-project', 'acme-q1')).code).toBe(0)
  const { outlet } = await all('campaigns')
  expect(outlet?.labels).toEqual(['acme', 'project:acme-q2'])
  expect((await run('plan')).stdout).toContain(
    '4 as the files want them. 1 that no file names is left',
  )
})

test('more than 1,000 changes are several change sets, in an order that saves first', async () => {
  const { with: at, run, all, organization } = await opened(world, url)
  const names = Array.from({ length: 1_200 }, (_, at) => `c${at}`)
  const file = (budget: number) => `
project: many
profiles: {meta: {currency: USD}}
campaigns:
${names.map((name) => `  ${name}: {profile: meta, objective: sales, daily_budget: ${budget}}`).join('\n')}
`
  const plan = await at(file(20), 'plan')
  expect(plan.stdout).toContain(
    'It takes 2 change sets: 1000, then 201 (tried once those before are applied).\n',
  )
  expect((await run('apply', '--yes')).code).toBe(0)
  expect(
    (await organization.owner.get('/campaigns?include_total=true&limit=1')).json().meta.total,
  ).toBe(1_200)
  expect((await run('plan')).code).toBe(0)
  const sets = Object.values(await all('change_sets'))
  expect(sets.map(({ status, operation_count }) => [status, operation_count])).toEqual([
    ['applied', 201],
    ['applied', 1_000],
  ])
  const refused = await at(file(21), 'apply', '--yes')
  expect([refused.code, refused.stderr]).toEqual([2, 'flightdeck: It needs --allow many.\n'])
}, 120_000)
