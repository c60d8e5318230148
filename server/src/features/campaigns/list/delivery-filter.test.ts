import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyRowByIndex } from '../../../../test/support/by-index.ts'
import { campaignBody, made, profileOf } from '../../../../test/support/cases/writes.ts'
import {
  type Client,
  clientOf,
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../../../../test/support/world.ts'
import { setOrganization } from '../../organizations/organization.ts'
import { deliveryReasons, deliveryStates } from '../lifecycle/delivery.ts'
import { days } from '../schedule/dayparting.ts'

/** Beside it the same campaigns are found by indexes, as among very many. */
let world: World
let byIndex: World

beforeAll(async () => {
  world = await openWorld({ env: unlimited })
  byIndex = await openWorld({
    env: unlimited,
    alter: (services) => ({
      ...services,
      limits: { ...services.limits, largeLists: everyRowByIndex },
    }),
  })
})
afterAll(async () => {
  await byIndex.close()
  await world.close()
})

type ShownDelivery = { id: string; status: string; delivery: { state: string; reasons: string[] } }

const hourMs = 3_600_000

/** Around changes of the clock in the zones below, and at ordinary times. */
const instants = [
  '2027-03-14T06:30:00Z',
  '2027-03-14T07:15:00Z',
  '2027-03-28T00:45:00Z',
  '2027-03-28T01:10:00Z',
  '2027-04-03T14:50:00Z',
  '2027-10-31T00:20:00Z',
  '2027-10-31T01:20:00Z',
  '2027-11-07T05:40:00Z',
  '2027-06-15T12:00:00Z',
  '2027-06-13T23:59:59.999Z',
]
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu']

const quarter = (at: number) =>
  `${String(Math.floor(at / 4)).padStart(2, '0')}:${String((at % 4) * 15).padStart(2, '0')}`

const windows = fc.uniqueArray(fc.constantFrom(...days), { maxLength: 7 }).chain((chosen) =>
  fc.tuple(
    ...chosen.map((day) =>
      fc.tuple(fc.nat(95), fc.integer({ min: 1, max: 96 })).map(([start, length]) => ({
        day,
        start: quarter(start),
        end: quarter(Math.min(96, start + length)),
      })),
    ),
  ),
)

/** Hours before or after the instant at which the list is read. */
const hours = fc.option(fc.constantFrom(-30, -1, 0, 1, 30))

const plan = fc.record({
  profile: fc.nat(3),
  actions: fc.constantFrom(
    ...[[], ['launch'], ['launch'], ['launch'], ['launch', 'pause'], ['launch', 'complete']],
    ...[['archive'], ['submit'], ['launch', 'pause', 'archive']],
  ),
  start: hours,
  end: hours,
  time_zone: fc.constantFrom(...zones),
  schedule: fc.oneof(fc.constant([]), windows, windows),
})
type PlannedCampaign = typeof plan extends fc.Arbitrary<infer T> ? T : never

const at = (instant: string, offset: number | null) =>
  offset === null ? null : new Date(Date.parse(instant) + offset * hourMs).toISOString()

async function add(
  owner: Client,
  { actions, ...plan }: PlannedCampaign & { profileId: string },
  now: string,
) {
  const { start, end, time_zone, schedule } = plan
  const flight = end !== null && start !== null && end <= start ? null : end
  const times = { start_at: at(now, start), end_at: at(now, flight) }
  const daily_budget = actions.includes('submit') ? 2_000 : 33.51
  const body = { ...campaignBody(plan.profileId), daily_budget, ...times, time_zone, schedule }
  const id = await made(owner, '/campaigns', body)
  for (const action of actions) await owner.post(`/campaigns/${id}/${action}`)
}

const sql = (statement: string, ...parameters: unknown[]) =>
  world.services.database.transaction(async (tx) => {
    tx.send({ sql: statement, parameters })
  })

/** Profiles as the API leaves them only for a moment: with campaigns that run on. */
async function profilesOf(organization: TestOrganization): Promise<string[]> {
  const { owner } = organization
  const proxy = { protocol: 'http', host: 'a.test', port: 8080 }
  const proxy_id = await made(owner, '/proxies', proxy)
  const healthy = await made(owner, '/proxies', { ...proxy, name: 'Healthy' })
  return [
    await profileOf(organization),
    await profileOf(organization, { name: 'Stopped' }),
    await profileOf(organization, { proxy_id }),
    await profileOf(organization, { proxy_id: healthy }),
  ]
}

async function disturb({ id }: TestOrganization, profiles: readonly string[]) {
  await sql(`update profiles set status = 'paused' where id = $1`, profiles[1])
  await sql(
    `update proxies set health = 'failing' where organization_id = $1 and name <> 'Healthy'`,
    id,
  )
  await sql(
    `update campaigns set status_reason = 'spend_cap_reached'
      where organization_id = $1 and status = 'paused' and md5(id) < '8'`,
    id,
  )
}

async function walk(owner: Client, search: string): Promise<ShownDelivery[]> {
  const seen: ShownDelivery[] = []
  for (let rest = search; rest !== ''; ) {
    const reply = await owner.get(`/campaigns?${rest}`)
    expect([reply.statusCode, reply.body]).toEqual([200, reply.body])
    const { data, meta } = reply.json()
    seen.push(...data)
    rest = meta.has_more ? `cursor=${meta.next_cursor}&limit=13` : ''
  }
  return seen
}

const filters: [string, (shown: ShownDelivery) => boolean][] = [
  ...deliveryStates.map((state): [string, (shown: ShownDelivery) => boolean] => [
    `delivery=${state}`,
    ({ delivery }) => delivery.state === state,
  ]),
  ...deliveryReasons.map((reason): [string, (shown: ShownDelivery) => boolean] => [
    `delivery_reason=${reason}`,
    ({ delivery }) => delivery.reasons.includes(reason),
  ]),
  ['delivery=eligible,not_eligible', () => true],
  [
    'delivery=not_eligible&status=scheduled,active,paused',
    ({ delivery, status }) =>
      delivery.state === 'not_eligible' && ['scheduled', 'active', 'paused'].includes(status),
  ],
  [
    'delivery=not_eligible&delivery_reason=outside_schedule,before_start',
    ({ delivery: { reasons } }) =>
      reasons.includes('outside_schedule') || reasons.includes('before_start'),
  ],
]

const met = new Set<string>()

describe('filtered by delivery', () => {
  test('campaigns are exactly those that show it', async () => {
    const plans = fc.array(plan, { minLength: 30, maxLength: 40 })
    const instant = fc.constantFrom(...instants)
    const property = fc.asyncProperty(plans, instant, fc.boolean(), async (all, now, suspends) => {
      const organization = await world.organization({ sandbox: true })
      const { owner } = organization
      const approval = { mode: 'above', amounts: { USD: 1_000 } }
      await owner.put('/organization/guardrails', { approval })
      const profiles = await profilesOf(organization)
      for (const each of all) {
        await add(owner, { ...each, profileId: profiles[each.profile] ?? '' }, now)
      }
      await disturb(organization, profiles)
      await owner.post('/sandbox/clock', { now })
      if (suspends) await setOrganization(organization.ctx, () => ({ status: 'suspended' }))
      const among = clientOf(byIndex.app, owner)
      const shown = await walk(owner, 'include_archived=true&limit=100')
      expect(shown).toHaveLength(all.length)
      for (const [search, isMeant] of filters) {
        const expected = shown.filter(isMeant)
        const found = await walk(owner, `${search}&include_archived=true&limit=13`)
        expect([search, found]).toEqual([search, expected])
        const indexed = await walk(among, `${search}&include_archived=true&limit=100`)
        expect([search, indexed]).toEqual([search, expected])
        for (const { delivery } of found) met.add([delivery.state, ...delivery.reasons].join())
      }
    })
    await fc.assert(property, { numRuns: 12, seed: 4711, endOnFailure: true })
    const reasons = [...met].flatMap((each) => each.split(',').slice(1))
    // Reasons of networks are tried where campaigns are deployed.
    const own = deliveryReasons.filter((each) => !/^(?:network|connector)_/.test(each))
    expect(new Set(reasons)).toEqual(new Set(own))
    expect(met).toContain('eligible')
  }, 120_000)

  test('a window is open from its start to before its end', async () => {
    const organization = await world.organization({ sandbox: true })
    const { owner } = organization
    const profile = await profileOf(organization)
    const begins = { day: 'tue', start: '12:00', end: '13:00' }
    const ends = { day: 'tue', start: '11:00', end: '12:00' }
    const ids: string[] = []
    for (const window of [begins, ends]) {
      const body = { ...campaignBody(profile), schedule: [window] }
      const id = await made(owner, '/campaigns', body)
      await owner.post(`/campaigns/${id}/launch`)
      ids.push(id)
    }
    await owner.post('/sandbox/clock', { now: '2027-06-15T12:00:00Z' })
    expect((await walk(owner, 'delivery=eligible')).map(({ id }) => id)).toEqual([ids[0]])
    const outside = await walk(owner, 'delivery_reason=outside_schedule')
    expect(outside.map(({ id }) => id)).toEqual([ids[1]])
  })

  test('a walk keeps its filter, in any order, and its cursor is that of the list', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const profile = await profileOf(organization)
    const names = ['b', 'C', 'a', 'D']
    for (const name of names) await made(owner, '/campaigns', { ...campaignBody(profile), name })
    const search = 'delivery_reason=not_launched&sort=name&limit=1'
    const first = (await owner.get(`/campaigns?${search}&include_total=true`)).json()
    expect(first.meta.total).toBe(4)
    const path = `/campaigns?cursor=${first.meta.next_cursor}&fields=name`
    const { data } = (await owner.get(path)).json()
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['b', 'C', 'D'])
    const other = await owner.get(`/campaigns?cursor=${first.meta.next_cursor}&delivery=eligible`)
    expect([other.statusCode, other.json().code]).toEqual([400, 'invalid_cursor'])
  })
})
