import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Fault } from '../../../problems/fault.ts'
import { anyOf, type Filter, oneCurrencyIn } from '../../../query/filters.ts'
import type { Received } from '../../../query/parameters.ts'
import type { Sort } from '../../../query/sorting.ts'
import { choice } from '../../../schema/fields.ts'
import {
  exponentOf,
  maxAmountLength,
  readMoney,
  readQuantity,
  toMajor,
} from '../../../values/money.ts'
import { performanceStatuses } from './schema.ts'
import {
  defaultMetricWindow,
  type ListedMetric,
  listedMetrics,
  type MetricWindow,
  metricWindows,
} from './windows.ts'

const byStatus = anyOf('status', {
  allowed: performanceStatuses,
  description: 'The `status` of `performance`, of scheduled, active and paused campaigns.',
})

/** Campaigns by how they perform. */
const targetStatusFilter: Filter = {
  ...byStatus,
  read(given, name, received) {
    const read = byStatus.read(given, name, received)
    if ('fault' in read) return read
    return {
      condition: sql<boolean>`(organization_id, id) in (
        select organization_id, id from campaign_performance where ${read.condition})`,
    }
  },
}

/** The window that a list is asked for. */
export const windowIn = ({ metric_window: given }: Received): MetricWindow =>
  metricWindows.find((each) => each === given) ?? defaultMetricWindow

const windowFilter: Filter = {
  schema: choice(metricWindows, {
    default: defaultMetricWindow,
    description:
      'The days of `metric.…` and of sorts by a metric; they end yesterday in each campaign’s time zone, but this month includes today.',
  }),
  read: () => ({ condition: sql<boolean>`true` }),
}

const inMoney: readonly ListedMetric[] = ['spend', 'cpc', 'cpm', 'cpa']
const decimals = 6

type Bound = { value: number } | { fault: Fault }

function boundOf(metric: ListedMetric, text: string, received: Received): Bound | undefined {
  if (!inMoney.includes(metric)) {
    const read = readQuantity(text, decimals, '')
    return 'fault' in read ? read : { value: toMajor(read.minor, decimals) }
  }
  const currency = oneCurrencyIn(received)
  if (currency === undefined) {
    const message = 'needs the filter currency with one currency'
    return { fault: { code: 'required', message } }
  }
  const exponent = exponentOf(currency)
  // Its own filter refuses it.
  if (exponent === undefined) return undefined
  const read = readMoney(text, currency, '', 'not negative')
  return 'fault' in read ? read : { value: toMajor(read.minor, exponent) }
}

const metricFilter = (metric: ListedMetric, operator: '>=' | '<='): Filter => ({
  schema: Type.String({
    maxLength: maxAmountLength,
    description: `${metric} in \`metric_window\`, at ${operator === '>=' ? 'least' : 'most'}.${inMoney.includes(metric) ? ' Needs `currency` with one currency.' : ''}`,
  }),
  read([text = ''], name, received) {
    const bound = boundOf(metric, text, received)
    if (!bound) return { condition: sql<boolean>`false` }
    if ('fault' in bound) {
      const { pointer: _, ...fault } = bound.fault
      return { fault: { ...fault, parameter: name } }
    }
    const window = sql.lit(windowIn(received))
    return {
      condition: sql<boolean>`(organization_id, id) in (
        select organization_id, id from campaign_metrics where metric_window = ${window}
          and ${sql.ref(metric)} ${sql.raw(operator)} ${bound.value}::double precision)`,
    }
  },
})

/** Both bounds of each metric are inclusive. */
export const performanceFilters: Readonly<Record<string, Filter>> = {
  target_status: targetStatusFilter,
  ...Object.fromEntries(
    listedMetrics.flatMap((metric) => [
      [`metric.${metric}_min`, metricFilter(metric, '>=')],
      [`metric.${metric}_max`, metricFilter(metric, '<=')],
    ]),
  ),
  metric_window: windowFilter,
}

/** Joined: as a subquery it would run for each campaign of the organization. */
export const byPerformanceIndex: Sort = {
  name: 'performance_index',
  key: sql.ref('performance_index'),
  hasNulls: true,
  join: {
    table: sql`(select organization_id as judged_organization_id, id as judged_id, performance_index
      from campaign_performance where status is not null)`,
    on: sql<boolean>`(judged_organization_id, judged_id) = (organization_id, id)`,
  },
}

/** Sorts by what was achieved in a window. */
export const metricSorts = (window: MetricWindow): Sort[] =>
  listedMetrics.map((metric) => ({
    name: metric,
    key: sql.ref(metric),
    hasNulls: true,
    join: {
      table: sql`(select organization_id as metrics_organization_id, id as metrics_id, ${sql.ref(metric)}
        from campaign_metrics
        where metric_window = ${sql.lit(window)} and ${sql.ref(metric)} is not null)`,
      on: sql<boolean>`(metrics_organization_id, metrics_id) = (organization_id, id)`,
    },
  }))
