import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { madeKey } from '../../../../test/support/api-keys.ts'
import { dayOf, newSpend, type Row, report } from '../../../../test/support/cases/results.ts'
import {
  campaignAfter,
  campaignBody,
  made,
  profileOf,
} from '../../../../test/support/cases/writes.ts'
import { watch } from '../../../../test/support/documented.ts'
import { openWorld, unlimited, type World } from '../../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
})
afterAll(() => world.close())

const minutesAgo = (minutes: number) =>
  new Date(world.clock.now().getTime() - minutes * 60_000).toISOString()

describe('a report', () => {
  test('creates days, repeats them without effect, updates them, and ignores what is older', async () => {
    const { owner, row, stored } = await newSpend(world)
    const send = (minutes: number, spend: number) =>
      report(owner, { reported_at: minutesAgo(minutes), rows: [row({ spend })] })
    expect((await send(30, 10)).json()).toMatchObject({
      counts: { created: 1, updated: 0, unchanged: 0, ignored_older: 0, failed: 0 },
      results: [{ index: 0, outcome: 'created' }],
    })
    expect((await send(30, 10)).json().results).toEqual([{ index: 0, outcome: 'unchanged' }])
    expect((await send(20, 12)).json().results).toEqual([{ index: 0, outcome: 'updated' }])
    expect((await send(40, 9)).json().results).toEqual([{ index: 0, outcome: 'ignored_older' }])
    // An unchanged day takes the later time.
    await send(10, 12)
    expect((await send(15, 99)).json().results).toEqual([{ index: 0, outcome: 'ignored_older' }])
    expect(await stored()).toMatchObject([{ spend_minor: 1200, is_final: false }])
  })

  test('answers 207 with a problem for each row that fails, and stores the others', async () => {
    const { owner, row, stored } = await newSpend(world)
    const rows = [
      row({ spend: 1 }),
      row({ campaign_id: 'cmp_01m7yez275fk1a52pr5qevn8kn', date: dayOf(world, -2) }),
      row({ date: dayOf(world, 1) }),
      row({ date: dayOf(world, -3), impressions: 5, clicks: 6 }),
      row({ date: dayOf(world, -4), spend: 1.234 }),
      row({ date: dayOf(world, -5), spend: -1 }),
      row({ spend: 2 }),
      row({ date: '1999-12-31' }),
      row({ campaign_id: undefined, date: dayOf(world, -6) }),
      row({ date: dayOf(world, -7), spend: 0, conversions: '0.3333333333333333' }),
    ]
    const reply = await report(owner, { rows })
    expect(reply.statusCode).toBe(207)
    const { counts, results } = reply.json()
    expect(counts).toMatchObject({ created: 2, failed: 8 })
    const faults = results.flatMap(({ problem }: { problem?: { errors: object[] } }) =>
      problem ? problem.errors : [],
    )
    expect(faults).toMatchObject([
      { pointer: '/rows/1/campaign_id', code: 'invalid_reference' },
      { pointer: '/rows/2/date', code: 'date_in_future' },
      { pointer: '/rows/3/clicks', code: 'out_of_range', limit: 5 },
      { pointer: '/rows/4/spend', code: 'budget_precision' },
      { pointer: '/rows/5/spend', code: 'out_of_range' },
      { pointer: '/rows/6', code: 'duplicate_item' },
      { pointer: '/rows/7/date', code: 'out_of_range' },
      { pointer: '/rows/8/campaign_id', code: 'required' },
    ])
    expect(results[1].problem).toMatchObject({ code: 'validation_failed', status: 422 })
    expect(await stored()).toMatchObject([
      { spend_minor: 0, conversions_millionths: 333_333 },
      { spend_minor: 100, conversions_millionths: null },
    ])
  })

  test.each<[string, object, string]>([
    ['a day that is in no calendar', { rows: [{ date: '2026-02-30', spend: 1 }] }, '/rows/0/date'],
    [
      'half an impression',
      { rows: [{ impressions: 0.5, date: '2026-02-03', spend: 1 }] },
      '/rows/0/impressions',
    ],
    ['an unknown field', { rows: [{ date: '2026-02-03', spend: 1, cost: 1 }] }, '/rows/0/cost'],
    ['no rows', { rows: [] }, '/rows'],
    ['an empty source', { source: ' ' }, '/source'],
    ['a source that no path can name', { source: '.' }, '/source'],
    ['another such source', { source: ' .. ' }, '/source'],
    ['a time from the future', { reported_at: '2199-01-01T00:00:00Z' }, '/reported_at'],
    ['completeness from the future', { complete_through: '2199-01-01' }, '/complete_through'],
  ])('with %s is refused as a whole', async (_, change, pointer) => {
    const { owner, row } = await newSpend(world)
    const reply = await report(owner, { rows: [row({})], ...change })
    expect([reply.statusCode, reply.json().errors[0]?.pointer]).toEqual([422, pointer])
  })

  test('of 1,001 rows is refused, and one of 1,000 is stored', async () => {
    const { owner, row, stored } = await newSpend(world)
    const rows = Array.from({ length: 1001 }, (_, at) => row({ date: dayOf(world, -at) }))
    const long = await report(owner, { rows })
    expect(long.json().errors).toMatchObject([{ pointer: '/rows', code: 'too_many_items' }])
    const reply = await report(owner, { rows: rows.slice(1) })
    expect(reply.json().counts).toMatchObject({ created: 1000 })
    expect(await stored()).toHaveLength(1000)
  })

  test('finds campaigns by external id, and counts days in their time zone', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const profile_id = await profileOf(organization, { currency: null })
    const body = { ...campaignBody(profile_id), currency: 'JPY', daily_budget: 500 }
    const zone = { external_id: 'far', time_zone: 'Pacific/Kiritimati' }
    const campaign_id = await made(owner, '/campaigns', { ...body, ...zone })
    const there = Temporal.Instant.from(world.clock.now().toISOString())
      .toZonedDateTimeISO('Pacific/Kiritimati')
      .toPlainDate()
    const rows = [
      { external_id: 'far', date: there.toString(), spend: 33 },
      { external_id: 'far', date: there.add({ days: 1 }).toString(), spend: 33 },
      { external_id: 'nowhere', date: there.toString(), spend: 33 },
      { campaign_id, external_id: 'other', date: there.toString(), spend: 33 },
    ]
    const reply = await report(owner, { rows })
    expect(outcomesIn(reply)).toEqual(['created', 'failed', 'failed', 'failed'])
  })

  test('of another organization’s campaign fails as of a missing one', async () => {
    const [{ owner }, other] = [await newSpend(world), await newSpend(world)]
    const reply = await report(owner, { rows: [other.row({})] })
    expect(reply.json().results[0].problem.errors).toMatchObject([{ code: 'invalid_reference' }])
    expect(await other.stored()).toEqual([])
  })
})

const outcomesIn = (reply: { json(): { results: { outcome: string }[] } }) =>
  reply.json().results.map(({ outcome }) => outcome)

describe('a final day', () => {
  test('beats provisional figures whatever the times, and changes only by a restatement', async () => {
    const { owner, row, stored } = await newSpend(world)
    const send = async (minutes: number, more: Partial<Row>, envelope: object = {}) => {
      const reported_at = minutesAgo(minutes)
      const reply = await report(owner, { reported_at, rows: [row(more)], ...envelope })
      const [{ outcome, problem }] = reply.json().results
      return [outcome, problem?.code]
    }
    await send(10, { spend: 10 })
    expect(await send(60, { spend: 11, is_final: true })).toEqual(['updated', undefined])
    expect(await send(5, { spend: 12 })).toEqual(['failed', 'row_final'])
    expect(await send(5, { spend: 12, is_final: true })).toEqual(['failed', 'row_final'])
    expect(await send(5, { spend: 11 })).toEqual(['unchanged', undefined])
    const restate = { restate: true }
    expect(await send(5, { spend: 12, is_final: false }, restate)).toEqual(['failed', 'row_final'])
    expect(await send(70, { spend: 13 }, restate)).toEqual(['ignored_older', undefined])
    expect(await send(50, { spend: 14 }, restate)).toEqual(['updated', undefined])
    expect(await stored()).toMatchObject([{ spend_minor: 1400, is_final: true }])
  })

  test('that moves makes an event of its own, after that of the report', async () => {
    const { owner, row, campaign_id } = await newSpend(world)
    await report(owner, { rows: [row({ spend: 10, is_final: true })] })
    const rows = [row({ spend: 10, adjustment: -0.35 }), row({ date: dayOf(world, -9), spend: 1 })]
    const request = { reported_at: minutesAgo(1), restate: true, rows }
    await report(owner, request)
    const events = (await owner.get('/events?type=results.*&sort=sequence')).json().data
    expect(events.map(({ type }: { type: string }) => type)).toEqual([
      'results.reported',
      'results.reported',
      'results.restated',
    ])
    expect(events[2].data.object).toMatchObject({
      id: events[1].data.object.id,
      day_count: 1,
      days: [{ campaign_id, currency: 'USD', spend_minor: 965, previous_spend_minor: 1000 }],
    })
    const records = (await owner.get('/audit_logs?action=results.*')).json().data
    expect(records).toHaveLength(2)
  })
})

describe('the source of a campaign', () => {
  test('is the only one, until another is admitted for good', async () => {
    const { owner, row } = await newSpend(world)
    const send = (source: string, more: object = {}) =>
      report(owner, { source, rows: [row({})], ...more })
    await send('google_ads')
    const taken = (await send('warehouse')).json().results[0]
    expect(taken).toMatchObject({
      outcome: 'failed',
      problem: {
        status: 409,
        code: 'results_source_taken',
        errors: [{ pointer: '/rows/0', code: 'results_source_taken', allowed: ['google_ads'] }],
      },
    })
    expect(outcomesIn(await send('warehouse', { additional: true }))).toEqual(['created'])
    expect(outcomesIn(await send('warehouse'))).toEqual(['unchanged'])
    expect(outcomesIn(await send('third'))).toEqual(['failed'])
  })
})

test('a request leaves one record and one event, and none if it changes nothing', async () => {
  const { owner, row, campaign_id } = await newSpend(world)
  const rows = [row({}), row({ date: dayOf(world, -2) }), row({ date: dayOf(world, 3) })]
  const request = { reported_at: minutesAgo(3), complete_through: dayOf(world, -1), rows }
  await report(owner, request)
  await report(owner, request)
  await report(owner, { rows: [row({ date: dayOf(world, 3) })] })
  const events = (await owner.get('/events?type=results.*')).json().data
  expect(events).toMatchObject([
    {
      type: 'results.reported',
      data: {
        object: {
          source: 'google_ads',
          reported_at: request.reported_at,
          complete_through: request.complete_through,
          counts: { created: 2, failed: 1 },
          campaign_count: 1,
          campaign_ids: [campaign_id],
          first_date: dayOf(world, -2),
          last_date: dayOf(world, 0),
        },
        previous: null,
      },
    },
  ])
  const records = (await owner.get('/audit_logs?action=results.reported')).json().data
  expect(records).toMatchObject([{ resource: { type: 'results', id: events[0].data.object.id } }])
})

test('a dry run answers the same and stores nothing; a repeated key is answered from memory', async () => {
  const { owner, row, stored } = await newSpend(world)
  const rows = [row({ spend: 5 }), row({ date: dayOf(world, 3) })]
  const body = { source: 'google_ads', reported_at: minutesAgo(3), rows }
  const tried = await owner.post('/results?validate_only=true', body)
  expect([tried.statusCode, tried.json()]).toMatchObject([
    200,
    { counts: { created: 1, failed: 1 }, warnings: [] },
  ])
  expect(await stored()).toEqual([])
  const key = { 'idempotency-key': 'once' }
  const first = await owner.post('/results', body, key)
  const again = await owner.post('/results', body, key)
  expect([again.statusCode, again.json()]).toEqual([207, first.json()])
  expect(again.headers['idempotency-replayed']).toBe('true')
})

describe('a campaign with results', () => {
  test('cannot be deleted, also in bulk; it can be archived', async () => {
    const { owner, row, campaign_id } = await newSpend(world)
    await report(owner, { rows: [row({})] })
    const references = [{ type: 'results', id: campaign_id, name: 'google_ads' }]
    const refused = await owner.delete(`/campaigns/${campaign_id}`)
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      { code: 'resource_in_use', references, reference_count: 1 },
    ])
    const operations = [{ op: 'delete', id: campaign_id }]
    const partial = await owner.post('/campaigns/bulk', { mode: 'partial', operations })
    expect(partial.json().results).toMatchObject([
      { status: 409, problem: { code: 'resource_in_use' } },
    ])
    const atomic = await owner.post('/campaigns/bulk', { mode: 'atomic', operations })
    expect(atomic.json().errors).toMatchObject([{ code: 'resource_in_use', references }])
    expect((await owner.post(`/campaigns/${campaign_id}/archive`)).statusCode).toBe(200)
  })

  test('keeps its currency', async () => {
    const { owner, row, campaign_id } = await newSpend(world)
    await report(owner, { rows: [row({})] })
    const change = { currency: 'EUR' }
    const refused = await owner.patch(`/campaigns/${campaign_id}`, change)
    expect(refused.json().errors).toMatchObject([{ pointer: '/currency', code: 'immutable_field' }])
    const free = await newSpend(world)
    const changed = await free.owner.patch(`/campaigns/${free.campaign_id}`, change)
    expect(changed.statusCode).toBe(200)
  })
})

test('a reporter reports and reads campaigns, and may do nothing else', async () => {
  const organization = await world.organization()
  const campaign_id = await campaignAfter(organization, ['launch'])
  const { client } = await madeKey(world, organization.owner, { name: 'C', role: 'reporter' })
  const rows = [{ campaign_id, date: dayOf(world, 0), spend: 1 }]
  expect(outcomesIn(await report(client, { rows }))).toEqual(['created'])
  for (const path of ['/campaigns', `/campaigns/${campaign_id}`, '/auth/me'])
    expect([path, (await client.get(path)).statusCode]).toEqual([path, 200])
  for (const path of [
    '/profiles',
    '/events',
    '/organization',
    '/limits',
    '/templates',
    '/change_sets',
  ])
    expect([path, (await client.get(path)).statusCode]).toEqual([path, 403])
  const paused = await client.post(`/campaigns/${campaign_id}/pause`)
  expect([paused.statusCode, paused.json().code]).toEqual([403, 'insufficient_role'])
  const { owner } = organization
  const member = { email: `r-${organization.id}@example.com`, name: 'R', role: 'reporter' }
  const refused = await owner.post('/members', member)
  expect(refused.json().errors).toMatchObject([{ pointer: '/role', code: 'invalid_enum_value' }])
})

test('a reset sandbox has no results', async () => {
  const spend = await newSpend(world, { sandbox: true })
  await report(spend.owner, { rows: [spend.row({})] })
  expect((await spend.owner.delete('/sandbox')).statusCode).toBe(204)
  expect(await spend.stored()).toEqual([])
})
