import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignBody, made, profileOf } from '../../../../test/support/cases/writes.ts'
import { watch } from '../../../../test/support/documented.ts'
import { type OwnWorld, openOwnWorld } from '../../../../test/support/own-world.ts'
import {
  type Client,
  openWorld,
  type TestOrganization,
  unlimited,
} from '../../../../test/support/world.ts'
import { moveDue } from '../timed-moves.ts'

let world: OwnWorld

// Its own database: the job moves everything that is due.
beforeAll(async () => {
  world = watch(await openOwnWorld({ env: unlimited }))
})
afterAll(async () => {
  await world.close()
})

const hour = 3_600_000

/** An organization with these guardrails, its profile, and an editor. */
async function guarded(rules: object, profile: object = {}) {
  const organization = await world.organization()
  await organization.owner.put('/organization/guardrails', rules)
  const profileId = await profileOf(organization, profile)
  const editor = await organization.as('editor')
  const campaign = (body: object = {}, client: Client = organization.owner) =>
    made(client, '/campaigns', { ...campaignBody(profileId), daily_budget: 100, ...body })
  return { organization, owner: organization.owner, editor, profileId, campaign }
}

const violation = (rule: string, limit: number, requested: number, currency = 'USD') => ({
  status: 422,
  code: 'guardrail_violation',
  rule,
  limit,
  requested,
  currency,
})

const launch = (client: Client, id: string) => client.post(`/campaigns/${id}/launch`)
const set = (client: Client, id: string, daily_budget: number | null, headers = {}) =>
  client.patch(`/campaigns/${id}`, { daily_budget }, headers)
const override = { 'x-override-reason': 'Black Friday' }

const blocksOf = async ({ owner }: TestOrganization) =>
  (await owner.get('/events?type=guardrail.blocked&sort=sequence')).json().data

describe('the highest daily budget', () => {
  test('applies to every write that sets one, per currency', async () => {
    const { owner, campaign, profileId } = await guarded({ max_daily_budget: { USD: 1000 } })
    const body = { ...campaignBody(profileId), daily_budget: 1000.01 }
    expect((await owner.post('/campaigns', body)).json()).toMatchObject(
      violation('max_daily_budget', 1000, 1000.01),
    )
    const id = await campaign({ daily_budget: 1000 })
    expect((await set(owner, id, 1001)).json()).toMatchObject(
      violation('max_daily_budget', 1000, 1001),
    )
    const copy = await owner.post(`/campaigns/${id}/duplicate`, { daily_budget: 5000 })
    expect(copy.json()).toMatchObject(violation('max_daily_budget', 1000, 5000))
    const bulk = { mode: 'partial', operations: [{ op: 'create', body }] }
    const { results } = (await owner.post('/campaigns/bulk', bulk)).json()
    expect(results[0].problem).toMatchObject({ code: 'guardrail_violation', limit: 1000 })
    const euros = await profileOf({ owner } as TestOrganization, { currency: 'EUR' })
    const other = { ...campaignBody(euros), currency: 'EUR', daily_budget: 9000 }
    expect((await owner.post('/campaigns', other)).statusCode).toBe(201)
    const unbounded = await owner.patch(`/campaigns/${id}`, {
      daily_budget: null,
      lifetime_budget: 99_000,
    })
    expect(unbounded.json()).toMatchObject(violation('max_daily_budget', 1000, 99_000))
  })

  test('applies to reverting to a version with a higher budget', async () => {
    const { owner, campaign } = await guarded({})
    const id = await campaign({ daily_budget: 3000 })
    await set(owner, id, 100)
    await owner.put('/organization/guardrails', { max_daily_budget: { USD: 1000 } })
    const reply = await owner.post(`/campaigns/${id}/revert`, { to_version: 1 })
    expect(reply.json()).toMatchObject(violation('max_daily_budget', 1000, 3000))
  })

  test('applies to launch and resume, but not to what already runs', async () => {
    const { owner, campaign } = await guarded({})
    const [draft, paused, active] = [await campaign(), await campaign(), await campaign()]
    await launch(owner, paused)
    await launch(owner, active)
    await owner.post(`/campaigns/${paused}/pause`)
    await owner.put('/organization/guardrails', { max_daily_budget: { USD: 50 } })
    const breach = violation('max_daily_budget', 50, 100)
    expect((await launch(owner, draft)).json()).toMatchObject(breach)
    expect((await owner.post(`/campaigns/${paused}/resume`)).json()).toMatchObject(breach)
    const renamed = await owner.patch(`/campaigns/${active}`, { name: 'B', daily_budget: 100 })
    expect(renamed.json()).toMatchObject({ name: 'B', status: 'active' })
    expect((await set(owner, active, 60)).json()).toMatchObject(
      violation('max_daily_budget', 50, 60),
    )
    expect((await set(owner, active, 50)).statusCode).toBe(200)
  })

  test('applies at the start; an overridden campaign starts', async () => {
    const { owner, organization, campaign } = await guarded({})
    const start_at = new Date(world.clock.now().getTime() + hour).toISOString()
    const [one, other] = [await campaign({ start_at }), await campaign({ start_at })]
    await launch(owner, one)
    await owner.put('/organization/guardrails', { max_daily_budget: { USD: 50 } })
    await owner.post(`/campaigns/${other}/launch`, undefined, override)
    world.clock.advance(hour)
    await moveDue(world.services, AbortSignal.timeout(20_000))
    const client = await organization.as('owner')
    expect((await client.get(`/campaigns/${one}`)).json()).toMatchObject({
      status: 'paused',
      status_reason: 'guardrail_violation',
    })
    expect((await client.get(`/campaigns/${other}`)).json().status).toBe('active')
    expect(await blocksOf({ ...organization, owner: client })).toMatchObject([
      { actor: { type: 'system' }, data: { object: { campaign_id: one, limit: 50 } } },
    ])
  })
})

test('overriding one rule does not override others at the start', async () => {
  const { owner, organization, campaign } = await guarded({ max_increase_percent: 10 })
  const start_at = new Date(world.clock.now().getTime() + hour).toISOString()
  const id = await campaign({ start_at })
  await launch(owner, id)
  expect((await set(owner, id, 200, override)).statusCode).toBe(200)
  await owner.put('/organization/guardrails', { max_daily_budget: { USD: 150 } })
  world.clock.advance(hour)
  await moveDue(world.services, AbortSignal.timeout(20_000))
  const client = await organization.as('owner')
  expect((await client.get(`/campaigns/${id}`)).json()).toMatchObject({
    status: 'paused',
    status_reason: 'guardrail_violation',
  })
})

describe('the highest increase', () => {
  test('of one change is compared with the value before it', async () => {
    const { owner, campaign } = await guarded({ max_increase_percent: 20 })
    const id = await campaign()
    expect((await set(owner, id, 300)).statusCode).toBe(200)
    expect((await set(owner, id, 100)).statusCode).toBe(200)
    await launch(owner, id)
    expect((await set(owner, id, 120.01)).json()).toMatchObject(
      violation('max_increase_percent', 120, 120.01),
    )
    expect((await set(owner, id, 120)).statusCode).toBe(200)
    await owner.post(`/campaigns/${id}/pause`)
    expect((await set(owner, id, 144.01)).json()).toMatchObject({ limit: 144 })
    expect((await set(owner, id, 144)).statusCode).toBe(200)
    expect((await set(owner, id, 1)).statusCode).toBe(200)
  })

  test('has up to two decimals, and is compared without rounding', async () => {
    const { owner, campaign } = await guarded({ max_increase_percent: 33.33 })
    const id = await campaign()
    await launch(owner, id)
    world.clock.advance(1000)
    expect((await set(owner, id, 133.34)).json()).toMatchObject({ limit: 133.33 })
    expect((await set(owner, id, 133.33)).statusCode).toBe(200)
    await owner.put('/organization/guardrails', {
      max_increase_percent: null,
      max_increase_percent_24h: 50.07,
    })
    expect((await set(owner, id, 150.08)).json()).toMatchObject({ limit: 150.07 })
    expect((await set(owner, id, 150.07)).statusCode).toBe(200)
  })

  test.each(['max_increase_percent', 'max_increase_percent_24h'])(
    'is checked by the daily cost, for any kind of budget: %s',
    async (rule) => {
      const { owner, campaign } = await guarded({ [rule]: 20 })
      const id = await campaign({ lifetime_budget: 5000 })
      await launch(owner, id)
      world.clock.advance(1000)
      const change = (body: object) => owner.patch(`/campaigns/${id}`, body)
      expect((await change({ daily_budget: null })).json()).toMatchObject({
        ...violation(rule, 120, 5000),
        errors: [{ pointer: '/daily_budget', given: null }],
      })
      expect((await change({ daily_budget: null, lifetime_budget: 121 })).json()).toMatchObject({
        ...violation(rule, 120, 121),
        errors: [{ pointer: '/lifetime_budget', given: 121 }],
      })
      const swapped = await change({ daily_budget: null, lifetime_budget: 120 })
      expect(swapped.json()).toMatchObject({ daily_budget: null, lifetime_budget: 120 })
      const limit = rule === 'max_increase_percent' ? 144 : 120
      const raise = await change({ daily_budget: 900, lifetime_budget: 900 })
      expect(raise.json()).toMatchObject(violation(rule, limit, 900))
      const widened = await change({ lifetime_budget: 145 })
      expect(widened.json()).toMatchObject(violation(rule, limit, 145))
      const back = await change({ daily_budget: limit, lifetime_budget: 9000 })
      expect(back.json()).toMatchObject({ daily_budget: limit, lifetime_budget: 9000 })
    },
  )

  test('of a day is compared with the value of 24 hours ago, or of the launch', async () => {
    const { organization, campaign } = await guarded({ max_increase_percent_24h: 50 })
    const client = () => organization.as('owner')
    const id = await campaign()
    await launch(await client(), id)
    const steps: [hours: number, budget: number, outcome: number][] = [
      [1, 120, 200],
      [1, 150, 200],
      [1, 151, 150],
      [20, 151, 150],
      // 24 hours ago it was 120; soon that will be 150.
      [2.5, 181, 180],
      [1, 225, 200],
      [1, 226, 225],
    ]
    for (const [hours, budget, outcome] of steps) {
      world.clock.advance(hours * hour)
      const reply = await set(await client(), id, budget)
      if (outcome === 200) {
        expect([budget, reply.statusCode, reply.body]).toEqual([budget, 200, reply.body])
        continue
      }
      expect([budget, reply.json()]).toMatchObject([
        budget,
        violation('max_increase_percent_24h', outcome, budget),
      ])
    }
  })

  test('of a day includes earlier operations of the same bulk request', async () => {
    const { owner, campaign } = await guarded({ max_increase_percent_24h: 50 })
    const id = await campaign()
    await launch(owner, id)
    world.clock.advance(1000)
    const update = (daily_budget: number) => ({ op: 'update', id, body: { daily_budget } })
    const operations = [update(140), update(190)]
    const { results } = (
      await owner.post('/campaigns/bulk', { mode: 'partial', operations })
    ).json()
    expect(results.map(({ status }: { status: number }) => status)).toEqual([200, 422])
    expect(results[1].problem).toMatchObject(violation('max_increase_percent_24h', 150, 190))
  })
})

describe('a refusal', () => {
  test('names the field of the body, and every rule that is broken', async () => {
    const rules = { max_daily_budget: { USD: 150 }, max_increase_percent: 10 }
    const { owner, campaign, profileId } = await guarded(rules, { daily_budget_cap: 200 })
    const id = await campaign()
    await launch(owner, id)
    const about = (rule: string, limit: number) => ({
      pointer: '/daily_budget',
      code: 'out_of_range',
      message: expect.stringContaining(rule),
      rule,
      limit,
      given: '300.50',
      requested: 300.5,
      currency: 'USD',
    })
    const reply = await owner.patch(`/campaigns/${id}`, { daily_budget: '300.50' })
    expect(reply.json()).toMatchObject(violation('profile_daily_budget_cap', 200, 300.5))
    expect(reply.json().errors).toEqual([
      about('profile_daily_budget_cap', 200),
      about('max_daily_budget', 150),
      about('max_increase_percent', 110),
    ])
    const preset = { name: 'Dear', defaults: { daily_budget: 900, currency: 'USD' } }
    const template_id = await made(owner, '/templates', preset)
    const { daily_budget: _, ...body } = { ...campaignBody(profileId), template_id }
    expect((await owner.post('/campaigns', body)).json().errors).toMatchObject([
      { pointer: '', code: 'guardrail_violation', limit: 150, requested: 900 },
    ])
    const draft = await campaign({ daily_budget: 120 })
    await owner.put('/organization/guardrails', { max_daily_budget: { USD: 110 } })
    expect((await launch(owner, draft)).json().errors).toMatchObject([
      { pointer: '', rule: 'profile_daily_budget_cap', limit: 200, requested: 220 },
      { pointer: '', rule: 'max_daily_budget', limit: 110, requested: 120 },
    ])
  })

  test('is recorded and makes an event, although nothing is written', async () => {
    const { organization, owner, editor, campaign } = await guarded({
      max_daily_budget: { USD: 1000 },
    })
    const id = await campaign()
    const before = (await owner.get(`/campaigns/${id}`)).json()
    const reply = await set(editor, id, 10_000)
    expect((await owner.get(`/campaigns/${id}`)).json()).toEqual(before)
    const { data } = (await owner.get('/audit_logs?action=guardrail.blocked')).json()
    expect(data).toMatchObject([
      {
        outcome: 'denied',
        actor: { id: editor.userId },
        resource: { type: 'campaign', id, name: before.name },
        changes: [{ field: 'max_daily_budget', before: 1000, after: 10_000 }],
        request: { id: reply.headers['x-request-id'], status: 422 },
      },
    ])
    const events = await blocksOf(organization)
    expect(events).toHaveLength(1)
    expect(events[0].data.object).toMatchObject({ campaign_id: id, rule: 'max_daily_budget' })
    expect((await owner.get(`/campaigns/${id}/history`)).json().data).toHaveLength(1)
  })

  test('makes no event in a dry run, or together with other faults', async () => {
    const { organization, owner, campaign, profileId } = await guarded({
      max_daily_budget: { USD: 1000 },
    })
    const id = await campaign()
    const tried = await owner.patch(`/campaigns/${id}?validate_only=true`, { daily_budget: 2000 })
    expect(tried.json()).toMatchObject(violation('max_daily_budget', 1000, 2000))
    const faulty = { ...campaignBody(profileId), daily_budget: 2000, name: 7 }
    expect((await owner.post('/campaigns', faulty)).json().code).toBe('validation_failed')
    expect(await blocksOf(organization)).toEqual([])
  })

  test('makes its event also when a whole bulk request is refused for it', async () => {
    const { organization, owner, campaign } = await guarded({ max_daily_budget: { USD: 1000 } })
    const id = await campaign()
    const operations = [
      { op: 'update', id, body: { name: 'B' } },
      { op: 'update', id, body: { daily_budget: 2000 } },
    ]
    const reply = await owner.post('/campaigns/bulk', { mode: 'atomic', operations })
    expect(reply.json()).toMatchObject({ code: 'bulk_failed' })
    expect(await blocksOf(organization)).toHaveLength(1)
    expect((await owner.get('/audit_logs/verify')).json().valid).toBe(true)
  })

  test('can be overridden by an owner or admin with a reason, which is recorded', async () => {
    const { organization, owner, editor, campaign } = await guarded({
      max_daily_budget: { USD: 1000 },
      max_increase_percent: 10,
    })
    const id = await campaign()
    await launch(owner, id)
    expect((await set(editor, id, 2000, override)).statusCode).toBe(422)
    expect((await set(owner, id, 2000, { 'x-override-reason': ' ' })).statusCode).toBe(422)
    const admin = await organization.as('admin')
    expect((await set(admin, id, 2000, override)).json().daily_budget).toBe(2000)
    const { data } = (await owner.get('/audit_logs?action=campaign.updated')).json()
    expect(data[0]).toMatchObject({ reason: 'Black Friday', actor: { id: admin.userId } })
    const within = await set(admin, id, 900, { ...override, 'x-audit-reason': 'Enough' })
    expect(within.statusCode).toBe(200)
    const [last] = (await owner.get('/audit_logs?action=campaign.updated')).json().data
    expect(last.reason).toBe('Enough')
    const long = await set(owner, id, 5000, { 'x-override-reason': 'x'.repeat(501) })
    expect(long.json().code).toBe('invalid_header')
  })
})

describe('the cap of a profile', () => {
  test('needs a currency, and is an amount of it', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const bare = await owner.post('/profiles', { name: 'A', daily_budget_cap: 10 })
    expect(bare.json().errors).toMatchObject([{ pointer: '/currency', code: 'required' }])
    const yen = { name: 'A', currency: 'JPY', daily_budget_cap: 10.5 }
    const { errors } = (await owner.post('/profiles', yen)).json()
    expect(errors).toMatchObject([{ pointer: '/daily_budget_cap', code: 'budget_precision' }])
    const id = await profileOf(organization, { daily_budget_cap: '500.50' })
    const profile = (await owner.get(`/profiles/${id}`)).json()
    expect(profile).toMatchObject({ daily_budget_cap: 500.5, daily_budget_cap_minor: 50_050 })
    expect((await owner.put(`/profiles/${id}`, profile)).json()).toEqual(profile)
    const cleared = await owner.patch(`/profiles/${id}`, { daily_budget_cap: null })
    expect(cleared.json()).toMatchObject({ daily_budget_cap: null, daily_budget_cap_minor: null })
  })

  test('is never exceeded by any role; once lowered, it admits nothing more', async () => {
    const { owner, campaign, profileId } = await guarded({}, { daily_budget_cap: 250 })
    const [one, two, three] = [await campaign(), await campaign(), await campaign()]
    await launch(owner, one)
    await launch(owner, two)
    const over = violation('profile_daily_budget_cap', 250, 300)
    expect((await launch(owner, three)).json()).toMatchObject(over)
    const forced = await owner.post(`/campaigns/${three}/launch`, undefined, override)
    expect(forced.json()).toMatchObject(over)
    expect((await set(owner, two, 151)).json()).toMatchObject({ requested: 251 })
    expect((await set(owner, two, 150)).statusCode).toBe(200)
    await owner.patch(`/profiles/${profileId}`, { daily_budget_cap: 50 })
    expect((await set(owner, two, 140)).statusCode).toBe(200)
    expect((await set(owner, two, 141)).statusCode).toBe(422)
    await owner.post(`/campaigns/${one}/pause`)
    expect((await owner.post(`/campaigns/${one}/resume`)).json()).toMatchObject({ requested: 240 })
  })

  test('is exact when fifty campaigns launch at once, on two replicas', async () => {
    const other = await openWorld({ clock: world.clock, address: world.database.address })
    const { owner, campaign, profileId } = await guarded({}, { daily_budget_cap: 1050 })
    const ids = await Promise.all(Array.from({ length: 50 }, () => campaign()))
    const replies = await Promise.all(
      ids.map((id, at) => {
        const headers = { authorization: `Bearer ${owner.token}` }
        const { app } = at % 2 === 0 ? world : other
        return app.inject({ method: 'POST', url: `/api/v1/campaigns/${id}/launch`, headers })
      }),
    )
    const outcomes = Object.groupBy(replies, ({ statusCode }) => statusCode)
    expect(outcomes[200]).toHaveLength(10)
    expect(outcomes[422]).toHaveLength(40)
    const { campaign_counts } = (await owner.get(`/profiles/${profileId}`)).json()
    expect(campaign_counts).toMatchObject({ active: 10, draft: 40 })
    await other.close()
  })
})
