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

const runs = Number(process.env.FLIGHTDECK_TEST_PROJECT_RUNS ?? 40)

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 24 })
  .filter((each) => /^\S.*\S$/u.test(each) && !/\p{Cc}/u.test(each))
const amount = fc.integer({ min: 100, max: 99_999 }).map((cents) => cents / 100)
const campaign = fc.record(
  {
    name: text,
    daily_budget: amount,
    notes: fc.string({ unit: 'grapheme-ascii', maxLength: 60 }),
    labels: fc.uniqueArray(text, { maxLength: 4 }),
    metadata: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), text, { maxKeys: 3 }),
    schedule: fc
      .subarray(['mon', 'wed', 'sun'])
      .map((days) => days.map((day) => ({ day, start: '08:00', end: '20:15' }))),
    target: fc.record({ metric: fc.constantFrom('cpa', 'cpc'), value: amount }),
  },
  { requiredKeys: ['name', 'daily_budget'] },
)

test('generated projects: a plan writes nothing, and what is exported plans to nothing', async () => {
  const { with: at, organization } = await opened(world, url)
  const profile_id = await profileOf(organization)
  const events = async () =>
    (await organization.owner.get('/events?limit=1&include_total=true')).json().meta.total
  let count = 0
  await fc.assert(
    fc.asyncProperty(fc.array(campaign, { minLength: 1, maxLength: 4 }), async (campaigns) => {
      count += 1
      const project = `p${count}`
      for (const [index, each] of campaigns.entries()) {
        const labels = [...(each.labels ?? []), `project:${project}`]
        const body = {
          ...campaignBody(profile_id),
          ...each,
          labels,
          external_id: `${count} ${index}`,
        }
        const reply = await organization.owner.post('/campaigns', body)
        expect([reply.statusCode, reply.body]).toEqual([201, expect.anything()])
      }
      const before = await events()
      const exported = await command('export', project)
      const plan = await at(exported.stdout, 'plan')
      expect([plan.code, plan.stdout, plan.stderr]).toEqual([
        0,
        expect.stringContaining(`${campaigns.length} as the files want`),
        '',
      ])
      const changed = exported.stdout.replaceAll(/daily_budget: .*/g, 'daily_budget: 7.5')
      await at(
        `${changed}\n  new: {profile: ${profile_id}, objective: sales, daily_budget: 5}\n`,
        'plan',
      )
      expect(await events()).toBe(before)
    }),
    { numRuns: runs },
  )
}, 600_000)
