import type { Row } from '../../database/tables/tenant-tables.ts'

/** Derives a proxy's status from its checks. Pure. */
export type Health = Pick<
  Row<'proxies'>,
  'health' | 'consecutive_failures' | 'consecutive_successes'
>

export const unchecked: Health = {
  health: 'unchecked',
  consecutive_failures: 0,
  consecutive_successes: 0,
}

const failuresToFail = 3
const successesToRecover = 2

/** Requires several results in a row either way, so that a single check moves no campaign. */
export const healthAfter = (before: Health, isOk: boolean): Health =>
  isOk ? afterSuccess(before) : afterFailure(before)

function afterSuccess({ health, consecutive_successes }: Health): Health {
  const successes = consecutive_successes + 1
  const isStillFailing = health === 'failing' && successes < successesToRecover
  return {
    health: isStillFailing ? 'failing' : 'healthy',
    consecutive_failures: 0,
    consecutive_successes: successes,
  }
}

function afterFailure({ health, consecutive_failures }: Health): Health {
  const failures = consecutive_failures + 1
  const isFailing = health === 'failing' || failures >= failuresToFail
  return {
    health: isFailing ? 'failing' : 'degraded',
    consecutive_failures: failures,
    consecutive_successes: 0,
  }
}
