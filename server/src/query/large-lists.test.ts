import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayOf, report } from '../../test/support/cases/results.ts'
import { campaignBody, made, profileOf } from '../../test/support/cases/writes.ts'
import {
  type Client,
  clientOf,
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../../test/support/world.ts'

/** Beside it the same lists are read in steps, of which the first looks at five rows. */
let world: World
let inSteps: World
let organization: TestOrganization
let stepwise: Client
let profiles: string[]

const largeLists = {
  has: async () => true,
  hasVeryMany: async () => true,
  countedUpTo: Number.POSITIVE_INFINITY,
  firstRows: () => 5,
}

beforeAll(async () => {
  world = await openWorld({ env: unlimited })
  inSteps = await openWorld({
    env: unlimited,
    alter: (services) => ({ ...services, limits: { ...services.limits, largeLists } }),
  })
  organization = await world.organization()
  stepwise = clientOf(inSteps.app, organization.owner)
  await fill(organization)
})
afterAll(async () => {
  await inSteps.close()
  await world.close()
})

const labels = [[], ['a'], ['a', 'b'], [], ['c']]
const currencies = ['USD', 'JPY', 'KWD']
const ends = [null, '2030-01-01T00:00:00Z', null, '2031-01-01T00:00:00Z']
const actions = [
  ...[[], ['launch'], ['launch', 'pause'], ['launch'], ['launch', 'complete']],
  ...[['archive'], ['launch'], []],
]

async function fill(organization: TestOrganization): Promise<void> {
  const { owner } = organization
  profiles = [
    await profileOf(organization, { currency: null, client: 'Acme' }),
    await profileOf(organization, { currency: null, name: 'Other' }),
  ]
  const rows = []
  for (let at = 0; at < 60; at += 1) {
    const budget = at % 6 === 0 ? { lifetime_budget: 9_000 } : { daily_budget: 500 + (at % 9) }
    const id = await made(owner, '/campaigns', {
      ...campaignBody(profiles[at % 7 === 0 ? 1 : 0] ?? ''),
      ...{ name: `Campaign ${at % 10}`, labels: labels[at % 5], currency: currencies[at % 3] },
      ...{ daily_budget: null, end_at: ends[at % 4], external_id: at % 8 === 0 ? `x-${at}` : null },
      ...budget,
    })
    for (const action of actions[at % 8] ?? []) await owner.post(`/campaigns/${id}/${action}`)
    if (at % 5 < 3) rows.push({ campaign_id: id, date: dayOf(world, -1), spend: at * 7 })
  }
  await report(owner, { rows })
}

async function walk(client: Client, path: string, search: string): Promise<unknown[]> {
  const seen: unknown[] = []
  for (let rest = search; ; ) {
    const reply = await client.get(`${path}?${rest}`)
    expect([reply.statusCode, reply.body]).toEqual([200, reply.body])
    const { data, meta } = reply.json()
    seen.push(...data)
    if (!meta.has_more) return seen
    rest = `cursor=${meta.next_cursor}&${/limit=\d+/.exec(search)?.[0]}`
  }
}

const one = (...texts: string[]) => fc.option(fc.constantFrom(...texts), { nil: '' })

const campaigns = fc
  .tuple(
    fc.constantFrom('created_at', 'updated_at', 'name', 'daily_budget', 'end_at', 'money_at_risk'),
    fc.constantFrom('', '-'),
    fc.constantFrom(1, 7, 30, 60),
    one('status=draft', 'status=pending_review', 'status=active,paused', 'include_archived=true'),
    one('label=a', 'label=none', 'q=campaign+3', 'q=none', 'client=Acme', 'profile_id=none'),
    one(
      'currency=JPY',
      'currency=USD&daily_budget_min=503&daily_budget_max=505',
      'end_before=2030-06-01T00:00:00Z',
    ),
    one(
      'pacing_status=on_track',
      'pacing_status=low_confidence,no_data',
      'delivery=eligible',
      'delivery_reason=paused',
    ),
  )
  .map(([sort, sign, limit, ...filters]) =>
    [`sort=${sign}${sort}`, `limit=${limit}`, ...filters.filter(Boolean)].join('&'),
  )

const pacing = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.constantFrom(1, 7, 30),
    one('status=on_track', 'status=low_confidence', 'campaign_status=active', 'currency=JPY'),
    one('client=Acme', 'client=none', 'profile_id=none', 'label=a', 'label=none'),
  )
  .map(([sign, limit, ...filters]) =>
    [`sort=${sign}money_at_risk`, `limit=${limit}`, ...filters.filter(Boolean)].join('&'),
  )

test.each([
  ['/campaigns', campaigns, 120],
  ['/pacing', pacing, 40],
] as const)(
  '%s has the same rows in the same order, however many there are',
  async (path, searches, numRuns) => {
    const property = fc.asyncProperty(searches, async (search) => {
      const expected = await walk(organization.owner, path, search)
      expect([search, await walk(stepwise, path, search)]).toEqual([search, expected])
    })
    await fc.assert(property, { numRuns, seed: 4711, endOnFailure: true })
  },
  120_000,
)
