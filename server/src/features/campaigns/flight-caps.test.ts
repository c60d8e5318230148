import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignBody, made, profileOf } from '../../../test/support/cases/writes.ts'
import { watch } from '../../../test/support/documented.ts'
import { type OwnWorld, openOwnWorld } from '../../../test/support/own-world.ts'
import { type Client, unlimited } from '../../../test/support/world.ts'
import { moveDue } from './timed-moves.ts'

let world: OwnWorld

// Its own database: the job moves everything that is due.
beforeAll(async () => {
  world = watch(await openOwnWorld({ env: unlimited }))
})
afterAll(() => world.close())

const dayMs = 86_400_000
const inDays = (days: number) => new Date(world.clock.now().getTime() + days * dayMs).toISOString()
const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const over = (rule: string, limit: number, requested: number, currency = 'USD') => ({
  status: 422,
  code: 'guardrail_violation',
  rule,
  limit,
  requested,
  currency,
})
const override = { 'x-override-reason': 'Agreed' }

/** An organization with these guardrails; its campaigns have only a lifetime budget. */
async function guarded(rules: object, profile: object = {}) {
  const organization = await world.organization()
  const { owner } = organization
  await owner.put('/organization/guardrails', rules)
  const profileId = await profileOf(organization, profile)
  const bodyWith = (body: object) => {
    const { daily_budget: _, ...rest } = campaignBody(profileId)
    return { ...rest, ...body }
  }
  const create = (body: object) => owner.post('/campaigns', bodyWith(body))
  const campaign = (body: object) => made(owner, '/campaigns', bodyWith(body))
  const act = (id: string, action: string, headers = {}) =>
    owner.post(`/campaigns/${id}/${action}`, undefined, headers)
  const change = (id: string, body: object, headers = {}) =>
    owner.patch(`/campaigns/${id}`, body, headers)
  return { organization, owner, profileId, bodyWith, create, campaign, act, change }
}

const thousandADay = { max_daily_budget: { USD: 1000 } }

describe('max_daily_budget applies to a lifetime budget over the days of its flight', () => {
  test('rounded up, and to the whole amount if there is no end', async () => {
    const { create } = await guarded(thousandADay)
    const flight = { start_at: inDays(1), end_at: inDays(11) }
    expect((await create({ ...flight, lifetime_budget: 10_000 })).statusCode).toBe(201)
    expect((await create({ ...flight, lifetime_budget: '10000.01' })).json()).toMatchObject({
      ...over('max_daily_budget', 1000, 1000.01),
      detail: 'max_daily_budget: 1000.01 USD per day exceeds 1000.',
      errors: [{ pointer: '/lifetime_budget', code: 'out_of_range', given: '10000.01' }],
    })
    expect((await create({ lifetime_budget: 1000 })).statusCode).toBe(201)
    expect((await create({ lifetime_budget: 5000 })).json()).toMatchObject(
      over('max_daily_budget', 1000, 5000),
    )
  })

  test('a flight of less than a day counts as a day', async () => {
    const { create } = await guarded(thousandADay)
    const short = { start_at: inDays(1), end_at: inDays(1.5) }
    expect((await create({ ...short, lifetime_budget: 1001 })).json()).toMatchObject({
      requested: 1001,
    })
    expect((await create({ ...short, lifetime_budget: 1000 })).statusCode).toBe(201)
    const longer = { start_at: inDays(1), end_at: inDays(2.5) }
    expect((await create({ ...longer, lifetime_budget: 2000 })).json()).toMatchObject({
      requested: 1333.34,
    })
  })

  test('only days opened by the schedule count', async () => {
    const { create, change } = await guarded(thousandADay)
    const flight = { start_at: inDays(1), end_at: inDays(15), lifetime_budget: 14_000 }
    const sundays = [{ day: 'sun', start: '08:00', end: '20:00' }]
    expect((await create({ ...flight, schedule: sundays })).json()).toMatchObject(
      over('max_daily_budget', 1000, 7000),
    )
    const mornings = days.map((day) => ({ day, start: '06:00', end: '12:00' }))
    const reply = await create({ ...flight, schedule: mornings })
    expect(reply.statusCode).toBe(201)
    const narrowed = await change(reply.json().id, { schedule: mornings.slice(0, 5) })
    expect(narrowed.json()).toMatchObject({
      ...over('max_daily_budget', 1000, 1400),
      errors: [{ pointer: '/schedule' }],
    })
  })

  test('a shorter flight is checked, and a longer one is allowed', async () => {
    const { campaign, change, act } = await guarded(thousandADay)
    const id = await campaign({
      start_at: inDays(1),
      end_at: inDays(11),
      lifetime_budget: 10_000,
    })
    await act(id, 'launch')
    expect((await change(id, { end_at: inDays(6) })).json()).toMatchObject({
      ...over('max_daily_budget', 1000, 2000),
      errors: [{ pointer: '/end_at', given: inDays(6) }],
    })
    expect((await change(id, { start_at: inDays(9) })).json()).toMatchObject({
      ...over('max_daily_budget', 1000, 5000),
      errors: [{ pointer: '/start_at' }],
    })
    expect((await change(id, { end_at: inDays(21) })).statusCode).toBe(200)
    expect((await change(id, { end_at: null })).json()).toMatchObject({ requested: 10_000 })
  })

  test('a start in the past does not lengthen the flight', async () => {
    const { campaign, act, create } = await guarded(thousandADay)
    const [start_at, end_at] = [inDays(-100), inDays(2)]
    expect((await create({ start_at, end_at, lifetime_budget: 50_000 })).json()).toMatchObject({
      requested: 25_000,
    })
    const id = await campaign({ end_at: inDays(10), lifetime_budget: 10_000 })
    world.clock.advance(8 * 3_600_000)
    expect((await act(id, 'launch')).json()).toMatchObject(over('max_daily_budget', 1000, 1034.49))
  })

  test('a resume near the end counts the rest of the budget over the rest of the flight', async () => {
    const { organization, campaign, act } = await guarded(thousandADay)
    const id = await campaign({ end_at: inDays(10), lifetime_budget: 10_000 })
    await act(id, 'launch')
    await act(id, 'pause')
    world.clock.advance(9 * dayMs)
    const owner = await organization.as('owner')
    expect((await owner.post(`/campaigns/${id}/resume`)).json()).toMatchObject(
      over('max_daily_budget', 1000, 10_000),
    )
    await owner.patch(`/campaigns/${id}`, { daily_budget: 1000 })
    expect((await owner.post(`/campaigns/${id}/resume`)).statusCode).toBe(200)
  })

  test('a raise counts the rest of the flight; less money or more time is allowed', async () => {
    const { organization, campaign, act } = await guarded(thousandADay)
    const id = await campaign({ end_at: inDays(10), lifetime_budget: 1000 })
    await act(id, 'launch')
    world.clock.advance(9 * dayMs)
    const owner = await organization.as('owner')
    const change = (body: object) => owner.patch(`/campaigns/${id}`, body)
    expect((await change({ lifetime_budget: 9000 })).json()).toMatchObject(
      over('max_daily_budget', 1000, 9000),
    )
    expect((await change({ lifetime_budget: 50_000, end_at: inDays(40) })).json()).toMatchObject({
      requested: 1250,
    })
    expect((await change({ lifetime_budget: 900 })).statusCode).toBe(200)
    expect((await change({ end_at: inDays(40) })).statusCode).toBe(200)
    expect((await change({ lifetime_budget: 40_000 })).statusCode).toBe(200)
  })

  test('every kind of request is held to the cap over the flight', async () => {
    const { owner, campaign, bodyWith, change } = await guarded({})
    const id = await campaign({ end_at: inDays(2), lifetime_budget: 50_000 })
    await change(id, { end_at: inDays(60) })
    await owner.put('/organization/guardrails', thousandADay)
    const breach = { code: 'guardrail_violation', rule: 'max_daily_budget', requested: 25_000 }
    const reverted = await owner.post(`/campaigns/${id}/revert`, { to_version: 1 })
    expect(reverted.json()).toMatchObject(breach)
    const end_at = inDays(2)
    expect((await owner.post(`/campaigns/${id}/duplicate`, { end_at })).json()).toMatchObject(
      breach,
    )
    const preset = { name: 'Dear', defaults: { lifetime_budget: 50_000, end_at } }
    const template_id = await made(owner, '/templates', preset)
    expect((await owner.post('/campaigns', bodyWith({ template_id }))).json()).toMatchObject(breach)
    const operations = [{ op: 'update', id, body: { end_at } }]
    const tried = await owner.post('/campaigns/bulk?validate_only=true', {
      mode: 'partial',
      operations,
    })
    expect(tried.json().results[0].problem).toMatchObject(breach)
    const all = await owner.post('/campaigns/bulk', { mode: 'atomic', operations })
    expect(all.json()).toMatchObject({
      code: 'bulk_failed',
      errors: [{ pointer: '/operations/0/body/end_at', rule: 'max_daily_budget' }],
    })
    const let_in = await change(id, { end_at }, override)
    expect(let_in.statusCode).toBe(200)
  })
})

describe('the cap of a profile', () => {
  test('counts the daily cost of lifetime budgets', async () => {
    const { owner, profileId, campaign, act, change } = await guarded(
      {},
      { daily_budget_cap: 1000 },
    )
    const flight = { start_at: inDays(1), end_at: inDays(11) }
    const one = await campaign({ ...flight, lifetime_budget: 6000 })
    const two = await campaign({ ...flight, lifetime_budget: 5000 })
    const daily = await made(owner, '/campaigns', {
      ...campaignBody(profileId),
      daily_budget: 401,
    })
    expect((await act(one, 'launch')).statusCode).toBe(200)
    const cap = (requested: number) => over('profile_daily_budget_cap', 1000, requested)
    expect((await act(two, 'launch')).json()).toMatchObject(cap(1100))
    expect((await act(two, 'launch', override)).json()).toMatchObject(cap(1100))
    expect((await act(daily, 'launch')).json()).toMatchObject(cap(1001))
    await change(two, { lifetime_budget: 4000 })
    expect((await act(two, 'launch')).statusCode).toBe(200)
    expect((await change(two, { end_at: inDays(10) })).json()).toMatchObject(cap(1044.45))
    expect((await change(one, { lifetime_budget: 3000 })).statusCode).toBe(200)
    expect((await change(two, { end_at: inDays(10) })).statusCode).toBe(200)
  })

  test('keeps counting the admitted cost, and does not allow a daily budget instead', async () => {
    const { organization, campaign, act } = await guarded({}, { daily_budget_cap: 1000 })
    const id = await campaign({ end_at: inDays(10), lifetime_budget: 10_000 })
    await act(id, 'launch')
    world.clock.advance(9 * dayMs)
    const owner = await organization.as('owner')
    const change = (body: object) => owner.patch(`/campaigns/${id}`, body)
    expect((await change({ name: 'B' })).statusCode).toBe(200)
    expect((await change({ daily_budget: 10_000 })).json()).toMatchObject(
      over('profile_daily_budget_cap', 1000, 10_000),
    )
    expect((await change({ daily_budget: 1000 })).statusCode).toBe(200)
  })

  test('counts a resumed campaign over the rest of its flight', async () => {
    const { organization, profileId, campaign, act } = await guarded(
      {},
      { daily_budget_cap: 10_500 },
    )
    const id = await campaign({ end_at: inDays(10), lifetime_budget: 10_000 })
    await act(id, 'launch')
    await act(id, 'pause')
    world.clock.advance(9 * dayMs)
    const owner = await organization.as('owner')
    expect((await owner.post(`/campaigns/${id}/resume`)).statusCode).toBe(200)
    const body = { ...campaignBody(profileId), daily_budget: 501 }
    const other = await made(owner, '/campaigns', body)
    expect((await owner.post(`/campaigns/${other}/launch`)).json()).toMatchObject(
      over('profile_daily_budget_cap', 10_500, 10_501),
    )
  })

  test('applies within one bulk request', async () => {
    const { owner, campaign } = await guarded({}, { daily_budget_cap: 1000 })
    const flight = { start_at: inDays(1), end_at: inDays(11), lifetime_budget: 6000 }
    const ids = [await campaign(flight), await campaign(flight)]
    const operations = ids.map((id) => ({ op: 'action', id, action: 'launch' }))
    const { results } = (
      await owner.post('/campaigns/bulk', { mode: 'partial', operations })
    ).json()
    expect(results.map(({ status }: { status: number }) => status)).toEqual([200, 422])
  })
})

test('treats a shorter flight of a running campaign as an increase', async () => {
  const { campaign, act, change } = await guarded({ max_increase_percent: 20 })
  const id = await campaign({ start_at: inDays(1), end_at: inDays(31), lifetime_budget: 3000 })
  await act(id, 'launch')
  expect((await change(id, { end_at: inDays(11) })).json()).toMatchObject({
    ...over('max_increase_percent', 120, 300),
    errors: [{ pointer: '/end_at' }],
  })
  expect((await change(id, { end_at: inDays(27) })).statusCode).toBe(200)
})

describe('max_lifetime_budget', () => {
  const rules = { max_lifetime_budget: { USD: 5000 } }

  test('applies to every write that sets one, and at every start', async () => {
    const { owner, create, campaign, act, change } = await guarded({})
    const [draft, paused] = [
      await campaign({ lifetime_budget: 6000 }),
      await campaign({ lifetime_budget: 6000 }),
    ]
    await act(paused, 'launch')
    await act(paused, 'pause')
    await owner.put('/organization/guardrails', rules)
    const breach = over('max_lifetime_budget', 5000, 6000)
    expect((await create({ lifetime_budget: 6000, daily_budget: 10 })).json()).toMatchObject({
      ...breach,
      errors: [{ pointer: '/lifetime_budget', code: 'out_of_range', given: 6000 }],
    })
    expect((await act(draft, 'launch')).json()).toMatchObject(breach)
    expect((await act(paused, 'resume')).json()).toMatchObject(breach)
    expect((await change(draft, { lifetime_budget: 5500 })).json().code).toBe('guardrail_violation')
    expect((await change(draft, { name: 'B' })).statusCode).toBe(200)
    expect((await change(draft, { lifetime_budget: 5000 })).statusCode).toBe(200)
    expect((await act(draft, 'launch')).statusCode).toBe(200)
  })

  test('is reported, and can be overridden with a reason', async () => {
    const { owner, bodyWith, create } = await guarded(rules)
    await create({ lifetime_budget: 6000 })
    const [event] = (await owner.get('/events?type=guardrail.blocked')).json().data
    expect(event.data.object).toMatchObject({
      rule: 'max_lifetime_budget',
      limit: 5000,
      requested: 6000,
    })
    const body = bodyWith({ lifetime_budget: 6000 })
    expect((await owner.post('/campaigns', body, override)).statusCode).toBe(201)
  })
})

describe('currencies that are in neither map', () => {
  const rules = { ...thousandADay, unlisted_currencies: 'refuse' }

  test('are refused if the organization says so', async () => {
    const { owner, create, campaign, act } = await guarded({}, { currency: null })
    const euros = await campaign({ currency: 'EUR', lifetime_budget: 10 })
    await owner.put('/organization/guardrails', rules)
    const breach = over('unlisted_currency', 0, 10, 'EUR')
    expect((await create({ currency: 'EUR', daily_budget: 10 })).json()).toMatchObject({
      ...breach,
      errors: [{ pointer: '/currency', code: 'out_of_range', given: 'EUR' }],
    })
    expect((await act(euros, 'launch')).json()).toMatchObject(breach)
    expect((await create({ currency: 'USD', daily_budget: 10 })).statusCode).toBe(201)
    await owner.put('/organization/guardrails', { max_lifetime_budget: { EUR: 10 } })
    expect((await act(euros, 'launch')).statusCode).toBe(200)
    await owner.put('/organization/guardrails', {
      max_lifetime_budget: null,
      unlisted_currencies: null,
    })
    expect((await owner.get('/organization/guardrails')).json()).toMatchObject({
      max_lifetime_budget: {},
      unlisted_currencies: 'allow',
    })
    expect((await create({ currency: 'EUR', daily_budget: 10 })).statusCode).toBe(201)
  })
})

describe('at the start', () => {
  const statusOf = async (owner: Client, id: string) =>
    (await owner.get(`/campaigns/${id}`)).json().status

  test('each rule is checked again, and an overridden campaign starts', async () => {
    const { organization, owner, campaign, act } = await guarded({}, { currency: null })
    const flight = { start_at: inDays(1), end_at: inDays(3), lifetime_budget: 4000 }
    const sent = [
      await campaign(flight),
      await campaign({ ...flight, currency: 'EUR' }),
      await campaign(flight),
      await campaign({ ...flight, currency: 'EUR' }),
    ]
    const [dollars = '', euros = '', allowed = '', allowedEuros = ''] = sent
    for (const id of [dollars, euros]) await act(id, 'launch')
    await owner.put('/organization/guardrails', {
      max_daily_budget: { USD: 1000 },
      max_lifetime_budget: { USD: 3000 },
      unlisted_currencies: 'refuse',
    })
    for (const id of [allowed, allowedEuros]) {
      expect((await act(id, 'launch')).json().code).toBe('guardrail_violation')
      expect((await act(id, 'launch', override)).statusCode).toBe(200)
    }
    world.clock.advance(dayMs + 1000)
    await moveDue(world.services, AbortSignal.timeout(20_000))
    const later = await organization.as('owner')
    const statuses = await Promise.all(sent.map((id) => statusOf(later, id)))
    expect(statuses).toEqual(['paused', 'paused', 'active', 'active'])
  })
})
