import { checkRecentLogin } from '../../identity/recent-login.ts'
import type { Services } from '../../kernel/context.ts'
import { Problem } from '../../problems/problem.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Credential } from './authenticate.ts'

type Asking = Pick<Endpoint, 'withoutFactor' | 'needsRecentLogin'>

/**
 * The one door of what second factors are needed for: where the organization requires one, a person
 * without may do nothing but set it up; and what would weaken the protection needs a recent login of
 * a person who has one.
 */
export function checkFactor(services: Services, { login, organization }: Credential, to: Asking) {
  if (login === null) return
  if (organization.requireSecondFactor && !login.hasFactor && !to.withoutFactor) throw missing()
  if (to.needsRecentLogin) checkRecentLogin(services, login)
}

const missing = () =>
  new Problem(
    'second_factor_required',
    'The organization requires a second factor: set one up with POST /auth/factors.',
    { status: 403, members: { challenge: null, methods: [] } },
  )
