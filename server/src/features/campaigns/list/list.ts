import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Context } from '../../../kernel/context.ts'
import { shows } from '../../../query/fields.ts'
import {
  anyOf,
  byCurrency,
  choiceOf,
  commonFilters,
  markFilters,
  timeRange,
} from '../../../query/filters.ts'
import { joinedPageOf, type ListShape, type Page, type Query } from '../../../query/list.ts'
import type { Received } from '../../../query/parameters.ts'
import { byName, type Sort } from '../../../query/sorting.ts'
import { withoutArchived } from '../../../query/standing.ts'
import { filtersOf, type Walk } from '../../../query/walk.ts'
import { deploymentStates } from '../../deployments/resource.ts'
import { filtersByClient } from '../client-filter.ts'
import { labelFilter } from '../label-filter.ts'
import type { Instant } from '../lifecycle/obstacles.ts'
import { reasons, statuses } from '../lifecycle/transitions.ts'
import { objectiveOf, objectives } from '../objectives.ts'
import { byMoneyAtRisk, pacingStatusFilter } from '../pacing/campaign-filter.ts'
import { momentOf, type StoredCampaign, toCampaign, toStoredCampaign } from '../present.ts'
import { withFacts } from '../profile-facts.ts'
import type { Campaign } from '../schema.ts'
import { byWordsOfCampaign } from '../search/search.ts'
import { byPerformanceIndex, metricSorts, performanceFilters, windowIn } from '../target/filters.ts'
import { asksPerformance, withPerformance } from '../target/present.ts'
import { defaultMetricWindow, metricWindows } from '../target/windows.ts'
import { budgetRange, dailyBudgetKey } from './budget-filter.ts'
import { deliveryFilters, filtersByDelivery, instantOf } from './delivery-filter.ts'

const deploymentFilter = choiceOf(deploymentStates, {
  description: 'The state of its deployment.',
  conditionOf: (state) =>
    sql<boolean>`(deployment is not null and deployment ->> 'state' = ${sql.lit(state)})`,
})

const byDailyBudget: Sort = { name: 'daily_budget', key: dailyBudgetKey, hasNulls: true }

const byEnd: Sort = { name: 'end_at', key: sql.ref('end_at'), hasNulls: true }

const ownSorts: readonly Sort[] = [
  ...['created_at', 'updated_at', byName, byDailyBudget],
  ...[byEnd, byMoneyAtRisk, byPerformanceIndex],
]

/** An index has the campaigns of each status in the order of their creation. */
const hasStatusInOrder = ({ filters, order }: Walk): boolean =>
  order.column === 'created_at' &&
  Object.keys(filters).join() === 'status' &&
  !String(filters.status).includes(',')

export const campaignList: ListShape<'campaigns'> = {
  table: 'campaigns',
  filters: {
    ...byWordsOfCampaign,
    status: anyOf('status', { allowed: statuses }),
    ...deliveryFilters({ now: '', organizationStatus: '', begun: {} }),
    pacing_status: pacingStatusFilter,
    deployment_state: deploymentFilter,
    status_reason: anyOf('status_reason', { allowed: [...reasons, 'taken_over'] }),
    objective: anyOf('objective', {
      allowed: objectives,
      item: Type.String({ publishedAs: 'ObjectiveInput' }),
      asOurs: (name) => objectiveOf(name) ?? name,
    }),
    profile_id: anyOf('profile_id'),
    ...filtersByClient,
    template_id: anyOf('template_id'),
    currency: byCurrency,
    ...budgetRange,
    ...markFilters,
    label: labelFilter,
    ...performanceFilters,
    ...timeRange('start', 'start_at'),
    ...timeRange('end', 'end_at'),
    include_archived: withoutArchived.filterOf('campaigns'),
    ...commonFilters,
  },
  sorts: [...ownSorts, ...metricSorts(defaultMetricWindow)],
  onRequest: ['status_change'],
  wide: ['notes', 'labels', 'metadata', 'schedule'] satisfies (keyof Campaign)[],
  sized: 'campaigns',
  tally: {
    table: 'campaign_counts',
    count: 'campaigns',
    filters: [
      ...['status', 'profile_id', 'client_id', 'client'],
      ...['objective', 'currency', 'include_archived'],
    ],
  },
  ordersWithin: hasStatusInOrder,
  standing: withoutArchived.standing,
}

/** For each window, as its sorts are by what was achieved in it. */
const listsByWindow = new Map(
  metricWindows.map((window) => [
    window,
    { ...campaignList, sorts: [...ownSorts, ...metricSorts(window)] },
  ]),
)

const listIn = (filters: Received): ListShape<'campaigns'> =>
  listsByWindow.get(windowIn(filters)) ?? campaignList

/** On the view: each row is judged by the same facts that it is shown with. */
const listByDelivery = (
  list: ListShape<'campaigns'>,
  instant: Instant,
): ListShape<'campaign_details'> => ({
  ...list,
  table: 'campaign_details',
  resource: campaignList.table,
  ordered: campaignList.table,
  filters: { ...campaignList.filters, ...deliveryFilters(instant) },
})

const judged = ['delivery', 'deployment', 'available_actions'] satisfies (keyof Campaign)[]

/** Without what is judged by other rows, if none of it is asked for. */
export async function listCampaigns(ctx: Context, query: Query): Promise<Page<StoredCampaign>> {
  const moment = momentOf(ctx)
  const filters = filtersOf(ctx, campaignList, query)
  if (filtersByDelivery(filters)) {
    const list = listByDelivery(listIn(filters), await instantOf(ctx, moment))
    return joinedPageOf(ctx, {
      list,
      query,
      presentAll: (rows) =>
        performing(
          ctx,
          query,
          rows.map((row) => toCampaign(row, moment)),
        ),
    })
  }
  const isWhole = judged.some((field) => shows(query, field))
  return joinedPageOf(ctx, {
    list: listIn(filters),
    query,
    presentAll: async (rows) =>
      performing(
        ctx,
        query,
        isWhole
          ? (await withFacts(ctx, rows)).map((row) => toCampaign(row, moment))
          : rows.map(toStoredCampaign),
      ),
  })
}

const performing = async (
  ctx: Context,
  query: Query,
  campaigns: StoredCampaign[],
): Promise<StoredCampaign[]> =>
  asksPerformance(query) ? withPerformance(ctx, campaigns) : campaigns
