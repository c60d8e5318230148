import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignBody, made, profileOf } from '../../../../test/support/cases/writes.ts'
import { watch } from '../../../../test/support/documented.ts'
import {
  faultsOf,
  openWorld,
  type TestOrganization,
  type World,
} from '../../../../test/support/world.ts'
import { fakeClock } from '../../../values/clock.ts'

let world: World
let organization: TestOrganization
const noon = '2026-03-07T12:00:00.000Z'

// A Saturday: in the following night New York skips an hour.
beforeAll(async () => {
  world = watch(await openWorld({ clock: fakeClock(new Date(noon)) }))
  organization = await world.organization()
})
afterAll(() => world.close())

const window = (text: string) => {
  const [day, start, end] = text.split(/[ -]/)
  return { day, start, end }
}
const windows = (...texts: string[]) => texts.map(window)

async function create(body: object) {
  const profile_id = await profileOf(organization)
  return organization.owner.post('/campaigns', { ...campaignBody(profile_id), ...body })
}

async function campaignWith(body: object): Promise<string> {
  const profile_id = await profileOf(organization)
  return made(organization.owner, '/campaigns', { ...campaignBody(profile_id), ...body })
}

describe('the schedule of a campaign', () => {
  test('is kept in order of day and start', async () => {
    const given = windows('sun 10:00-24:00', 'mon 12:00-13:00', 'mon 00:00-12:00')
    const campaign = (await create({ schedule: given })).json()
    const sorted = windows('mon 00:00-12:00', 'mon 12:00-13:00', 'sun 10:00-24:00')
    expect(campaign.schedule).toEqual(sorted)
    const read = await organization.owner.get(`/campaigns/${campaign.id}`)
    expect(JSON.stringify(read.json())).toBe(JSON.stringify(campaign))
    const { status_change: _, ...inLists } = campaign
    const [listed] = (await organization.owner.get('/campaigns?limit=1')).json().data
    expect(listed).toEqual(inLists)
  })

  test.each([[undefined], [null], [[]]])('given as %j counts as no schedule', async (schedule) => {
    expect((await create({ schedule })).json()).toMatchObject({ schedule: [], version: 1 })
  })

  test('sent in another order, or as it was, changes nothing', async () => {
    const schedule = windows('mon 09:00-12:00', 'tue 09:00-12:00')
    const campaign = (await create({ schedule })).json()
    const path = `/campaigns/${campaign.id}`
    for (const body of [{ schedule: schedule.toReversed() }, campaign]) {
      expect((await organization.owner.put(path, body)).json()).toEqual(campaign)
    }
  })

  test('changes while the campaign runs, also in the audit log and the event', async () => {
    const id = await campaignWith({})
    await organization.owner.post(`/campaigns/${id}/launch`)
    const schedule = windows('mon 09:00-12:00')
    const reply = await organization.owner.patch(`/campaigns/${id}`, { schedule })
    expect(reply.json()).toMatchObject({ schedule, version: 3 })
    const [record] = (await organization.owner.get('/audit_logs?limit=1')).json().data
    expect(record.changes).toEqual([{ field: 'schedule', before: [], after: schedule }])
    const [event] = (await organization.owner.get('/events?limit=1')).json().data
    expect(event.data).toMatchObject({ object: { schedule }, previous: { schedule: [] } })
    const cleared = await organization.owner.patch(`/campaigns/${id}`, { schedule: null })
    expect(cleared.json()).toMatchObject({ schedule: [], version: 4 })
  })

  test('is copied by a duplicate, unless that has its own', async () => {
    const schedule = windows('mon 09:00-12:00')
    const id = await campaignWith({ schedule })
    const path = `/campaigns/${id}/duplicate`
    expect((await organization.owner.post(path)).json().schedule).toEqual(schedule)
    const own = await organization.owner.post(path, { schedule: [] })
    expect(own.json().schedule).toEqual([])
  })

  test('is copied to a template and from it', async () => {
    const schedule = windows('mon 09:00-12:00', 'fri 09:00-12:00')
    const id = await campaignWith({ schedule })
    const body = { name: 'Office hours', locked_fields: ['schedule'] }
    const template = (
      await organization.owner.post(`/campaigns/${id}/save_as_template`, body)
    ).json()
    expect(template.defaults.schedule).toEqual(schedule)
    const fields = { name: 'B', template_id: template.id }
    expect((await organization.owner.post('/campaigns', fields)).json()).toMatchObject({ schedule })
    const same = { ...fields, schedule: schedule.toReversed() }
    expect((await organization.owner.post('/campaigns', same)).statusCode).toBe(201)
    const other = { ...fields, schedule: windows('sat 09:00-12:00') }
    expect(faultsOf(await organization.owner.post('/campaigns', other))).toEqual([
      '/schedule locked_field',
    ])
  })

  test('in a template’s defaults is sorted and checked like that of a campaign', async () => {
    const preset = (name: string, ...schedule: string[]) =>
      organization.owner.post('/templates', { name, defaults: { schedule: windows(...schedule) } })
    const template = (await preset('Sorted', 'sun 10:00-11:00', 'mon 10:00-11:00')).json()
    expect(template.defaults.schedule).toEqual(windows('mon 10:00-11:00', 'sun 10:00-11:00'))
    expect(faultsOf(await preset('Wrong', 'sun 10:00-11:00', 'mon 11:00-10:00'))).toEqual([
      '/defaults/schedule/1/end invalid_schedule',
    ])
  })
})

const quarters = Array.from({ length: 43 }, (_, at) => {
  const start = `${String(at % 12).padStart(2, '0')}:00`
  const day = ['mon', 'tue', 'wed', 'thu'][Math.floor(at / 12)]
  return { day, start, end: start.replace(':00', ':15') }
})

describe('a schedule is refused', () => {
  test.each([
    [
      'times of another form',
      windows('mon 9:00-12:00', 'tue 09:00:00-5pm'),
      [
        '/schedule/0/start invalid_schedule',
        '/schedule/1/end invalid_schedule',
        '/schedule/1/start invalid_schedule',
      ],
    ],
    [
      'times that no clock shows',
      windows('mon 24:00-24:00', 'tue 09:60-25:00'),
      [
        '/schedule/0/start invalid_schedule',
        '/schedule/1/end invalid_schedule',
        '/schedule/1/start invalid_schedule',
      ],
    ],
    [
      'steps under 15 minutes',
      windows('mon 09:00-10:00', 'mon 11:05-12:10'),
      ['/schedule/1/end invalid_schedule', '/schedule/1/start invalid_schedule'],
    ],
    [
      'an end that is no later',
      windows('mon 09:00-09:00', 'tue 22:00-06:00'),
      ['/schedule/0/end invalid_schedule', '/schedule/1/end invalid_schedule'],
    ],
    [
      'an overlap',
      windows('mon 12:00-13:00', 'tue 12:00-13:00', 'mon 09:00-12:15'),
      ['/schedule/2 schedule_overlap'],
    ],
    [
      'one window in others',
      windows('mon 08:00-18:00', 'mon 09:00-10:00', 'mon 17:45-19:00'),
      ['/schedule/1 schedule_overlap', '/schedule/2 schedule_overlap'],
    ],
    [
      'a window that is there twice',
      windows('mon 08:00-18:00', 'mon 08:00-18:00'),
      ['/schedule/1 schedule_overlap'],
    ],
    ['more than 42 windows', quarters, ['/schedule too_many_items']],
    ['an unknown day', [window('monday 09:00-10:00')], ['/schedule/0/day invalid_enum_value']],
    [
      'fields that are missing or unknown',
      [{ day: 'mon', start: '09:00', until: '10:00' }],
      ['/schedule/0/end required', '/schedule/0/until unknown_field'],
    ],
    [
      'values of other types',
      ['mon', { day: 1, start: 900, end: null }],
      [
        '/schedule/0 invalid_type',
        '/schedule/1/day invalid_type',
        '/schedule/1/end invalid_type',
        '/schedule/1/start invalid_type',
      ],
    ],
    ['something that is no list', { mon: '09:00-10:00' }, ['/schedule invalid_type']],
  ])('for %s', async (_, schedule, expected) => {
    const reply = await create({ schedule })
    expect(reply.statusCode).toBe(422)
    // An unknown day of another type breaks two rules at once.
    const reported = faultsOf(reply).filter((each) => !/\/1\/day invalid_enum/.test(each))
    expect(reported.sort()).toEqual(expected)
  })

  test('together with all other faults', async () => {
    const reply = await create({ schedule: windows('mon 10:00-09:00'), daily_budget: 0.5 })
    expect(faultsOf(reply).sort()).toEqual([
      '/daily_budget budget_below_minimum',
      '/schedule/0/end invalid_schedule',
    ])
  })

  test('but not for 42 windows, touching ones and whole days', async () => {
    expect((await create({ schedule: quarters.slice(1) })).json().schedule).toHaveLength(42)
    const schedule = windows('mon 00:00-24:00', 'tue 00:00-00:15', 'tue 00:15-24:00')
    expect((await create({ schedule })).json()).toMatchObject({ schedule })
  })
})

describe('delivery', () => {
  const newYork = { time_zone: 'America/New_York', schedule: windows('sun 01:30-03:30') }
  const deliveryOf = async (id: string) =>
    (await organization.owner.get(`/campaigns/${id}`)).json().delivery
  const outside = { state: 'not_eligible', reasons: ['outside_schedule'] }

  test('follows the schedule of a running campaign only', async () => {
    const draft = await campaignWith(newYork)
    expect((await deliveryOf(draft)).reasons).toEqual(['not_launched'])
    const start_at = '2026-04-01T00:00:00.000Z'
    const ahead = await campaignWith({ ...newYork, start_at })
    await organization.owner.post(`/campaigns/${ahead}/launch`)
    expect((await deliveryOf(ahead)).reasons).toEqual(['before_start'])
    const launched = await organization.owner.post(`/campaigns/${draft}/launch`)
    expect(launched.json()).toMatchObject({ status: 'active', delivery: outside })
    await organization.owner.post(`/campaigns/${draft}/pause`)
    expect((await deliveryOf(draft)).reasons).toEqual(['paused'])
    const resumed = await organization.owner.post(`/campaigns/${draft}/resume`)
    expect(resumed.json()).toMatchObject({ status: 'active', delivery: outside })
  })

  test('opens and closes with the clock, across the skipped hour', async () => {
    const id = await campaignWith(newYork)
    await organization.owner.post(`/campaigns/${id}/launch`)
    const eligible = { state: 'eligible', reasons: [] }
    for (const [time, expected] of [
      ['2026-03-08T06:29:59.999Z', outside],
      ['2026-03-08T06:30:00.000Z', eligible],
      ['2026-03-08T07:29:59.999Z', eligible],
      ['2026-03-08T07:30:00.000Z', outside],
    ] as const) {
      world.clock.advance(Date.parse(time) - world.clock.now().getTime())
      expect([time, await deliveryOf(id)]).toEqual([time, expected])
      const list = (await organization.owner.get('/campaigns?status=active')).json().data
      const listed = list.find((each: { id: string }) => each.id === id)
      expect(listed.delivery).toEqual(expected)
    }
  })
})

describe('the windows of a campaign', () => {
  const weekdays = {
    time_zone: 'Europe/Berlin',
    schedule: windows('fri 22:00-24:00', 'sat 00:00-06:00', 'sun 02:00-03:00'),
  }
  const open = async (body: object, query: string) => {
    const id = await campaignWith(body)
    return organization.owner.get(`/campaigns/${id}/schedule${query}`)
  }
  const shown = (...pairs: [string, string][]) => ({
    data: pairs.map(([start, end]) => ({ start: `${start}:00.000Z`, end: `${end}:00.000Z` })),
  })

  test('are merged, and are instants across a clock change', async () => {
    const reply = await open(weekdays, '?from=2026-03-27T00:00:00Z&to=2026-04-06T00:00:00Z')
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual(
      shown(
        ['2026-03-27T21:00', '2026-03-28T05:00'],
        ['2026-04-03T20:00', '2026-04-04T04:00'],
        ['2026-04-05T00:00', '2026-04-05T01:00'],
      ),
    )
    expect(reply.headers.etag).toBeUndefined()
  })

  test('are cut to the requested time, which may be in the past and have any offset', async () => {
    const query = '?from=2025-10-26T02:30:00%2B02:00&to=2025-10-26T02:30:00+01:00'
    const sunday = { ...weekdays, schedule: windows('sun 02:00-03:00') }
    expect((await open(sunday, query)).json()).toEqual(
      shown(['2025-10-26T00:30', '2025-10-26T01:30']),
    )
  })

  test('are those of the next seven days by default', async () => {
    const now = world.clock.now()
    const end = new Date(now.getTime() + 7 * 86_400_000)
    const always = { data: [{ start: now.toISOString(), end: end.toISOString() }] }
    expect((await open({}, '')).json()).toEqual(always)
    const daily = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map(
      (day) => `${day} 12:00-13:00`,
    )
    expect((await open({ schedule: windows(...daily) }, '')).json().data).toHaveLength(7)
  })

  test('are not cut to the campaign’s own dates', async () => {
    const dates = { start_at: '2027-01-01T00:00:00Z', end_at: '2027-02-01T00:00:00Z' }
    const query = '?from=2026-04-01T00:00:00Z&to=2026-06-02T00:00:00Z'
    expect((await open(dates, query)).json()).toEqual(
      shown(['2026-04-01T00:00', '2026-06-02T00:00']),
    )
  })

  test.each([
    ['?from=yesterday', 'from invalid_format'],
    ['?from=2026-04-01', 'from invalid_format'],
    ['?from=', 'from invalid_format'],
    ['?from=2026-04-31T00:00:00Z&to=x', 'from invalid_format', 'to invalid_format'],
    ['?from=0000-01-01T00:00:00%2B01:00', 'from invalid_format'],
    ['?from=9999-12-31T23:59:59.999Z', 'to end_before_start'],
    ['?to=2020-01-01T00:00:00Z', 'to end_before_start'],
    ['?from=2026-04-01T00:00:00Z&to=2026-04-01T00:00:00Z', 'to end_before_start'],
    ['?from=2026-04-01T00:00:00Z&to=2026-06-02T00:00:00.001Z', 'to out_of_range'],
  ])('are refused for %s', async (query, ...faults) => {
    const reply = await open({}, query)
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'invalid_parameter'])
    expect(faultsOf(reply)).toEqual(faults)
  })

  test('of a missing campaign are a 404', async () => {
    const path = '/campaigns/cmp_01m7yez275fk1a52pr5qevn8kn/schedule'
    expect((await organization.owner.get(path)).statusCode).toBe(404)
  })
})
