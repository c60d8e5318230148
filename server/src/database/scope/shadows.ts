import { columnsOf } from '../tables/types.ts'
import {
  isAnySeen,
  isSeen,
  ofCampaign,
  ofProfile,
  type ScopeShape,
  within,
  withoutProxies,
} from './conditions.ts'

/** A query for the rows of a table that a scope shows, with all columns of the table. */
export type Shadow = (shape: ScopeShape) => string

const rowsWith = (table: string, condition: string): string =>
  `select t.* from ${table} t where ${within('t', [condition])}`

export const byCampaign =
  (table: string, column = 'campaign_id'): Shadow =>
  () =>
    rowsWith(table, isSeen('campaigns', `t.${column}`))

export const byProfile =
  (table: string, column = 'profile_id'): Shadow =>
  () =>
    rowsWith(table, isSeen('profiles', `t.${column}`))

/** Objects that networks hold of an account: no campaigns yet, so no label shows them. */
export const networkCampaigns: Shadow = ({ labels }) =>
  rowsWith('network_campaigns', labels ? 'false' : isSeen('profiles', 't.profile_id'))

export const campaigns =
  (table: 'campaigns' | 'campaign_details'): Shadow =>
  (shape) =>
    `select t.* from ${table} t where ${within('t', ofCampaign(shape, 't'))}`

/** A profile of the accounts in scope; with labels, by one of its own or a campaign's. */
export const profiles =
  (table: 'profiles' | 'profile_details', derived: readonly string[]): Shadow =>
  (shape) => {
    const columns = [...columnsOf[table], ...derived].map((name) =>
      name === 'proxy_id' ? 'null::text as proxy_id' : `t.${name}`,
    )
    const seen = `(t.labels && $labels or exists (select from campaigns c
      where c.organization_id = t.organization_id and c.profile_id = t.id))`
    const conditions = [...ofProfile(shape, 't'), shape.labels && seen]
    return `select ${columns.join(', ')} from ${table} t where ${within('t', conditions)}`
  }

/** With profiles or labels a client is seen by a profile of it, or by its own label. */
export const clients: Shadow = ({ client_ids, profile_ids, labels }) => {
  const byItsProfiles = `exists (select from profiles p
    where p.organization_id = t.organization_id and p.client_id = t.id)`
  const conditions = [
    client_ids && 't.id = any($client_ids)',
    profile_ids && byItsProfiles,
    labels && !profile_ids && `(t.labels && $labels or ${byItsProfiles})`,
  ]
  return `select t.* from clients t where ${within('t', conditions)}`
}

/** Clients of which everything is in scope: their plans are seen as a whole, or not at all. */
export const wholeClients: Shadow = ({ profile_ids, labels }) => {
  const parts = `from every_profile p where p.organization_id = t.organization_id
    and p.client_id = t.id`
  const conditions = [
    profile_ids && `not exists (select ${parts} and not ${isSeen('profiles', 'p.id')})`,
    labels &&
      `not exists (select from every_campaign c where c.organization_id = t.organization_id
        and c.profile_id in (select p.id ${parts}) and not ${isSeen('campaigns', 'c.id')})`,
  ]
  return `select t.organization_id, t.id from clients t where ${within('t', conditions)}`
}

export const byWholeClient =
  (table: string): Shadow =>
  () =>
    rowsWith(table, isSeen('whole_clients', 't.client_id'))

/** A report is seen where all that it may show is of clients of which everything is in scope. */
export const reports: Shadow = () =>
  rowsWith(
    'reports',
    `t.client_ids <> '{}' and not exists (select from unnest(t.client_ids) each (id)
      where not ${isSeen('whole_clients', 'each.id')})`,
  )

export const ofReport =
  (table: string, column = 'report_id'): Shadow =>
  () =>
    rowsWith(table, isSeen('reports', `t.${column}`))

/** The value after the change of a field, from the changes of an operation. */
const changed = (field: string, condition: string) =>
  `exists (select from jsonb_array_elements(o.changes) f
    where f ->> 'field' = '${field}' and ${condition})`

/**
 * An operation is seen if its object is, and the profile that it names; one that creates a campaign, if
 * the campaign would be, and those on that campaign with it. Whatever else is about nothing that exists,
 * and shows nothing. The author of a creation that failed sees it: what it holds is what the author sent.
 */
function isOperationSeen({ labels }: ScopeShape): string {
  const namesUnseen = changed('profile_id', `not ${isSeen('profiles', "f ->> 'after'")}`)
  const namesProfile = changed('profile_id', `f ->> 'after' is not null`)
  const isLabelled = labels ? changed('labels', `f -> 'after' ?| $labels`) : 'true'
  const wouldBeSeen = `(o.op = 'create' and ${namesProfile} and ${isLabelled})`
  const showsNothing = `(o.op <> 'create' and o.effect = 'failed' and o.name is null)`
  const isOwnFailure = `(o.op = 'create' and o.effect = 'failed' and t.created_by = $person)`
  const isUnlabelled = labels ? changed('labels', `(f -> 'after' ?| $labels) is not true`) : 'false'
  const isOnCreated = `(o.op <> 'create' and o.target like '@%' and not ${isUnlabelled})`
  const isOfNothing = `${wouldBeSeen} or ${isOnCreated} or ${showsNothing} or ${isOwnFailure}`
  const ofCampaigns = `(case when o.object_id is null then ${isOfNothing}
    else ${isSeen('campaigns', 'o.object_id')} or ${showsNothing} end)`
  return `(o.resource = 'template'
    or o.resource = 'campaign' and not ${namesUnseen} and ${ofCampaigns}
    or o.resource = 'profile' and ${isSeen('profiles', 'o.object_id')}
    or o.resource = 'client' and ${isSeen('clients', 'o.object_id')}
    or o.resource in ('profile', 'client') and ${isOwnFailure})`
}

export const changeSets: Shadow = (shape) =>
  rowsWith(
    'change_sets',
    `not exists (select from change_set_operations o
      where o.organization_id = t.organization_id and o.change_set_id = t.id
        and ${isOperationSeen(shape)} is not true)`,
  )

const jsonWithoutProxies = (column: string) => `${withoutProxies(`${column}::text`)}::jsonb`

type Rewritten = 'events' | 'audit_logs' | 'change_set_operations'

/** The columns of a table, some of them by other values. */
const rewritten = (table: Rewritten, values: Readonly<Record<string, string>>): string =>
  columnsOf[table]
    .map((name) => (values[name] ? `${values[name]} as ${name}` : `t.${name}`))
    .join(', ')

export const changeSetOperations: Shadow = () => {
  const columns = rewritten('change_set_operations', {
    body: withoutProxies('t.body'),
    changes: jsonWithoutProxies('t.changes'),
    warnings: jsonWithoutProxies('t.warnings'),
    problem: jsonWithoutProxies('t.problem'),
  })
  return `select ${columns} from change_set_operations t
    where ${within('t', [isSeen('change_sets', 't.change_set_id')])}`
}

/** Plans and pacing of clients are seen with the whole client. */
const isPlanSeen = (type: string, id: string): string =>
  `(${type} not in ('client.budget_changed', 'client.pacing_changed')
    or ${isSeen('whole_clients', id)})`

/** Events of what is seen: each by the campaign, or else the object, that it is about. */
export const events: Shadow = (shape) => {
  const object = `(t.body::jsonb #> '{data,object}')`
  const about = `coalesce(${object} ->> 'campaign_id', ${object} ->> 'id')`
  const unseen = `exists (select from jsonb_array_elements_text(${object} -> 'campaign_ids') each (id)
    where not ${isSeen('campaigns', 'each.id')})`
  const areSeen = `(t.type like 'results.%' and not ${unseen})`
  const ofObject = `${isAnySeen(about)} and ${isPlanSeen('t.type', about)}`
  const conditions = `(${ofObject} or ${areSeen} or ${wasSeen(shape, object)})`
  return `select ${rewritten('events', { body: withoutProxies('t.body') })} from events t
    where ${within('t', [conditions])}`
}

/** A campaign that was deleted is judged by what it was at the end. */
function wasSeen(shape: ScopeShape, object: string): string {
  const accounts = ofProfile(shape, 'p').filter((each) => each !== false)
  const isOfAccount = `exists (select from every_profile p
    where ${within('p', [`p.id = ${object} ->> 'profile_id'`, ...accounts])})`
  const isLabelled = shape.labels ? ` and ${object} -> 'labels' ?| $labels` : ''
  return `(t.type = 'campaign.deleted' and ${isOfAccount}${isLabelled})`
}

/** Notifications of a person, of those about what the person sees today. */
export const notifications: Shadow = () =>
  rowsWith(
    'notifications',
    `t.user_id = $person and ${isAnySeen('t.object_id')} and ${isPlanSeen('t.type', 't.object_id')}`,
  )

export const auditLogs: Shadow = () => {
  const changes = jsonWithoutProxies('t.changes')
  const id = `(t.resource ->> 'id')`
  const condition = `(${isAnySeen(id)} and ${isPlanSeen('t.action', id)} or ${id} = $person)`
  return `select ${rewritten('audit_logs', { changes })} from audit_logs t
    where ${within('t', [condition])}`
}

export const own =
  (table: string, condition: string): Shadow =>
  () =>
    rowsWith(table, condition)
