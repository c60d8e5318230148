import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaignBody, made, profileOf } from '../../../server/test/support/cases/writes.ts'
import { openWorld, unlimited, type World } from '../../../server/test/support/world.ts'
import { run as command } from './in-process.ts'
import { opened } from './opened.ts'

let world: World
let url: string

beforeAll(async () => {
  world = await openWorld({ env: unlimited })
  url = await world.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => world.close())

const file = `
project: acme
clients: {on: {name: "1e3", metadata: {a: "null"}}}
profiles: {"2026-01-01": {client: on, currency: USD, notes: "a: b\\n# c"}}
templates: {base: {defaults: {profile: "2026-01-01", objective: sales, daily_budget: 20}}}
campaigns:
  "null":
    profile: "2026-01-01"
    objective: sales
    daily_budget: 33.5
    target: {metric: cpa, value: "20.10"}
    schedule: [{day: [mon, tue], start: "08:00", end: "20:00"}, {day: sun, start: "00:00", end: "24:00"}]
    end_at: 2099-12-24T18:00:00+01:00
    state: active
  from-template: {template: base, labels: [x, "yes"]}
`

test('a project that is exported plans to nothing, whatever its names are', async () => {
  const { with: at, run } = await opened(world, url)
  expect((await at(file, 'apply', '--yes')).stderr).toBe('')
  const exported = await command('export', 'acme')
  expect(exported.code).toBe(0)
  expect(exported.stdout).toContain(`
  "null":
    objective: sales
    daily_budget: 33.5
    end_at: "2099-12-24T17:00:00.000Z"
    schedule:
      - { day: [ mon, tue ], start: "08:00", end: "20:00" }
      - { day: sun, start: "00:00", end: "24:00" }
    target:
      metric: cpa
      value: 20.1
      window_days: 7
    profile: "2026-01-01"
    state: active
`)
  const plan = await at(exported.stdout, 'plan')
  expect([plan.code, plan.stderr]).toEqual([0, ''])
  expect((await run('plan')).stdout).toContain('nothing to change')
})

test('objects of no project are imported by id or filter, and adopted, never created', async () => {
  const { with: at, organization, all } = await opened(world, url)
  const profile = await profileOf(organization)
  const named = { ...campaignBody(profile), external_id: 'spring' }
  const ids = [
    await made(organization.owner, '/campaigns', named),
    await made(organization.owner, '/campaigns', campaignBody(profile)),
  ]
  const imported = await command('import', ...ids, profile, '--project', 'p')
  expect((await at(imported.stdout, 'apply', '--yes')).code).toBe(0)
  expect((await at(imported.stdout, 'plan')).code).toBe(0)
  const campaigns = Object.values(await all('campaigns'))
  expect(campaigns.map(({ labels }) => labels)).toEqual([['project:p'], ['project:p']])
  const filtered = await command('import', '--filter', 'status=draft', '--project', 'p')
  expect(filtered.stdout).toContain('  spring:\n')
  expect((await command('import', `cmp_${'0'.repeat(26)}`, '--project', 'p')).code).toBe(2)
  expect((await command('export', 'gone')).code).toBe(2)
  const strange = 'project: p\ncampaigns: {cmp_01m7yez275fk1a52pr5qevn8kn: {daily_budget: 1}}'
  const refused = await at(strange, 'plan')
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('is not there')])
})

/** Generated organizations; each is planned this often with changed files. */
const runs = Number(process.env.FLIGHTDECK_TEST_PROJECT_RUNS ?? 40)
const plansOfEach = Number(process.env.FLIGHTDECK_TEST_PROJECT_PLANS ?? 2)

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 24 })
  .filter((each) => /^\S.*\S$/u.test(each) && !/\p{Cc}/u.test(each))
const notes = fc.string({ unit: 'grapheme-ascii', maxLength: 60 })
const labels = fc.uniqueArray(text, { maxLength: 4 })
const metadata = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), text, { maxKeys: 3 })
const amount = fc.integer({ min: 100, max: 99_999 }).map((cents) => cents / 100)

const client = fc.record({ name: text, notes, labels, metadata }, { requiredKeys: ['name'] })
const profile = fc.record(
  { name: text, notes, labels, metadata, clientAt: fc.nat(5) },
  { requiredKeys: ['name', 'clientAt'] },
)
const template = fc.record(
  {
    name: text,
    description: notes,
    labels,
    defaults: fc.record({ daily_budget: amount, notes, labels }, { requiredKeys: [] }),
  },
  { requiredKeys: ['name', 'defaults'] },
)
const campaign = fc.record(
  {
    ...{ name: text, daily_budget: amount, notes, labels, metadata, profileAt: fc.nat(5) },
    schedule: fc
      .subarray(['mon', 'wed', 'sun'])
      .map((days) => days.map((day) => ({ day, start: '08:00', end: '20:15' }))),
    target: fc.record({ metric: fc.constantFrom('cpa', 'cpc'), value: amount }),
  },
  { requiredKeys: ['name', 'daily_budget', 'profileAt'] },
)
const organization = fc.record({
  clients: fc.array(client, { maxLength: 2 }),
  profiles: fc.array(profile, { minLength: 1, maxLength: 2 }),
  templates: fc.array(template, { maxLength: 2 }),
  campaigns: fc.array(campaign, { minLength: 1, maxLength: 4 }),
})
type Generated = typeof organization extends fc.Arbitrary<infer Of> ? Of : never

/** Changes of the text of an export, none of which may be written by a plan. */
const edit = fc.oneof(
  amount.map((to) => (file: string) => file.replaceAll(/daily_budget: .*/g, `daily_budget: ${to}`)),
  amount.map((to) => (file: string) => file.replace(/daily_budget: .*/, `daily_budget: ${to}`)),
  fc.constant((file: string) => file.replaceAll(/notes: .*/g, 'notes: changed')),
  amount.map(
    (to) => (file: string) =>
      `${file}\n  new: {profile: ${firstProfile(file)}, objective: sales, daily_budget: ${to}}\n`,
  ),
)
const firstProfile = (file: string) => /profile: (.*)/.exec(file)?.[1] ?? ''

const numbered = <Of extends { name: string }>(all: readonly Of[], name: string) =>
  all.map((each, at) => ({ ...each, name: `${at} ${each.name}`, external_id: `${name}-${at}` }))

type Owner = Awaited<ReturnType<typeof opened>>['organization']['owner']

/** Makes what was generated, as objects of the project; returns how many. */
async function make(owner: Owner, project: string, generated: Generated): Promise<number> {
  const ofProject = (each: { labels?: string[] }) => [...(each.labels ?? []), `project:${project}`]
  const all = async (path: string, bodies: readonly object[]) => {
    const ids: string[] = []
    for (const body of bodies) ids.push(await made(owner, path, body))
    return ids
  }
  const clients = numbered(generated.clients, 'client')
  const clientIds = await all(
    '/clients',
    clients.map((each) => ({ ...each, labels: ofProject(each) })),
  )
  const profiles = numbered(generated.profiles, 'profile')
  const profileIds = await all(
    '/profiles',
    profiles.map(({ clientAt, ...each }) => ({
      ...{ ...each, platform: 'google_ads', currency: 'USD', labels: ofProject(each) },
      client_id: clientIds[clientAt % Math.max(1, clientIds.length)] ?? null,
    })),
  )
  const templates = numbered(generated.templates, 'template')
  await all(
    '/templates',
    templates.map((each) => ({ ...each, labels: ofProject(each) })),
  )
  const campaigns = numbered(generated.campaigns, 'campaign')
  await all(
    '/campaigns',
    campaigns.map(({ profileAt, ...each }) => ({
      ...campaignBody(profileIds[profileAt % profileIds.length] ?? ''),
      ...{ ...each, labels: ofProject(each) },
    })),
  )
  return [clients, profiles, templates, campaigns].flat().length
}

test('generated organizations: a plan writes nothing, and what is exported plans to nothing', async () => {
  const edits = fc.array(edit, { minLength: plansOfEach, maxLength: plansOfEach })
  let count = 0
  await fc.assert(
    fc.asyncProperty(organization, edits, async (generated, edited) => {
      count += 1
      const { with: at, organization: of } = await opened(world, url)
      const project = `p${count}`
      const objects = await make(of.owner, project, generated)
      const events = async () =>
        (await of.owner.get('/events?limit=1&include_total=true')).json().meta.total
      const before = await events()
      const { stdout: exported } = await command('export', project)
      const plan = await at(exported, 'plan')
      expect([plan.code, plan.stdout, plan.stderr]).toEqual([
        0,
        expect.stringContaining(`${objects} as the files want`),
        '',
      ])
      for (const change of edited) {
        const { code, stderr } = await at(change(exported), 'plan')
        expect([code, stderr]).toEqual([expect.toBeOneOf([0, 3]), ''])
      }
      expect(await events()).toBe(before)
    }),
    { numRuns: runs },
  )
}, 6_000_000)
