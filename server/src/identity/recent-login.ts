import { Problem } from '../problems/problem.ts'
import type { Clock } from '../values/clock.ts'

/** The login that a person's credential is from. */
export type Login = {
  readonly at: string
  /** Whether a second factor guards it, or a provider does. */
  readonly hasFactor: boolean
}

/** The age of a login up to which it may do what protects the organization and its people. */
const recentLoginMs = 15 * 60_000

/**
 * Throws 403 for a person with a second factor whose login is older. API keys have no login, and pass.
 */
export function checkRecentLogin({ clock }: { clock: Clock }, login: Login | null): void {
  if (!login?.hasFactor) return
  if (clock.now().getTime() - Date.parse(login.at) <= recentLoginMs) return
  throw new Problem(
    'recent_login_required',
    'Your login is older than 15 minutes: log in again, with your second factor.',
  )
}
