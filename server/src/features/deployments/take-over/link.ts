import type { Coverage, ObservedPlan } from '../../../database/tables/json-columns.ts'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import { type Changed, change } from '../../../kernel/change.ts'
import type { WriteContext } from '../../../kernel/context.ts'
import { insert } from '../../../kernel/rows.ts'
import { fault } from '../../../problems/fault.ts'
import { invalid } from '../../../problems/problem.ts'
import type { Campaign } from '../../campaigns/schema.ts'
import { columnsOf, showOnCampaign, withState } from '../change.ts'
import { emptyRow } from '../deployments.ts'
import { desiredOf, membersOf, nextLook } from '../desired.ts'
import { type DeploymentRow, forEveryone, toDeployment } from '../present.ts'
import { managedFields } from '../resource.ts'
import type { Deployment } from '../schema.ts'
import type { HeldRow } from './held.ts'
import type { TakeOverInput } from './schema.ts'

type Linking = {
  campaign: Campaign
  profile: Row<'profiles'>
  held: HeldRow
  terms: Pick<TakeOverInput, 'managed_fields' | 'drift_policy'>
}

/** Links a new campaign with what runs already: nothing is to be sent. */
export const addLinked = (ctx: WriteContext, linking: Linking): Promise<Deployment> =>
  change<Deployment>(ctx, 'deployment.created', async (ctx): Promise<Changed<Deployment>> => {
    const row = rowOf(ctx, linking)
    checkExact(row)
    insert(ctx, 'deployments', { id: row.id, ...columnsOf(row) })
    showOnCampaign(ctx, row)
    const isStale = linking.profile.connector_state !== 'connected'
    return { before: null, after: toDeployment(row, ctx, { isStale }), toSnapshot: forEveryone }
  })

function rowOf(ctx: WriteContext, { campaign, profile, held, terms }: Linking): DeploymentRow {
  // The zone is the account's, the settings go with a creation only.
  const { time_zone: _, settings = null, ...observed } = held.facts
  const coverage = coverageSeen(observed)
  const seen = managedFields.filter((field) => coverage[field] !== undefined)
  const isAll = seen.length === managedFields.length
  const row = {
    ...emptyRow(ctx, profile),
    campaign_id: campaign.id,
    mode: 'link' as const,
    network_object_id: held.id,
    managed_fields: terms.managed_fields ?? (isAll ? null : seen),
    drift_policy: terms.drift_policy ?? 'report',
    settings: settings ?? {},
    desired: desiredOf(campaign, { coverage, settings: settings ?? {} }),
    coverage,
    due_at: nextLook(campaign, coverage, ctx.now),
    is_withheld: false,
  }
  const facts = { applied_generation: 1, observed, last_seen_at: held.last_seen_at }
  return withState(row, facts, ctx.now)
}

/** A field that the network shows is kept by it, until the connector says how. */
const coverageSeen = (observed: ObservedPlan): Coverage =>
  Object.fromEntries(
    managedFields
      .filter((field) => membersOf[field].some((member) => observed[member] !== undefined))
      .map((field) => [field, 'native']),
  )

/** Refuses what the campaign holds otherwise than the network; whether it runs may differ. */
function checkExact({ drift }: DeploymentRow): void {
  const faults = drift
    .filter(({ field }) => field !== 'status')
    .map(({ field }) =>
      fault(`/${field}`, 'invalid_format', 'cannot be held exactly as it is in the network'),
    )
  if (faults.length > 0) throw invalid(faults)
}
