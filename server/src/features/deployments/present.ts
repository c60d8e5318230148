import type { DeploymentSummary } from '../../database/tables/json-columns.ts'
import type { Row } from '../../database/tables/tenant-tables.ts'
import { type Holder, may } from '../../identity/permissions.ts'
import type { Context } from '../../kernel/context.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { serviceActor } from '../../values/organization.ts'
import { managedIn } from './desired.ts'
import { removeDeployments, writeDeployments } from './resource.ts'
import type { Deployment } from './schema.ts'
import { type DeploymentAction, ruleOf } from './states.ts'

export type DeploymentRow = Row<'deployments'>

/** Whether no connector has held the account of each profile for ten minutes. */
export async function staleness(
  ctx: Context,
  profileIds: readonly string[],
): Promise<(profileId: string) => boolean> {
  const ids = [...new Set(profileIds)]
  const held = await ctx.reader.query<{ id: string }>(tenantQuery(ctx, heldSql, ids))
  const connected = new Set(held.map(({ id }) => id))
  return (id) => !connected.has(id)
}

const heldSql = `
  select id from profiles
  where organization_id = $1 and id = any($2) and connector_state = 'connected'`

/** A deployment as this caller sees it. */
export const toDeployment = (
  row: DeploymentRow,
  holder: Holder,
  { isStale }: { isStale: boolean },
): Deployment => ({
  id: row.id,
  campaign_id: row.campaign_id,
  profile_id: row.profile_id,
  platform: row.platform,
  mode: row.mode,
  network_object_id: row.network_object_id,
  network_url: row.network_url,
  managed_fields: managedIn(row.managed_fields, row.coverage),
  drift_policy: row.drift_policy,
  settings: row.settings,
  state: row.state,
  state_since: row.state_since,
  generation: row.generation,
  applied_generation: row.applied_generation,
  desired: row.desired,
  observed: row.observed,
  drift: row.drift,
  coverage: row.coverage,
  network_delivery: row.network_delivery,
  error: row.error,
  attempts: row.attempts,
  retry_at: row.retry_at,
  last_applied_at: row.last_applied_at,
  last_seen_at: row.last_seen_at,
  stale: isStale,
  available_actions: ruleOf(row).actions.map((action) => availability(row, holder, action)),
  version: row.version,
  created_at: row.created_at,
  updated_at: row.updated_at,
  created_by: row.created_by,
  updated_by: row.updated_by,
})

type Block = Deployment['available_actions'][number]['blocked_by'][number]

type ActionFacts = Pick<DeploymentRow, 'network_object_id' | 'observed'>

/** The reasons why an action of the state cannot be taken. */
export function blocksOf(
  { network_object_id, observed }: ActionFacts,
  holder: Holder,
  action: DeploymentAction,
): Block[] {
  const needed = action === 'remove' ? removeDeployments : writeDeployments
  const isOfObject = action === 'check' || action === 'remove'
  return [
    ...(may(holder, needed) ? [] : ['insufficient_role' as const]),
    ...(isOfObject && network_object_id === null ? ['not_bound' as const] : []),
    ...(action === 'adopt' && observed === null ? ['nothing_observed' as const] : []),
  ]
}

function availability(facts: ActionFacts, holder: Holder, action: DeploymentAction) {
  const blocked_by = blocksOf(facts, holder, action)
  return { action, allowed: blocked_by.length === 0, blocked_by }
}

/** The reader of events, which show no one's role. */
const anyone: Holder = { actor: serviceActor, role: 'owner', makerRole: null }

/** The deployment as events and audit records show it. */
export const forEveryone = (deployment: Deployment): Deployment => ({
  ...deployment,
  available_actions: deployment.available_actions.map(({ action }) =>
    availability(deployment, anyone, action),
  ),
})

/** The deployment as its campaign shows it. */
export const summaryOf = (row: DeploymentRow): DeploymentSummary => ({
  id: row.id,
  state: row.state,
  network_object_id: row.network_object_id,
  drift_fields: row.drift.map(({ field }) => field),
  not_delivering: row.network_delivery?.state === 'not_delivering',
})
