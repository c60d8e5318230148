import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayOf, report } from '../../../test/support/cases/results.ts'
import { campaignBody, made, profileOf } from '../../../test/support/cases/writes.ts'
import { type OwnWorld, openOwnWorld } from '../../../test/support/own-world.ts'
import { readMigrations } from '../../database/upkeep/migrate.ts'

let world: OwnWorld

// Its own database: the migration is for all organizations.
beforeAll(async () => {
  world = await openOwnWorld()
})
afterAll(() => world.close())

const tables = ['result_labels', 'result_source_totals']

/** The sums that are not zero, in an order of their own. */
const sumsIn = async (table: string) =>
  (await world.database.query<Record<string, unknown>>(`select * from ${table}`))
    .filter((row) => row.row_count !== 0)
    .map((row) => JSON.stringify(row))
    .sort()

const sums = async () =>
  Object.fromEntries(await Promise.all(tables.map(async (table) => [table, await sumsIn(table)])))

/** Makes the sums from the results that are stored, as the migration does. */
async function fillAgain(): Promise<void> {
  const migration = (await readMigrations()).find(({ name }) => name.endsWith('result_labels'))
  const fillings = migration?.sql.split(';\n').filter((each) => each.includes('insert into')) ?? []
  expect(fillings).toHaveLength(tables.length)
  for (const table of tables) await world.database.query(`delete from ${table}`)
  for (const filling of fillings) await world.database.query(filling)
}

test('sums are those of the stored results, whatever was reported, changed and deleted', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const [one, other] = [
    await profileOf(organization, { currency: null }),
    await profileOf(organization, { currency: null }),
  ]
  const campaigns: string[] = []
  for (const [at, currency] of ['USD', 'JPY', 'USD', 'EUR'].entries()) {
    const labels = [[], ['a'], ['a', 'b'], ['c']][at]
    const body = {
      ...campaignBody(at % 2 === 0 ? one : other),
      currency,
      labels,
      daily_budget: 900,
    }
    campaigns.push(await made(owner, '/campaigns', body))
  }
  const rowsOf = (spend: number, more = {}) =>
    campaigns.flatMap((campaign_id, at) =>
      [-40, -3, -1].map((days) => ({
        campaign_id,
        date: dayOf(world, days),
        spend: spend + at,
        ...more,
      })),
    )
  await report(owner, { rows: rowsOf(10, { clicks: 3, impressions: 9 }) })
  await report(owner, { rows: rowsOf(11, { is_final: true }) })
  await report(owner, { rows: rowsOf(12), restate: true })
  await report(owner, {
    rows: rowsOf(7, { conversions: 1.5 }).slice(0, 7),
    source: 'crm',
    additional: true,
  })
  await owner.patch(`/campaigns/${campaigns[0]}`, { profile_id: other, labels: ['b', 'new'] })
  await owner.patch(`/campaigns/${campaigns[1]}`, { profile_id: one })
  const operations = campaigns
    .slice(1)
    .flatMap((id) =>
      [['x'], ['x', 'y'], []].map((labels) => ({ op: 'update', id, body: { labels } })),
    )
  const bulk = await owner.post('/campaigns/bulk', { mode: 'partial', operations })
  expect([bulk.statusCode, bulk.json().failed ?? 0]).toEqual([207, 0])
  await report(owner, { rows: rowsOf(15), restate: true })
  const kept = await sums()
  expect(kept.result_labels?.length).toBeGreaterThan(10)
  await fillAgain()
  expect(await sums()).toEqual(kept)

  expect((await owner.delete(`/results/sources/crm?campaign_id=${campaigns[1]}`)).statusCode).toBe(
    204,
  )
  const left = await sums()
  await fillAgain()
  expect(await sums()).toEqual(left)
  expect((await owner.delete('/results/sources/crm')).statusCode).toBe(204)
  const last = await sums()
  await fillAgain()
  expect(await sums()).toEqual(last)
})
