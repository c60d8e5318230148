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

const stopped = {
  status: 'paused',
  status_reason: 'spend_cap_reached',
  delivery: { state: 'not_eligible', reasons: ['paused', 'spend_cap_reached'] },
}

describe('a lifetime budget', () => {
  const campaign = { daily_budget: null, lifetime_budget: 1_000 }
  const guardrails = { stop_at_percent: 95 }

  test('stops nothing unless the guardrails say so', async () => {
    const { report, ...the } = await newSpending(world, { campaign })
    await report({ 0: 1_200 })
    expect(await the.campaign()).toMatchObject({ status: 'active' })
    expect(await the.pacing()).toMatchObject({ status: 'exhausted' })
  })

  test('stops the campaign with the report that reaches the share of it', async () => {
    const { owner, report, judge, alerts, ...the } = await newSpending(world, {
      campaign,
      guardrails,
    })
    await report({ 0: 949.99 })
    expect(await the.campaign()).toMatchObject({ status: 'active', version: 2 })
    await report({ 0: 950 })
    expect(await the.campaign()).toMatchObject({ ...stopped, version: 3, updated_by: null })
    const { data } = (await owner.get('/audit_logs?action=campaign.paused')).json()
    expect(data).toMatchObject([{ actor: { type: 'system' }, outcome: 'success' }])
    const [event] = (await owner.get('/events?type=campaign.paused')).json().data
    expect(event.data.object).toMatchObject(stopped)
    await judge()
    await report({ 0: 2_000 })
    const statuses = (await alerts()).map(
      (each: { data: { object: { status: string } } }) => each.data.object.status,
    )
    expect(statuses).toEqual(['on_track', 'not_running'])
  })

  test('lets the campaign resume when it is raised, and not before', async () => {
    const { owner, id, report, ...the } = await newSpending(world, { campaign, guardrails })
    await report({ 0: 960 })
    const resume = () => owner.post(`/campaigns/${id}/resume`)
    expect((await resume()).json()).toMatchObject({
      code: 'launch_blocked',
      blocked_by: ['spend_cap_reached'],
    })
    const action = { action: 'resume', allowed: false, blocked_by: ['spend_cap_reached'] }
    const { available_actions } = await the.campaign()
    expect(available_actions).toContainEqual(action)
    const [listed] = (await owner.get('/campaigns?delivery_reason=spend_cap_reached')).json().data
    expect(listed.available_actions).toContainEqual(action)
    expect((await owner.get('/campaigns')).json().data[0].available_actions).toContainEqual(action)
    await owner.patch(`/campaigns/${id}`, { lifetime_budget: 1_010 })
    expect((await resume()).statusCode).toBe(409)
    await owner.patch(`/campaigns/${id}`, { lifetime_budget: 1_100 })
    expect((await resume()).json()).toMatchObject({ status: 'active', status_reason: null })
    expect((await owner.get('/campaigns?status_reason=spend_cap_reached')).json().data).toEqual([])
  })

  test('lets the campaign resume when what was spent is corrected', async () => {
    const { owner, id, report } = await newSpending(world, { campaign, guardrails })
    await report({ 0: 960 })
    const rows = [
      {
        campaign_id: id,
        spend: 960,
        adjustment: -20,
        date: (await owner.get('/sandbox')).json().now.slice(0, 10),
      },
    ]
    await report({}, { rows })
    expect((await owner.post(`/campaigns/${id}/resume`)).statusCode).toBe(200)
  })

  test('lets the campaign resume when the guardrail is lifted', async () => {
    const { owner, id, report } = await newSpending(world, { campaign, guardrails })
    await report({ 0: 960 })
    await owner.put('/organization/guardrails', { stop_at_percent: null })
    expect((await owner.post(`/campaigns/${id}/resume`)).statusCode).toBe(200)
  })
})

describe('a profile’s monthly cap', () => {
  const profile = { monthly_spend_cap: 1_000 }

  test('stops all its scheduled and active campaigns once they have spent it together', async () => {
    const the = await newSpending(world, { profile })
    const { owner, launched, report, timeOf } = the
    const [second, ahead, elsewhere] = [
      await launched(),
      await launched({ start_at: timeOf(20) }),
      await launched({ profile_id: (await owner.post('/profiles', { name: 'Other' })).json().id }),
    ]
    await report({ 0: 600 })
    await report({ 0: 399.99 }, {}, second)
    await report({ 0: 5_000 }, {}, elsewhere)
    expect(await the.campaign()).toMatchObject({ status: 'active' })
    await report({ 0: 400 }, {}, second)
    for (const each of [the.id, second, ahead]) {
      expect(await the.campaign(each)).toMatchObject(stopped)
    }
    expect(await the.campaign(elsewhere)).toMatchObject({ status: 'active' })
    const draft = await owner.post('/campaigns', {
      name: 'Late',
      objective: 'sales',
      profile_id: the.profile_id,
      daily_budget: 1,
    })
    expect((await owner.post(`/campaigns/${draft.json().id}/launch`)).json()).toMatchObject({
      code: 'launch_blocked',
      blocked_by: ['spend_cap_reached'],
    })
  })

  test('is shown in both forms, and needs a currency', async () => {
    const { owner } = await newSpending(world)
    const made = await owner.post('/profiles', {
      name: 'A',
      currency: 'JPY',
      monthly_spend_cap: 70_000,
    })
    expect(made.json()).toMatchObject({
      monthly_spend_cap: 70_000,
      monthly_spend_cap_minor: 70_000,
    })
    const caps = { monthly_spend_cap: 5, daily_budget_cap: 1 }
    const bare = await owner.post('/profiles', { name: 'A', ...caps })
    expect(bare.json().errors).toMatchObject([{ pointer: '/currency', code: 'required' }])
    const precise = await owner.post('/profiles', {
      name: 'A',
      currency: 'USD',
      monthly_spend_cap: 1.234,
    })
    expect(precise.json().errors).toMatchObject([
      { pointer: '/monthly_spend_cap', code: 'budget_precision' },
    ])
  })

  test('counts the month anew, in the zone of the profile', async () => {
    const the = await newSpending(world, { profile: { ...profile, time_zone: 'Asia/Tokyo' } })
    const { owner, id, report, moveTo, dateOf } = the
    const days: number = (await the.pacing()).days_left
    await moveTo(days - 1)
    await report({ 3: 1_000 })
    const resume = () => owner.post(`/campaigns/${id}/resume`)
    expect((await resume()).statusCode).toBe(409)
    // 23:59 and 00:00 of the next month in Tokyo, nine hours ahead.
    await moveTo(days - (9 * 60 + 1) / 1440)
    expect((await resume()).statusCode).toBe(409)
    await moveTo(days - 9 / 24)
    expect((await resume()).json()).toMatchObject({ status: 'active' })
    await report({ 4: 500 })
    expect(await the.campaign()).toMatchObject({ status: 'active' })
    await moveTo(days + 1)
    const rows = [{ campaign_id: id, date: dateOf(days), spend: 1_000 }]
    await report({}, { rows })
    expect(await the.campaign()).toMatchObject(stopped)
  })

  test('holds at the share that the guardrails set, and when it is set after the money is spent', async () => {
    const the = await newSpending(world, { guardrails: { stop_at_percent: 80 } })
    const { owner, id, profile_id, report } = the
    await report({ 0: 799 })
    await owner.patch(`/profiles/${profile_id}`, profile)
    await owner.post(`/campaigns/${id}/pause`)
    expect((await owner.post(`/campaigns/${id}/resume`)).statusCode).toBe(200)
    await report({ 0: 800 })
    expect(await the.campaign()).toMatchObject(stopped)
    await owner.patch(`/profiles/${profile_id}`, { monthly_spend_cap: 1_200 })
    expect((await owner.post(`/campaigns/${id}/resume`)).statusCode).toBe(200)
  })

  test('that is set below what was spent keeps campaigns from resuming', async () => {
    const the = await newSpending(world)
    const { owner, id, profile_id, report } = the
    await report({ 0: 2_000 })
    await owner.patch(`/profiles/${profile_id}`, profile)
    expect(await the.campaign()).toMatchObject({ status: 'active' })
    await owner.post(`/campaigns/${id}/pause`)
    expect((await owner.post(`/campaigns/${id}/resume`)).statusCode).toBe(409)
  })
})

test('a dry run of a report stops nothing', async () => {
  const the = await newSpending(world, { profile: { monthly_spend_cap: 1_000 } })
  const body = {
    source: 'google_ads',
    reported_at: the.timeOf(0),
    rows: [{ campaign_id: the.id, date: the.dateOf(0), spend: 5_000 }],
  }
  expect((await the.owner.post('/results?validate_only=true', body)).statusCode).toBe(200)
  expect(await the.campaign()).toMatchObject({ status: 'active' })
  expect(await the.alerts()).toEqual([])
})
