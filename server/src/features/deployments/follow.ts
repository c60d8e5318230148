import { sql } from 'kysely'
import { columnsOf } from '../../database/tables/types.ts'
import type { Reaction, WriteContext } from '../../kernel/context.ts'
import { rowsOf, update } from '../../kernel/rows.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { conflict } from '../../problems/problem.ts'
import type { Campaign } from '../campaigns/schema.ts'
import { campaignOf, isAwaitingLaunch } from './campaign.ts'
import { changeDeployment, type DeploymentFacts, isNews, withState } from './change.ts'
import { judgeAccount } from './connector/account.ts'
import { desiredOf, isSamePlan, nextLook } from './desired.ts'
import type { DeploymentRow } from './present.ts'

/** Keeps what the network should run up to date with the campaign. */

type Surroundings = { campaign: Campaign; accountRef: string | null }

/** The facts that change on a deployment, as its campaign and account are now. */
export function facingNetwork(
  row: DeploymentRow,
  { campaign, accountRef }: Surroundings,
  now: string,
): DeploymentFacts {
  const { coverage, settings } = row
  const due_at = nextLook(campaign, coverage, now)
  const isNew = row.applied_generation === 0 && row.intent === null
  const is_withheld = isNew && isAwaitingLaunch(campaign)
  const plan = desiredOf(campaign, { coverage, settings })
  if (is_withheld) return { due_at, is_withheld, desired: plan, account_ref: accountRef }
  // In review what was launched before stays as it was, but stopped.
  const desired = isAwaitingLaunch(campaign) ? { ...row.desired, run: 'paused' as const } : plan
  if (isSamePlan(row.desired, desired) && row.account_ref === accountRef)
    return { due_at, is_withheld }
  const generation = row.generation + 1
  return { due_at, is_withheld, desired, account_ref: accountRef, generation, ...anew }
}

/** Whatever kept the former generation from being applied, this one is tried at once. */
const anew = { error: null, attempts: 0, retry_at: null }

/** Follows a change of the campaign in its transaction. */
export const followCampaign: Reaction = async (ctx, before, after) => {
  if (!after?.deployment) return
  const campaign = await campaignOf(ctx, after.id)
  const row = await rowsOf(ctx, 'deployments')
    .where(sql<boolean>`campaign_id = ${campaign.id}`)
    .select(columnsOf.deployments)
    .executeTakeFirst()
  if (!row || row.state === 'removed') return
  if (before && before.profile_id !== after.profile_id) return moveAccount(ctx, row, campaign)
  await bringUpToDate(ctx, row, campaign)
}

/** Moves what no network has yet to another account. */
async function moveAccount(ctx: WriteContext, row: DeploymentRow, campaign: Campaign) {
  if (row.network_object_id !== null || row.intent !== null) {
    throw conflict(
      'resource_in_use',
      'The campaign is deployed in the account of its profile: detach the deployment first.',
      {
        references: [{ type: 'deployment', id: row.id, name: campaign.name }],
        reference_count: 1,
      },
    )
  }
  const sqlText =
    'select platform, account_ref from profiles where organization_id = $1 and id = $2'
  const statement = tenantQuery(ctx, sqlText, campaign.profile_id)
  const [profile] = await ctx.reader.query<{ platform: string; account_ref: string | null }>(
    statement,
  )
  if (!profile) return
  const facts = { profile_id: campaign.profile_id, platform: profile.platform, coverage: {} }
  const next = { ...row, ...facts }
  const faced = facingNetwork(next, { campaign, accountRef: profile.account_ref }, ctx.now)
  await changeDeployment(ctx, 'deployment.updated', { row, facts: { ...facts, ...faced } })
}

/** Computes anew what the network should run, in a transaction that records something else as well. */
async function bringUpToDate(
  ctx: WriteContext,
  row: DeploymentRow,
  campaign: Campaign,
  accountRef = row.account_ref,
): Promise<void> {
  const facts = facingNetwork(row, { campaign, accountRef }, ctx.now)
  if (isNews(row, withState(row, facts, ctx.now))) {
    await changeDeployment(ctx, 'deployment.updated', { row, facts })
  } else if (facts.due_at !== row.due_at) {
    update(ctx, 'deployments', { id: row.id, due_at: facts.due_at ?? null })
  }
}

const dueOfProfileSql = `
  update deployments set due_at = $2
  where organization_id = $1 and profile_id = any($3) and state <> 'removed'`

/** The account of a profile, or whether it may run, may be another: looked at in the background. */
export const followProfile: Reaction = async (ctx, before, after) => {
  const decisive = ['status', 'account_ref', 'currency', 'time_zone', 'proxy_id']
  if (!after || decisive.every((field) => before?.[field] === after[field])) return
  ctx.tx.send(tenantQuery(ctx, dueOfProfileSql, ctx.now, [after.id]))
  if (before?.currency !== after.currency || before?.time_zone !== after.time_zone)
    await judgeAccount(ctx, after.id)
}

const dueOfProxySql = `
  update deployments set due_at = $2
  where organization_id = $1 and state <> 'removed'
    and profile_id in (select id from profiles where organization_id = $1 and proxy_id = $3)`

export const followProxy: Reaction = async (ctx, before, after) => {
  if (!after || before?.status === after.status) return
  ctx.tx.send(tenantQuery(ctx, dueOfProxySql, ctx.now, after.id))
}

const allDueSql = `
  update deployments set due_at = $2 where organization_id = $1 and state <> 'removed'`

export const followOrganization: Reaction = async (ctx, before, after) => {
  if (!after || before?.status === after.status) return
  ctx.tx.send(tenantQuery(ctx, allDueSql, ctx.now))
}
