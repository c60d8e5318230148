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

const stopped = { status: 'paused', status_reason: 'spend_cap_reached' }
const byClient = { stop_scopes: ['client'] }

/** A client with a budget of 1,000.00 USD for the month, and a campaign of 100.00 a day. */
async function newClient(guardrails: object = byClient) {
  const the = await newSpending(world, { profile: { client: 'Northwind' }, guardrails })
  const { owner } = the
  const [{ id: client_id }] = (await owner.get('/clients')).json().data
  const budget = (amounts: object, month = the.dateOf(0).slice(0, 7)) =>
    owner.put(`/clients/${client_id}/budgets/${month}`, { amounts })
  await budget({ USD: 1_000 })
  const resume = async () => (await owner.post(`/campaigns/${the.id}/resume`)).statusCode
  return { ...the, client_id, budget, resume }
}

describe('a client’s month', () => {
  test('pauses its campaigns of that currency when its budget is spent', async () => {
    const the = await newClient()
    const { owner, launched, report } = the
    const other = (await owner.post('/profiles', { name: 'Other', client: 'Northwind' })).json()
    const [second, foreign, elsewhere] = [
      await launched({ profile_id: other.id }),
      await launched({ profile_id: other.id, currency: 'EUR' }),
      await launched({ profile_id: (await owner.post('/profiles', { name: 'Alone' })).json().id }),
    ]
    await report({ 0: 5_000 }, {}, elsewhere)
    await report({ 0: 5_000 }, {}, foreign)
    await report({ 0: 600 })
    await report({ 0: 399.99 }, {}, second)
    expect(await the.campaign()).toMatchObject({ status: 'active' })
    await report({ 0: 400 }, {}, second)
    expect(await the.campaign()).toMatchObject(stopped)
    expect(await the.campaign(second)).toMatchObject(stopped)
    expect(await the.campaign(foreign)).toMatchObject({ status: 'active' })
    expect(await the.campaign(elsewhere)).toMatchObject({ status: 'active' })
    expect(await the.resume()).toBe(409)
  })

  test('stops nothing without a budget, or unless the guardrails say so', async () => {
    const the = await newClient({ stop_at_percent: 100 })
    await the.report({ 0: 5_000 })
    expect(await the.campaign()).toMatchObject({ status: 'active' })
    await the.owner.put('/organization/guardrails', byClient)
    await the.owner.post(`/campaigns/${the.id}/pause`)
    expect(await the.resume()).toBe(409)
    const month = the.dateOf(0).slice(0, 7)
    await the.owner.delete(`/clients/${the.client_id}/budgets/${month}`)
    expect(await the.resume()).toBe(200)
    await the.report({ 0: 6_000 })
    expect(await the.campaign()).toMatchObject({ status: 'active' })
  })

  test('stops at the share that the guardrails set, and goes on with a higher budget', async () => {
    const the = await newClient({ ...byClient, stop_at_percent: 80 })
    await the.report({ 0: 799.99 })
    expect(await the.campaign()).toMatchObject({ status: 'active' })
    await the.report({ 0: 800 })
    expect(await the.campaign()).toMatchObject(stopped)
    await the.budget({ USD: 1_100 })
    expect(await the.resume()).toBe(200)
    await the.budget({ USD: 0 })
    await the.owner.post(`/campaigns/${the.id}/pause`)
    expect(await the.resume()).toBe(409)
  })

  test('begins anew in the client’s zone', async () => {
    const the = await newClient()
    await the.owner.patch(`/clients/${the.client_id}`, { time_zone: 'Pacific/Kiritimati' })
    await the.report({ 0: 1_000 })
    expect(await the.campaign()).toMatchObject(stopped)
    expect(await the.resume()).toBe(409)
    const { days_left } = await the.pacing()
    // 14 hours ahead of UTC.
    await the.moveTo(Number(days_left) - 14 / 24)
    expect(await the.resume()).toBe(200)
  })

  test('follows a profile to another client', async () => {
    const the = await newClient()
    await the.report({ 0: 1_000 })
    expect(await the.campaign()).toMatchObject(stopped)
    await the.owner.patch(`/profiles/${the.profile_id}`, { client: 'Contoso' })
    expect(await the.resume()).toBe(200)
  })

  test('counts no source below zero', async () => {
    const the = await newClient()
    await the.report({ 0: 1 })
    const row = { campaign_id: the.id, date: the.dateOf(0), spend: 10, adjustment: -1_000_000 }
    await the.report({}, { source: 'other', additional: true, rows: [row] })
    await the.report({ 0: 999.99 })
    expect(await the.campaign()).toMatchObject({ status: 'active' })
    await the.report({ 0: 1_000 })
    expect(await the.campaign()).toMatchObject(stopped)
  })
})

test('scopes are the first two by default, and may be none', async () => {
  const the = await newSpending(world, { profile: { monthly_spend_cap: 1_000 } })
  const scopes = async () =>
    (await the.owner.get('/organization/guardrails')).json().stop_scopes as string[]
  expect(await scopes()).toEqual(['lifetime', 'profile'])
  await the.owner.put('/organization/guardrails', { stop_scopes: ['client', 'lifetime'] })
  expect(await scopes()).toEqual(['lifetime', 'client'])
  await the.report({ 0: 1_000 })
  expect(await the.campaign()).toMatchObject({ status: 'active' })
  await the.owner.put('/organization/guardrails', { stop_scopes: [] })
  expect(await scopes()).toEqual([])
  await the.owner.put('/organization/guardrails', { stop_scopes: null })
  await the.report({ 0: 1_001 })
  expect(await the.campaign()).toMatchObject(stopped)
  const faulty = await the.owner.put('/organization/guardrails', { stop_scopes: ['world'] })
  expect(faulty.statusCode).toBe(422)
})
