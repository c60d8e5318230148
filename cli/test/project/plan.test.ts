import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignBody, made, profileOf } from '../../../server/test/support/cases/writes.ts'
import { openWorld, unlimited, type World } from '../../../server/test/support/world.ts'
import { project } from './acme.ts'
import { opened } from './opened.ts'

let world: World
let url: string

beforeAll(async () => {
  world = await openWorld({ env: unlimited })
  url = await world.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => world.close())

test('a plan of new objects shows them in order, what a day costs, and stores nothing', async () => {
  const { with: at, all, organization } = await opened(world, url)
  const { code, stdout, stderr } = await at(project, 'plan')
  expect(stderr).toBe('')
  expect(stdout).toBe(`\
+ client acme
    name       Acme
    currency   USD
    time_zone  Europe/Berlin
    labels     acme
+ profile acme-meta
    name              acme-meta
    client            acme
    platform          meta
    daily_budget_cap  500
    currency          USD
    time_zone         Europe/Berlin
    labels            acme
+ template always-on
    name      always-on
    defaults  {"daily_budget":"20","objective":"sales","profile":"acme-meta"}
    labels    acme
+ campaign spring-sale
    name          spring-sale
    profile       acme-meta
    objective     sales
    daily_budget  33.51
    schedule      mon tue 08:00–20:00
    state         active
    currency      USD
    time_zone     Europe/Berlin
    labels        acme
    → launch
+ campaign outlet
    name             outlet
    template         always-on
    currency         USD
    time_zone        Europe/Berlin
    metadata.crm_id  4711
    labels           acme
Project acme-q1: 5 to create.
USD a day: 0.00 → 33.51 (+33.51)
0 as the files want them. None is left alone.
`)
  expect(code).toBe(3)
  for (const section of ['clients', 'profiles', 'templates', 'campaigns', 'change_sets']) {
    expect(await all(section)).toEqual({})
  }
  expect((await organization.owner.get('/change_sets')).json().data).toEqual([])
})

describe('an object that is there', () => {
  test('without a project is taken into it, not created again', async () => {
    const { with: at, organization } = await opened(world, url)
    const profile_id = await profileOf(organization)
    const body = { ...campaignBody(profile_id), external_id: 'spring', labels: ['old'] }
    await made(organization.owner, '/campaigns', body)
    const { stdout, code } = await at(
      'project: p\ncampaigns: {spring: {daily_budget: 40}}',
      'plan',
      '--json',
    )
    expect(code).toBe(3)
    expect(JSON.parse(stdout)).toMatchObject({
      counts: { create: 0, update: 1, prune: 0, unchanged: 0, left: 0 },
      objects: [
        { change: 'update', key: 'spring', changes: [{ field: 'labels' }, { after: '40' }] },
      ],
    })
  })

  test('of another project is an error, unless it is adopted', async () => {
    const { with: at, organization } = await opened(world, url)
    const profile_id = await profileOf(organization)
    const body = { ...campaignBody(profile_id), external_id: 'spring', labels: ['project:other'] }
    await made(organization.owner, '/campaigns', body)
    const file = 'project: p\ncampaigns: {spring: {daily_budget: 40}}'
    const refused = await at(file, 'plan')
    expect([refused.code, refused.stdout]).toEqual([
      1,
      expect.stringContaining('flightdeck.yaml:2:13 belongs to the project other: --adopt'),
    ])
    expect((await at(file, 'plan', '--adopt')).code).toBe(3)
  })
})

test('what the service refuses is said at its place in the file', async () => {
  const { with: at } = await opened(world, url)
  const file = `project: p
profiles: {meta: {currency: USD}}
campaigns:
  spring: {profile: meta, objective: sales, daily_budget: 33.517}
  summer: {profile: meta, objective: sales}
`
  const { code, stdout } = await at(file, 'plan')
  expect(code).toBe(1)
  expect(stdout).toMatch(/! .*flightdeck\.yaml:4:59 daily_budget .*\(validation_failed\)/)
  expect(stdout).toMatch(/! .*flightdeck\.yaml:5:3 .*budget/)
})
