import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith, run } from './in-process.ts'

const good = `
project: acme-q1
defaults: {currency: USD, time_zone: Europe/Berlin, labels: [acme]}
profiles:
  acme-meta: {name: Acme on Meta, platform: meta, daily_budget_cap: 500, currency: USD}
campaigns:
  spring-sale:
    profile: acme-meta
    objective: sales
    daily_budget: 33.51
    schedule: [{day: [mon, tue, wed, thu, fri], start: "08:00", end: "20:00"}]
    state: active
`

/** What is wrong in one file, without its path. */
async function faultsIn(text: string): Promise<string[]> {
  const folder = await folderWith({ 'flightdeck.yaml': text })
  const { code, stdout, stderr } = await run('validate', folder)
  expect([code, stdout]).toEqual([2, ''])
  const path = `flightdeck: ${folder}/flightdeck.yaml:`
  return stderr
    .split('\n')
    .slice(0, -1)
    .map((line) => line.replace(path, ''))
}

test('files without faults are counted', async () => {
  const folder = await folderWith({ 'flightdeck.yaml': good })
  expect(await run('validate', folder)).toEqual({
    code: 0,
    stdout: 'Project acme-q1: 1 profile, 1 campaign. No faults.\n',
    stderr: '',
  })
})

test('every fault is said at once, with its place and the nearest known name', async () => {
  const text = `project: acme-q1
defaults: {currency: usd}
profiles:
  acme-meta: {platform: metta, account_ref: 4711}
  other:
    <<: {name: x}
campaigns:
  spring-sale:
    dayly_budget: 33.51
    schedule: [{day: [mon, fry], start: "08:10", end: "20:00"}]
    state: actve
    daily_budget: [1]
    lifetime_budget: 12345678901234567890
    metadata: {project.x: a}
    start_at: 2026-12-01
    labels: ["project:x", a, a]
  spring-sale: {}
`
  expect(await faultsIn(text)).toEqual([
    '2:22 currency: "usd" does not have the form of it, such as USD',
    '4:25 platform: "metta" is not one of google_ads, meta, tiktok, linkedin, amazon_ads, microsoft_ads, pinterest, snapchat, reddit, x, sim, other; do you mean meta?',
    '4:45 account_ref: must be text or null: put it in quotes',
    '6:5 merge keys (<<) are not read: write fields out',
    '9:5 "dayly_budget" is no field here; do you mean daily_budget?',
    '10:28 day: "fry" is not one of mon, tue, wed, thu, fri, sat, sun; do you mean fri?',
    '10:41 start: "08:10" does not have the form of it, such as 09:00',
    '11:12 state: "actve" is not one of draft, active, paused, completed, archived; do you mean active?',
    '12:19 daily_budget: must be a number or text',
    '13:22 12345678901234567890 is no exact number: write it as text, in quotes',
    '14:16 metadata: "project.x" does not have the form of it: Up to 40 of A–Z a–z 0–9 _ . -, not beginning with `project.`.',
    '15:15 start_at: "2026-12-01" is no time such as 2026-12-24T18:00:00Z',
    '16:13 labels: has "a" twice',
    '16:14 labels: "project:x" does not have the form of it: Labels that begin with `project:` are those of projects.',
    '17:3 spring-sale stands here twice',
  ])
})

test('what fields mean is checked once they have their form', async () => {
  const text = `project: acme-q1
defaults: {time_zone: Europe/Berln}
profiles:
  acme-meta: {client: cli_01m7yez275fk1a52pr5qevn8kn, proxy: nowhere}
campaigns:
  prf_01m7yez275fk1a52pr5qevn8kn: {}
  " padded": {profile: acme-mta}
`
  expect(await faultsIn(text)).toEqual([
    '2:23 "Europe/Berln" is no time zone; do you mean Europe/Berlin?',
    '4:62 "nowhere" is no proxy of the project, nor the id of one (prx_…)',
    '6:3 prf_01m7yez275fk1a52pr5qevn8kn is an id: give it a name of your own',
    '7:3 a name has no spaces around it, and no controls in it',
    '7:24 "acme-mta" is no profile of the project, nor the id of one (prf_…); do you mean acme-meta?',
  ])
})

describe('YAML', () => {
  test('that breaks off is said with its place', async () => {
    const [fault] = await faultsIn('project: acme\ncampaigns: {a: [1\n')
    expect(fault).toMatch(/^\d+:\d+ /)
  })

  test('of several documents, or with tags of its own, is refused', async () => {
    expect(await faultsIn('project: a\n---\nproject: b\n')).toEqual(['2:1 one document a file'])
    expect((await faultsIn('project: !secret a\n'))[0]).toContain('1:10 Unresolved tag: !secret')
  })

  test('may use aliases, but not to explode', async () => {
    const schedule = 'schedule: &days [{day: mon, start: "08:00", end: "20:00"}]'
    const aliases = `project: a\ncampaigns:\n  one: {${schedule}}\n  two: {schedule: *days}\n`
    const folder = await folderWith({ 'flightdeck.yaml': aliases })
    expect((await run('validate', folder)).code).toBe(0)
    const rows = Array.from({ length: 12 }, (_, at) => {
      const former = at === 0 ? '1' : `*a${at - 1}`
      return `  - &a${at} [${Array(10).fill(former).join(', ')}]`
    })
    const bomb = await faultsIn(`project: a\ncampaigns:\n${rows.join('\n')}\n`)
    expect(bomb.join('\n')).toContain('the file has too many values')
    const circle = await faultsIn('project: a\ncampaigns: &all {one: *all}\n')
    expect(circle.join('\n')).toContain('is nested too deeply')
  })

  test('reads `on`, numbers and dates as names, and __proto__ as one that is not known', async () => {
    const text = 'project: a\ncampaigns: {on: {}, 2026: {}, 1e3: {}, null: {}, 2026-01-01: }\n'
    const folder = await folderWith({ 'flightdeck.yaml': text })
    expect((await run('validate', folder)).stdout).toContain('5 campaigns')
    expect(await faultsIn('project: a\n__proto__: {}\n')).toEqual([
      '2:1 "__proto__" is no field here',
    ])
  })
})

describe('several files', () => {
  test('are one project, found below a folder; JSON is read too', async () => {
    const folder = await folderWith({
      'flightdeck.yaml': good,
      'clients/acme.flightdeck.json': '{"clients": {"acme": {"notes": "a\\ud83d\\ude00"}}}',
      'node_modules/x/flightdeck.yaml': 'project: other',
      'values.yaml': 'no: project',
    })
    const { code, stdout } = await run('validate', folder)
    expect([code, stdout]).toEqual([
      0,
      'Project acme-q1: 1 client, 1 profile, 1 campaign. No faults.\n',
    ])
  })

  test('of two projects, or with an object in both, are refused', async () => {
    const folder = await folderWith({
      'a.flightdeck.yaml': good,
      'b.flightdeck.yaml': 'project: other\ndefaults: {currency: EUR}\ncampaigns: {spring-sale: }',
    })
    const { code, stderr } = await run('validate', folder)
    expect(code).toBe(2)
    expect(stderr.replaceAll(`${folder}/`, '')).toBe(`\
flightdeck: b.flightdeck.yaml:1:1 the project is acme-q1 in a.flightdeck.yaml, and other here
flightdeck: b.flightdeck.yaml:2:12 currency stands at a.flightdeck.yaml:3 already
flightdeck: b.flightdeck.yaml:3:13 spring-sale stands at a.flightdeck.yaml:7 already
`)
  })

  test('that are not there are said', async () => {
    const folder = await folderWith({})
    expect((await run('validate', folder)).stderr).toContain('No flightdeck.yaml')
    expect((await run('validate', `${folder}/gone.yaml`)).code).toBe(2)
  })
})

test('the schema is the one that the service has', async () => {
  const { stdout } = await run('schema')
  const served = join(import.meta.dirname, '../../../server/src/http/site/project.schema.json')
  expect(await readFile(served, 'utf8')).toBe(stdout)
  expect(stdout).not.toMatch(/password|username|\$ref": "#\/components/)
})
