import type { Tag } from '../../http/endpoint.ts'
import { permission, roles } from '../../identity/permissions.ts'
import type { Cap } from '../../kernel/quotas.ts'
import { idType } from '../../values/ids.ts'

export const tag: Tag = {
  name: 'Views',
  description: 'Saved filters, order and columns of lists, for oneself or for the organization.',
}

export const viewIds = idType('view', 'viw')

export const useViews = permission('views.use', roles)

/** Counts shared ones; those of one person have a cap of their own. */
export const cap: Cap = {
  name: 'views',
  defaultLimit: 200,
  noun: 'shared views',
  countSql: 'select count(*) from views where organization_id = $1 and shared',
}

/** The most that one person or API key has without sharing them. */
export const mostOfOne = 100

/** Lists that have views. */
export const viewed = [
  ...(['campaigns', 'pacing', 'results', 'deployments', 'change_sets'] as const),
  ...(['clients', 'profiles', 'templates', 'reports'] as const),
] as const
