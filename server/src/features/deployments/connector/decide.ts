import type { DeploymentError, ObservedPlan } from '../../../database/tables/json-columns.ts'
import { byDayAndStart } from '../../campaigns/draft/schedule.ts'
import type { DeploymentFacts } from '../change.ts'
import type { DeploymentRow } from '../present.ts'
import type { ReportInput } from './report-schema.ts'

/** Decides what a report says of a deployment. Pure. */

const maxBackoffSeconds = 3_600

/** Each try in a row waits twice as long as the one before it. */
const backoffSeconds = (attempts: number) =>
  Math.min(maxBackoffSeconds, 5 * 2 ** Math.min(attempts, 20))

const secondsAfter = (now: string, seconds: number) =>
  new Date(Date.parse(now) + seconds * 1_000).toISOString()

/** Times and hours in one form; members that were not seen are left out. */
export function observedOf(input: NonNullable<ReportInput['observed']>): ObservedPlan {
  const { start_at, end_at, schedule, ...others } = input
  return {
    ...others,
    ...(schedule !== undefined && { schedule: schedule?.toSorted(byDayAndStart) ?? null }),
    ...(start_at !== undefined && { start_at: instantOf(start_at) }),
    ...(end_at !== undefined && { end_at: instantOf(end_at) }),
  }
}

const instantOf = (text: string | null) => (text === null ? null : new Date(text).toISOString())

type Fault = { code: DeploymentError['code']; message: string; retry: DeploymentError['retry'] }

/** The fault that an outcome means where the report names none. */
const faultOf: Partial<Record<ReportInput['outcome'], Fault>> = {
  failed: { code: 'transient', message: 'The network did not take it.', retry: 'transient' },
  unknown_outcome: {
    code: 'unknown_outcome',
    message: 'The answer was lost: whether it was done is looked up.',
    retry: 'transient',
  },
  blocked: { code: 'invalid', message: 'The network refuses it.', retry: 'correctable' },
  gone: { code: 'gone', message: 'The network has it no longer.', retry: 'correctable' },
}

function errorOf({ error }: ReportInput, fault: Fault): DeploymentError {
  const { code = null, subcode = null, request_id = null } = error?.network ?? {}
  const { code: own, message, retry } = fault
  const isOwn = own === 'unknown_outcome' || own === 'gone'
  return {
    code: isOwn ? own : (error?.code ?? own),
    message: error?.message ?? message,
    retry,
    errors: error?.errors ?? [],
    network: error?.network ? { code, subcode, request_id } : null,
  }
}

type Deciding = { row: DeploymentRow; report: ReportInput; now: string }

/** The facts that a report changes. */
export function factsOf({ row, report, now }: Deciding): DeploymentFacts {
  const { outcome, generation } = report
  const seen = seenIn({ row, report, now })
  // Work for an older generation is not done for this one.
  if (generation < row.generation && outcome !== 'gone') return seen
  const fault = faultOf[outcome]
  if (fault) return { ...seen, ...failing({ row, report, now }, fault) }
  if (outcome === 'observed' || outcome === 'checked') return { ...seen, ...looked(row, report) }
  // A campaign that was seen is there: the report is of work that was begun before the removal was asked for.
  const isRemoval = row.requested === 'remove'
  if (isRemoval && !report.observed) return { ...seen, ...unfailing, ...removed }
  const applied = outcome === 'applied' ? { last_applied_at: now } : {}
  return {
    ...seen,
    ...unfailing,
    ...applied,
    applied_generation: row.generation,
    requested: isRemoval ? row.requested : null,
    intent: null,
    is_withheld: false,
  }
}

const unfailing: DeploymentFacts = { error: null, attempts: 0, retry_at: null }

const removed: DeploymentFacts = { state: 'removed', requested: null, intent: null, observed: null }

/** Facts that were seen hold for every generation. */
function seenIn({ row, report, now }: Deciding): DeploymentFacts {
  const { network_object_id, network_url, observed, coverage, network_delivery } = report
  return {
    ...(network_object_id != null && { network_object_id, intent: null }),
    ...(network_url !== undefined && { network_url }),
    ...(observed && { observed: observedOf(observed), last_seen_at: now }),
    ...(coverage && { coverage: { ...row.coverage, ...coverage } }),
    ...(network_delivery && { network_delivery: deliveryOf(row, network_delivery, now) }),
  }
}

/** The time is that of the change: a delivery that stays is no news. */
function deliveryOf(
  { network_delivery: known }: DeploymentRow,
  { state, reasons }: NonNullable<ReportInput['network_delivery']>,
  now: string,
) {
  const isSame = known?.state === state && known.reasons.join('\n') === reasons.join('\n')
  return { state, reasons, at: isSame ? known.at : now }
}

function failing({ row, report, now }: Deciding, fault: Fault): DeploymentFacts {
  const error = errorOf(report, fault)
  if (report.outcome === 'gone' && row.requested === 'remove') return { ...unfailing, ...removed }
  const requested = row.requested === 'remove' ? row.requested : null
  if (fault.retry === 'correctable') {
    const gone = report.outcome === 'gone' ? { observed: null } : {}
    return { error, attempts: row.attempts + 1, retry_at: null, requested, ...gone }
  }
  const seconds = report.retry_after_seconds ?? backoffSeconds(row.attempts)
  return { error, attempts: row.attempts + 1, retry_at: secondsAfter(now, seconds), requested }
}

/** A look answers the check that was asked for; two that find nothing end an intent. */
function looked(row: DeploymentRow, report: ReportInput): DeploymentFacts {
  const requested = row.requested === 'check' ? null : row.requested
  const isBound = (report.network_object_id ?? row.network_object_id) !== null
  const isFound = row.error?.code === 'gone' && isBound && report.observed ? unfailing : {}
  if (row.intent === null || isBound) return { requested, ...isFound }
  const looks = row.intent.looks + 1
  return { requested, intent: looks < 2 ? { ...row.intent, looks } : null }
}

/**
 * Facts of a deployment that was seen in a listing of its account. The zone is the account's; what was
 * gone has come back.
 */
export const factsSeen = (
  row: DeploymentRow,
  { time_zone: _, ...seen }: ObservedPlan,
  now: string,
): DeploymentFacts => ({
  observed: { ...row.observed, ...seen },
  last_seen_at: now,
  ...(row.error?.code === 'gone' && unfailing),
})

/**
 * Puts off the next try: what the network took and does not keep is put right
 * again, but at once it would be sent without end.
 */
export function untilNextTry({ row, report, now }: Deciding, next: DeploymentRow): DeploymentFacts {
  const isSent = report.outcome === 'applied' || report.outcome === 'unchanged'
  if (!isSent || next.state !== 'drifted' || next.drift_policy !== 'overwrite') return {}
  const retry_at = secondsAfter(now, backoffSeconds(row.attempts))
  return { attempts: row.attempts + 1, retry_at }
}

/** The event of a report, by what it made of the deployment. */
export function eventOf(before: DeploymentRow, after: DeploymentRow): string {
  const isAnew =
    before.state !== after.state || before.applied_generation !== after.applied_generation
  if (after.state === 'in_sync' && isAnew) return 'deployment.synced'
  const ofState = {
    drifted: 'deployment.drifted',
    failed: 'deployment.failed',
    blocked: 'deployment.blocked',
    removed: 'deployment.removed',
  }
  const event = Object.entries(ofState).find(([state]) => state === after.state)?.[1]
  return event ?? 'deployment.updated'
}
