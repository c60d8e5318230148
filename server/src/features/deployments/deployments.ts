import { sql } from 'kysely'
import type { Row } from '../../database/tables/tenant-tables.ts'
import { columnsOf as columnNames } from '../../database/tables/types.ts'
import { NewObject } from '../../http/endpoint.ts'
import { type Changed, change } from '../../kernel/change.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import {
  checkVersion,
  firstStamps,
  insert,
  oneOf,
  remove,
  rowsOf,
  update,
} from '../../kernel/rows.ts'
import { inTransaction } from '../../kernel/transaction.ts'
import { type Fault, fault } from '../../problems/fault.ts'
import { checkFaults, conflict, notFound } from '../../problems/problem.ts'
import { newId } from '../../values/ids.ts'
import { campaignOf, isAwaitingLaunch } from './campaign.ts'
import {
  changeDeployment,
  columnsOf,
  type DeploymentFacts,
  showOnCampaign,
  withState,
} from './change.ts'
import { desiredOf, nextLook } from './desired.ts'
import { facingNetwork } from './follow.ts'
import { isLost, noteFormer } from './former.ts'
import { type DeploymentRow, forEveryone, staleness, toDeployment } from './present.ts'
import { deploymentIds } from './resource.ts'
import type { Deployment, DeploymentInput } from './schema.ts'
import { settingsFaults } from './settings.ts'

/** The deployment of a campaign; undefined if it has none. */
async function findDeployment(
  ctx: Context,
  campaignId: string,
): Promise<DeploymentRow | undefined> {
  return rowsOf(ctx, 'deployments')
    .where(sql<boolean>`campaign_id = ${campaignId}`)
    .select(columnNames.deployments)
    .executeTakeFirst()
}

export async function deploymentOf(ctx: Context, campaignId: string): Promise<DeploymentRow> {
  const row = await findDeployment(ctx, campaignId)
  if (!row) throw notFound()
  return row
}

export async function getDeployment(ctx: Context, campaignId: string): Promise<Deployment> {
  const row = await deploymentOf(ctx, campaignId)
  const isStale = (await staleness(ctx, [row.profile_id]))(row.profile_id)
  return toDeployment(row, ctx, { isStale })
}

/** Deploys a campaign, or changes how it is deployed. */
export async function putDeployment(ctx: Context, campaignId: string, body: DeploymentInput) {
  const isNew = (await findDeployment(ctx, campaignId)) === undefined
  const request = ctx.request && { ...ctx.request, status: isNew ? 201 : 200 }
  const deployment = await inTransaction({ ...ctx, request }, async (ctx) => {
    const row = await findDeployment(ctx, campaignId)
    return row ? changeTerms(ctx, row, body) : deploy(ctx, campaignId, body)
  })
  return isNew ? new NewObject(deployment) : deployment
}

function objectFaults({ mode, network_object_id = null }: DeploymentInput): Fault[] {
  if (mode === 'link' && network_object_id === null)
    return [fault('/network_object_id', 'required', 'is required to link')]
  if (mode === 'create' && network_object_id !== null)
    return [
      fault('/network_object_id', 'read_only_field', 'comes from the network: send mode link'),
    ]
  return []
}

const deploy = (ctx: WriteContext, campaignId: string, body: DeploymentInput) =>
  change<Deployment>(ctx, 'deployment.created', async (ctx): Promise<Changed<Deployment>> => {
    const campaign = await campaignOf(ctx, campaignId)
    const profile = await oneOf(ctx, 'profiles', campaign.profile_id)
    checkFaults(ctx, [...objectFaults(body), ...settingsFaults(body.settings, '/settings')])
    const { mode, network_object_id = null, managed_fields = null } = body
    const { drift_policy = 'report', settings = {} } = body
    const coverage = {}
    const desired = desiredOf(campaign, { coverage, settings })
    const row = withState(
      {
        ...emptyRow(ctx, profile),
        campaign_id: campaign.id,
        mode,
        network_object_id,
        managed_fields,
        drift_policy,
        settings,
        desired,
        due_at: nextLook(campaign, coverage, ctx.now),
        is_withheld: isAwaitingLaunch(campaign),
      },
      {},
      ctx.now,
    )
    insert(ctx, 'deployments', { id: row.id, ...columnsOf(row) })
    showOnCampaign(ctx, row)
    const isStale = profile.connector_state !== 'connected'
    return { before: null, after: toDeployment(row, ctx, { isStale }), toSnapshot: forEveryone }
  })

export const emptyRow = (ctx: WriteContext, profile: Row<'profiles'>) => ({
  organization_id: ctx.organization.id,
  id: newId(deploymentIds),
  profile_id: profile.id,
  platform: profile.platform,
  account_ref: profile.account_ref,
  network_url: null,
  state: 'pending' as const,
  state_since: ctx.now,
  generation: 1,
  applied_generation: 0,
  observed: null,
  drift: [],
  coverage: {},
  network_delivery: null,
  error: null,
  attempts: 0,
  retry_at: null,
  requested: null,
  intent: null,
  last_applied_at: null,
  last_seen_at: null,
  work_at: null,
  ...firstStamps(ctx),
})

async function changeTerms(
  ctx: WriteContext,
  row: DeploymentRow,
  body: DeploymentInput,
): Promise<Deployment> {
  checkVersion(ctx, row.version)
  if (row.state === 'removing' || row.state === 'removed') throw ended(row)
  const campaign = await campaignOf(ctx, row.campaign_id)
  checkFaults(ctx, [
    ...objectFaults(body),
    ...settingsFaults(body.settings, '/settings'),
    ...boundFaults(row, body),
  ])
  const {
    mode,
    network_object_id = row.network_object_id,
    managed_fields = row.managed_fields,
    drift_policy = row.drift_policy,
    settings = row.settings,
  } = body
  const terms = { mode, managed_fields, drift_policy, settings }
  const bound = network_object_id === row.network_object_id ? {} : boundTo(network_object_id)
  const facts: DeploymentFacts = { ...terms, ...bound }
  const around = { campaign, accountRef: row.account_ref }
  const faced = facingNetwork({ ...row, ...facts }, around, ctx.now)
  const changing = { row, facts: { ...facts, ...faced } }
  return (await changeDeployment(ctx, 'deployment.updated', changing)).deployment
}

/** Another object: nothing is known of it. */
const boundTo = (network_object_id: string | null): DeploymentFacts => ({
  network_object_id,
  network_url: null,
  observed: null,
  applied_generation: 0,
  network_delivery: null,
  error: null,
  attempts: 0,
  retry_at: null,
  intent: null,
})

/** Faults of a change of what is bound, unless the network has lost it: the former object would run on. */
function boundFaults(row: DeploymentRow, { mode, network_object_id }: DeploymentInput): Fault[] {
  if (row.network_object_id === null || row.error?.code === 'gone') return []
  const message = 'cannot change while the deployment is bound: detach it first'
  const isOther = network_object_id != null && network_object_id !== row.network_object_id
  return [
    ...(mode === row.mode ? [] : [fault('/mode', 'immutable_field', message)]),
    ...(isOther ? [fault('/network_object_id', 'immutable_field', message)] : []),
  ]
}

const ended = ({ state }: Pick<DeploymentRow, 'state'>) =>
  conflict('invalid_state_transition', `The deployment is ${state}: detach it first.`, {
    current_status: state,
    action: 'update',
    allowed_actions: [],
  })

/** Detaches: the network is left as it is. */
export async function detachDeployment(ctx: Context, campaignId: string): Promise<void> {
  await change<Deployment>(ctx, 'deployment.detached', async (ctx) => {
    const row = await deploymentOf(ctx, campaignId)
    checkVersion(ctx, row.version)
    if (isLost(row)) noteFormer(ctx, row)
    remove(ctx, 'deployments', row.id)
    update(ctx, 'campaigns', { id: campaignId, deployment: null })
    const isStale = (await staleness(ctx, [row.profile_id]))(row.profile_id)
    return {
      before: toDeployment(row, ctx, { isStale }),
      after: null,
      toSnapshot: forEveryone,
    }
  })
}
