import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSpending } from '../../../../test/support/cases/spending.ts'
import { watch } from '../../../../test/support/documented.ts'
import { type OwnWorld, openOwnWorld } from '../../../../test/support/own-world.ts'
import { unlimited } from '../../../../test/support/world.ts'

let world: OwnWorld

// Its own database: the background judges whatever is due.
beforeAll(async () => {
  world = watch(await openOwnWorld({ env: unlimited }))
})
afterAll(() => world.close())

type Alert = { type: string; data: { object: { status: string }; previous: { status: string } } }

/** The statuses that alerts lead through. */
const courseOf = (alerts: readonly Alert[]): string[] =>
  alerts.map(({ type, data }) => `${type} ${data.previous.status} ${data.object.status}`)

describe('the pacing of a campaign', () => {
  test('is unknown before a report, and exactly 1 on plan, which raises nothing', async () => {
    const { id, profile_id, moveTo, spend, pacing, alerts, timeOf, dateOf } =
      await newSpending(world)
    await moveTo(0.5)
    expect(await pacing()).toMatchObject({
      status: 'no_data',
      spent_minor: null,
      pacing_index: null,
    })
    await moveTo(10)
    expect((await spend(10, 100)).statusCode).toBe(207)
    const { days: planned, ...found } = await pacing()
    const days = found.days_left + 10
    expect(planned).toHaveLength(days)
    expect(found).toEqual({
      campaign_id: id,
      name: 'Spring Sale',
      campaign_status: 'active',
      profile_id,
      currency: 'USD',
      currency_exponent: 2,
      period: { start: timeOf(0), end: timeOf(days) },
      target_minor: days * 100_00,
      spent_minor: 1000_00,
      expected_minor: 1000_00,
      pacing_index: 1,
      projected_minor: days * 100_00,
      required_daily_minor: 100_00,
      money_at_risk_minor: 0,
      complete_through: dateOf(9),
      last_reported_at: timeOf(10),
      days_left: days - 10,
      status: 'on_track',
      confidence: 'normal',
      overspend: [],
      sources: ['google_ads'],
    })
    expect(courseOf(await alerts())).toEqual(['pacing.changed no_data on_track'])
  })

  test('goes by the budgets as they were', async () => {
    const { id, owner, moveTo, report, pacing, dateOf } = await newSpending(world)
    await moveTo(5.5)
    await owner.patch(`/campaigns/${id}`, { daily_budget: 300 })
    await moveTo(7)
    await report({ 0: 500, 5: 300, 6: 300 }, { complete_through: dateOf(6) })
    const { days_left, ...found } = await pacing()
    expect(found).toMatchObject({
      target_minor: 500_00 + (days_left + 2) * 300_00,
      expected_minor: 1100_00,
      pacing_index: 1,
    })
  })

  test('does not count the time in which it was paused', async () => {
    const { id, owner, moveTo, spend, pacing, judge } = await newSpending(world)
    await moveTo(2.5)
    await owner.post(`/campaigns/${id}/pause`)
    await judge()
    expect(await pacing()).toMatchObject({ status: 'not_running' })
    await moveTo(4)
    await owner.post(`/campaigns/${id}/resume`)
    await moveTo(6)
    await spend(6, 75)
    expect(await pacing()).toMatchObject({ expected_minor: 450_00, pacing_index: 1 })
  })

  test('starts a new period with the month, without forgetting the rate', async () => {
    const { moveTo, spend, pacing, alerts } = await newSpending(world)
    const { days_left: days } = await pacing()
    await moveTo(days)
    await spend(days, 100)
    expect(await pacing()).toMatchObject({ spent_minor: null, status: 'low_confidence' })
    await moveTo(days + 4)
    await spend(days + 4, 100)
    expect(await pacing()).toMatchObject({
      spent_minor: 400_00,
      pacing_index: 1,
      status: 'on_track',
    })
    expect(courseOf(await alerts()).at(-1)).toBe('pacing.changed stale on_track')
  })

  test('spreads a lifetime budget over its flight, and sums up months that are over', async () => {
    const flight = { daily_budget: null, lifetime_budget: 20_000 }
    const { id, owner, moveTo, spend, pacing, timeOf } = await newSpending(world, {
      campaign: flight,
    })
    expect(await pacing()).toMatchObject({ period: { end: null }, status: 'no_data' })
    await owner.patch(`/campaigns/${id}`, { end_at: timeOf(200) })
    await moveTo(150)
    await spend(150, 100)
    expect(await pacing()).toMatchObject({
      period: { start: timeOf(0), end: timeOf(200) },
      spent_minor: 15_000_00,
      expected_minor: 15_000_00,
      pacing_index: 1,
      projected_minor: 20_000_00,
      days_left: 50,
      status: 'on_track',
    })
  })

  test('is for those who read campaigns, of their own organization', async () => {
    const [{ id, organization }, stranger] = await Promise.all([
      newSpending(world),
      newSpending(world),
    ])
    const viewer = await organization.as('viewer')
    expect((await viewer.get(`/campaigns/${id}/pacing`)).statusCode).toBe(200)
    expect((await stranger.owner.get(`/campaigns/${id}/pacing`)).statusCode).toBe(404)
    expect(await stranger.listed(`?id=${id}`)).toEqual([])
  })
})

describe('alerts', () => {
  test('come once per change of status, with the report that causes it', async () => {
    const { moveTo, spend, report, alerts, organization } = await newSpending(world, {
      profile: { platform: 'google_ads' },
    })
    await moveTo(10)
    await spend(10, 115)
    await spend(10, 115)
    await report({ 10: 10 })
    await moveTo(10.5)
    await spend(10, 109)
    await spend(10, 107)
    await spend(10, 130)
    expect(courseOf(await alerts())).toEqual([
      'pacing.changed no_data over',
      'pacing.changed over on_track',
      'pacing.changed on_track critical',
    ])
    const { data } = (await organization.owner.get('/audit_logs?action=pacing.changed')).json()
    expect(data).toHaveLength(3)
    expect(data[0]).toMatchObject({
      actor: { type: 'system' },
      resource: { type: 'campaign', name: 'Spring Sale' },
      changes: [{ field: 'pacing', before: 'on_track', after: 'critical' }],
    })
  })

  test('say that reports stay out, and that they came back', async () => {
    const { moveTo, spend, alerts, listed, judge } = await newSpending(world)
    await moveTo(5)
    await spend(5, 100)
    await moveTo(5.99)
    expect(await listed('?status=stale')).toEqual([])
    await moveTo(6)
    expect(await listed('?status=stale')).toHaveLength(1)
    await moveTo(8)
    await judge()
    await spend(8, 100)
    expect(courseOf(await alerts())).toEqual([
      'pacing.changed no_data on_track',
      'pacing.changed on_track stale',
      'pacing.stale on_track stale',
      'pacing.changed stale on_track',
    ])
  })

  test('follow the bounds of the guardrails', async () => {
    const { owner, moveTo, spend, judge, alerts } = await newSpending(world)
    await moveTo(10)
    await spend(10, 85)
    await owner.put('/organization/guardrails', { pacing: { under_percent: 80 } })
    await judge()
    expect(courseOf(await alerts())).toEqual([
      'pacing.changed no_data under',
      'pacing.changed under on_track',
    ])
    const refused = await owner.put('/organization/guardrails', { pacing: { over_percent: 95 } })
    expect(refused.json().errors).toMatchObject([{ pointer: '/pacing', code: 'out_of_range' }])
    const reset = await owner.put('/organization/guardrails', { pacing: null })
    expect(reset.json().pacing).toEqual({
      under_percent: 90,
      over_percent: 110,
      critical_percent: 120,
    })
  })
})

describe('the list', () => {
  test('has scheduled, active and paused campaigns, those with the most at risk first', async () => {
    const { owner, id, launched, moveTo, spend, listed, judge } = await newSpending(world)
    const yen = await owner.post('/profiles', { name: 'Tokyo', currency: 'JPY', client: 'Nippon' })
    const others = [
      await launched({ labels: ['spring'] }),
      await launched({ profile_id: yen.json().id, currency: 'JPY', daily_budget: 9_000 }),
      await launched(),
      await launched(),
    ]
    const [labelled = '', tokyo = '', silent = '', gone = ''] = others
    await owner.post(`/campaigns/${gone}/complete`)
    await owner.post(`/campaigns/${silent}/pause`)
    await moveTo(10)
    await spend(10, 130)
    await spend(10, 60, labelled)
    await spend(10, 9_010, tokyo)
    await judge()
    const idsOf = async (query: string) =>
      (await listed(query)).map((each: { campaign_id: string }) => each.campaign_id)
    expect(await idsOf('')).toEqual([labelled, id, tokyo, silent])
    expect(await idsOf('?sort=money_at_risk')).toEqual([tokyo, id, labelled, silent])
    expect(await idsOf('?status=critical')).toEqual([id])
    expect(await idsOf('?status=critical,under')).toEqual([labelled, id])
    expect(await idsOf('?campaign_status=paused')).toEqual([silent])
    expect(await idsOf('?currency=JPY')).toEqual([tokyo])
    expect(await idsOf('?client=Nippon')).toEqual([tokyo])
    expect(await idsOf('?label=spring')).toEqual([labelled])
    expect(await idsOf(`?profile_id=${yen.json().id}`)).toEqual([tokyo])
    const page = (await owner.get('/pacing?limit=3')).json()
    expect(page.meta.has_more).toBe(true)
    expect(await idsOf(`?limit=3&cursor=${page.meta.next_cursor}`)).toEqual([silent])
    expect((await owner.get('/pacing?status=none')).statusCode).toBe(400)
  })

  test('of campaigns is filtered and sorted by their pacing', async () => {
    const { owner, id, launched, moveTo, spend, judge } = await newSpending(world)
    const [under = '', silent = '', gone = '', draft = ''] = [
      await launched({ name: 'Slow' }),
      await launched(),
      await launched(),
      await launched(),
    ]
    await moveTo(10)
    for (const [of, amount] of [
      [id, 130],
      [under, 60],
      [gone, 190],
    ] as const) {
      await spend(10, amount, of)
    }
    await judge()
    await owner.post(`/campaigns/${gone}/complete`)
    await owner.post(`/campaigns/${draft}/complete`)
    const idsOf = async (query: string) => {
      const { data } = (await owner.get(`/campaigns?${query}`)).json()
      return data.map((each: { id: string }) => each.id)
    }
    expect(await idsOf('pacing_status=critical,under&sort=name')).toEqual([under, id])
    expect(await idsOf('pacing_status=critical')).toEqual([id])
    expect(await idsOf('pacing_status=no_data&q=spring')).toEqual([silent])
    expect(await idsOf('pacing_status=critical&delivery=eligible')).toEqual([id])
    expect(await idsOf('pacing_status=on_track')).toEqual([])
    const refused = await owner.get('/campaigns?pacing_status=none')
    expect(refused.json().errors).toMatchObject([
      { parameter: 'pacing_status', code: 'invalid_enum_value' },
    ])
    // A campaign that is over has nothing at risk any more: it comes last, newest first.
    const last = [draft, gone, silent]
    expect(await idsOf('sort=-money_at_risk')).toEqual([under, id, ...last])
    expect(await idsOf('sort=money_at_risk&fields=name')).toEqual([id, under, ...last.toReversed()])
    expect(await idsOf('sort=-money_at_risk&delivery=eligible')).toEqual([under, id, silent])
    expect(await idsOf('sort=-money_at_risk&limit=100')).toEqual([under, id, ...last])
    const walked: string[] = []
    for (let cursor = ''; ; ) {
      const query = `sort=-money_at_risk&limit=1&include_total=true${cursor}`
      const { data, meta } = (await owner.get(`/campaigns?${query}`)).json()
      expect(meta.total).toBe(5)
      walked.push(data[0].id)
      if (!meta.has_more) break
      cursor = `&cursor=${meta.next_cursor}`
    }
    expect(walked).toEqual([under, id, ...last])
  })

  test('shows a change of a campaign before the background has come to it', async () => {
    const { id, owner, listed } = await newSpending(world)
    const [{ target_minor }] = await listed()
    await owner.patch(`/campaigns/${id}`, { daily_budget: 200, name: 'Summer Sale' })
    expect(await listed()).toMatchObject([{ target_minor: 2 * target_minor, name: 'Summer Sale' }])
    await owner.post(`/campaigns/${id}/pause`)
    expect(await listed()).toMatchObject([{ status: 'not_running', campaign_status: 'paused' }])
  })
})
