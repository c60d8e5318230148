import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSpending } from '../../../../test/support/cases/spending.ts'
import { watch } from '../../../../test/support/documented.ts'
import { type OwnWorld, openOwnWorld } from '../../../../test/support/own-world.ts'
import { scopedMember } from '../../../../test/support/scoped.ts'
import { unlimited } from '../../../../test/support/world.ts'

let world: OwnWorld

// Its own database: the background judges whatever is due.
beforeAll(async () => {
  world = watch(await openOwnWorld({ env: unlimited }))
})
afterAll(() => world.close())

type DayFigures = {
  spend: number
  clicks?: number
  impressions?: number
  conversions?: number
  conversion_value?: number
}

/** A campaign with a target on its twelfth day, and a report of each day before. */
async function performing(target: object | null, day: DayFigures, days = 11) {
  const spending = await newSpending(world, { campaign: { target } })
  const { owner, id, moveTo, dateOf, timeOf } = spending
  await moveTo(days)
  const reportDays = async (figures: DayFigures) => {
    const rows = Array.from({ length: days }, (_, at) => ({
      campaign_id: id,
      date: dateOf(at),
      ...figures,
    }))
    const body = { source: 'google_ads', reported_at: timeOf(days), rows }
    const reply = await owner.post('/results', body)
    expect([reply.statusCode, reply.json().counts.failed]).toEqual([207, 0])
  }
  await reportDays(day)
  const performance = async () =>
    (await owner.get(`/campaigns/${id}?include=performance`)).json().performance
  return { ...spending, reportDays, performance }
}

describe('the performance of a campaign', () => {
  test('is judged by the days of its window, which ends yesterday', async () => {
    const day = { spend: 60, clicks: 40, impressions: 4_000, conversions: 2, conversion_value: 90 }
    const { performance, dateOf } = await performing({ metric: 'cpa', value: 20 }, day)
    expect(await performance()).toEqual({
      metric: 'cpa',
      value: 30,
      target: 20,
      index: 0.6667,
      status: 'off_target',
      window: { from: dateOf(4), to: dateOf(11) },
      spend_minor: 420_00,
      conversions: 14,
    })
  })

  const day = { spend: 24, clicks: 20, impressions: 2_000, conversions: 2, conversion_value: 80 }
  test.each([
    ['cpa', 10, 'on_target'],
    ['cpa', 9.99, 'off_target'],
    ['cpc', 1, 'on_target'],
    ['cpc', 0.99, 'off_target'],
    ['cpm', 10, 'on_target'],
    ['roas', 4.1666, 'on_target'],
    ['roas', 4.1667, 'off_target'],
    ['ctr', 0.0125, 'on_target'],
    ['ctr', 0.0126, 'off_target'],
    ['conversions', 17, 'on_target'],
    ['conversions', 18, 'off_target'],
    ['clicks', 175, 'on_target'],
    ['impressions', 17_501, 'off_target'],
  ])('is 20 percent worse at most: %s of %d is %s', async (metric, value, status) => {
    const { performance } = await performing({ metric, value }, day)
    expect(await performance()).toMatchObject({ metric, status })
  })

  test.each([
    ['cpa', { spend: 10, conversions: 1 }, 11, 'low_data'],
    ['roas', { spend: 10, conversions: 1, conversion_value: 50 }, 11, 'low_data'],
    ['cpc', { spend: 10, clicks: 1 }, 11, 'low_data'],
    ['cpm', { spend: 10, impressions: 100 }, 11, 'low_data'],
    ['ctr', { spend: 10 }, 11, 'low_data'],
    ['cpa', { spend: 10, conversions: 50 }, 2, 'low_data'],
    ['clicks', { spend: 10, clicks: 0 }, 11, 'off_target'],
  ])('waits for data: %s of %j on %d days is %s', async (metric, figures, days, status) => {
    const { performance } = await performing({ metric, value: 1 }, figures, days)
    expect(await performance()).toMatchObject({ status })
  })

  test('is without data where nothing was reported in the window, and never zero', async () => {
    const { performance, moveTo } = await performing({ metric: 'cpa', value: 20 }, day)
    await moveTo(30)
    expect(await performance()).toMatchObject({
      status: 'no_data',
      value: null,
      index: null,
      spend_minor: null,
    })
  })

  test('is shown where it is asked for, and null without a target', async () => {
    const { owner, id, organization } = await performing(null, day)
    expect(await owner.get(`/campaigns/${id}`).then((reply) => reply.json())).not.toHaveProperty(
      'performance',
    )
    expect((await owner.get('/campaigns')).json().data[0]).not.toHaveProperty('performance')
    const [listed] = (await owner.get('/campaigns?include=performance')).json().data
    expect(listed).toMatchObject({ id, performance: null })
    await owner.patch(`/campaigns/${id}`, { target: { metric: 'clicks', value: 140 } })
    const { data } = (await owner.get('/campaigns?fields=performance')).json()
    expect(data).toEqual([
      { id, performance: expect.objectContaining({ value: 140, index: 1, status: 'on_target' }) },
    ])
    const stranger = await scopedMember(organization, 'viewer', { labels: ['none'] })
    expect((await stranger.get(`/campaigns/${id}?include=performance`)).statusCode).toBe(404)
  })

  test('is not taken as unchanged while the campaign is', async () => {
    const { owner, id } = await performing({ metric: 'clicks', value: 140 }, day)
    const path = `/campaigns/${id}?include=performance`
    const { headers } = await owner.get(path)
    const again = await owner.call({
      method: 'GET',
      url: path,
      headers: { 'if-none-match': String(headers.etag) },
    })
    expect(again.statusCode).toBe(200)
  })

  test('may be sent back as it was read, but not otherwise', async () => {
    const { owner, id } = await performing({ metric: 'clicks', value: 140 }, day)
    const { performance } = (await owner.get(`/campaigns/${id}?include=performance`)).json()
    expect((await owner.patch(`/campaigns/${id}`, { performance })).statusCode).toBe(200)
    const other = { ...performance, status: 'off_target' }
    const refused = await owner.patch(`/campaigns/${id}`, { performance: other })
    expect(refused.json().errors).toMatchObject([{ code: 'read_only_field' }])
  })

  test('is as bad as the guardrail allows', async () => {
    const { owner, performance } = await performing({ metric: 'clicks', value: 200 }, day)
    expect(await performance()).toMatchObject({ value: 140, status: 'off_target' })
    await owner.put('/organization/guardrails', { performance_bound: 30 })
    expect(await performance()).toMatchObject({ status: 'on_target' })
    const reset = await owner.put('/organization/guardrails', { performance_bound: null })
    expect(reset.json()).toMatchObject({ performance_bound: 20 })
  })
})
