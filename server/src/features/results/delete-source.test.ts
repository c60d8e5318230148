import { afterAll, beforeAll, expect, test } from 'vitest'
import { madeKey } from '../../../test/support/api-keys.ts'
import { newSpending } from '../../../test/support/cases/spending.ts'
import { watch } from '../../../test/support/documented.ts'
import { type OwnWorld, openOwnWorld } from '../../../test/support/own-world.ts'
import { unlimited } from '../../../test/support/world.ts'

let world: OwnWorld

beforeAll(async () => {
  world = watch(await openOwnWorld({ env: unlimited }))
})
afterAll(() => world.close())

const capped = {
  campaign: { daily_budget: null, lifetime_budget: 1_000 },
  guardrails: { stop_at_percent: 100 },
}
const evil = '/results/sources/evil%20%2F%20twin'
const evilName = 'evil / twin'

/** A campaign whose cap a second source has reached. */
async function newSpent(options: object = capped) {
  const the = await newSpending(world, options)
  await the.report({ 0: 100 })
  const rows = [{ campaign_id: the.id, date: the.dateOf(0), spend: 100_000, clicks: 3 }]
  await the.report({}, { source: evilName, additional: true, rows })
  return the
}

test('takes its days off all sums, and lets what its cap has paused resume', async () => {
  const the = await newSpent()
  const { owner, id } = the
  const resume = () => owner.post(`/campaigns/${id}/resume`)
  expect((await resume()).statusCode).toBe(409)
  expect((await owner.delete(evil)).statusCode).toBe(204)

  expect(await the.pacing()).toMatchObject({ spent_minor: 10_000, sources: ['google_ads'] })
  const range = `from=${the.dateOf(0)}&to=${the.dateOf(1)}`
  for (const group of ['campaign', 'profile', 'source', 'day', 'label']) {
    const { data } = (await owner.get(`/results?group_by=${group}&${range}`)).json()
    expect(data).toMatchObject([{ spend_minor: 10_000, clicks: null }])
  }
  const days = (await owner.get(`/campaigns/${id}/results?${range}`)).json().data
  expect(days).toMatchObject([{ spend_minor: 10_000, sources: ['google_ads'] }])
  expect((await owner.get('/results/sources')).json().data).toMatchObject([
    { source: 'google_ads', campaign_count: 1 },
  ])
  expect((await resume()).json()).toMatchObject({ status: 'active' })
  expect((await owner.delete(evil)).statusCode).toBe(404)
})

test('counts the month of the profile anew', async () => {
  const the = await newSpent({ profile: { monthly_spend_cap: 1_000 } })
  await the.owner.delete(evil)
  expect((await the.owner.post(`/campaigns/${the.id}/resume`)).statusCode).toBe(200)
  await the.report({ 0: 999 })
  expect(await the.campaign()).toMatchObject({ status: 'active' })
  await the.report({ 0: 1_000 })
  expect(await the.campaign()).toMatchObject({ status: 'paused' })
})

test('has one audit record and one event, which name what is gone', async () => {
  const { owner, id, organization } = await newSpent()
  const dry = await owner.delete(`${evil}?validate_only=true`)
  const gone = { source: evilName, day_count: 1, campaign_count: 1, campaign_ids: [id] }
  expect([dry.statusCode, dry.json()]).toMatchObject([200, gone])
  await owner.delete(evil, { 'x-audit-reason': 'a stolen key' })
  const events = (await owner.get('/events?type=results.source_deleted')).json().data
  expect(events).toMatchObject([{ data: { object: gone } }])
  const records = (await owner.get('/audit_logs?action=results.source_deleted')).json().data
  expect(records).toMatchObject([
    { actor: { id: organization.owner.userId }, outcome: 'success', reason: 'a stolen key' },
  ])
})

test('may be limited to some campaigns, and the source may report again', async () => {
  const the = await newSpent()
  const { owner, id } = the
  const second = await the.launched()
  await the.report({ 0: 50 }, { source: evilName }, second)
  expect((await owner.delete(`${evil}?campaign_id=${id}`)).statusCode).toBe(204)
  expect((await the.pacing(second)).spent_minor).toBe(5_000)
  expect((await owner.delete(`${evil}?campaign_id=${id}`)).statusCode).toBe(404)
  const [row] = (await the.report({ 0: 70 }, { source: evilName })).json().results
  expect(row.problem.code).toBe('results_source_taken')
  await the.report({ 0: 70 }, { source: evilName, additional: true })
  expect((await the.pacing()).spent_minor).toBe(17_000)
})

test('is for admins and owners, and stays within the organization', async () => {
  const { organization, owner } = await newSpent()
  const stranger = await world.organization()
  expect((await stranger.owner.delete(evil)).statusCode).toBe(404)
  const editor = await organization.as('editor')
  expect((await editor.delete(evil)).json()).toMatchObject({ code: 'insufficient_role' })
  const { client: reporter } = await madeKey(world, owner, { role: 'reporter' })
  expect((await reporter.delete(evil)).statusCode).toBe(403)
  const admin = await organization.as('admin')
  expect((await admin.delete(evil)).statusCode).toBe(204)
})
