import { createLocalJWKSet, decodeJwt, type JWTPayload, jwtVerify } from 'jose'
import { columnsOf } from '../../../database/tables/types.ts'
import type { StepReply, StepVisit } from '../../../http/feature.ts'
import {
  actAsSystem,
  type BareContext,
  type Context,
  nowText,
  type Services,
} from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { readKeys, readProvider, signatures } from '../provider/provider.ts'
import type { StoredSso } from '../stored.ts'
import { spendOnce } from './answers.ts'
import { refuseFlood } from './where.ts'

const json = { 'content-type': 'application/json' }
const done: StepReply = { status: 200, headers: json, html: '{}' }
const refused: StepReply = { status: 400, headers: json, html: '{"error":"invalid_request"}' }

/** Ends the sessions that a provider says are over. */
export async function backchannelLogout({ ctx, form }: StepVisit): Promise<StepReply> {
  await refuseFlood(ctx.services, ctx.request?.ip)
  const token = form.get('logout_token') ?? ''
  const places = await placesOf(ctx, token)
  const [first] = places
  const claims = first && (await checked(ctx.services, first, token).catch(() => undefined))
  if (!first || !claims) return refused
  const ofClient = places.filter(({ client_id }) => client_id === first.client_id)
  return (await endEverywhere(ctx, ofClient, claims)) ? done : refused
}

/** In each organization that knows the person; false if the token was used there before. */
async function endEverywhere(
  bare: BareContext,
  places: readonly StoredSso[],
  claims: Ended,
): Promise<boolean> {
  let isFirst = true
  for (const { organization_id } of places) {
    const system = await actAsSystem(bare.services, organization_id, 'single sign-on')
    if (!system || !(await knows(system, claims))) continue
    const ctx = { ...system, request: bare.request && { ...bare.request, status: 200 } }
    if (!(await endSessions(ctx, claims))) isFirst = false
  }
  return isFirst
}

const knownSql = `
  select true as known where exists (
      select from sso_people where organization_id = $1 and issuer = $2 and subject = $3)
    or exists (
      select from sessions where organization_id = $1 and sso_issuer = $2 and sso_session = $4)`

const knows = async (ctx: Context, { iss, sub, sid }: Ended): Promise<boolean> =>
  (await ctx.reader.query(tenantQuery(ctx, knownSql, iss, sub, sid))).length > 0

const mostClients = 10
const mostPlaces = 1_000

/** The organizations whose provider and client the token names, before anything of it is believed. */
async function placesOf({ reader }: BareContext, token: string): Promise<StoredSso[]> {
  const { iss, aud } = decoded(token)
  if (typeof iss !== 'string' || aud === undefined) return []
  return reader
    .kysely()
    .selectFrom('sso_settings')
    .select(columnsOf.sso_settings)
    .where('issuer', 'in', [iss, iss.endsWith('/') ? iss.slice(0, -1) : `${iss}/`])
    .where('client_id', 'in', [aud].flat().slice(0, mostClients))
    .orderBy('organization_id')
    .limit(mostPlaces)
    .execute()
}

function decoded(token: string): JWTPayload {
  try {
    return decodeJwt(token)
  } catch {
    return {}
  }
}

const event = 'http://schemas.openid.net/event/backchannel-logout'
const maxAgeSeconds = 5 * 60
const leewaySeconds = 30

type Ended = { iss: string; jti: string; sub: string | null; sid: string | null }

/** The claims of a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). */
async function checked(
  services: Services,
  row: StoredSso,
  token: string,
): Promise<Ended | undefined> {
  const provider = await readProvider(services, row)
  const { issuer } = provider.serverMetadata()
  const keys = createLocalJWKSet(await readKeys(services, provider))
  const { payload } = await jwtVerify(token, keys, {
    issuer,
    audience: row.client_id,
    algorithms: [...signatures],
    requiredClaims: ['iat', 'jti', 'events'],
    maxTokenAge: maxAgeSeconds,
    clockTolerance: leewaySeconds,
    currentDate: services.clock.now(),
  })
  const { jti, sub = null, events } = payload
  const sid = typeof payload.sid === 'string' ? payload.sid : null
  const isLogout = Object.hasOwn(Object(events), event) && payload.nonce === undefined
  if (!isLogout || typeof jti !== 'string' || (sub === null && sid === null)) return undefined
  return { iss: issuer, jti, sub, sid }
}

const endSql = `
  update sessions set ended_at = $5
  where organization_id = $1 and ended_at is null and sso_issuer = $2
    and ($4::text is null or sso_session = $4)
    and ($3::text is null or user_id in (
      select user_id from sso_people
      where organization_id = $1 and issuer = $2 and subject = $3))`

const keptMs = (maxAgeSeconds + leewaySeconds) * 2 * 1000

/** The token is used up once the sessions are ended: what failed before can be sent again. */
const endSessions = (ctx: Context, { iss, jti, sub, sid }: Ended): Promise<boolean> =>
  spendOnce(ctx, { text: `${iss} ${jti}`, keptMs, action: 'auth.sso_logged_out' }, (ctx) =>
    ctx.tx.send(tenantQuery(ctx, endSql, iss, sub, sid, nowText(ctx.services))),
  )
