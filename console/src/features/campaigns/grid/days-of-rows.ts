import { organizationNow } from '../../../data/organization.ts'
import { flightdeck, type Schema } from '../../../flightdeck.ts'
import { figuresOfRows } from './figures-of-rows.ts'

export const dayCount = 14

/** Reported days, and when they were the last ones, by the clock of the organization. */
export type RowDays = {
  days: readonly Schema<'ResultDay'>[]
  now: number
  quarter: number
}

const dayMs = 86_400_000

/** A day begins at one of these in every time zone. */
const quarterNow = () => Math.floor(Date.now() / 900_000)

const dateAt = (time: number) => new Date(time).toISOString().slice(0, 10)

/** One day more at both ends: east and west of UTC it is another day already, or still. */
export const useDays = figuresOfRows<RowDays>({
  async read(ids) {
    const quarter = quarterNow()
    const now = await organizationNow()
    const { data } = await flightdeck.results.list({
      campaign_id: ids,
      include_days: true,
      from: dateAt(now - dayCount * dayMs),
      to: dateAt(now + 2 * dayMs),
      fields: ['group', 'days'],
      limit: ids.length,
    })
    return new Map(data.map(({ group, days = [] }) => [group ?? '', { days, now, quarter }]))
  },
  isOld: ({ quarter }) => quarter < quarterNow(),
})
