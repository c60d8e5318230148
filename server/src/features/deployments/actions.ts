import type { Holder } from '../../identity/permissions.ts'
import type { Context } from '../../kernel/context.ts'
import { checkVersion } from '../../kernel/rows.ts'
import { inTransaction } from '../../kernel/transaction.ts'
import { conflict } from '../../problems/problem.ts'
import { adopt } from './adopt.ts'
import { changeDeployment, type DeploymentFacts } from './change.ts'
import { deploymentOf } from './deployments.ts'
import { blocksOf, type DeploymentRow } from './present.ts'
import type { Deployment } from './schema.ts'
import { type DeploymentAction, ruleOf } from './states.ts'

/** Asks the connector for something, or takes over what it has seen. */
export const actOnDeployment = (
  ctx: Context,
  campaignId: string,
  action: DeploymentAction,
): Promise<Deployment> =>
  inTransaction(ctx, async (ctx) => {
    const row = await deploymentOf(ctx, campaignId)
    checkVersion(ctx, row.version)
    checkPossible(ctx, row, action)
    if (action === 'adopt') return adopt(ctx, row)
    const facts = factsOf[action](row)
    return (await changeDeployment(ctx, 'deployment.requested', { row, facts })).deployment
  })

export function checkPossible(holder: Holder, row: DeploymentRow, action: DeploymentAction): void {
  const { state, actions } = ruleOf(row)
  const current = { current_status: state, action, allowed_actions: [...actions] }
  if (!actions.includes(action)) {
    throw conflict(
      'invalid_state_transition',
      `A deployment that is ${state} cannot ${verbOf[action]}.`,
      current,
    )
  }
  const [block] = blocksOf(row, holder, action)
  if (block === 'not_bound') {
    const detail = 'The campaign’s object in the network is not known yet: detach the deployment.'
    throw conflict('invalid_state_transition', detail, current)
  }
  if (block === 'nothing_observed') {
    throw conflict('invalid_state_transition', 'Nothing was seen in the network yet.', current)
  }
}

const verbOf: Readonly<Record<DeploymentAction, string>> = {
  check: 'be checked',
  retry: 'be tried again',
  overwrite: 'be overwritten',
  adopt: 'be adopted',
  remove: 'be removed',
}

const untried: DeploymentFacts = { error: null, retry_at: null, attempts: 0 }

/** Facts of what the network has lost, to be made anew. */
const madeAnew: DeploymentFacts = {
  mode: 'create',
  network_object_id: null,
  network_url: null,
  applied_generation: 0,
  observed: null,
  network_delivery: null,
  intent: null,
}

const factsOf: Readonly<
  Record<Exclude<DeploymentAction, 'adopt'>, (row: DeploymentRow) => DeploymentFacts>
> = {
  check: () => ({ requested: 'check' }),
  retry: ({ requested, error }) => ({
    ...untried,
    ...(error?.code === 'gone' && requested !== 'remove' ? madeAnew : {}),
    requested: requested === 'remove' ? requested : 'retry',
  }),
  overwrite: () => ({ requested: 'overwrite' }),
  remove: () => ({ ...untried, requested: 'remove' }),
}
