import { afterAll, beforeAll, expect, test } from 'vitest'
import { madeKey } from '../../../../test/support/api-keys.ts'
import { newSpending } from '../../../../test/support/cases/spending.ts'
import { watch } from '../../../../test/support/documented.ts'
import { type OwnWorld, openOwnWorld } from '../../../../test/support/own-world.ts'
import { unlimited } from '../../../../test/support/world.ts'

let world: OwnWorld

beforeAll(async () => {
  world = watch(await openOwnWorld({ env: unlimited }))
})
afterAll(() => world.close())

const capped = {
  campaign: { daily_budget: null, lifetime_budget: 1_000 },
  guardrails: { stop_at_percent: 100 },
}
const stopped = { status: 'paused', status_reason: 'spend_cap_reached' }

type Spending = Awaited<ReturnType<typeof newSpending>>

/** Reports from another source that an editor has admitted. */
const reportMore = ({ report, id, dateOf }: Spending, row: object, more: object = {}) =>
  report({}, { source: 'other', rows: [{ campaign_id: id, date: dateOf(0), ...row }], ...more })

const admitted = { additional: true }

test.each([
  ['a lifetime budget', capped],
  ['a profile’s monthly cap', { profile: { monthly_spend_cap: 1_000 } }],
])('one source’s credits do not make room for another below %s', async (_, options) => {
  const the = await newSpending(world, options)
  await the.report({ 0: 1 })
  const credit = { spend: 10, adjustment: -1_000_000 }
  expect((await reportMore(the, credit, admitted)).statusCode).toBe(207)
  await the.report({ 0: 990 })
  expect(await the.campaign()).toMatchObject({ status: 'active' })
  await the.report({ 0: 1_000 })
  expect(await the.campaign()).toMatchObject(stopped)
  expect((await the.owner.post(`/campaigns/${the.id}/resume`)).statusCode).toBe(409)
  expect(await the.pacing()).toMatchObject(
    'campaign' in options ? { spent_minor: (10 - 1_000_000 + 1_000) * 100 } : {},
  )
})

test('a source’s own credits count, over the days of its flight', async () => {
  const the = await newSpending(world, capped)
  await the.moveTo(2)
  await the.report({ 0: 1 })
  await reportMore(the, { spend: 600 }, admitted)
  await the.report({ 0: 300, 1: 50 })
  await reportMore(the, { spend: 0, adjustment: -500, date: the.dateOf(1) })
  await the.report({ 0: 800, 1: 99 })
  expect(await the.campaign()).toMatchObject({ status: 'active' })
  await the.report({ 0: 800, 1: 100 })
  expect(await the.campaign()).toMatchObject(stopped)
})

test.each([
  ['a lifetime budget', capped],
  ['a profile’s monthly cap', { profile: { monthly_spend_cap: 1_000 } }],
])('a credit makes no room for what is spent after it below %s', async (_, options) => {
  const the = await newSpending(world, options)
  const day = (at: number, row: object) =>
    the.report({}, { rows: [{ campaign_id: the.id, date: the.dateOf(at), ...row }] })
  await the.moveTo(3)
  await day(0, { spend: 400, adjustment: -1_000_000 })
  await day(1, { spend: 999 })
  expect(await the.campaign()).toMatchObject({ status: 'active' })
  await day(1, { spend: 1_000 })
  expect(await the.campaign()).toMatchObject(stopped)
  await day(2, { spend: 0, adjustment: -300 })
  expect((await the.owner.post(`/campaigns/${the.id}/resume`)).statusCode).toBe(200)
  await day(3, { spend: 300 })
  expect(await the.campaign()).toMatchObject(stopped)
})

test('days before the flight neither count, nor do their credits', async () => {
  const the = await newSpending(world, {})
  await the.owner.put('/organization/guardrails', capped.guardrails)
  await the.moveTo(10)
  const id = await the.launched(capped.campaign)
  const late = { ...the, id }
  await reportMore(late, { spend: 0, adjustment: -5_000, date: the.dateOf(3) }, admitted)
  await reportMore(late, { spend: 400, date: the.dateOf(10) })
  await the.report({ 10: 600 }, admitted, id)
  expect(await the.campaign(id)).toMatchObject(stopped)
})

test('a change of budget is judged with the credits, too', async () => {
  const the = await newSpending(world, capped)
  await the.report({ 0: 1_000 })
  await reportMore(the, { spend: 0, adjustment: -900 }, admitted)
  const { owner, id } = the
  await owner.patch(`/campaigns/${id}`, { lifetime_budget: 1_100 })
  await the.judge()
  expect((await owner.post(`/campaigns/${id}/resume`)).statusCode).toBe(200)
  await the.report({ 0: 1_100 })
  expect(await the.campaign()).toMatchObject(stopped)
})

test('a reporter does not admit another source', async () => {
  const the = await newSpending(world, capped)
  await the.report({ 0: 10 })
  const { client: reporter } = await madeKey(world, the.owner, { role: 'reporter' })
  const body = {
    source: 'evil',
    reported_at: the.timeOf(0),
    rows: [{ campaign_id: the.id, date: the.dateOf(0), spend: 100_000 }],
  }
  const refused = await reporter.post('/results', { ...body, additional: true })
  expect([refused.statusCode, refused.json()]).toMatchObject([
    403,
    { code: 'insufficient_role', required_roles: ['owner', 'admin', 'editor'] },
  ])
  const { data } = (await the.owner.get('/audit_logs?outcome=denied')).json()
  expect(data).toMatchObject([{ action: 'results.reported', actor: { type: 'api_key' } }])
  const [row] = (await reporter.post('/results', body)).json().results
  expect(row.problem.code).toBe('results_source_taken')
  expect(await the.campaign()).toMatchObject({ status: 'active' })
})
