import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  create,
  everythingOf,
  expectWhole,
  modes,
  recordsOf,
  send,
  statusesIn,
} from '../../../../test/support/cases/bulk.ts'
import { missing } from '../../../../test/support/cases/bulk-failures.ts'
import { campaignAfter, campaignBody, profileOf } from '../../../../test/support/cases/writes.ts'
import { watch } from '../../../../test/support/documented.ts'
import { openWorld, type Reply, unlimited, type World } from '../../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
})
afterAll(() => world.close())

test('an external id used twice in a request is taken the second time', async () => {
  const organization = await world.organization()
  const profile = await profileOf(organization)
  const operations = [
    create(profile, { external_id: 'a' }),
    create(profile, { external_id: 'a' }),
    create(profile, { external_id: 'b' }),
    create(profile, { external_id: 'b' }),
  ]
  const refused = await send(organization, { mode: 'atomic', operations })
  expect(refused.json().errors).toMatchObject(
    [1, 3].map((index) => ({
      pointer: `/operations/${index}/body/external_id`,
      code: 'external_id_taken',
    })),
  )
  const reply = await send(organization, { mode: 'partial', operations })
  expect(statusesIn(reply)).toEqual([201, 409, 201, 409])
  await expectWhole(organization)
})

describe.each(modes)('in mode %s', (mode) => {
  test('a faulty envelope is refused as a whole', async () => {
    const organization = await world.organization()
    const profile = await profileOf(organization)
    const many = Array.from({ length: 101 }, () => create(profile))
    const before = await everythingOf(world, organization)
    for (const [body, fault] of [
      [
        { mode, operations: [] },
        { pointer: '/operations', code: 'too_short' },
      ],
      [
        { mode, operations: many },
        { pointer: '/operations', code: 'too_many_items', limit: 100 },
      ],
      [{ mode }, { pointer: '/operations', code: 'required' }],
      [
        { mode, operations: {} },
        { pointer: '/operations', code: 'invalid_type' },
      ],
      [{ mode: 'both', operations: [create(profile)] }, { code: 'invalid_enum_value' }],
      [{ operations: [create(profile)] }, { pointer: '/mode', code: 'required' }],
      [
        { mode, operations: [create(profile)], x: 1 },
        { pointer: '/x', code: 'unknown_field' },
      ],
    ] as const) {
      const reply = await organization.owner.post('/campaigns/bulk', body)
      expect([reply.statusCode, reply.json().code]).toEqual([422, 'validation_failed'])
      expect(reply.json().errors).toMatchObject([fault])
    }
    expect(await everythingOf(world, organization)).toEqual(before)
  })

  test('another organization’s campaigns are treated as missing', async () => {
    const [own, other] = [await world.organization(), await world.organization()]
    const [theirs, profile] = [await campaignAfter(other), await profileOf(other)]
    const before = await everythingOf(world, other)
    const operationsOn = (id: string) => [
      { op: 'update', id, body: { name: 'Mine' } },
      { op: 'action', id, action: 'launch' },
      { op: 'delete', id },
    ]
    const answers = [theirs, missing].map(async (id) => {
      const operations = [...operationsOn(id), create(profile)]
      const { results, errors } = (await send(own, { mode, operations })).json()
      const text = JSON.stringify(results ?? errors)
      return text.replaceAll(id, '').replaceAll(/req_\w+/g, '')
    })
    const [one, another] = await Promise.all(answers)
    expect(one).toBe(another)
    expect(await everythingOf(world, other)).toEqual(before)
  })
})

test('a role that may not write is refused as a whole, and that is recorded', async () => {
  const organization = await world.organization()
  const id = await campaignAfter(organization)
  const operations = [{ op: 'delete', id }]
  for (const role of ['viewer', 'auditor'] as const) {
    const reply = await send(
      { owner: await organization.as(role) },
      { mode: 'partial', operations },
    )
    expect([reply.statusCode, reply.json().code]).toEqual([403, 'insufficient_role'])
    expect(await recordsOf(organization, reply)).toMatchObject([
      { action: 'campaign.bulk', outcome: 'denied' },
    ])
  }
  const editor = await organization.as('editor')
  expect(statusesIn(await send({ owner: editor }, { mode: 'partial', operations }))).toEqual([204])
})

test('where If-Match is required, each operation on a campaign needs its version', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const id = await campaignAfter(organization)
  const { profile_id } = (await owner.get(`/campaigns/${id}`)).json()
  await owner.patch('/organization', { require_if_match: true }, { 'if-match': '*' })
  const operations = [
    { op: 'create', body: campaignBody(profile_id) },
    { op: 'update', id, body: { name: 'A' } },
    { op: 'update', id, body: { name: 'B' }, version: 1 },
    { op: 'delete', id, version: 1 },
  ]
  const reply = await send(organization, { mode: 'partial', operations })
  expect(statusesIn(reply)).toEqual([201, 428, 200, 412])
  expect(reply.json().results[3].problem).toMatchObject({ current_version: 2 })
  const refused = await send(organization, { mode: 'atomic', operations })
  expect(refused.json().errors).toMatchObject([
    { pointer: '/operations/1/version', code: 'precondition_required' },
    { pointer: '/operations/2/version', code: 'version_mismatch' },
    { pointer: '/operations/3/version', code: 'version_mismatch' },
  ])
})

test('an operation blocked by a guardrail makes its event, also when all are refused for it', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const profile = await profileOf(organization)
  await owner.put('/organization/guardrails', { max_daily_budget: { USD: 20 } })
  const cheap = create(profile, { daily_budget: 5 })
  const operations = [cheap, create(profile, { daily_budget: 33 }), cheap]
  const reply = await send(organization, { mode: 'partial', operations })
  expect(statusesIn(reply)).toEqual([201, 422, 201])
  expect(reply.json().results[1].problem).toMatchObject({ code: 'guardrail_violation', limit: 20 })
  const created = 'campaign.created'
  const reported = async (reply: Reply) =>
    (await recordsOf(organization, reply)).map(({ action }) => action)
  expect(await reported(reply)).toEqual([created, 'guardrail.blocked', created])
  const refused = await send(organization, { mode: 'atomic', operations })
  expect(refused.json().errors).toMatchObject([
    { pointer: '/operations/1/body/daily_budget', code: 'guardrail_violation', given: 33 },
  ])
  expect(await reported(refused)).toEqual(['guardrail.blocked'])
  await expectWhole(organization)
})
