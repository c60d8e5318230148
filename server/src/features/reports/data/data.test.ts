import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { report } from '../../../../test/support/cases/results.ts'
import { campaignBody, made, profileOf } from '../../../../test/support/cases/writes.ts'
import {
  type Client,
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({ env: unlimited })
})
afterAll(() => world.close())

type Section = Record<string, unknown> & { kind: string }
type Data = Record<string, unknown> & { sections: Section[] }

const dataOf = async (client: Client, fields: object): Promise<Data> => {
  const id = await made(client, '/reports', { name: 'R', ...fields })
  const reply = await client.get(`/reports/${id}/data`)
  expect([reply.statusCode, reply.body]).toEqual([200, reply.body])
  return reply.json()
}

const sectionIn = (data: Data, kind: string): Section =>
  data.sections.find((section) => section.kind === kind) ?? { kind: 'none' }

const october = { period: { from: '2026-10-01', to: '2026-11-01' } }

/** A client with a campaign in each currency, and what they spent on a day. */
async function spending(organization: TestOrganization, spends: Record<string, number>) {
  const { owner } = organization
  const client_id = await made(owner, '/clients', { name: 'Northwind', time_zone: 'Europe/Berlin' })
  const profile = await profileOf(organization, { name: 'N', client_id, currency: null })
  const rows: object[] = []
  const ids: string[] = []
  for (const [currency, spend] of Object.entries(spends)) {
    const name = `In ${currency}`
    const body = { ...campaignBody(profile), name, currency, daily_budget: 100 }
    const campaign_id = await made(owner, '/campaigns', body)
    ids.push(campaign_id)
    rows.push({ campaign_id, date: '2026-10-25', spend, conversions: 2, is_final: true })
    rows.push({ campaign_id, date: '2026-09-25', spend: spend / 2, is_final: true })
  }
  if (rows.length > 0) await report(owner, { rows })
  return { owner, client_id, profile, ids }
}

describe('figures', () => {
  test('of four currencies are never added up', async () => {
    const spends = { USD: 400, EUR: 300, JPY: 20_000, KWD: 10 }
    const { owner, client_id } = await spending(await world.organization(), spends)
    const data = await dataOf(owner, { client_id, ...october, compare: 'previous_period' })
    expect(data).toMatchObject({ client: 'Northwind', provisional: false })
    const spent = (rows: unknown) =>
      (rows as { currency: string; spend: number }[]).map(({ currency, spend }) => [
        currency,
        spend,
      ])
    const all = Object.entries(spends).sort()
    expect(spent(data.totals)).toEqual(all)
    expect(spent(sectionIn(data, 'summary').rows)).toEqual(all)
    expect(spent(sectionIn(data, 'by_platform').rows).sort()).toEqual(all)
    expect(sectionIn(data, 'headline')).toMatchObject({
      text: 'Results in 4 currencies.',
      is_proposed: true,
    })
    expect(sectionIn(data, 'by_campaign').rows).toHaveLength(4)
    expect(data.compare).toEqual({ from: '2026-08-31', to: '2026-10-01' })
  })

  test('of a month with the change of the clock have each of its days once', async () => {
    const { owner, client_id } = await spending(await world.organization(), { EUR: 300 })
    const data = await dataOf(owner, { client_id, ...october, compare: 'previous_period' })
    const daily = sectionIn(data, 'daily').rows as { group: string; data: boolean }[]
    expect(daily).toHaveLength(31)
    expect(daily.filter((row) => row.data).map(({ group }) => group)).toEqual(['2026-10-25'])
    expect(daily[0]).toMatchObject({ group: '2026-10-01', spend: null })
    expect(sectionIn(data, 'headline').text).toBe(
      'Spent 300.00 EUR, 100 % more than the period before, for 2 conversions at 150.00 EUR each.',
    )
  })

  test('without results are none, and say so', async () => {
    const { owner, client_id } = await spending(await world.organization(), {})
    const data = await dataOf(owner, { client_id, ...october })
    expect(data).toMatchObject({ totals: [], provisional: false })
    expect(sectionIn(data, 'headline').text).toBe('Nothing was reported in this period.')
    for (const kind of ['daily', 'summary', 'by_campaign']) {
      expect(sectionIn(data, kind).rows).toEqual([])
    }
  })

  test('stand beside the budget that was raised in its month; a snapshot keeps the one before', async () => {
    const { owner, client_id } = await spending(await world.organization(), { EUR: 300 })
    const plan = (amount: number) =>
      owner.put(`/clients/${client_id}/budgets/2026-10`, { amounts: { EUR: amount } })
    await plan(250)
    const id = await made(owner, '/reports', { name: 'R', client_id, ...october })
    const snapshot = await made(owner, `/reports/${id}/snapshots`, {})
    expect((await plan(400)).statusCode).toBe(200)
    const planIn = async (path: string) =>
      sectionIn((await owner.get(`/reports/${id}/${path}`)).json(), 'plan').months
    const month = { month: '2026-10', currency: 'EUR', spent_minor: 30_000 }
    expect(await planIn('data')).toMatchObject([{ ...month, budget_minor: 40_000 }])
    expect(await planIn(`snapshots/${snapshot}`)).toMatchObject([
      { ...month, budget_minor: 25_000 },
    ])
  })

  test('that may change are marked, as are days that are not over', async () => {
    const { owner, client_id, ids } = await spending(await world.organization(), { EUR: 300 })
    expect((await dataOf(owner, { client_id, period: 'this_month' })).provisional).toBe(true)
    await report(owner, { rows: [{ campaign_id: ids[0], date: '2026-10-26', spend: 1 }] })
    const data = await dataOf(owner, { client_id, ...october })
    expect(data.provisional).toBe(true)
    const daily = sectionIn(data, 'daily').rows as { group: string; is_final: boolean | null }[]
    expect(daily.find(({ group }) => group === '2026-10-26')?.is_final).toBe(false)
    expect(daily.find(({ group }) => group === '2026-10-25')?.is_final).toBe(true)
  })

  test('are those of the client alone, and of what a filter selects', async () => {
    const organization = await world.organization()
    const { owner, client_id } = await spending(organization, { USD: 400, EUR: 300 })
    const other = await profileOf(organization, { name: 'Other', client: 'Contoso' })
    const campaign_id = await made(owner, '/campaigns', campaignBody(other))
    await report(owner, { rows: [{ campaign_id, date: '2026-10-25', spend: 77 }] })
    const data = await dataOf(owner, { client_id, ...october })
    expect(JSON.stringify(data)).not.toContain('Contoso')
    const filter = { client_id: [client_id], currency: ['EUR'] }
    const filtered = await dataOf(owner, { filter, ...october })
    expect(filtered.totals).toMatchObject([{ currency: 'EUR', spend: 300 }])
  })

  test('come as CSV, where no text of others is a formula', async () => {
    const organization = await world.organization()
    const { owner, client_id, ids } = await spending(organization, { USD: 400 })
    await owner.patch(`/campaigns/${ids[0]}`, { name: '=HYPERLINK("//evil")' })
    const sections = ['by_campaign', 'headline']
    const texts = { headline: '=1+1' }
    const fields = { name: 'R', client_id, ...october, sections, texts }
    const id = await made(owner, '/reports', fields)
    const reply = await owner.get(`/reports/${id}/data?format=csv`)
    expect(reply.headers['content-type']).toMatch(/^text\/csv/)
    const [header, line, ...more] = reply.body.trimEnd().split('\r\n')
    expect(header).toMatch(/^section,group,name,currency,spend,/)
    expect(line).toMatch(/^by_campaign,cmp_\w+,"'=HYPERLINK\(""\/\/evil""\)",USD,400,/)
    expect(more).toEqual([])
  })
})

describe('changes', () => {
  test('that moved most money come with their reasons; those of a set as one', async () => {
    const { owner, client_id, ids } = await spending(await world.organization(), {
      USD: 400,
      EUR: 300,
    })
    const [usd, eur] = ids
    for (const id of ids) await owner.post(`/campaigns/${id}/launch`, { reason: 'The sale begins' })
    await owner.patch(`/campaigns/${usd}`, { daily_budget: 150 })
    const raise = (id: unknown) => ({ op: 'update', id, body: { daily_budget: 200 } })
    const set = { title: 'Weekend', operations: [raise(usd), raise(eur)] }
    await owner.post(`/change_sets/${await made(owner, '/change_sets', set)}/apply`)
    await owner.post(`/campaigns/${eur}/pause`, { reason: 'Sold out' })
    const data = await dataOf(owner, { client_id, period: 'this_month', texts: { why: 'Sale' } })
    const { text, changes } = sectionIn(data, 'changes')
    expect(text).toBe('Sale')
    const amount = (currency: string, before_minor: number, after_minor: number) => ({
      ...{ currency, before_minor, after_minor, added_minor: after_minor - before_minor },
    })
    expect(changes).toMatchObject([
      { what: 'started', name: 'In USD', reason: 'The sale begins' },
      { what: 'started', name: 'In EUR', amounts: [amount('EUR', 0, 10_000)] },
      { what: 'budget', name: 'In USD', amounts: [amount('USD', 10_000, 15_000)], reason: null },
      {
        ...{ what: 'several', name: 'Weekend', reason: 'Weekend', campaigns: 2 },
        amounts: [amount('USD', 15_000, 20_000), amount('EUR', 10_000, 20_000)],
      },
      { what: 'paused', reason: 'Sold out', amounts: [amount('EUR', 20_000, 0)] },
    ])
    expect(JSON.stringify(changes)).not.toContain('usr_')
  })

  test('of a set that concerns others do not show its title', async () => {
    const organization = await world.organization()
    const { owner, client_id, ids } = await spending(organization, { USD: 400 })
    const other = await profileOf(organization, { name: 'Other', client: 'Contoso' })
    const foreign = await made(owner, '/campaigns', campaignBody(other))
    await owner.post(`/campaigns/${ids[0]}/launch`)
    const operations = [ids[0], foreign].map((id) => ({
      ...{ op: 'update', id, body: { daily_budget: 170 } },
    }))
    const set = { title: 'Like Contoso', operations }
    await owner.post(`/change_sets/${await made(owner, '/change_sets', set)}/apply`)
    const apply_at = new Date(world.clock.now().getTime() + 86_400_000).toISOString()
    await owner.post('/change_sets', { ...set, apply_at })
    const data = await dataOf(owner, { client_id, period: 'this_month' })
    expect(sectionIn(data, 'changes').changes).toMatchObject([
      { what: 'started' },
      { what: 'budget', name: 'In USD', reason: null },
    ])
    expect(sectionIn(data, 'next').scheduled).toEqual([])
    expect(JSON.stringify(data)).not.toContain('Contoso')
  })

  test('to come are listed: change sets, starts and ends', async () => {
    const { owner, client_id, ids } = await spending(await world.organization(), { USD: 400 })
    const ahead = (days: number) =>
      new Date(world.clock.now().getTime() + days * 86_400_000).toISOString()
    await owner.patch(`/campaigns/${ids[0]}`, { start_at: ahead(2), end_at: ahead(9) })
    await owner.post(`/campaigns/${ids[0]}/launch`)
    const operations = [{ op: 'update', id: ids[0], body: { daily_budget: 120 } }]
    const set = { title: 'Later', operations, apply_at: ahead(5) }
    expect((await owner.post('/change_sets', set)).statusCode).toBe(201)
    const data = await dataOf(owner, { client_id, period: 'this_month' })
    expect(sectionIn(data, 'next').scheduled).toMatchObject([
      { what: 'start', name: 'In USD', amounts: [{ added_minor: 10_000 }] },
      { what: 'change_set', name: 'Later', campaigns: 1 },
      { what: 'end', name: 'In USD' },
    ])
  })
})
