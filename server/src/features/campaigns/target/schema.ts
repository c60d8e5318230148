import { Type } from 'typebox'
import type { Target } from '../../../database/tables/json-columns.ts'
import { bodyOf, choice, minorUnits, moneyIn, orNull, text } from '../../../schema/fields.ts'

const targetMetrics: readonly Target['metric'][] = [
  ...(['cpa', 'cpc', 'cpm', 'roas', 'ctr'] as const),
  ...(['conversions', 'clicks', 'impressions'] as const),
]

export const defaultWindowDays = 7
const maxWindowDays = 90

const metric = choice(targetMetrics, {
  title: 'TargetMetric',
  description:
    'Spend by conversion (`cpa`), click (`cpc`) or 1,000 impressions (`cpm`), conversion value by spend (`roas`), clicks by impressions (`ctr`), or a count in the window.',
})

const value =
  'For `cpa`, `cpc` and `cpm` an amount of the campaign’s currency, at least to be undercut; for the others to be reached: `ctr` a fraction up to 1, `roas` up to 10,000, counts whole numbers.'

const days = 'Days that are judged together; they end yesterday in the campaign’s time zone.'
const windowDays = { minimum: 1, maximum: maxWindowDays }

/** As clients write it. */
export const TargetIn = bodyOf(
  {
    metric,
    value: moneyIn(value),
    window_days: Type.Optional(
      orNull(Type.Integer({ ...windowDays, default: defaultWindowDays, description: days })),
    ),
  },
  {
    title: 'TargetInput',
    description: 'What the campaign is to achieve: judged by its results, never sent to a network.',
    examples: [{ metric: 'cpa', value: 20 }],
  },
)

export const TargetOut = Type.Object(
  {
    metric,
    value: Type.Number({ description: value }),
    window_days: Type.Integer({ description: days }),
  },
  { title: 'Target', description: 'What the campaign is to achieve.' },
)

export const performanceStatuses = ['on_target', 'off_target', 'low_data', 'no_data'] as const

const PerformanceStatus = choice(performanceStatuses, {
  title: 'PerformanceStatus',
  description:
    '`no_data`: no results in the window. `low_data`: under 3 complete days, or under 10 conversions (`cpa`, `roas`), 10 clicks (`cpc`, `ctr`) or 1,000 impressions (`cpm`). `off_target`: worse by more than the guardrail `performance_bound`, until it is 5 points better than that.',
})

export const Performance = Type.Object(
  {
    metric,
    value: orNull(Type.Number({ description: 'In the window; null where it is not defined.' })),
    target: Type.Number({ description: 'The value to achieve.' }),
    index: orNull(
      Type.Number({
        description: '1 is as wanted, above is better; at most 1,000. Null without a value.',
      }),
    ),
    status: PerformanceStatus,
    window: Type.Object(
      { from: text('First day.'), to: text('The day after the last: today in its time zone.') },
      { description: 'Days in the campaign’s time zone.' },
    ),
    spend_minor: orNull(minorUnits('Spent in the window; null: nothing was reported.')),
    conversions: orNull(Type.Number({ description: 'In the window; null if no row has it.' })),
  },
  { title: 'CampaignPerformance', description: 'Results beside the target.' },
)
export type Performance = Type.Static<typeof Performance>
