import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayOf, report } from '../../../../test/support/cases/results.ts'
import { campaignBody, made, profileOf } from '../../../../test/support/cases/writes.ts'
import { citusAddress } from '../../../../test/support/machines/citus.ts'
import {
  type Client,
  clientOf,
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../../../../test/support/world.ts'

/** Beside it the same campaigns are found as among very many, a few rows at a time. */
let world: World
let inSteps: World
let organization: TestOrganization
let stepwise: Client
let firstRows = 1
let countedUpTo = Number.POSITIVE_INFINITY

beforeAll(async () => {
  world = await openWorld({ env: unlimited })
  const largeLists = {
    has: async () => true,
    hasVeryMany: async () => true,
    get countedUpTo() {
      return countedUpTo
    },
    firstRows: () => firstRows,
  }
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

const days = [-45, -6, -5, -4, -3]

/** Spends that are often equal, some of two sources, and days without any. */
async function fill(organization: TestOrganization): Promise<void> {
  const { owner } = organization
  const profiles = [
    await profileOf(organization, { currency: null, client: 'Acme' }),
    await profileOf(organization, { currency: null, name: 'Other', platform: 'meta' }),
  ]
  const [rows, others]: object[][] = [[], []]
  for (let at = 0; at < 40; at += 1) {
    const labels = [[], ['a'], ['a', 'b']][at % 3]
    const currency = at % 4 === 0 ? 'JPY' : 'USD'
    const body = {
      ...campaignBody(profiles[at % 5 === 0 ? 1 : 0] ?? ''),
      labels,
      currency,
      daily_budget: 500,
    }
    const campaign_id = await made(owner, '/campaigns', body)
    for (const [of, day] of days.entries()) {
      const row = { campaign_id, date: dayOf(world, day) }
      if ((at * 7 + of) % 6 > 0) rows?.push({ ...row, spend: (at * (of + 3)) % 8 })
      if (at % 4 === 1) others?.push({ ...row, spend: (at + of) % 5 })
    }
  }
  await report(owner, { rows })
  await report(owner, { rows: others, source: 'crm', additional: true })
}

async function walk(client: Client, search: string): Promise<unknown[]> {
  const seen: unknown[] = []
  for (let rest = search; ; ) {
    const reply = await client.get(`/results?${rest}`)
    expect([reply.statusCode, reply.body]).toEqual([200, reply.body])
    const { data, meta } = reply.json()
    seen.push(...data)
    if (!meta.has_more) return seen
    rest = `cursor=${meta.next_cursor}&${/limit=\d+/.exec(search)?.[0]}`
  }
}

const one = (...texts: string[]) => fc.option(fc.constantFrom(...texts), { nil: '' })

test('campaigns of very many are those of all, in the same order', async () => {
  const queries = fc.record({
    first: fc.constantFrom(1, 3, 10, 200),
    limit: fc.constantFrom('limit=1', 'limit=4', 'limit=15', 'limit=100'),
    sort: one('sort=-spend', 'sort=spend', 'sort=group', 'sort=-group'),
    range: fc.constantFrom([-5, -2], [-6, 1], [-60, 1], [-3, -2], [-400, -300]),
    filter: one('label=a', 'label=b', 'label=a,b', 'label=none', 'client=Acme', 'platform=meta'),
    other: one('currency=JPY', 'status=draft', 'status=active', 'source=crm', 'source=none'),
  })
  await fc.assert(
    fc.asyncProperty(queries, async ({ first, range: [from = 0, to = 0], ...rest }) => {
      firstRows = first
      const range = `from=${dayOf(world, from)}&to=${dayOf(world, to)}`
      const search = [range, ...Object.values(rest)].filter((each) => each !== '').join('&')
      expect(await walk(stepwise, search)).toEqual(await walk(organization.owner, search))
      const total = `${search}&include_total=true`
      const [{ meta }, plain] = [
        await stepwise.get(`/results?${total}`),
        await organization.owner.get(`/results?${total}`),
      ].map((reply) => reply.json())
      expect(meta).toMatchObject({ total: plain.meta.total, totals: plain.meta.totals })
    }),
    { numRuns: citusAddress() ? 20 : 60 },
  )
}, 120_000)

test('very many are counted by a sample, which the answer says', async () => {
  const range = `from=${dayOf(world, -60)}&to=${dayOf(world, 1)}&limit=100`
  const filtered = `${range}&client=Acme`
  const all = await walk(organization.owner, filtered)
  const inSample = all.filter((row) => (row as { group: string }).group.endsWith('0'))
  countedUpTo = -1
  const { meta } = (await stepwise.get(`/results?${filtered}&include_total=true`)).json()
  countedUpTo = Number.POSITIVE_INFINITY
  const total = Number((32 * inSample.length).toPrecision(2))
  expect(meta).toMatchObject({ total, total_is_estimate: true })
})
