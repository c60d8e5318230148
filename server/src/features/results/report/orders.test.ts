import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Row, report } from '../../../../test/support/cases/results.ts'
import { campaignBody, made, profileOf } from '../../../../test/support/cases/writes.ts'
import { openWorld, unlimited, type World } from '../../../../test/support/world.ts'
import { sumColumns } from './sums.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({ env: unlimited })
})
afterAll(() => world.close())

/** The reports of a day to choose from: by number, in the order of their times. */
const reports = [
  { is_final: false, restate: false },
  { is_final: true, restate: false },
  { is_final: false, restate: false },
  { is_final: true, restate: true },
  { is_final: false, restate: false },
  { is_final: true, restate: true },
] as const

/** The reports of a day in the order in which they arrive: in any order, some of them repeatedly. */
const arrivals = fc
  .subarray([0, 1, 2, 3, 4, 5], { minLength: 1 })
  .chain((sent) =>
    fc
      .array(fc.constantFrom(...sent), { maxLength: 4 })
      .chain((again) =>
        fc.shuffledSubarray([...sent, ...again], { minLength: sent.length + again.length }),
      ),
  )

/** The report that counts in the end: the last restatement, else the final one, else the newest. */
function lastOf(sent: readonly number[]): number {
  const newest = (wanted: (report: (typeof reports)[number]) => boolean) =>
    Math.max(...sent.filter((number) => reports[number] && wanted(reports[number])))
  const [restated, final] = [newest(({ restate }) => restate), newest(({ is_final }) => is_final)]
  if (restated >= 0) return restated
  return final >= 0 ? final : newest(() => true)
}

/** A provisional report that repeats the final one must not count as one. */
const figuresOf = (day: number, number: number) =>
  madeUp(day, number === 4 && day % 3 === 0 ? 1 : number)

/** Different in each report of each day, and incomplete in some. */
const madeUp = (day: number, number: number) => ({
  spend: ((day * 37 + number * 1_009) % 50_000) / 100,
  adjustment: number % 3 === 0 ? -0.25 : null,
  impressions: (day + number) % 4 === 0 ? null : 1_000 + day,
  clicks: (day + number) % 5 === 0 ? null : (day * number) % 900,
  conversions: (day + number) % 6 === 0 ? null : (day % 40) / 8,
  conversion_value: number === 2 ? null : day,
})

const campaignCount = 25
const dayCount = 400
const maxRows = 1_000

const dateOf = (day: number) =>
  new Date(Date.UTC(2025, 6, 1) + Math.floor(day / campaignCount) * 86_400_000)
    .toISOString()
    .slice(0, 10)

test('10,000 random orders of reports, retries and restatements end in the same sums', {
  timeout: 180_000,
}, async () => {
  const organization = await world.organization()
  const { owner } = organization
  const profile = await profileOf(organization, { currency: null })
  const campaigns: string[] = []
  for (let at = 0; at < campaignCount; at += 1) {
    const currency = at % 2 ? 'USD' : 'EUR'
    campaigns.push(await made(owner, '/campaigns', { ...campaignBody(profile), currency }))
  }
  const orders = fc.sample(arrivals, { numRuns: campaignCount * dayCount, seed: 4711 })
  const rowOf = (day: number, number: number): Row => ({
    campaign_id: campaigns[day % campaignCount],
    date: dateOf(day),
    ...figuresOf(day, number),
    is_final: reports[number]?.is_final,
  })
  const steps = Math.max(...orders.map((order) => order.length))
  for (let step = 0; step < steps; step += 1) {
    for (const [number, { restate }] of reports.entries()) {
      const days = orders.flatMap((order, day) => (order[step] === number ? [day] : []))
      for (let at = 0; at < days.length; at += maxRows) {
        const rows = days.slice(at, at + maxRows).map((day) => rowOf(day, number))
        const reported_at = new Date(Date.UTC(2026, 9, 1, number)).toISOString()
        const reply = await report(owner, { reported_at, restate, rows })
        expect([reply.statusCode, problemsIn(reply.json())]).toEqual([207, []])
      }
    }
  }
  const stored = await query<StoredRow>(
    `select campaign_id, date, spend_minor, adjustment_minor, impressions, clicks, is_final,
       conversions_millionths, conversion_value_minor
     from results where organization_id = $1`,
    organization.id,
  )
  const expected = orders.map((order, day) => shownOf(rowOf(day, lastOf(order))))
  expect(sorted(stored)).toEqual(sorted(expected))
  const { id } = organization
  expect(await query(`${monthsSql} order by 1, 2, 3`, id)).toEqual(await query(monthlySql, id))
  expect(await query(`${daysSql} order by 1, 2, 3`, id)).toEqual(await query(dailySql, id))
})

type Reply = { results: { outcome: string; problem?: { code: string } }[] }

/** A provisional report of a final day fails, and nothing else. */
const problemsIn = ({ results }: Reply) =>
  results.flatMap(({ problem }) => (problem && problem.code !== 'row_final' ? [problem] : []))

type StoredRow = Row & { campaign_id: string; date: string }

const query = <Found extends object>(sql: string, organizationId: string) =>
  world.services.database.reader.query<Found>({ sql, parameters: [organizationId] })

const sorted = (rows: readonly StoredRow[]) =>
  rows.toSorted((one, other) =>
    `${one.campaign_id}${one.date}` < `${other.campaign_id}${other.date}` ? -1 : 1,
  )

function shownOf(row: Row): StoredRow {
  const { campaign_id, date, spend, adjustment, impressions, clicks, is_final } = row
  const scaled = (value: unknown, by: number) =>
    value === null ? null : Math.round(Number(value) * by)
  return {
    campaign_id: String(campaign_id),
    date: String(date),
    spend_minor: scaled(spend, 100),
    adjustment_minor: scaled(adjustment, 100) ?? 0,
    impressions,
    clicks,
    is_final,
    conversions_millionths: scaled(row.conversions, 1e6),
    conversion_value_minor: scaled(row.conversion_value, 100),
  }
}

const addedUp = `count(*)::int as row_count, count(*) filter (where is_final)::int as final_count,
  sum(spend_minor)::bigint as spend_minor, sum(adjustment_minor)::bigint as adjustment_minor,
  ${[
    ['impressions', 'impressions_count'],
    ['clicks', 'clicks_count'],
    ['conversions_millionths', 'conversions_count'],
    ['conversion_value_minor', 'conversion_value_count'],
  ]
    .map(
      ([figure, count]) =>
        `coalesce(sum(${figure}), 0)::bigint as ${figure}, count(${figure})::int as ${count}`,
    )
    .join(', ')}`

const monthsSql = `select campaign_id, month, source, ${sumColumns.join(', ')}
  from result_months where organization_id = $1`
const monthlySql = `
  select campaign_id, date_trunc('month', date)::date as month, source, ${addedUp}
  from results where organization_id = $1 group by 1, 2, 3 order by 1, 2, 3`
const daysSql = `select date, currency, source, profile_id, ${sumColumns.join(', ')}
  from result_days where organization_id = $1`
const dailySql = `
  select date, currency, source, profile_id, ${addedUp}
  from results r join campaigns c on c.organization_id = $1 and c.id = r.campaign_id
  where r.organization_id = $1 group by 1, 2, 3, 4 order by 1, 2, 3`
