import type { DeploymentPlan, NetworkCheck } from '../../../database/tables/deployment-columns.ts'
import type { LedgerEvent } from '../../../kernel/ledger.ts'
import { isFailed, type OperationOutcome } from '../operations/outcomes.ts'

type Deployment = { id: string; campaign_id: string; profile_id: string; desired: DeploymentPlan }

const isOfDeployment = (event: LedgerEvent): event is LedgerEvent<Deployment> =>
  event.type === 'deployment.updated'

/** Each is a request to a network that has a quota. */
const mostChecks = 100

/** The outcomes, the last of each deployed campaign with what its network is to judge. */
export function withNetworkChecks(
  outcomes: readonly OperationOutcome[],
  events: readonly LedgerEvent[],
): OperationOutcome[] {
  const all = events.filter(isOfDeployment).map(({ data: { object } }) => object)
  const last = new Map(all.map((deployment) => [deployment.campaign_id, deployment]))
  const changed = new Map([...last].slice(0, mostChecks))
  if (changed.size === 0) return [...outcomes]
  const judged = (outcome: OperationOutcome): OperationOutcome => {
    const deployment = isFailed(outcome) ? undefined : changed.get(outcome.id ?? '')
    if (!deployment) return outcome
    changed.delete(deployment.campaign_id)
    return { ...outcome, networkCheck: openCheck(deployment) }
  }
  return outcomes.toReversed().map(judged).toReversed()
}

const openCheck = ({ id, profile_id, desired }: Deployment): NetworkCheck => ({
  ...{ deployment_id: id, profile_id, desired },
  ...{ outcome: 'open', error: null, checked_at: null },
})
