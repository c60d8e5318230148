import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { report } from '../../../../test/support/cases/results.ts'
import { campaignBody, made, profileOf } from '../../../../test/support/cases/writes.ts'
import { watch } from '../../../../test/support/documented.ts'
import { type Client, openWorld, unlimited, type World } from '../../../../test/support/world.ts'

let world: World
let owner: Client
const ids: Record<string, string> = {}

const currencies = ['USD', 'EUR', 'JPY', 'KWD']

/** Two clients on two platforms, each in four currencies, with results of a year before. */
beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
  const organization = await world.organization()
  owner = organization.owner
  const acme = { client: 'Acme', platform: 'google_ads', currency: null }
  const globex = { client: 'Globex', platform: 'meta', currency: null }
  ids.acme = await profileOf(organization, { name: 'A', ...acme })
  ids.globex = await profileOf(organization, { name: 'G', ...globex })
  const rows: object[] = []
  for (const profile of ['acme', 'globex']) {
    for (const [at, currency] of currencies.entries()) {
      const campaign_id = await made(owner, '/campaigns', {
        ...campaignBody(ids[profile] ?? ''),
        ...{ name: `${profile} ${currency}`, currency, daily_budget: 5_000 },
        labels: profile === 'acme' ? ['all', `n${at}`] : ['all'],
      })
      ids[`${profile} ${currency}`] = campaign_id
      const row = { campaign_id, spend: 10 * (at + 1), clicks: 5, impressions: 100 }
      rows.push({ ...row, date: '2026-10-24', is_final: true }, { ...row, date: '2026-10-26' })
      rows.push({ campaign_id, spend: 5, date: '2025-10-26', is_final: true })
      rows.push({ campaign_id, spend: 20, date: '2026-10-20' })
    }
  }
  await report(owner, { rows })
})
afterAll(() => world.close())

type Row = Record<string, unknown> & { groups: { by: string; key: string; name: string }[] }

const read = async (search: string): Promise<{ data: Row[]; meta: Record<string, unknown> }> => {
  const reply = await owner.get(`/results?limit=100&${search}`)
  expect([reply.statusCode, reply.body]).toEqual([200, reply.body])
  return reply.json()
}

const october = 'from=2026-10-24&to=2026-10-27'

describe('two groupings', () => {
  test('have a row for each pair and currency, with what it is by each', async () => {
    const { data } = await read(`${october}&group_by=client,platform`)
    expect(data).toHaveLength(8)
    expect(data.filter(({ currency }) => currency === 'USD')).toMatchObject(
      ['Globex meta', 'Acme google_ads'].map((pair) => {
        const [client, platform] = pair.split(' ')
        return {
          group: client,
          groups: [
            { by: 'client', key: client, name: client },
            { by: 'platform', key: platform, name: null },
          ],
          ...{ data: true, spend_minor: 2_000, clicks: 10, is_final: false },
        }
      }),
    )
  })

  test('with days have every day of each pair, client by client, in order', async () => {
    const { data } = await read(`${october}&group_by=client,day&currency=USD`)
    const line = ({ groups, data, spend, is_final }: Row) =>
      [...groups.map(({ key }) => key), data, spend, is_final].join(' ')
    expect(data.map(line)).toEqual(
      ['Acme', 'Globex'].flatMap((client) => [
        `${client} 2026-10-24 true 10 true`,
        `${client} 2026-10-25 false  `,
        `${client} 2026-10-26 true 10 false`,
      ]),
    )
    const byDay = await read(`${october}&group_by=day,client&currency=USD`)
    expect(byDay.data.map(({ groups }) => groups.map(({ key }) => key).join(' '))).toEqual(
      ['2026-10-24', '2026-10-25', '2026-10-26'].flatMap((day) => [`${day} Acme`, `${day} Globex`]),
    )
  })

  test('are walked in pages of any size', async () => {
    for (const by of ['label,day', 'client,label', 'campaign,day', 'day,currency']) {
      const whole = await read(`${october}&group_by=${by}&include_total=true`)
      expect(whole.meta.total).toBe(whole.data.length)
      const walked: Row[] = []
      let search = `${october}&group_by=${by}`
      while (search) {
        const { data, meta } = (await owner.get(`/results?limit=7&${search}`)).json()
        walked.push(...data)
        search = meta.has_more ? `cursor=${meta.next_cursor}` : ''
      }
      expect(walked).toEqual(whole.data)
    }
  })
})

describe('totals', () => {
  test('are of all that matches, in each currency, whatever is on the page', async () => {
    for (const by of ['campaign', 'label', 'client,day', 'day', 'source']) {
      const { meta } = (await owner.get(`/results?limit=1&${october}&group_by=${by}`)).json()
      expect([by, meta.period]).toEqual([by, { from: '2026-10-24', to: '2026-10-27' }])
      expect(
        meta.totals.map((total: Row) => [total.currency, total.spend_minor, total.is_final]),
      ).toEqual([
        ['EUR', 8_000, false],
        ['JPY', 120, false],
        ['KWD', 160_000, false],
        ['USD', 4_000, false],
      ])
    }
  })

  test.each([
    ['label=all', 4_000],
    ['label=n0', 2_000],
    ['label=all,n0', 4_000],
    ['client=Globex', 2_000],
    ['platform=meta', 2_000],
    ['status=draft', 4_000],
    ['source=none', undefined],
  ])('with %s come to %s', async (filter, spend) => {
    for (const by of ['campaign', 'day', 'client', 'label']) {
      const { meta } = await read(`${october}&group_by=${by}&currency=USD&${filter}`)
      const [total] = meta.totals as Row[]
      expect([by, total?.spend_minor]).toEqual([by, spend])
    }
  })

  test('are final where all rows are', async () => {
    const { data, meta } = await read('from=2026-10-24&to=2026-10-25&group_by=platform')
    expect(data.every(({ is_final }) => is_final === true)).toBe(true)
    expect(meta.totals).toMatchObject(currencies.map(() => ({ is_final: true })))
  })
})

describe('a comparison', () => {
  test('with the period before has its figures, and the change as a fraction', async () => {
    const search = `${october}&currency=USD&compare=previous_period`
    const { data, meta } = await read(`from=2026-10-21&to=2026-10-27&compare=previous_period`)
    expect(meta.previous).toEqual({ from: '2026-10-15', to: '2026-10-21' })
    expect(data).toHaveLength(8)
    for (const row of data) {
      const { spend_minor, clicks, ctr } = row
      const previous = { data: true, clicks: null, ctr: null, is_final: false }
      expect([spend_minor !== null, clicks, ctr]).toEqual([true, 10, 0.05])
      expect(row).toMatchObject({ previous, change: { clicks: null, ctr: null, cpc: null } })
    }
    const usd = data.find(({ currency }) => currency === 'KWD')
    expect(usd).toMatchObject({
      spend: 80,
      previous: { spend: 20 },
      change: { spend: 3, spend_minor: 3 },
    })
    const { data: none } = await read(search)
    expect(none[0]).toMatchObject({
      previous: { data: false, spend: null, spend_minor: null, is_final: null },
      change: { spend: null },
    })
  })

  test('with the year before puts days beside each other', async () => {
    const { data, meta } = await read(`${october}&group_by=day&currency=USD&compare=previous_year`)
    expect(meta.previous).toEqual({ from: '2025-10-24', to: '2025-10-27' })
    expect(data.map(({ previous }) => (previous as Row).spend)).toEqual([null, null, 10])
    expect(data[2]).toMatchObject({ spend: 20, change: { spend: 1 }, previous: { is_final: true } })
    expect(meta.totals).toMatchObject([
      { spend: 40, previous: { spend: 10 }, change: { spend: 3 } },
    ])
  })

  test('puts a leap day beside the 28th', async () => {
    const leap = ['2024-02-28', '2024-02-29', '2025-02-28']
    const campaign_id = ids['acme USD']
    await report(owner, { rows: leap.map((date) => ({ campaign_id, date, spend: 3 })) })
    const search = 'from=2025-02-27&to=2025-03-02&group_by=day&compare=previous_year'
    const { data, meta } = await read(search)
    expect(data.map(({ previous }) => (previous as Row).spend)).toEqual([null, 6, null])
    expect(meta.totals).toMatchObject([{ previous: { spend: 6 }, change: { spend: -0.5 } }])
  })
})

describe('a relative period', () => {
  test.each([
    'today',
    'yesterday',
    'last_7_days',
    'last_30_days',
    'this_month',
    'last_month',
    'this_quarter',
    'this_year',
  ])('%s is of whole days in the time zone asked for', async (period) => {
    for (const zone of ['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles']) {
      const { meta } = await read(`period=${period}&time_zone=${zone}&group_by=currency`)
      expect([zone, meta.period]).toEqual([zone, daysOf(period, zone)])
    }
  })

  test('is of days of the organization where no time zone is asked for, as is the month', async () => {
    const other = (await world.organization()).owner
    for (const time_zone of ['Pacific/Kiritimati', 'Etc/GMT+12']) {
      await other.patch('/organization', { time_zone })
      const period = async (search: string) =>
        (await other.get(`/results${search}`)).json().meta.period
      expect(await period('?period=today')).toEqual(daysOf('today', time_zone))
      expect(await period('?period=today&time_zone=UTC')).toEqual(daysOf('today', 'UTC'))
      const { from } = daysOf('this_month', time_zone)
      expect(await period('')).toMatchObject({ from })
    }
  })

  const daysOf = (period: string, zone: string) => {
    const today = Temporal.Instant.from(world.clock.now().toISOString())
      .toZonedDateTimeISO(zone)
      .toPlainDate()
    const month = today.with({ day: 1 })
    const tomorrow = today.add({ days: 1 })
    const ranges: Record<string, [Temporal.PlainDate, Temporal.PlainDate]> = {
      today: [today, tomorrow],
      yesterday: [today.subtract({ days: 1 }), today],
      last_7_days: [today.subtract({ days: 7 }), today],
      last_30_days: [today.subtract({ days: 30 }), today],
      this_month: [month, tomorrow],
      last_month: [month.subtract({ months: 1 }), month],
      this_quarter: [month.subtract({ months: (today.month - 1) % 3 }), tomorrow],
      this_year: [month.with({ month: 1 }), tomorrow],
    }
    const [from, to] = ranges[period] ?? []
    return { from: String(from), to: String(to) }
  }
})

describe('labels', () => {
  const spends = async (search: string) => {
    const { data } = await read(`${october}&currency=EUR&${search}`)
    return Object.fromEntries(data.map(({ group, spend }) => [String(group), spend]))
  }

  test('that change take the results along', async () => {
    expect(await spends('group_by=label')).toEqual({ all: 80, n1: 40 })
    const operations = ['acme EUR', 'globex EUR'].map((name) => ({
      op: 'update',
      id: ids[name],
      body: { labels: name === 'acme EUR' ? ['n1', 'new'] : [] },
    }))
    const reply = await owner.post('/campaigns/bulk', { mode: 'atomic', operations })
    expect([reply.statusCode, reply.body]).toEqual([200, reply.body])
    expect(await spends('group_by=label')).toEqual({ new: 40, n1: 40, null: 40 })
    expect(await spends('group_by=client&label=new')).toEqual({ Acme: 40 })
    expect(await spends('group_by=client&label=all')).toEqual({})

    await owner.patch(`/campaigns/${ids['acme EUR']}`, { labels: ['all'] })
    await owner.patch(`/campaigns/${ids['globex EUR']}`, { labels: ['all', 'new'] })
    const rows = [{ campaign_id: ids['globex EUR'], date: '2026-10-24', spend: 25, is_final: true }]
    await report(owner, { rows, restate: true })
    expect(await spends('group_by=label')).toEqual({ all: 85, new: 45 })
  })

  test('and the profile of a draft may change at once', async () => {
    const id = ids['acme KWD']
    const change = { profile_id: ids.globex, labels: ['moved'] }
    expect((await owner.patch(`/campaigns/${id}`, change)).statusCode).toBe(200)
    const byPair = await read(`${october}&currency=KWD&group_by=client,label`)
    expect(byPair.data.map(({ groups, spend }) => [groups[0]?.key, groups[1]?.key, spend])).toEqual(
      [
        ['Globex', 'moved', 80],
        ['Globex', 'all', 80],
      ],
    )
  })
})
