import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  create,
  eventsOf,
  everythingOf,
  expectWhole,
  idsIn,
  modes,
  okOf,
  recordsOf,
  send,
  statusesIn,
} from '../../../../test/support/cases/bulk.ts'
import { campaignAfter, campaignBody, profileOf } from '../../../../test/support/cases/writes.ts'
import { watch } from '../../../../test/support/documented.ts'
import { openWorld, unlimited, type World } from '../../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
})
afterAll(() => world.close())

describe.each(modes)('in mode %s', (mode) => {
  test('every kind of operation is executed in the order of the request', async () => {
    const organization = await world.organization()
    const profile = await profileOf(organization)
    const [moved, paused, gone] = [
      await campaignAfter(organization),
      await campaignAfter(organization, ['launch']),
      await campaignAfter(organization),
    ]
    const operations = [
      { op: 'update', id: moved, body: { name: 'First', daily_budget: '40.00' } },
      create(profile, { name: 'New' }),
      { op: 'action', id: paused, action: 'pause', version: 2 },
      { op: 'update', id: moved, body: { name: 'Second' }, version: 2 },
      { op: 'action', id: moved, action: 'launch', body: {} },
      { op: 'delete', id: gone },
    ]
    const before = (await eventsOf(organization)).length
    const reply = await send(organization, { mode, operations }, { 'x-audit-reason': 'spring' })
    expect([reply.statusCode, reply.body]).toEqual([okOf[mode], reply.body])
    const { results } = reply.json()
    expect(results).toMatchObject([
      { index: 0, status: 200, id: moved, object: { name: 'First', daily_budget: 40, version: 2 } },
      { index: 1, status: 201, object: { name: 'New', status: 'draft', version: 1 } },
      { index: 2, status: 200, id: paused, object: { status: 'paused', version: 3 } },
      { index: 3, status: 200, id: moved, object: { name: 'Second', version: 3 } },
      { index: 4, status: 200, id: moved, object: { status: 'active', version: 4 } },
      { index: 5, status: 204, id: gone, object: null },
    ])
    const made = results[1].id
    expect((await organization.owner.get(`/campaigns/${made}`)).json()).toEqual(results[1].object)
    expect((await organization.owner.get(`/campaigns/${moved}`)).json()).toEqual(results[4].object)
    expect((await organization.owner.get(`/campaigns/${gone}`)).statusCode).toBe(404)
    const actions = ['updated', 'created', 'paused', 'updated', 'activated', 'deleted']
    const reported = actions.map((action) => `campaign.${action}`)
    const records = await recordsOf(organization, reply)
    expect(records.map(({ action }) => action)).toEqual(reported)
    expect(records.map(({ resource }) => resource.id)).toEqual(idsIn(reply))
    for (const record of records) {
      const request = { method: 'POST', path: '/api/v1/campaigns/bulk', status: okOf[mode] }
      expect(record).toMatchObject({ reason: 'spring', request })
    }
    const events = (await eventsOf(organization)).slice(before)
    expect(events.map(({ type }) => type)).toEqual(reported)
    expect(new Set(events.map((each) => each.request_id))).toEqual(
      new Set([reply.headers['x-request-id']]),
    )
    await expectWhole(organization)
  })

  test('a hundred operations are executed in order', async () => {
    const organization = await world.organization()
    const profile = await profileOf(organization)
    const operations = Array.from({ length: 100 }, (_, at) => create(profile, { name: `C${at}` }))
    const reply = await send(organization, { mode, operations })
    expect(statusesIn(reply)).toEqual(operations.map(() => 201))
    const names = reply.json().results.map((each: { object: { name: string } }) => each.object.name)
    expect(names).toEqual(operations.map(({ body }) => body.name))
    expect((await recordsOf(organization, reply)).map(({ resource }) => resource.id)).toEqual(
      idsIn(reply),
    )
    await expectWhole(organization)
  })

  test('a repetition with the same key gets the same answer and changes nothing', async () => {
    const organization = await world.organization()
    const profile = await profileOf(organization)
    const operations = [create(profile), create(profile, { external_id: 'a' })]
    const key = { 'idempotency-key': 'once' }
    const first = await send(organization, { mode, operations }, key)
    const before = await everythingOf(world, organization)
    const again = await send(organization, { mode, operations }, key)
    expect([again.statusCode, again.json()]).toEqual([okOf[mode], first.json()])
    expect(again.headers['idempotency-replayed']).toBe('true')
    const other = await send(organization, { mode, operations: operations.slice(1) }, key)
    expect([other.statusCode, other.json().code]).toEqual([422, 'idempotency_key_reused'])
    expect(await everythingOf(world, organization)).toEqual(before)
  })

  test('with validate_only it shows the results and changes nothing', async () => {
    const organization = await world.organization()
    const profile = await profileOf(organization)
    const id = await campaignAfter(organization)
    const operations = [
      create(profile, { external_id: 'a' }),
      { op: 'update', id, body: { name: 'Renamed' } },
      { op: 'action', id, action: 'launch', version: 2 },
      { op: 'action', id, action: 'archive' },
    ]
    const tried = { mode, operations: operations.slice(0, 3), query: '?validate_only=true' }
    const before = await everythingOf(world, organization)
    const trial = await send(organization, tried)
    expect(trial.json()).toMatchObject({
      warnings: [],
      results: [
        { status: 201, object: { name: 'Spring Sale' } },
        { status: 200, object: { name: 'Renamed', version: 2 } },
        { status: 200, object: { status: 'active', version: 3 } },
      ],
    })
    expect(trial.statusCode).toBe(200)
    const faulty = await send(organization, { ...tried, operations })
    expect(faulty.statusCode).toBe(mode === 'atomic' ? 422 : 200)
    expect(await everythingOf(world, organization)).toEqual(before)
  })

  test('each event is delivered like that of a single request', async () => {
    const organization = await world.organization()
    const profile = await profileOf(organization)
    const hook = { url: 'https://example.com/hooks', events: ['campaign.*'] }
    await organization.owner.post('/webhook_endpoints', hook)
    await send(organization, { mode, operations: [create(profile), create(profile)] })
    const { webhook_deliveries } = await everythingOf(world, organization)
    expect(webhook_deliveries).toMatchObject([
      { event_type: 'campaign.created', status: 'pending' },
      { event_type: 'campaign.created', status: 'pending' },
    ])
  })

  test('an operation that changes nothing makes no event', async () => {
    const organization = await world.organization()
    const id = await campaignAfter(organization)
    const operations = [
      { op: 'update', id, body: { name: 'Spring Sale' } },
      { op: 'action', id, action: 'launch' },
      { op: 'action', id, action: 'launch' },
    ]
    const reply = await send(organization, { mode, operations })
    expect(statusesIn(reply)).toEqual([200, 200, 200])
    expect(await recordsOf(organization, reply)).toHaveLength(1)
    const again = await send(organization, { mode, operations })
    expect([again.statusCode, await recordsOf(organization, again)]).toEqual([okOf[mode], []])
    await expectWhole(organization)
  })

  test('fifty concurrent requests of one organization are all applied, unmixed', async () => {
    const organization = await world.organization()
    const profile = await profileOf(organization)
    const ids = await Promise.all(Array.from({ length: 50 }, () => campaignAfter(organization)))
    const before = (await eventsOf(organization)).length
    const replies = await Promise.all(
      ids.map((id, at) => {
        const operations = [
          create(profile, { external_id: `own-${at}` }),
          { op: 'update', id, body: { name: `Renamed ${at}` } },
          { op: 'delete', id },
          create(profile, { name: `Last ${at}` }),
        ]
        return send(organization, { mode, operations })
      }),
    )
    for (const reply of replies) expect(statusesIn(reply)).toEqual([201, 200, 204, 201])
    const events = (await eventsOf(organization)).slice(before)
    const requests = events.map(({ request_id }) => request_id)
    expect(requests).toHaveLength(200)
    // A request's events are consecutive.
    const changes = requests.filter((each, at) => each !== requests[at - 1])
    expect(changes).toHaveLength(50)
    await expectWhole(organization)
  })
})

test('creations take missing fields from templates', async () => {
  const organization = await world.organization()
  const profile_id = await profileOf(organization)
  const defaults = { profile_id, objective: 'sales', daily_budget: 12 }
  const template = await organization.owner.post('/templates', { name: 'Preset', defaults })
  const template_id = template.json().id
  const operations = [
    { op: 'create', body: { name: 'A', template_id } },
    { op: 'create', body: { name: 'B', template_id, daily_budget: '9007199254740993.10' } },
    { op: 'create', body: { ...campaignBody(profile_id), daily_budget: 19.99 } },
  ]
  const reply = await send(organization, { mode: 'partial', operations })
  expect(reply.json().results).toMatchObject([
    { status: 201, object: { template_id, daily_budget_minor: 1200, profile_id } },
    { status: 422, problem: { errors: [{ pointer: '/operations/1/body/daily_budget' }] } },
    { status: 201, object: { daily_budget_minor: 1999 } },
  ])
})

test('each warning of a dry run names its operation', async () => {
  const organization = await world.organization()
  const profile = await profileOf(organization)
  await organization.owner.patch(`/profiles/${profile}`, { status: 'paused' })
  const operations = [create(profile), create(profile, { start_at: '2020-01-01T00:00:00Z' })]
  const reply = await send(organization, {
    mode: 'atomic',
    operations,
    query: '?validate_only=true',
  })
  expect(reply.json().warnings).toMatchObject([
    { pointer: '/operations/0', code: 'launch_blocked' },
    { pointer: '/operations/1/body/start_at', code: 'start_in_past' },
    { pointer: '/operations/1', code: 'launch_blocked' },
  ])
})
