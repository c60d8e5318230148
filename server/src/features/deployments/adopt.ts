import type { DeploymentPlan, ObservedPlan } from '../../database/tables/json-columns.ts'
import { checkNested } from '../../http/endpoint.ts'
import type { WriteContext } from '../../kernel/context.ts'
import { oneOf } from '../../kernel/rows.ts'
import { toMajor } from '../../values/money.ts'
import { keysOf } from '../../values/objects.ts'
import { performAction } from '../campaigns/actions.ts'
import { updateCampaign } from '../campaigns/campaigns.ts'
import { CampaignChanges } from '../campaigns/schema.ts'
import { campaignOf } from './campaign.ts'
import { changeDeployment } from './change.ts'
import { driftOf, membersOf } from './desired.ts'
import type { DeploymentRow } from './present.ts'
import type { Deployment } from './schema.ts'

/**
 * The campaign takes the values that were seen, by the ordinary verbs: their rules hold. A network holds
 * what the service does not, so they are checked as the body of a request is.
 */
export async function adopt(ctx: WriteContext, row: DeploymentRow): Promise<Deployment> {
  // The version that the caller named is the deployment's.
  const inner = { ...ctx, ifMatch: '*' as const }
  const { currency_exponent: exponent } = await campaignOf(ctx, row.campaign_id)
  const { changes, action } = adoptable(row, { exponent, now: ctx.now })
  if (keysOf(changes).length > 0) {
    const body = await checkNested({ body: CampaignChanges, run: nothing }, inner, changes)
    await updateCampaign(inner, row.campaign_id, body)
  }
  if (action) await performAction(inner, row.campaign_id, { action })
  const after = await oneOf(ctx, 'deployments', row.id)
  const { generation: applied_generation } = after
  const facts = { applied_generation, error: null, retry_at: null, attempts: 0, requested: null }
  return (await changeDeployment(ctx, 'deployment.adopted', { row: after, facts })).deployment
}

const nothing = async () => undefined

/** The changes that the campaign would take over: of its fields, and whether it runs. */
export function adoptable(
  row: DeploymentRow,
  { exponent, now }: { exponent: number; now: string },
) {
  const { observed } = row
  if (!observed) throw new Error('there is nothing to adopt')
  const members = otherMembers(row, now)
  const run = members.includes('run') ? observed.run : undefined
  return { changes: changesTo(members, observed, exponent), action: run && actionOf[run] }
}

const actionOf = { enabled: 'resume', paused: 'pause' } as const

/** The members that were seen to be others, also while something newer waits to be sent. */
const otherMembers = (row: DeploymentRow, now: string): (keyof DeploymentPlan)[] =>
  driftOf(row, now).flatMap(({ field }) => [...membersOf[field]])

/** The changes of the campaign that make its plan what was seen. */
function changesTo(
  members: readonly (keyof DeploymentPlan)[],
  observed: ObservedPlan,
  exponent: number,
): Record<string, unknown> {
  const seen = <Name extends keyof DeploymentPlan>(name: Name) =>
    members.includes(name) && observed[name] !== undefined ? { [name]: observed[name] } : undefined
  const budgets = (['daily_budget', 'lifetime_budget'] as const).flatMap((name) => {
    const minor = observed[`${name}_minor`]
    return members.includes(`${name}_minor`) && minor !== undefined
      ? [[name, toMajor(minor, exponent)] as const]
      : []
  })
  return {
    ...seen('name'),
    ...seen('start_at'),
    ...seen('end_at'),
    ...seen('time_zone'),
    ...seen('schedule'),
    ...Object.fromEntries(budgets),
  }
}
