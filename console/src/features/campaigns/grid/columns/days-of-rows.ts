import { organizationNow } from '../../../../data/organization.ts'
import { addDays } from '../../../../data/values/time.ts'
import { flightdeck } from '../../../../flightdeck.ts'
import { figuresOfRows } from './figures-of-rows.ts'
import { dayCount, type RowDays } from './spark.ts'

/** A day begins at one of these in every time zone. */
const quarterNow = () => Math.floor(Date.now() / 900_000)

/** One day more at both ends: east and west of UTC it is another day already, or still. */
export const useDays = figuresOfRows<RowDays>({
  async read(ids) {
    const quarter = quarterNow()
    const now = await organizationNow()
    const today = new Date(now).toISOString().slice(0, 10)
    const { data } = await flightdeck.results.list({
      campaign_id: ids,
      include_days: true,
      from: addDays(today, -dayCount),
      to: addDays(today, 2),
      fields: ['group', 'days'],
      limit: ids.length,
    })
    return new Map(data.map(({ group, days = [] }) => [group ?? '', { days, now, quarter }]))
  },
  isOld: ({ quarter }) => quarter < quarterNow(),
})
