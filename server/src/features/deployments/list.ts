import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import { anyOf, choiceOf, commonFilters, type Filter, hasAny } from '../../query/filters.ts'
import { joinedPageOf, type ListShape, type Page, type Query } from '../../query/list.ts'
import { filtersByClient } from '../campaigns/client-filter.ts'
import { byWordsOfItsCampaign } from '../campaigns/search/search.ts'
import { staleness, toDeployment } from './present.ts'
import { deploymentStates, managedFields } from './resource.ts'
import type { Deployment } from './schema.ts'

const isHeld = sql<boolean>`(organization_id, profile_id) in (
  select organization_id, id from profiles where connector_state = 'connected')`

const staleFilter: Filter = {
  schema: Type.Boolean({
    description: 'Whether no connector has held the account for ten minutes.',
  }),
  read: ([value]) => ({ condition: value === 'true' ? sql<boolean>`not ${isHeld}` : isHeld }),
}

const labelFilter: Filter = {
  ...hasAny('labels'),
  read: (labels) => ({
    condition: sql<boolean>`(organization_id, campaign_id) in (
      select organization_id, id from campaigns where labels && ${labels}::text[])`,
  }),
}

export const deploymentList: ListShape<'deployments'> = {
  table: 'deployments',
  filters: {
    ...byWordsOfItsCampaign('deployments', 'campaign_id'),
    state: anyOf('state', { allowed: deploymentStates }),
    profile_id: anyOf('profile_id'),
    campaign_id: anyOf('campaign_id'),
    platform: anyOf('platform'),
    ...filtersByClient,
    label: labelFilter,
    stale: staleFilter,
    drift_field: choiceOf(managedFields, {
      description: 'With a difference in any of these.',
      conditionOf: (field) => sql<boolean>`drift @> ${JSON.stringify([{ field }])}::text::jsonb`,
    }),
    network_object_id: anyOf('network_object_id'),
    ...commonFilters,
  },
  sorts: [{ name: 'state_since', key: sql.ref('state_since') }, 'created_at', 'updated_at'],
  wide: ['settings', 'desired', 'observed'] satisfies (keyof Deployment)[],
}

export const listDeployments = (ctx: Context, query: Query): Promise<Page<Deployment>> =>
  joinedPageOf(ctx, {
    list: deploymentList,
    query,
    presentAll: async (rows) => {
      const isStale = await staleness(
        ctx,
        rows.map(({ profile_id }) => profile_id),
      )
      return rows.map((row) => toDeployment(row, ctx, { isStale: isStale(row.profile_id) }))
    },
  })
