import { afterAll, beforeAll, expect, test } from 'vitest'
import { watch } from '../../../test/support/documented.ts'
import { openWorld, type World } from '../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld())
})
afterAll(() => world.close())

const path = '/organization/guardrails'

test('an organization starts without caps or required approval', async () => {
  const { owner, id } = await world.organization()
  const reply = await owner.get(path)
  expect(reply.headers.etag).toBe('"1"')
  expect(reply.json()).toEqual({
    id,
    max_daily_budget: {},
    max_lifetime_budget: {},
    unlisted_currencies: 'allow',
    max_increase_percent: null,
    max_increase_percent_24h: null,
    approval: { mode: 'never', amounts: {} },
    approver_roles: ['owner', 'admin'],
    change_sets: { approval: 'never', raises_above: {}, required_for: [] },
    stop_at_percent: null,
    stop_scopes: ['lifetime', 'profile'],
    pacing: { under_percent: 90, over_percent: 110, critical_percent: 120 },
    performance_bound: 20,
    version: 1,
    updated_at: null,
    updated_by: null,
    updated_by_name: null,
  })
})

test('given fields are set, omitted ones stay, and null clears', async () => {
  const { owner } = await world.organization()
  const caps = { USD: 1000, JPY: '50000', KWD: 12.345 }
  const first = await owner.put(path, { max_daily_budget: caps, max_increase_percent: 20 })
  expect(first.json()).toMatchObject({
    max_daily_budget: { USD: 1000, JPY: 50_000, KWD: 12.345 },
    max_increase_percent: 20,
    version: 2,
    updated_by: owner.userId,
  })
  const approval = { mode: 'above', amounts: { USD: 499.99 } }
  const second = await owner.put(path, { approval, approver_roles: ['editor', 'owner'] })
  expect(second.json()).toMatchObject({
    max_increase_percent: 20,
    approval,
    approver_roles: ['owner', 'editor'],
  })
  const third = await owner.put(path, { max_increase_percent: null, max_daily_budget: null })
  expect(third.json()).toMatchObject({ max_daily_budget: {}, max_increase_percent: null, approval })
  expect((await owner.put(path, { approval: { mode: 'never' } })).json()).toMatchObject({
    approval: { mode: 'never', amounts: { USD: 499.99 } },
    version: 5,
  })
  const cleared = { approval: null, approver_roles: null }
  expect((await owner.put(path, cleared)).json()).toMatchObject({
    approval: { mode: 'never', amounts: {} },
    approver_roles: ['owner', 'admin'],
  })
})

test('percentages have at most two decimals, and are kept exactly', async () => {
  const { owner } = await world.organization()
  const percents = { max_increase_percent: 12.5, max_increase_percent_24h: 0.07 }
  const reply = await owner.put(path, percents)
  expect([reply.statusCode, reply.json()]).toMatchObject([200, percents])
  expect((await owner.get(path)).json()).toMatchObject(percents)
  const { errors } = (await owner.put(path, { max_increase_percent: 12.345 })).json()
  expect(errors).toMatchObject([
    { pointer: '/max_increase_percent', code: 'invalid_format', limit: 2, given: 12.345 },
  ])
})

test('an unchanged update changes nothing, and each change makes an event', async () => {
  const { owner, id } = await world.organization()
  const { body } = await owner.put(path, { max_increase_percent_24h: 50 })
  expect((await owner.put(path, JSON.parse(body))).json()).toEqual(JSON.parse(body))
  const { data } = (await owner.get('/audit_logs?action=organization.guardrails_updated')).json()
  expect(data).toMatchObject([
    {
      resource: { type: 'organization', id },
      changes: [{ field: 'max_increase_percent_24h', before: null, after: 50 }],
    },
  ])
  const events = (await owner.get('/events?type=organization.guardrails_updated')).json().data
  expect(events).toMatchObject([{ data: { object: { id, max_increase_percent_24h: 50 } } }])
})

test('a version that is not the current one is refused', async () => {
  const { owner } = await world.organization()
  const stale = await owner.put(path, { max_increase_percent: 1 }, { 'if-match': '"2"' })
  expect(stale.json()).toMatchObject({ code: 'version_mismatch', current_version: 1 })
  const fresh = await owner.put(path, { max_increase_percent: 1 }, { 'if-match': '"1"' })
  expect(fresh.json().version).toBe(2)
})

test('all faults are reported at once', async () => {
  const { owner } = await world.organization()
  const reply = await owner.put(path, {
    max_daily_budget: { USD: 10.001, XXX: 5, EUR: 0 },
    max_increase_percent: -1,
    approval: { mode: 'sometimes' },
    approver_roles: [],
    stop_at_percent: 0,
    version: 9,
  })
  const { errors } = reply.json()
  const reported = errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`)
  expect(reported.sort()).toEqual([
    '/approval/mode invalid_enum_value',
    '/approver_roles too_short',
    '/max_daily_budget/EUR out_of_range',
    '/max_daily_budget/USD budget_precision',
    '/max_daily_budget/XXX unsupported_currency',
    '/max_increase_percent out_of_range',
    '/stop_at_percent out_of_range',
    '/version read_only_field',
  ])
})

test('above needs an amount, and viewers cannot be approvers', async () => {
  const { owner } = await world.organization()
  const bare = await owner.put(path, { approval: { mode: 'above' } })
  expect(bare.json().errors).toMatchObject([{ pointer: '/approval/amounts', code: 'required' }])
  const viewers = await owner.put(path, { approver_roles: ['viewer'] })
  expect(viewers.json().errors).toMatchObject([{ pointer: '/approver_roles/0' }])
})
