import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSpending } from '../../../../test/support/cases/spending.ts'
import { campaignBody, made, profileOf } from '../../../../test/support/cases/writes.ts'
import { watch } from '../../../../test/support/documented.ts'
import { type OwnWorld, openOwnWorld } from '../../../../test/support/own-world.ts'
import { faultsOf, unlimited } from '../../../../test/support/world.ts'
import { assessDueClients } from '../../campaigns/client-pacing/due.ts'

let world: OwnWorld

// Its own database: the background judges whatever is due.
beforeAll(async () => {
  world = watch(await openOwnWorld({ env: unlimited }))
})
afterAll(() => world.close())

type Row = {
  group: string | null
  currency: string
  data: boolean
  spend_minor: number | null
  planned_minor: number | null
}

async function spending(options: Parameters<typeof newSpending>[1] = {}) {
  const organization = await newSpending(world, options)
  const { owner, dateOf } = organization
  const read = async (days: readonly [number, number], search = 'group_by=day') => {
    const range = `from=${dateOf(days[0])}&to=${dateOf(days[1])}`
    const reply = await owner.get(`/results?include=plan&limit=100&${range}&${search}`)
    expect([reply.statusCode, reply.body]).toEqual([200, reply.body])
    return reply.json()
  }
  return {
    ...organization,
    read,
    rows: async (...asked: Parameters<typeof read>) =>
      (await read(...asked)).data.map((row: Row) =>
        [row.group, row.currency, row.spend_minor, row.planned_minor].join(' '),
      ),
  }
}

describe('the plan beside results', () => {
  test('goes by the budgets and pauses as they were, and on into the days to come', async () => {
    const { id, owner, moveTo, report, rows, read, dateOf } = await spending()
    await moveTo(1.5)
    await owner.patch(`/campaigns/${id}`, { daily_budget: 300 })
    await moveTo(3)
    await owner.post(`/campaigns/${id}/pause`)
    await moveTo(5.5)
    await owner.post(`/campaigns/${id}/resume`)
    await report({ 0: 90, 2: 310 })
    const expected = [
      ...[`${dateOf(-1)} USD  `, `${dateOf(0)} USD 9000 10000`, `${dateOf(1)} USD  30000`],
      ...[`${dateOf(2)} USD 31000 30000`, `${dateOf(3)} USD  `, `${dateOf(4)} USD  `],
      ...[`${dateOf(5)} USD  15000`, `${dateOf(6)} USD  30000`],
    ]
    expect(await rows([-1, 7])).toEqual(expected)
    const { meta } = await read([0, 7])
    expect(meta.totals).toMatchObject([{ spend_minor: 400_00, planned_minor: 1150_00 }])
    const plain = (await owner.get(`/results?group_by=day&from=${dateOf(0)}`)).json()
    expect(plain.data[0]).not.toHaveProperty('planned_minor')
  })

  test('of a lifetime budget is its share of the flight, and unknown without an end', async () => {
    const flight = { daily_budget: null, lifetime_budget: 1_000 }
    const { id, owner, read, timeOf } = await spending({ campaign: flight })
    expect((await read([0, 30])).meta.totals).toEqual([])
    await owner.patch(`/campaigns/${id}`, { end_at: timeOf(100) })
    const { data, meta } = await read([99, 101])
    expect(data.map(({ planned_minor }: Row) => planned_minor)).toEqual([10_00, null])
    expect(meta.totals).toMatchObject([{ currency: 'USD', data: false, planned_minor: 10_00 }])
  })

  test('is that of the pacing of the client', async () => {
    const { owner, moveTo, launched, read, dateOf } = await spending({
      profile: { client: 'Acme' },
    })
    await launched({ schedule: [{ day: 'mon', start: '09:00', end: '17:00' }] })
    await moveTo(3)
    await assessDueClients(world.services, AbortSignal.timeout(20_000))
    const [{ id }] = (await owner.get('/clients')).json().data
    const month = dateOf(0).slice(0, 7)
    const [{ planned_minor }] = (await owner.get(`/clients/${id}/pacing`)).json().data
    const { daysInMonth } = Temporal.PlainYearMonth.from(month)
    const { meta } = await read([0, daysInMonth], `client_id=${id}`)
    expect(planned_minor).toBeGreaterThan(daysInMonth * 100_00)
    expect(meta.totals).toMatchObject([{ planned_minor }])
  })

  test('counts for each group, label and currency', async () => {
    const { owner, organization, id, report, launched, rows, read } = await spending({
      profile: { client: 'Acme', platform: 'google_ads', currency: null },
      campaign: { labels: ['a', 'b'] },
    })
    const euro = await launched({ currency: 'EUR', daily_budget: 50 })
    await report({ 0: 1 })
    for (const [by, key] of [
      ['campaign', id],
      ['client', 'Acme'],
      ['platform', 'google_ads'],
    ]) {
      expect(await rows([0, 2], `group_by=${by}`)).toEqual([`${key} USD 100 20000`])
    }
    expect(await rows([0, 2], 'group_by=label')).toEqual(['b USD 100 20000', 'a USD 100 20000'])
    const two = await read([0, 2], 'group_by=client,day')
    expect(two.data.map(({ planned_minor }: Row) => planned_minor)).toEqual([100_00, 100_00])
    expect(two.meta.totals).toMatchObject([
      { currency: 'EUR', data: false, spend_minor: null, planned_minor: 100_00 },
      { currency: 'USD', data: true, spend_minor: 1_00, planned_minor: 200_00 },
    ])
    expect(await rows([0, 1])).toEqual([
      expect.stringMatching(/ EUR {2}5000$/),
      expect.stringMatching(/ USD 100 10000$/),
    ])
    expect((await read([0, 2], `campaign_id=${euro}`)).meta.totals).toHaveLength(1)
    expect((await read([0, 2], 'client=unknown')).meta.totals).toEqual([])
    const draft = await profileOf(organization, { name: 'Other' })
    await made(owner, '/campaigns', campaignBody(draft))
    expect((await read([0, 2], `profile_id=${draft}`)).meta.totals).toEqual([])
  })

  test('is bounded, and not of sources', async () => {
    const { owner, launched, dateOf } = await spending()
    const faults = async (search: string) => faultsOf(await owner.get(`/results?${search}`))
    expect(await faults('include=plans')).toEqual(['include invalid_enum_value'])
    expect(await faults('include=plan&source=google_ads')).toEqual(['include duplicate_item'])
    expect(await faults('include=plan&group_by=source,day')).toEqual(['include duplicate_item'])
    const range = `from=${dateOf(0)}&to=${dateOf(1_100)}`
    for (let at = 0; at < 90; at += 1) await launched({ name: `Campaign ${at}` })
    expect(await faults(`include=plan&${range}`)).toEqual(['include out_of_range'])
    const few = await owner.get(`/results?include=plan&from=${dateOf(0)}&to=${dateOf(400)}`)
    expect(few.json().meta.totals).toMatchObject([{ planned_minor: 91 * 400 * 100_00 }])
  })

  test('shows a holder of a scope what is in it', async () => {
    const { organization, profile_id, owner, dateOf } = await spending()
    const other = await profileOf(organization, { name: 'Other' })
    const id = await made(owner, '/campaigns', { ...campaignBody(other), daily_budget: 7 })
    await owner.post(`/campaigns/${id}/launch`)
    const search = `/results?include=plan&from=${dateOf(0)}&to=${dateOf(1)}`
    const totals = async (client: typeof owner) => (await client.get(search)).json().meta.totals
    expect(await totals(owner)).toMatchObject([{ planned_minor: 107_00 }])
    const member = await organization.as('viewer')
    await owner.patch(`/members/${member.userId}`, { scope: { profile_ids: [profile_id] } })
    expect(await totals(member)).toMatchObject([{ planned_minor: 100_00 }])
    const stranger = await world.organization()
    expect(await totals(stranger.owner)).toEqual([])
  })
})
