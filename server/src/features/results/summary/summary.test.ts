import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { madeKey } from '../../../../test/support/api-keys.ts'
import { dayOf, newSpend, report } from '../../../../test/support/cases/results.ts'
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
const ids: Record<string, string> = {}

const figures = { impressions: 1_000, clicks: 50, conversions: 4, conversion_value: 300 }

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
  organization = await world.organization()
  owner = organization.owner
  const account = (name: string, more: object) => profileOf(organization, { name, ...more })
  ids.acme = await account('Acme Google', { platform: 'google_ads', client: 'Acme' })
  ids.globex = await account('Globex Meta', { platform: 'meta', currency: 'JPY' })
  const campaign = (profile_id = '', more: object) =>
    made(owner, '/campaigns', { ...campaignBody(profile_id), ...more })
  ids.spring = await campaign(ids.acme, { name: 'Spring', labels: ['a', 'b'] })
  ids.summer = await campaign(ids.acme, { name: 'Summer', labels: ['b'] })
  ids.yen = await campaign(ids.globex, { name: 'Yen', currency: 'JPY', daily_budget: 500 })
  const rows = [
    { campaign_id: ids.spring, date: '2026-08-31', spend: 1 },
    { campaign_id: ids.spring, date: '2026-09-01', spend: 10, ...figures, is_final: true },
    { campaign_id: ids.spring, date: '2026-09-30', spend: 20, adjustment: -0.5, clicks: 10 },
    { campaign_id: ids.summer, date: '2026-09-15', spend: 0, impressions: 0, clicks: 0 },
    { campaign_id: ids.yen, date: '2026-09-15', spend: 700, ...figures },
    { campaign_id: ids.yen, date: '2026-10-01', spend: 300 },
  ]
  await report(owner, { rows })
  const second = [{ campaign_id: ids.spring, date: '2026-09-15', spend: 5 }]
  await report(owner, { source: 'warehouse', additional: true, rows: second })
})
afterAll(() => world.close())

const get = async (path: string) => (await owner.get(path)).json()
const september = 'from=2026-09-01&to=2026-10-01'

type Group = { group: string | null; name: string | null; currency: string; spend_minor: number }

const figureNames = [
  ...['spend', 'spend_minor', 'adjustment', 'adjustment_minor', 'impressions', 'clicks'],
  ...['conversions', 'conversion_value', 'conversion_value_minor'],
  ...['ctr', 'cpc', 'cpm', 'cpa', 'roas'],
]

const groups = async (search: string) =>
  (await get(`/results?${search}`)).data.map(
    ({ group, currency, spend_minor }: Group) => `${group} ${currency} ${spend_minor}`,
  )

describe('a summary', () => {
  test.each([
    ['profile', () => [`${ids.acme} USD 3500`, `${ids.globex} JPY 700`]],
    ['client', () => ['Acme USD 3500', 'null JPY 700']],
    ['platform', () => ['google_ads USD 3500', 'meta JPY 700']],
    ['label', () => ['b USD 3500', 'a USD 3500', 'null JPY 700']],
    ['currency', () => ['USD USD 3500', 'JPY JPY 700']],
    ['source', () => ['google_ads USD 3000', 'google_ads JPY 700', 'warehouse USD 500']],
    ['campaign', () => [`${ids.spring} USD 3500`, `${ids.yen} JPY 700`, `${ids.summer} USD 0`]],
  ])('by %s never adds up currencies', async (by, expected) => {
    expect(await groups(`${september}&group_by=${by}`)).toEqual(expected())
  })

  test('by day has every day in order, without figures where nothing was reported', async () => {
    const { data } = await get(`/results?${september}&group_by=day&limit=100`)
    expect(data).toHaveLength(60)
    const reported = data.filter(({ data }: { data: boolean }) => data)
    expect(
      reported.map(({ group, currency, spend_minor, is_final }: Group & { is_final: boolean }) =>
        [group, currency, spend_minor, is_final].join(' '),
      ),
    ).toEqual([
      '2026-09-01 USD 1000 true',
      '2026-09-15 JPY 700 false',
      '2026-09-15 USD 500 false',
      '2026-09-30 USD 2000 false',
    ])
    expect(data[0]).toEqual({
      group: '2026-09-01',
      name: null,
      groups: [{ by: 'day', key: '2026-09-01', name: null }],
      data: false,
      currency: 'JPY',
      currency_exponent: 0,
      is_final: null,
      ...Object.fromEntries(figureNames.map((name) => [name, null])),
    })
    const backwards = await get(`/results?${september}&group_by=day&limit=100&sort=-group`)
    expect(backwards.data).toEqual(data.toReversed())
    const bySpend = await groups(`${september}&group_by=day&sort=-spend`)
    expect(bySpend[0]).toBe('2026-09-30 USD 2000')
    const one = `from=2026-09-14&to=2026-09-16&group_by=day&campaign_id=${ids.yen}`
    expect(await groups(one)).toEqual(['2026-09-14 JPY null', '2026-09-15 JPY 700'])
    expect(await groups('from=2025-09-14&to=2025-09-15&group_by=day&currency=EUR')).toEqual([
      '2025-09-14 EUR null',
    ])
  })

  test.each([
    ['2026-09-01', '2026-09-30', 1500],
    ['2026-09-02', '2026-10-01', 2500],
    ['2026-08-15', '2026-10-15', 3600],
    ['2026-09-15', '2026-09-16', 500],
    ['2026-01-01', '2026-12-31', 3600],
    ['2026-08-31', '2026-09-01', 100],
  ])('from %s to %s counts exactly these days', async (from, to, spend) => {
    for (const by of ['campaign', 'profile', 'currency', 'day']) {
      const search = `from=${from}&to=${to}&group_by=${by}&currency=USD&sort=-spend`
      const { data } = await get(`/results?${search}`)
      const sum = data.reduce((all: number, { spend_minor }: Group) => all + spend_minor, 0)
      expect([by, sum]).toEqual([by, spend])
    }
  })

  test('has exact amounts, and ratios where they are defined', async () => {
    const { data } = await get(`/results?${september}`)
    expect(data).toMatchObject([
      {
        name: 'Spring',
        currency_exponent: 2,
        spend: 35,
        adjustment: -0.5,
        adjustment_minor: -50,
        impressions: 1_000,
        clicks: 60,
        conversions: 4,
        conversion_value: 300,
        conversion_value_minor: 30_000,
        ctr: 0.06,
        cpc: 0.583333,
        cpm: 35,
        cpa: 8.75,
        roas: 8.571429,
      },
      { name: 'Yen', currency_exponent: 0, spend: 700, conversion_value: 300, roas: 0.428571 },
      {
        name: 'Summer',
        ...{ spend: 0, impressions: 0, clicks: 0, conversions: null, conversion_value: null },
        ...{ ctr: null, cpc: null, cpm: null, cpa: null, roas: null },
      },
    ])
  })

  test.each([
    ['client=Acme', 1],
    ['profile_id=<globex>', 1],
    ['label=a', 1],
    ['label=b', 1],
    ['label=b&group_by=campaign', 2],
    ['source=warehouse', 1],
    ['currency=EUR', 0],
    ['campaign_id=<spring>,<yen>&group_by=campaign', 2],
    ['platform=meta', 1],
    ['platform=meta,google_ads', 2],
    ['platform=tiktok', 0],
    ['status=draft', 2],
    ['status=active', 0],
    ['label=a,b&status=draft', 1],
  ])('with %s has %i groups', async (search, count) => {
    const named = search.replaceAll(/<(\w+)>/g, (_, name) => ids[name] ?? '')
    const { data } = await get(
      `/results?group_by=profile&${september}&${named}`.replace(
        /group_by=profile&(.*group_by)/,
        '$1',
      ),
    )
    expect(data).toHaveLength(count)
  })

  test.each(['spend', '-spend', 'group', '-group'])('is walked by %s in pages', async (sort) => {
    const path = `/results?${september}&group_by=label&sort=${sort}`
    const whole = await get(`${path}&include_total=true`)
    expect(whole.meta).toMatchObject({ next_cursor: null, has_more: false, total: 3 })
    const walked: Group[] = []
    let url = `${path}&limit=1`
    while (url) {
      const { data, meta } = await get(url)
      walked.push(...data)
      url = meta.has_more ? `/results?cursor=${meta.next_cursor}&limit=1` : ''
    }
    expect(walked).toEqual(whole.data)
  })

  test.each([
    ['from=2026-09-31', ['from invalid_format']],
    ['from=2026-09-02&to=2026-09-02', ['to end_before_start']],
    ['from=2020-09-02&to=2026-09-02', ['to out_of_range']],
    ['from=2020-09-02', ['to out_of_range']],
    ['from=0000-01-01&to=0000-01-02', ['from out_of_range', 'to out_of_range']],
    ['from=1969-12-31&to=1970-01-02&compare=previous_year', ['from out_of_range']],
    ['from=9999-12-30&to=9999-12-31', ['from out_of_range', 'to out_of_range']],
    ['group_by=colour', ['group_by invalid_enum_value']],
    ['group_by=day,day', ['group_by duplicate_item']],
    ['group_by=day,label,client', ['group_by too_many_items']],
    ['group_by=day,campaign&from=2026-01-01&to=2026-04-04', ['to out_of_range']],
    ['group_by=day,client&from=2025-01-01&to=2026-04-04', ['to out_of_range']],
    ['group_by=campaign,day&include_days=true', ['group_by invalid_enum_value']],
    ['period=last_week', ['period invalid_enum_value']],
    ['period=today&to=2026-09-30', ['period duplicate_item']],
    ['time_zone=Moon', ['time_zone invalid_format']],
    ['compare=yesterday', ['compare invalid_enum_value']],
    ['status=started', ['status invalid_enum_value']],
    ['platform=radio', ['platform invalid_enum_value']],
  ])('with %s is refused', async (search, faults) => {
    const reply = await owner.get(`/results?${search}`)
    expect([reply.statusCode, faultsOf(reply)]).toEqual([400, faults])
  })

  test('is of this month if nothing else is asked for', async () => {
    const { row, owner } = await newSpend(world)
    await report(owner, { rows: [row({ spend: 7 })] })
    expect((await owner.get('/results')).json().data).toMatchObject([{ spend: 7 }])
  })
})

describe('the results of a campaign', () => {
  test.each([
    ['from=0000-01-01&to=0000-01-02', ['from out_of_range', 'to out_of_range']],
    ['to=0000-01-02', ['to out_of_range']],
  ])('with %s are refused', async (search, faults) => {
    const reply = await owner.get(`/campaigns/${ids.spring}/results?${search}`)
    expect([reply.statusCode, faultsOf(reply)]).toEqual([400, faults])
  })

  test('are known from the first day on that may be asked for, and compared', async () => {
    const search = 'from=1970-01-01&to=1973-01-01&compare=previous_year'
    expect((await get(`/results?${search}`)).data).toEqual([])
  })

  const periods = async (granularity: string) =>
    await get(
      `/campaigns/${ids.spring}/results?from=2026-08-01&to=2026-10-05&granularity=${granularity}`,
    )

  test('are by day, week and month, over all sources', async () => {
    expect(await periods('day')).toMatchObject({
      campaign_id: ids.spring,
      currency: 'USD',
      data: [
        { date: '2026-08-31', spend: 1, is_final: false, impressions: null, ctr: null },
        { date: '2026-09-01', spend: 10, is_final: true, ctr: 0.05, sources: ['google_ads'] },
        { date: '2026-09-15', spend: 5, sources: ['warehouse'] },
        { date: '2026-09-30', spend: 20, adjustment: -0.5 },
      ],
    })
    expect((await periods('week')).data).toMatchObject([
      { date: '2026-08-31', spend: 11, is_final: false },
      { date: '2026-09-14', spend: 5 },
      { date: '2026-09-28', spend: 20 },
    ])
    expect((await periods('month')).data).toMatchObject([
      { date: '2026-08-01', spend: 1 },
      { date: '2026-09-01', spend: 35, sources: ['google_ads', 'warehouse'] },
    ])
  })

  test('are of the last 30 days if nothing else is asked for', async () => {
    const { owner, row, campaign_id } = await newSpend(world)
    await report(owner, { rows: [-31, -29, 0].map((at) => row({ date: dayOf(world, at) })) })
    const { data, from, to } = (await owner.get(`/campaigns/${campaign_id}/results`)).json()
    expect([from, to]).toEqual([dayOf(world, -29), dayOf(world, 1)])
    expect(data).toHaveLength(2)
  })
})

test('sources show how far each has come', async () => {
  const { owner, row, campaign_id } = await newSpend(world)
  const rows = [row({ date: dayOf(world, -2) }), row({ date: dayOf(world, -4) })]
  await report(owner, { rows })
  const sources = async () => (await owner.get('/results/sources')).json().data
  expect(await sources()).toMatchObject([
    { source: 'google_ads', campaign_count: 1, complete_through: dayOf(world, -3), days_behind: 2 },
  ])
  const complete_through = dayOf(world, 0)
  await report(owner, { complete_through, rows })
  await report(owner, { rows: [row({ date: dayOf(world, -9) })] })
  expect(await sources()).toMatchObject([{ complete_through, days_behind: 0 }])
  expect(campaign_id).toMatch(/^cmp_/)
})

describe('an export', () => {
  test('has every day of the range, in CSV as it can be reported again', async () => {
    const { body, headers } = await owner.get(`/results/export?${september}&format=csv`)
    expect(headers['content-disposition']).toContain(`results_${organization.id}_2026-09-01`)
    const [header, ...lines] = body.trimEnd().split('\r\n')
    expect(header).toMatch(/^campaign_id,external_id,campaign_name,date,source,currency,spend,/)
    expect(lines).toHaveLength(5)
    expect(lines[0]).toMatch(
      `${ids.spring},,Spring,2026-09-01,google_ads,USD,10,1000,50,4,300,0,true,`,
    )
  })

  test('in NDJSON takes the filters of the summary, and many pages', async () => {
    const { owner, row } = await newSpend(world)
    const rows = Array.from({ length: 900 }, (_, at) => row({ date: dayOf(world, -at), spend: at }))
    await report(owner, { rows })
    const range = `from=${dayOf(world, -899)}&to=${dayOf(world, 1)}`
    const file = await owner.get(`/results/export?${range}&source=google_ads`)
    const days = file.body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(days.map(({ spend }) => spend)).toEqual(rows.map((_, at) => 899 - at))
    expect((await owner.get(`/results/export?${range}&source=other`)).body).toBe('')
  })
})

test('a reporter reads no results', async () => {
  const { client } = await madeKey(world, owner, { name: 'C', role: 'reporter' })
  for (const path of [
    '/results',
    '/results/sources',
    '/results/export',
    `/campaigns/${ids.yen}/results`,
  ])
    expect([path, (await client.get(path)).statusCode]).toEqual([path, 403])
})

describe('a campaign that moves to another profile', () => {
  test('takes its results along', async () => {
    const tenant = await world.organization()
    const profile = (client: string) => profileOf(tenant, { name: client, client, currency: null })
    const [from, to] = [await profile('From'), await profile('To')]
    const campaign_id = await made(tenant.owner, '/campaigns', campaignBody(from))
    const rows = [
      { campaign_id, date: '2026-09-01', spend: 10, ...figures, is_final: true },
      { campaign_id, date: '2026-09-20', spend: 5 },
    ]
    await report(tenant.owner, { rows })
    const byClient = async () => {
      const { data } = (
        await tenant.owner.get('/results?group_by=client&from=2026-09-01&to=2026-09-21')
      ).json()
      return data.map(({ name: _, groups: __, ...sums }: Group & { groups: object }) => sums)
    }
    const [before, ...others] = await byClient()
    expect([before, others]).toMatchObject([{ group: 'From', spend_minor: 1500 }, []])
    const reply = await tenant.owner.patch(`/campaigns/${campaign_id}`, { profile_id: to })
    expect(reply.statusCode).toBe(200)
    expect(await byClient()).toEqual([{ ...before, group: 'To' }])
    await report(tenant.owner, { rows: [{ campaign_id, date: '2026-09-20', spend: 7 }] })
    expect(await byClient()).toMatchObject([{ group: 'To', spend_minor: 1700 }])
  })
})
