import { organizationNow } from '../../../../data/organization.ts'
import { addDays } from '../../../../data/values/time.ts'
import { flightdeck, type Schema } from '../../../../flightdeck.ts'
import { figuresOfRows } from './figures-of-rows.ts'

export type MetricWindow = '7d' | '14d' | '30d' | 'this_month' | 'last_month'
export type RowMetrics = Pick<Schema<'ResultGroup'>, (typeof fields)[number]>

const fields = ['group', 'conversions', 'cpa', 'cpc', 'cpm', 'ctr', 'roas', 'spend_minor'] as const

const daysIn = { '7d': 7, '14d': 14, '30d': 30 } as const

/** The days of a window; all but this month end yesterday. */
function rangeOf(window: MetricWindow, today: string): { from: string; to: string } {
  const month = `${today.slice(0, 7)}-01`
  if (window === 'this_month') return { from: month, to: addDays(today, 1) }
  if (window === 'last_month') return { from: `${addDays(month, -1).slice(0, 7)}-01`, to: month }
  return { from: addDays(today, -daysIn[window]), to: today }
}

const hookOf = (window: MetricWindow) =>
  figuresOfRows<RowMetrics>({
    async read(ids) {
      const today = new Date(await organizationNow()).toISOString().slice(0, 10)
      const { data } = await flightdeck.results.list({
        campaign_id: ids,
        ...rangeOf(window, today),
        fields: [...fields],
        limit: ids.length,
      })
      return new Map(data.map((row) => [row.group ?? '', row]))
    },
  })

/** The figures of a campaign in each window, read only where they are shown. */
export const useMetrics: { readonly [Window in MetricWindow]: ReturnType<typeof hookOf> } = {
  '7d': hookOf('7d'),
  '14d': hookOf('14d'),
  '30d': hookOf('30d'),
  this_month: hookOf('this_month'),
  last_month: hookOf('last_month'),
}
