import {
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
} from 'openid-client'
import type { StepReply, StepVisit } from '../../../http/feature.ts'
import { accountOf } from '../../../values/email.ts'
import { readProvider } from '../provider/provider.ts'
import { troubleOf } from '../provider/trouble.ts'
import { redirectUriOf, type StoredSso } from '../stored.ts'
import { type Attempt, newAttempt, nextOf, sealAttempt } from './attempt.ts'
import { askedPage, redirect, refusedPage } from './pages.ts'
import { placeOf, refuseFlood } from './where.ts'

const noPlace = 'There is no single sign-on for this address. Log in with your password.'

/** Sends the browser to the provider of an address. */
export async function startLogin(visit: StepVisit): Promise<StepReply> {
  const { ctx, url } = visit
  const { services } = ctx
  if (visit.isFromElsewhere) return askedPage(url)
  // The cookie of this step has to be there when the provider sends the browser back.
  if (!visit.isAtPublicUrl) return redirect(url.href)
  await refuseFlood(services, ctx.request?.ip)
  const email = accountOf(url.searchParams.get('email') ?? '')
  const place = await placeOf(ctx, email)
  if (!place) return refusedPage(404, noPlace)
  const { row } = place
  const isAgain = url.searchParams.get('again') === 'true'
  try {
    const provider = await readProvider(services, row)
    const attempt = newAttempt(services, {
      organizationId: row.organization_id,
      issuer: row.issuer,
      clientId: row.client_id,
      redirectUri: redirectUriOf(services, row),
      next: nextOf(url.searchParams.get('next')),
      again: isAgain ? email : null,
    })
    const location = await authorizationUrl(provider, { row, attempt, email })
    return redirect(location, sealAttempt(services, attempt))
  } catch (error) {
    return refusedPage(502, `Your organization’s login does not work: ${troubleOf(error)}.`)
  }
}

type Beginning = { row: StoredSso; attempt: Attempt; email: string }

async function authorizationUrl(
  provider: Configuration,
  { row, attempt, email }: Beginning,
): Promise<string> {
  const { scopes_supported: known = [] } = provider.serverMetadata()
  const scopes = ['openid', 'email', 'profile']
  if (row.role_claim !== null && known.includes(row.role_claim)) scopes.push(row.role_claim)
  const url = buildAuthorizationUrl(provider, {
    redirect_uri: attempt.redirectUri,
    scope: scopes.join(' '),
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: 'S256',
    login_hint: email,
    ...(attempt.again !== null && { max_age: '0', prompt: 'login' }),
  })
  return url.href
}
