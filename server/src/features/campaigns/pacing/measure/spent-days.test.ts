import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSpending } from '../../../../../test/support/cases/spending.ts'
import { type OwnWorld, openOwnWorld } from '../../../../../test/support/own-world.ts'
import { unlimited } from '../../../../../test/support/world.ts'

let world: OwnWorld

beforeAll(async () => {
  world = await openOwnWorld({ env: unlimited })
})
afterAll(() => world.close())

const days = 100

/** A few days, some of them before the flight, the stored ones, or the month. */
const reports = fc.record({
  source: fc.constantFrom('google_ads', 'Ärger', 'zeta'),
  restate: fc.boolean(),
  rows: fc.uniqueArray(
    fc.record({
      day: fc.integer({ min: -5, max: days }),
      spend: fc.integer({ min: 0, max: 400 }),
      adjustment: fc.constantFrom(null, null, -3),
    }),
    { minLength: 1, maxLength: 6, selector: ({ day }) => day },
  ),
})

test('what is judged by stored days is what is judged by all results', async () => {
  const { owner, id, launched, moveTo, dateOf, timeOf, pacing, listed, organization } =
    await newSpending(world)
  const flight = { daily_budget: null, lifetime_budget: 9_000, end_at: timeOf(days + 20) }
  const campaigns = [id, await launched(flight), await launched({ time_zone: 'Asia/Tokyo' })]
  await moveTo(days + 0.6)
  const unknownSql = `select count(*)::integer as count from campaign_pacing
    where organization_id = $1 and spent_days is null`
  for (const { source, restate, rows } of fc.sample(reports, { numRuns: 60, seed: 4711 })) {
    const { now } = (await owner.get('/sandbox')).json()
    const reply = await owner.post('/results', {
      ...{ source, restate, reported_at: now, additional: true },
      rows: rows.flatMap(({ day, ...figures }) =>
        campaigns.map((campaign_id) => ({ campaign_id, date: dateOf(day), ...figures })),
      ),
    })
    expect(reply.statusCode).toBe(207)
    const parameters = [organization.id]
    const unknown = await world.services.database.reader.query({ sql: unknownSql, parameters })
    expect(unknown).toEqual([{ count: 0 }])
    for (const shown of await listed()) {
      const { days: _, ...anew } = await pacing(shown.campaign_id)
      expect(shown).toEqual(anew)
    }
  }
})
