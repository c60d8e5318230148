import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSpending } from '../../../../test/support/cases/spending.ts'
import { campaignBody, made } from '../../../../test/support/cases/writes.ts'
import { watch } from '../../../../test/support/documented.ts'
import { type OwnWorld, openOwnWorld } from '../../../../test/support/own-world.ts'
import { unlimited } from '../../../../test/support/world.ts'
import { assessDueClients } from './due.ts'

let world: OwnWorld

// Its own database: the background assesses whatever is due.
beforeAll(async () => {
  world = watch(await openOwnWorld({ env: unlimited }))
})
afterAll(() => world.close())

type Figures = Record<string, unknown> & { currency: string; status: string }

/** A client whose campaign spends 100.00 USD a day from the first of a month on. */
async function newClient(options: { client?: object; campaign?: object } = {}) {
  const the = await newSpending(world, {
    profile: { client: 'Northwind' },
    ...(options.campaign && { campaign: options.campaign }),
  })
  const { owner } = the
  const [{ id: client_id }] = (await owner.get('/clients')).json().data
  if (options.client) await owner.patch(`/clients/${client_id}`, options.client)
  const month = the.dateOf(0).slice(0, 7)
  const judge = async () => {
    await the.judge()
    await assessDueClients(world.services, AbortSignal.timeout(20_000))
  }
  await judge()
  const all = async (query = ''): Promise<Figures[]> =>
    (await owner.get(`/clients/${client_id}/pacing${query}`)).json().data
  return {
    ...the,
    ...{ client_id, month, judge, all },
    moveTo: async (day: number) => {
      await the.moveTo(day)
      await judge()
    },
    days: new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate(),
    of: async (currency = 'USD') => (await all()).find((each) => each.currency === currency),
    budget: (amounts: object, of = month) =>
      owner.put(`/clients/${client_id}/budgets/${of}`, { amounts }),
    changes: async () =>
      (await owner.get('/events?type=client.pacing_changed&sort=sequence&limit=100'))
        .json()
        .data.map(({ data }: { data: { object: Figures; previous: Figures } }) => [
          data.previous.status,
          data.object.status,
        ]),
  }
}

describe('the pacing of a client', () => {
  test('is judged by the plan without a budget, and by the budget with one', async () => {
    const the = await newClient()
    expect(await the.of()).toMatchObject({
      ...{ client_id: the.client_id, client: 'Northwind', month: the.month },
      ...{ budget_minor: null, planned_minor: the.days * 100_00, spent_minor: null },
      ...{ expected_minor: null, status: 'no_data', campaigns: { active: 1 } },
    })
    await the.moveTo(10)
    await the.spend(10, 100)
    await the.judge()
    expect(await the.of()).toMatchObject({
      ...{ spent_minor: 1_000_00, expected_minor: 1_000_00, pacing_index: 1 },
      ...{ projected_minor: the.days * 100_00, money_at_risk_minor: 0, status: 'on_track' },
      complete_through: the.dateOf(9),
    })
    await the.budget({ USD: the.days * 80 })
    expect(await the.of()).toMatchObject({
      ...{ budget_minor: the.days * 80_00, expected_minor: 800_00, pacing_index: 1.25 },
      ...{ money_at_risk_minor: the.days * 20_00, status: 'critical' },
    })
    await the.judge()
    expect(await the.changes()).toEqual([
      ['no_data', 'on_track'],
      ['on_track', 'critical'],
    ])
    await the.judge()
    expect(await the.changes()).toHaveLength(2)
    await the.budget({ USD: the.days * 100 })
    await the.judge()
    expect((await the.changes()).at(-1)).toEqual(['critical', 'on_track'])
  })

  test('counts what paused campaigns spent, and nothing of their time to come', async () => {
    const the = await newClient()
    const second = await the.launched()
    await the.moveTo(10)
    await the.spend(10, 100)
    await the.spend(10, 100, second)
    await the.owner.post(`/campaigns/${second}/pause`)
    await the.judge()
    expect(await the.of()).toMatchObject({
      ...{ planned_minor: (the.days + 10) * 100_00, spent_minor: 2_000_00 },
      ...{ expected_minor: 2_000_00, pacing_index: 1, campaigns: { active: 1, paused: 1 } },
      projected_minor: (the.days + 10) * 100_00,
    })
  })

  test('is complete through the earliest of its running campaigns', async () => {
    const the = await newClient()
    const [late, paused] = [await the.launched(), await the.launched()]
    await the.moveTo(8)
    await the.spend(8, 100)
    await the.spend(5, 100, late)
    await the.spend(2, 100, paused)
    await the.owner.post(`/campaigns/${paused}/pause`)
    await the.judge()
    expect((await the.of())?.complete_through).toBe(the.dateOf(4))
    // One that was never reported is complete until it began.
    await the.launched()
    await the.judge()
    expect((await the.of())?.complete_through).toBe(the.dateOf(4))
  })

  test('never sums up currencies', async () => {
    const the = await newClient()
    const profile = await made(the.owner, '/profiles', { name: 'Many', client: 'Northwind' })
    for (const [currency, daily_budget] of [
      ['JPY', 1_000],
      ['KWD', 1.5],
      ['EUR', 10],
    ] as const) {
      const body = { ...campaignBody(profile), currency, daily_budget }
      await the.owner.post(`/campaigns/${await made(the.owner, '/campaigns', body)}/launch`)
    }
    await the.budget({ USD: 5, GBP: 7 })
    await the.judge()
    expect((await the.all()).map((each) => [each.currency, each.planned_minor])).toEqual([
      ['EUR', the.days * 10_00],
      ['GBP', 0],
      ['JPY', the.days * 1_000],
      ['KWD', the.days * 1_500],
      ['USD', the.days * 100_00],
    ])
    expect(await the.of('GBP')).toMatchObject({ budget_minor: 7_00, status: 'not_running' })
    const listed = (await the.owner.get('/pacing/clients?currency=JPY,KWD')).json().data
    expect(listed.map(({ currency }: Figures) => currency).sort()).toEqual(['JPY', 'KWD'])
  })

  test('plans the share of a lifetime budget that the month has of its open time', async () => {
    const the = await newClient({
      campaign: { daily_budget: null, lifetime_budget: 6_000 },
    })
    // Without an end there is no share.
    expect((await the.of())?.planned_minor).toBe(0)
    const end_at = the.timeOf(60)
    await the.owner.patch(`/campaigns/${the.id}`, { end_at })
    await the.judge()
    expect((await the.of())?.planned_minor).toBe(the.days * 100_00)
    const next = (await the.all(`?month=${the.dateOf(40).slice(0, 7)}`))[0]
    expect(next).toMatchObject({ status: 'not_running', spent_minor: null })
    expect(Number(next?.planned_minor)).toBeGreaterThan(25 * 100_00)
  })

  test('goes by the days of the month where nothing is planned', async () => {
    const the = await newClient({ campaign: { daily_budget: null, lifetime_budget: 6_000 } })
    await the.budget({ USD: the.days * 10 })
    await the.moveTo(10)
    await the.spend(10, 10)
    await the.judge()
    expect(await the.of()).toMatchObject({
      ...{ planned_minor: 0, expected_minor: 100_00, pacing_index: 1, status: 'on_track' },
      projected_minor: the.days * 10_00,
    })
  })

  test('says that nothing was to be spent', async () => {
    const the = await newClient()
    await the.budget({ USD: 0 })
    await the.moveTo(1)
    await the.report({ 0: 1 })
    await the.judge()
    expect(await the.of()).toMatchObject({ budget_minor: 0, status: 'exhausted' })
  })

  test('goes with a profile to another client', async () => {
    const the = await newClient()
    await the.moveTo(5)
    await the.spend(5, 100)
    const other = await made(the.owner, '/clients', { name: 'Contoso' })
    await the.owner.patch(`/profiles/${the.profile_id}`, { client_id: other })
    await the.judge()
    expect(await the.all()).toEqual([])
    const moved = (await the.owner.get(`/clients/${other}/pacing`)).json().data
    expect(moved).toMatchObject([{ client: 'Contoso', spent_minor: 500_00 }])
    expect((await the.owner.delete(`/clients/${the.client_id}`)).statusCode).toBe(204)
  })

  test('ends with its campaigns, and stays to be read', async () => {
    const the = await newClient()
    await the.moveTo(10)
    await the.spend(10, 100)
    await the.owner.post(`/campaigns/${the.id}/complete`)
    await the.owner.patch(`/clients/${the.client_id}`, { status: 'archived' })
    await the.judge()
    expect(await the.of()).toMatchObject({
      ...{ planned_minor: 1_000_00, spent_minor: 1_000_00, status: 'not_running' },
      campaigns: { completed: 1 },
    })
    await the.moveTo(the.days + 3)
    expect(await the.all(`?month=${the.month}`)).toMatchObject([
      { planned_minor: 1_000_00, spent_minor: 1_000_00, status: 'exhausted', pacing_index: 1 },
    ])
  })

  test('has its months in the client’s zone', async () => {
    const the = await newClient({ client: { time_zone: 'Pacific/Kiritimati' } })
    // 14 hours ahead, it is already the next month there.
    await the.moveTo(the.days - 0.5)
    const next = the.dateOf(the.days).slice(0, 7)
    expect(await the.of()).toMatchObject({ month: next, status: 'no_data' })
    await the.owner.patch(`/clients/${the.client_id}`, { time_zone: null })
    await the.judge()
    expect(await the.of()).toMatchObject({ month: the.month })
    await the.owner.patch('/organization', { time_zone: 'Pacific/Kiritimati' })
    expect(await the.of()).toMatchObject({ month: next })
  })

  test('is nothing of other organizations', async () => {
    const the = await newClient()
    const { owner } = await world.organization()
    expect((await owner.get(`/clients/${the.client_id}/pacing`)).statusCode).toBe(404)
    expect((await owner.get('/pacing/clients')).json().data).toEqual([])
  })
})

test('clients are listed by month, the most money at risk first, page by page', async () => {
  const the = await newClient()
  for (const [name, amount] of [
    ['Contoso', 50],
    ['Fabrikam', 10],
  ] as const) {
    const id = await made(the.owner, '/clients', { name })
    await the.owner.put(`/clients/${id}/budgets/${the.month}`, { amounts: { EUR: amount } })
    await the.owner.put(`/clients/${id}/budgets/2030-01`, { amounts: { EUR: amount } })
  }
  await the.moveTo(5)
  await the.spend(5, 120)
  await the.judge()
  const page = async (query: string) => (await the.owner.get(`/pacing/clients?${query}`)).json()
  const first = await page('limit=1')
  expect(first.data).toMatchObject([{ client: 'Northwind', currency: 'USD' }])
  const rest = await page(`limit=5&cursor=${first.meta.next_cursor}`)
  expect(rest.data.map(({ client }: Figures) => client).sort()).toEqual(['Contoso', 'Fabrikam'])
  expect((await page('month=2030-01')).data).toMatchObject([
    { budget_minor: expect.any(Number), planned_minor: null, status: 'not_running' },
    { month: '2030-01' },
  ])
  expect((await page('status=not_running')).data).toHaveLength(2)
  expect((await page('q=FABRI')).data).toMatchObject([{ client: 'Fabrikam' }])
  const similar = await page('q=fabrican')
  expect(similar.data).toMatchObject([{ client: 'Fabrikam' }])
  expect(similar.meta.search).toBe('similar')
  expect((await page('q=zzzz')).data).toEqual([])
  const faulty = await the.owner.get('/pacing/clients?month=2030-1')
  expect(faulty.statusCode).toBe(400)
})
