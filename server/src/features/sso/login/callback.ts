import { authorizationCodeGrant, type Configuration, fetchUserInfo } from 'openid-client'
import type { StepReply, StepVisit } from '../../../http/feature.ts'
import { audited } from '../../../kernel/change.ts'
import { actAsSystem, type Context, newContext } from '../../../kernel/context.ts'
import { Problem } from '../../../problems/problem.ts'
import { providerAlgorithm, readProvider } from '../provider/provider.ts'
import { ProviderTrouble, troubleOf } from '../provider/trouble.ts'
import { type StoredSso, storedSso } from '../stored.ts'
import { spendOnce } from './answers.ts'
import { type Attempt, attemptLifetimeMs, attemptOf } from './attempt.ts'
import { loggedInPage, refusedPage } from './pages.ts'
import { type Claims, logIn, NotLetIn } from './person.ts'
import { refuseFlood } from './where.ts'

const notBegun =
  'The login did not begin in this browser, took longer than 10 minutes, or was used.'

/** Reads the answer of a provider, and logs the person in. */
export async function finishLogin(visit: StepVisit): Promise<StepReply> {
  const { ctx: bare, url } = visit
  const { services } = bare
  await refuseFlood(services, bare.request?.ip)
  const attempt = attemptOf(services, visit.attempt, url.searchParams.get('state'))
  if (!attempt || new URL(attempt.redirectUri).pathname !== url.pathname) {
    return refusedPage(400, notBegun)
  }
  const system = await actAsSystem(services, attempt.organizationId, 'single sign-on')
  const row = system && (await storedSso(system))
  // A login begun with one provider is not ended with another.
  if (!row || row.issuer !== attempt.issuer || row.client_id !== attempt.clientId) {
    return refusedPage(400, notBegun)
  }
  const { organization, actor, role } = system
  const ctx = newContext(bare, { organization, actor, role, scope: null })
  const answer = { text: attempt.state, keptMs: attemptLifetimeMs, action: 'auth.sso_answered' }
  if (!(await spendOnce(ctx, answer))) return refusedPage(400, notBegun)
  return finish(ctx, { row, attempt, url })
}

type Finishing = { row: StoredSso; attempt: Attempt; url: URL }

async function finish(ctx: Context, { row, attempt, url }: Finishing): Promise<StepReply> {
  try {
    const claims = await claimsOf(ctx, { row, attempt, url })
    const { token } = await logIn(ctx, { row, claims, attempt })
    return loggedInPage(token, attempt.next)
  } catch (error) {
    if (error instanceof NotLetIn) {
      await noteRefusal(ctx, error.reason)
      return refusedPage(403, error.message)
    }
    if (error instanceof Problem) return refusedPage(error.status, error.message)
    const trouble = troubleOf(error)
    await noteRefusal(ctx, trouble)
    return refusedPage(401, `Your organization’s login did not work: ${trouble}.`)
  }
}

/** The checked claims of the answer: its signature, `iss`, `aud`, `nonce`, `exp` and `state`. */
async function claimsOf(ctx: Context, { row, attempt, url }: Finishing): Promise<Claims> {
  const provider = await readProvider(ctx.services, row)
  const here = new URL(attempt.redirectUri)
  here.search = url.search
  const tokens = await authorizationCodeGrant(provider, here, {
    pkceCodeVerifier: attempt.verifier,
    expectedState: attempt.state,
    expectedNonce: attempt.nonce,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims || providerAlgorithm(tokens.id_token ?? '') === undefined) {
    throw new ProviderTrouble('its token is not signed as it has to be')
  }
  if (claims.sub === '' || claims.sub.length > longestSubject) {
    throw new ProviderTrouble('it does not say who you are')
  }
  const more = await moreOf(provider, { row, claims, accessToken: tokens.access_token })
  return { ...more, ...claims, issuer: claims.iss }
}

/** As OpenID Connect has it. */
const longestSubject = 255

type Claimed = {
  row: StoredSso
  claims: Record<string, unknown> & { sub: string }
  accessToken: string
}

/** Claims that providers keep out of the token. */
async function moreOf(
  provider: Configuration,
  { row, claims, accessToken }: Claimed,
): Promise<Record<string, unknown>> {
  const isThere = claims.email !== undefined
  const isMapped = row.role_claim === null || claims[row.role_claim] !== undefined
  if (isThere && isMapped) return {}
  if (!provider.serverMetadata().userinfo_endpoint) return {}
  return { ...(await fetchUserInfo(provider, accessToken, claims.sub)) }
}

/** Says in the audit log why someone was not let in. */
const noteRefusal = (ctx: Context, reason: string): Promise<void> => {
  const actor = { type: 'anonymous', id: null, name: null } as const
  const { id, name } = ctx.organization
  const resource = { type: 'organization', id, name }
  const request = ctx.request && { ...ctx.request, status: 403 }
  const entry = { action: 'auth.sso_refused', outcome: 'failed' as const, resource, reason }
  return audited({ ...ctx, actor, request }, entry, async () => {})
}
