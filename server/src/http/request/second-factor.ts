import type { Services } from '../../kernel/context.ts'
import { Problem } from '../../problems/problem.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Credential } from './authenticate.ts'

/** The age of a login up to which it may do what protects the organization and its people. */
const recentLoginMs = 15 * 60_000

type Asking = Pick<Endpoint, 'withoutFactor' | 'needsRecentLogin'>

/**
 * The one door of what second factors are needed for: where the organization requires one, a person
 * without may do nothing but set it up; and what would weaken the protection needs a recent login of
 * a person who has one. API keys have no login, and pass.
 */
export function checkFactor({ clock }: Services, { login, organization }: Credential, to: Asking) {
  if (login === null) return
  if (organization.requireSecondFactor && !login.hasFactor && !to.withoutFactor) throw missing()
  const isOld = clock.now().getTime() - Date.parse(login.at) > recentLoginMs
  if (to.needsRecentLogin && login.hasFactor && isOld) throw tooOld()
}

const missing = () =>
  new Problem(
    'second_factor_required',
    'The organization requires a second factor: set one up with POST /auth/factors.',
    { status: 403, members: { challenge: null, methods: [] } },
  )

const tooOld = () =>
  new Problem(
    'recent_login_required',
    'Your login is older than 15 minutes: log in again, with your second factor.',
  )
