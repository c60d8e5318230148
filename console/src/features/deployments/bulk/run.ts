import { troubleOf } from '../../../ui/problem.ts'
import { act } from '../act.ts'
import type { Deployment } from '../queries.ts'
import { actionWords, blockedBy } from '../words.ts'

/** The outcome of one, tried out or done; null: nothing refuses it. */
export type Outcome = { deployment: Deployment; refusal: string | null }

type Acting = { action: string; isDryRun: boolean; onOne: (done: number) => void }

const atOnce = 4

/** Asks for the same of each, some at once. */
export async function runOnAll(
  deployments: readonly Deployment[],
  { action, isDryRun, onOne }: Acting,
): Promise<Outcome[]> {
  const outcomes = new Map<Deployment, Outcome>()
  const left = [...deployments]
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      outcomes.set(next, { deployment: next, refusal: await refusalOf(next, action, isDryRun) })
      onOne(outcomes.size)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return deployments.flatMap((each) => outcomes.get(each) ?? [])
}

async function refusalOf(deployment: Deployment, action: string, isDryRun: boolean) {
  const available = deployment.available_actions.find((each) => each.action === action)
  const verb = actionWords[action]?.name.toLowerCase()
  if (!available) return `Its state is ${deployment.state.replace('_', ' ')}: nothing to ${verb}.`
  const blocked = blockedBy(available)
  if (blocked !== null) return blocked
  try {
    const asked = act(action, deployment)
    await (isDryRun ? asked.dryRun() : asked)
    return null
  } catch (error) {
    return troubleOf(error).detail
  }
}
