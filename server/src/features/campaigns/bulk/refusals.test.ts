import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  create,
  everythingOf,
  expectWhole,
  type Operation,
  recordsOf,
  send,
  statusesIn,
} from '../../../../test/support/cases/bulk.ts'
import { arrange, type Fixtures, failures } from '../../../../test/support/cases/bulk-failures.ts'
import { watch } from '../../../../test/support/documented.ts'
import { openWorld, unlimited, type World } from '../../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
})
afterAll(() => world.close())

const at = (index: number, errors: object[]) =>
  errors.map((error) => {
    const { pointer } = error as { pointer: string }
    return { ...error, pointer: `/operations/${index}${pointer}` }
  })

/** Three valid operations, two of them on the same campaign, and one invalid. */
const around = ({ profile, draft }: Fixtures): Operation[] => [
  { op: 'update', id: draft, body: { name: 'Once' } },
  create(profile, { external_id: 'mine' }),
  { op: 'update', id: draft, body: { name: 'Twice' } },
]

describe.each(failures)('$about', ({ operation, status, code, errors, item }) => {
  test('fails alone in mode partial, at any position', async () => {
    for (const index of [0, 1, 3]) {
      const organization = await world.organization()
      const fixtures = await arrange(organization)
      const operations = around(fixtures).toSpliced(index, 0, operation(fixtures) as Operation)
      const reply = await send(organization, { mode: 'partial', operations })
      expect(reply.statusCode).toBe(207)
      expect(statusesIn(reply)).toEqual([200, 201, 200].toSpliced(index, 0, status))
      const result = reply.json().results[index]
      expect(result).toMatchObject({ index, status })
      expect(result.problem).toMatchObject({
        type: `/problems/${code}`,
        status,
        code,
        instance: '/api/v1/campaigns/bulk',
        request_id: reply.headers['x-request-id'],
        errors: at(index, errors ?? []),
      })
      const actions = (await recordsOf(organization, reply)).map(({ action }) => action)
      expect(actions).toEqual(['campaign.updated', 'campaign.created', 'campaign.updated'])
      await expectWhole(organization)
    }
  })

  test('refuses all in mode atomic, and nothing is changed', async () => {
    const organization = await world.organization()
    const fixtures = await arrange(organization)
    for (const index of [0, 2, 3]) {
      const operations = around(fixtures).toSpliced(index, 0, operation(fixtures) as Operation)
      const before = await everythingOf(world, organization)
      const reply = await send(organization, { mode: 'atomic', operations })
      expect([reply.statusCode, reply.json().code]).toEqual([422, 'bulk_failed'])
      expect(reply.json().errors).toMatchObject(at(index, errors ?? [item ?? {}]))
      expect(await everythingOf(world, organization)).toEqual(before)
    }
  })
})

test('all faults of an atomic request are reported at once', async () => {
  const organization = await world.organization()
  const fixtures = await arrange(organization)
  const operations = failures.map(({ operation }) => operation(fixtures))
  const reply = await send(organization, { mode: 'atomic', operations })
  const expected = failures.flatMap(({ errors, item }, index) => at(index, errors ?? [item ?? {}]))
  expect(reply.json().errors).toMatchObject(expected)
})

test('a partial request whose operations all fail changes nothing, and its key is kept', async () => {
  const organization = await world.organization()
  const fixtures = await arrange(organization)
  const operations = failures.map(({ operation }) => operation(fixtures))
  const before = await everythingOf(world, organization)
  const key = { 'idempotency-key': 'once' }
  const first = await send(organization, { mode: 'partial', operations }, key)
  expect(statusesIn(first)).toEqual(failures.map(({ status }) => status))
  const { idempotency_keys: kept, ...rest } = await everythingOf(world, organization)
  expect(rest).toEqual({ ...before, idempotency_keys: undefined })
  expect(kept).toHaveLength(1)
  await organization.owner.delete(`/campaigns/${fixtures.draft}`)
  const again = await send(organization, { mode: 'partial', operations }, key)
  expect([again.statusCode, again.json()]).toEqual([207, first.json()])
})

test('a refusal as a whole contains each operation’s own problem', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const { profile, draft, active } = await arrange(organization)
  await owner.put('/organization/guardrails', { max_daily_budget: { USD: 50 } })
  await owner.patch(`/profiles/${profile}`, { status: 'paused' })
  const operations = [
    create(profile, { daily_budget: 80 }),
    { op: 'update', id: active, body: { daily_budget: 70 } },
    { op: 'action', id: draft, action: 'launch' },
    { op: 'delete', id: draft, version: 7 },
  ]
  const breach = (given: number) => ({
    code: 'guardrail_violation',
    message: `max_daily_budget: ${given} USD exceeds 50.`,
    rule: 'max_daily_budget',
    limit: 50,
    given,
    requested: given,
    currency: 'USD',
  })
  const reply = await send(organization, { mode: 'atomic', operations })
  expect(reply.json().errors).toEqual([
    { pointer: '/operations/0/body/daily_budget', ...breach(80) },
    { pointer: '/operations/1/body/daily_budget', ...breach(70) },
    {
      pointer: '/operations/2',
      code: 'launch_blocked',
      message: expect.any(String),
      blocked_by: ['profile_not_active'],
    },
    {
      pointer: '/operations/3/version',
      code: 'version_mismatch',
      message: expect.any(String),
      current_version: 1,
    },
  ])
  const { results } = (await send(organization, { mode: 'partial', operations })).json()
  expect(results[1].problem).toMatchObject({
    code: 'guardrail_violation',
    rule: 'max_daily_budget',
    errors: [{ pointer: '/operations/1/body/daily_budget', code: 'out_of_range', given: 70 }],
  })
})
