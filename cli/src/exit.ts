import { FlightdeckConnectionError, FlightdeckError, FlightdeckTimeout } from '@flightdeckhq/sdk'
import { Moved, NotLoggedIn, UsageError } from './faults.ts'

const byCode: Readonly<Record<string, number>> = {
  approval_required: 5,
  change_set_stale: 6,
  idempotency_in_progress: 7,
  rate_limited: 7,
  overloaded: 7,
  unavailable: 7,
}

const byStatus: Readonly<Record<number, number>> = { 401: 4, 403: 4, 412: 6, 429: 7, 503: 7 }

/**
 * 1 refused or failed, 2 wrong call, 4 not logged in or not allowed, 5 waits for an approval,
 * 6 conflict, 7 not reachable or over a limit; 3, differences, is no error.
 */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return 2
  if (error instanceof NotLoggedIn) return 4
  if (error instanceof Moved) return 6
  if (error instanceof FlightdeckConnectionError || error instanceof FlightdeckTimeout) return 7
  if (!(error instanceof FlightdeckError)) return 1
  return exitCodeFor(error)
}

/** The exit code of a refusal. */
export const exitCodeFor = ({ code, status }: { code: string; status: number }): number =>
  byCode[code] ?? byStatus[status] ?? 1
