import { isProblem, type WriteOptions } from '@flightdeckhq/sdk'
import { type Client, flightdeck } from '../../../flightdeck.ts'
import { faultsOf } from '../../../ui/problem.ts'
import { cellOf, noteColumn, type Step } from './values.ts'

type Reason = Pick<WriteOptions, 'reason'>

/** The faults of a plan by the pointer of their cell; nothing was stored. */
export type Faults = ReadonlyMap<string, string>

/**
 * Stores the edited months. All are tried before the first is stored, so that a fault in one leaves
 * the plan as it is.
 */
export async function savePlan(
  client: Client,
  steps: readonly Step[],
  reason: Reason,
): Promise<Faults> {
  const tried = await Promise.all(steps.map((step) => faultsIn(client, step)))
  const faults = new Map(tried.flatMap((each) => [...each]))
  if (faults.size > 0) return faults
  for (const step of steps) await write(client, step, reason)
  return faults
}

/** Other refusals than faults of its cells are thrown. */
async function faultsIn(client: Client, step: Step): Promise<Faults> {
  try {
    await write(client, step, {}).dryRun()
    return new Map()
  } catch (error) {
    if (!isProblem(error, 'validation_failed')) throw error
    return new Map(
      [...faultsOf(error)].map(([pointer, text]) => [`/${cellAt(step.month, pointer)}`, text]),
    )
  }
}

/** The cell of a pointer such as `/amounts/USD`. */
function cellAt(month: string, pointer: string): string {
  const [, field, currency] = pointer.split('/')
  return cellOf(month, field === 'amounts' && currency ? currency : noteColumn)
}

const write = (client: Client, { month, version, body }: Step, { reason }: Reason) => {
  const options = { ...(reason && { reason }), ifMatch: version }
  return body === null
    ? flightdeck.clients.deleteBudget(client.id, month, options)
    : flightdeck.clients.putBudget(client.id, month, body, options)
}
