import { isProblem } from '@flightdeckhq/sdk'
import type { Seen } from '../contract/adapter.ts'
import { type FaultKind, NetworkFault } from '../contract/fault.ts'
import type { WorkItem } from '../contract/plan.ts'
import type { Held } from '../lease/lease.ts'
import type { Account, ReportInput } from './account.ts'
import { findMarked, readBack } from './look.ts'
import { reportOf, reportOfFault } from './report.ts'
import { write } from './write.ts'

/** Makes a campaign once: it is looked for before it is made, and what is about to be made is recorded. */

/** The campaign, or what there is to report while there is none. */
export type Made = { seen: Seen } | { reports: ReportInput[] }

export async function findOrCreate(account: Account, item: WorkItem, held: Held): Promise<Made> {
  const found = await theMarked(account, item)
  if (found) return { seen: found }
  if (item.intent) return { reports: notFound(account, item) }
  if (account.facts === null) throw new NetworkFault('transient', 'The account was not seen yet.')
  if (!(await recordIntent(account, item, held))) return { reports: [] }
  return create(account, item)
}

/** The one campaign with the mark of the item; two of them are a matter for people. */
export async function theMarked(account: Account, item: WorkItem): Promise<Seen | null> {
  const found = await findMarked(account, item.marker)
  const [first, second] = found
  if (!second) return first ?? null
  const ids = found.map(({ id }) => id).join(', ')
  throw new NetworkFault('blocked', `Several campaigns have the mark ${item.marker}: ${ids}.`)
}

/** A look that found nothing counts; the next is a minute later, as the answer may only be late. */
function notFound({ waits }: Account, item: WorkItem): ReportInput[] {
  const error = {
    code: 'unknown_outcome' as const,
    message: 'The answer to its creation was lost: it is looked for before it is made again.',
  }
  const retry_after_seconds = Math.max(1, Math.ceil(waits.betweenLooks / 1_000))
  const checked = reportOf(item, 'checked')
  if ((item.intent?.looks ?? 0) >= 1) return [checked]
  return [checked, reportOf(item, 'unknown_outcome', { error, retry_after_seconds })]
}

/** False: the service has something newer by now. */
async function recordIntent(account: Account, item: WorkItem, { named }: Held): Promise<boolean> {
  const { deployment_id, generation } = item
  try {
    await account.flightdeck.connector.recordIntent({ ...named(), deployment_id, generation })
    return true
  } catch (error) {
    if (isProblem(error, 'invalid_state_transition')) return false
    throw error
  }
}

/** A campaign begins paused: what is lost or doubled then spends nothing. */
async function create(account: Account, item: WorkItem): Promise<Made> {
  const plan = { ...item.desired, run: 'paused' as const }
  let id: string
  try {
    id = await write(account, { item, plan, seen: null })
  } catch (error) {
    return { reports: [...lookedAfter(error, item), faultOf(account, item, error)] }
  }
  const seen = await readBack(account, id, () => true)
  if (seen) return { seen }
  const error = {
    code: 'unknown_outcome' as const,
    message: 'The network does not show yet what was created.',
  }
  return { reports: [reportOf(item, 'unknown_outcome', { network_object_id: id, error })] }
}

/** A campaign that was refused is not there: that counts as the two looks that end an intent. */
function lookedAfter(error: unknown, item: WorkItem): ReportInput[] {
  const isRefused = error instanceof NetworkFault && refusals.includes(error.kind)
  return isRefused ? [reportOf(item, 'checked'), reportOf(item, 'checked')] : []
}

/** Faults with which the network says that it has done nothing; a gateway's may come after it has. */
const refusals: readonly FaultKind[] = ['invalid', 'blocked', 'rate_limited', 'credential']

function faultOf(account: Account, item: WorkItem, error: unknown): ReportInput {
  const report = reportOfFault(account, item, error)
  if (report.outcome !== 'unknown_outcome') return report
  return {
    ...report,
    retry_after_seconds: Math.max(1, Math.ceil(account.waits.betweenLooks / 1_000)),
  }
}
