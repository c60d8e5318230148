import { sql } from 'kysely'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import { type Context, nowIn } from '../../../kernel/context.ts'
import { anyOf, byCurrency, byId, type Condition, type Filter } from '../../../query/filters.ts'
import { joinedPageOf, type ListShape, type Page, type Query } from '../../../query/list.ts'
import { filtersByClient } from '../client-filter.ts'
import { labelFilter } from '../label-filter.ts'
import { byWordsOfItsCampaign } from '../search/search.ts'
import { assessAll } from './assess.ts'
import { pacingStatuses } from './measure/status.ts'
import { toPacing } from './present.ts'
import type { Pacing } from './schema.ts'

const listed = ['scheduled', 'active', 'paused'] as const

/** By a condition on the campaign, which has indexes for it. */
const ofCampaign = (filter: Filter): Filter => ({
  ...filter,
  read(values, name, received) {
    const read = filter.read(values, name, received)
    if ('fault' in read) return read
    const { condition, byIndex } = read
    return {
      condition: campaignsWith(condition),
      ...(byIndex && {
        byIndex: (organizationId) =>
          campaignsWith(sql`${condition} and ${byIndex(organizationId)}`),
      }),
    }
  },
})

const campaignsWith = (condition: Condition): Condition => sql`(organization_id, id) in (
  select organization_id, id from campaigns where ${condition})`

/** Campaigns have an index of their currencies. */
const currencyFilter: Filter = {
  ...byCurrency,
  read(currencies, name, received) {
    const read = byCurrency.read(currencies, name, received)
    return 'fault' in read ? read : { ...read, byIndex: () => campaignsWith(read.condition) }
  },
}

export const pacingList: ListShape<'campaign_pacing'> = {
  table: 'campaign_pacing',
  filters: {
    ...byWordsOfItsCampaign('campaign_pacing', 'id'),
    status: anyOf('status', { allowed: pacingStatuses }),
    campaign_status: anyOf('campaign_status', { allowed: listed }),
    ...filtersByClient,
    profile_id: anyOf('profile_id'),
    label: ofCampaign(labelFilter),
    currency: currencyFilter,
    id: byId.id,
  },
  sorts: [{ name: 'money_at_risk', key: sql.ref('money_at_risk'), hasNulls: true }],
  sized: 'campaigns',
  only: sql<boolean>`campaign_status in ('scheduled', 'active', 'paused')`,
}

export const listPacing = (ctx: Context, query: Query): Promise<Page<Pacing>> =>
  joinedPageOf(ctx, { list: pacingList, query, presentAll: (rows) => presentAll(ctx, rows) })

/** Rows that are due are assessed now, as the background has not come to them yet. */
async function presentAll(
  ctx: Context,
  rows: readonly Row<'campaign_pacing'>[],
): Promise<Pacing[]> {
  const now = nowIn(ctx)
  const due = rows.filter((row) => row.due_at <= now || row.figures === null).map(({ id }) => id)
  const assessed = due.length === 0 ? [] : await assessAll(ctx, due)
  const anew = new Map(assessed.map((each) => [each.campaign.id, toPacing(each)]))
  return rows.flatMap((row) => anew.get(row.id) ?? stored(row))
}

const stored = ({ figures, campaign_status, ...row }: Row<'campaign_pacing'>): Pacing[] =>
  figures === null ? [] : [toPacing({ campaign: { ...row, status: campaign_status }, figures })]
