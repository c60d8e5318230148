import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { madeKey } from '../../../../test/support/api-keys.ts'
import { report } from '../../../../test/support/cases/results.ts'
import { campaignBody, made, profileOf } from '../../../../test/support/cases/writes.ts'
import { watch } from '../../../../test/support/documented.ts'
import {
  type Client,
  faultsOf,
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../../../../test/support/world.ts'

let world: World
let organization: TestOrganization
let owner: Client
let [spring, summer, silent] = ['', '', '']

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
  organization = await world.organization()
  owner = organization.owner
  const profile = await profileOf(organization, { currency: null })
  const campaign = (name: string) => made(owner, '/campaigns', { ...campaignBody(profile), name })
  spring = await campaign('Spring')
  summer = await campaign('Summer')
  silent = await campaign('Silent')
  const rows = [
    { campaign_id: spring, date: '2026-08-31', spend: 1, is_final: true },
    { campaign_id: spring, date: '2026-09-01', spend: 10, is_final: true },
    { campaign_id: spring, date: '2026-09-15', spend: 20, adjustment: -0.5, is_final: true },
    { campaign_id: summer, date: '2026-09-15', spend: 0, is_final: true },
    { campaign_id: summer, date: '2026-10-01', spend: 3 },
  ]
  await report(owner, { rows })
  const second = [{ campaign_id: spring, date: '2026-09-15', spend: 5 }]
  await report(owner, { source: 'warehouse', additional: true, rows: second })
})
afterAll(() => world.close())

type Group = { group: string; days?: object[] }

const path = (search: string) => `/results?group_by=campaign&include_days=true&${search}`
const read = async (search: string, client = owner) => (await client.get(path(search))).json()

const daysOf = async (search: string, client?: Client) =>
  Object.fromEntries(
    (await read(search, client)).data.map(({ group, days }: Group) => [group, days]),
  )

const day = (date: string, spend_minor: number, more: object = {}) => ({
  date,
  spend_minor,
  adjustment_minor: 0,
  is_final: true,
  ...more,
})

const september = 'from=2026-09-01&to=2026-10-01'
const twoWeeks = 'from=2026-08-31&to=2026-09-16'

describe('the days of the groups of a summary', () => {
  test('add up sources, are in order, and leave out what nothing was reported of', async () => {
    const both = day('2026-09-15', 2_500, { adjustment_minor: -50, is_final: false })
    expect(await daysOf(september)).toEqual({
      [spring]: [day('2026-09-01', 1_000), both],
      [summer]: [day('2026-09-15', 0)],
    })
    const ids = `campaign_id=${spring},${silent}`
    expect(await daysOf(`${twoWeeks}&${ids}`)).toEqual({
      [spring]: [day('2026-08-31', 100), day('2026-09-01', 1_000), both],
    })
  })

  test('are those of a campaign', async () => {
    const { [spring]: days } = await daysOf(twoWeeks)
    const own = await owner.get(`/campaigns/${spring}/results?${twoWeeks}`)
    expect(own.json().data).toMatchObject(days)
  })

  test('take the filters of the sums', async () => {
    expect(await daysOf(`${september}&source=warehouse`)).toEqual({
      [spring]: [day('2026-09-15', 500, { is_final: false })],
    })
    expect(await daysOf(`${september}&currency=EUR`)).toEqual({})
  })

  test('go on from page to page', async () => {
    const { data, meta } = await read(`${september}&limit=1`)
    const next = (await owner.get(`/results?cursor=${meta.next_cursor}&limit=1`)).json()
    expect([...data, ...next.data]).toEqual((await read(september)).data)
    expect(next.data).toMatchObject([{ group: summer, days: [{ date: '2026-09-15' }] }])
  })

  test('are there only where they are asked for', async () => {
    for (const search of [september, `${september}&include_days=false`]) {
      const { data } = (await owner.get(`/results?${search}`)).json()
      expect(data.map(({ days }: Group) => days)).toEqual([undefined, undefined])
    }
    const { data } = await read(`${september}&fields=group,days&campaign_id=${summer}`)
    expect(data).toEqual([{ group: summer, days: [day('2026-09-15', 0)] }])
    const { data: plain } = (await owner.get(`/results?include_days=true&${september}`)).json()
    expect(plain).toHaveLength(2)
  })

  test('follow a restatement', async () => {
    const tenant = await world.organization()
    const profile = await profileOf(tenant, { currency: null })
    const campaign_id = await made(tenant.owner, '/campaigns', campaignBody(profile))
    const row = { campaign_id, date: '2026-09-10', spend: 80, is_final: true }
    await report(tenant.owner, { rows: [row] })
    await report(tenant.owner, { restate: true, rows: [{ ...row, spend: 70 }] })
    expect(await daysOf(september, tenant.owner)).toEqual({
      [campaign_id]: [day('2026-09-10', 7_000)],
    })
  })

  test.each(['profile', 'client', 'platform', 'label', 'currency', 'day', 'source'])(
    'are refused by %s',
    async (by) => {
      const reply = await owner.get(`/results?group_by=${by}&include_days=true&${september}`)
      expect([reply.statusCode, faultsOf(reply)]).toEqual([400, ['group_by invalid_enum_value']])
      const without = await owner.get(`/results?group_by=${by}&include_days=false&${september}`)
      expect(without.statusCode).toBe(200)
    },
  )

  test.each([
    ['from=2026-08-01&to=2026-09-01', 200, []],
    ['from=2026-08-01&to=2026-09-02', 400, ['to out_of_range']],
    ['from=2026-06-01', 400, ['to out_of_range']],
    ['', 200, []],
  ])('with "%s" are %i', async (search, status, faults) => {
    const reply = await owner.get(path(search))
    expect([reply.statusCode, status === 200 ? [] : faultsOf(reply)]).toEqual([status, faults])
  })

  test('are read by viewers, and not by reporters', async () => {
    expect(await daysOf(september, await organization.as('viewer'))).toHaveProperty(spring)
    const { client } = await madeKey(world, owner, { name: 'C', role: 'reporter' })
    expect((await client.get(path(september))).statusCode).toBe(403)
  })

  test('are never those of another organization', async () => {
    const stranger = (await world.organization()).owner
    expect(await daysOf(`${september}&campaign_id=${spring}`, stranger)).toEqual({})
  })
})
