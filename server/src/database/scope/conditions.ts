import type { Scope } from '../tables/json-columns.ts'

/** The members that a scope has: the text of a statement depends on these alone. */
export type ScopeShape = { readonly [Member in keyof Required<Scope>]: boolean }

/** Joined by `and`; of the organization of the caller in any case. */
export const within = (alias: string, conditions: readonly (string | false)[] = []): string =>
  [`${alias}.organization_id = $organization`, ...conditions.filter((each) => each !== false)].join(
    ' and ',
  )

/** Whether an account of a row of `profiles` may be in scope, labels aside. */
export const ofProfile = (shape: ScopeShape, profile: string) => [
  shape.client_ids && `${profile}.client_id = any($client_ids)`,
  shape.profile_ids && `${profile}.id = any($profile_ids)`,
]

/** Whether a campaign is in scope, by the real profiles. */
export const ofCampaign = (shape: ScopeShape, campaign: string) => [
  shape.client_ids &&
    `exists (select from profiles p where p.organization_id = ${campaign}.organization_id
      and p.id = ${campaign}.profile_id and p.client_id = any($client_ids))`,
  shape.profile_ids && `${campaign}.profile_id = any($profile_ids)`,
  shape.labels && `${campaign}.labels && $labels`,
]

/** Whether a row of this table, as the caller sees it, has the id. */
export const isSeen = (table: string, id: string): string =>
  `exists (select from ${table} seen where seen.organization_id = $organization and seen.id = ${id})`

/** Tables of the objects that scopes know, by the prefix of their ids. */
export const tableByPrefix = {
  cmp: 'campaigns',
  prf: 'profiles',
  cli: 'clients',
  dpl: 'deployments',
  chs: 'change_sets',
  tpl: 'templates',
  rpt: 'reports',
  rps: 'report_snapshots',
  rpl: 'report_links',
  rsd: 'report_schedules',
  viw: 'views',
}

/** Whether an object of any kind that scopes know is seen, by its id. */
export const isAnySeen = (id: string): string =>
  `(${Object.entries(tableByPrefix)
    .map(([prefix, table]) => `left(${id}, 3) = '${prefix}' and ${isSeen(table, id)}`)
    .join(' or ')})`

/** Ids of proxies, which are in no scope, taken out of a JSON text. */
export const withoutProxies = (text: string): string =>
  `regexp_replace(${text}, '"prx_[0-9a-z]{26}"', 'null', 'g')`

export const clientOfProfileSql =
  'select client_id from profiles where organization_id = $1 and id = $2'
