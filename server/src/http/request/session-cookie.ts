import type { FastifyRequest } from 'fastify'
import { tokenLifetimeSeconds } from '../../crypto/signing-keys.ts'
import { apiKeyPrefix } from '../../identity/api-key-text.ts'
import { Problem } from '../../problems/problem.ts'

/** The console's session: a token in a cookie that no script can read. */

const secureName = '__Host-flightdeck'
const plainName = 'flightdeck'

const maxAgeSeconds = 30 * 24 * 60 * 60

type CookieRequest = Pick<FastifyRequest, 'headers' | 'method' | 'protocol' | 'host' | 'hostname'>

/** A request, and the public URL of the service. */
export type Received = { request: CookieRequest; publicUrl: string }

/** As the browser sees it: a proxy in front may end the encryption. */
function originOf({ request: { protocol, host }, publicUrl }: Received): string {
  const known = new URL(publicUrl)
  return known.host === host ? known.origin : `${protocol}://${host}`
}

/** Browsers take `Secure` cookies over https only. */
const isSecure = (received: Received) => originOf(received).startsWith('https:')

const nameFor = (received: Received) => (isSecure(received) ? secureName : plainName)

/** `Set-Cookie` for a token, or to remove it. */
export function sessionCookie(received: Received, token: string | null): string {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Strict']
  return [
    `${nameFor(received)}=${token ?? ''}`,
    ...attributes,
    `Max-Age=${token === null ? 0 : maxAgeSeconds}`,
    ...(isSecure(received) ? ['Secure'] : []),
  ].join('; ')
}

const attemptSeconds = 10 * 60

const attemptNameFor = (received: Received) => `${nameFor(received)}-sso`

/**
 * `Set-Cookie` for a login under way at a provider, or to remove it. Unlike the session's it comes along
 * when the provider sends the browser back.
 */
export function attemptCookie(received: Received, attempt: string | null): string {
  return [
    `${attemptNameFor(received)}=${attempt ?? ''}`,
    ...['Path=/', 'HttpOnly', 'SameSite=Lax'],
    `Max-Age=${attempt === null ? 0 : attemptSeconds}`,
    ...(isSecure(received) ? ['Secure'] : []),
  ].join('; ')
}

export const attemptIn = (received: Received): string | undefined =>
  cookieIn(received.request.headers.cookie ?? '', attemptNameFor(received))

export const isAtPublicUrl = ({ request, publicUrl }: Received): boolean =>
  new URL(publicUrl).host === request.host

/** The credential of a request; `isFromCookie` if the browser sent the session by itself. */
export function authorizationOf(received: Received) {
  const fromCookie = tokenInCookie(received)
  const { authorization = fromCookie && `Bearer ${fromCookie}` } = received.request.headers
  return { authorization, isFromCookie: fromCookie !== undefined }
}

/** The token of the cookie, where the request can only be from the service's own page. */
function tokenInCookie(received: Received): string | undefined {
  const { cookie, authorization } = received.request.headers
  if (cookie === undefined || authorization !== undefined) return undefined
  if (!isFromOwnPage(received)) return undefined
  const token = cookieIn(cookie, nameFor(received))
  // Other programs on the host can write the cookie of plain http: it holds sessions only.
  return token?.startsWith(apiKeyPrefix) ? undefined : token
}

/** A page of another site can neither set the header nor choose `Sec-Fetch-Site` or `Origin`. */
function isFromOwnPage(received: Received): boolean {
  const { headers, method } = received.request
  if (headers['x-flightdeck-console'] !== '1') return false
  const { 'sec-fetch-site': site } = headers
  // Browsers leave it out on plain http to another machine.
  const isSameOrigin = site === 'same-origin' || (site === undefined && !isTrusted(received))
  const isSafe = method === 'GET' || method === 'HEAD'
  return isSameOrigin && (isSafe || headers.origin === originOf(received))
}

/**
 * Another site must not log its visitors in to an account of its choice. Browsers say where such a
 * request is from; what is no browser says nothing, and is no visitor's.
 */
export function checkOwnPage(received: Received): void {
  const { origin, 'sec-fetch-site': site } = received.request.headers
  const own = originOf(received)
  if (origin === undefined && site === undefined) return
  if (origin === own && (site ?? 'same-origin') === 'same-origin') return
  throw new Problem('missing_token', `Only pages of ${own} log in with a cookie.`)
}

const isTrusted = (received: Received) =>
  isSecure(received) || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(received.request.hostname)

function cookieIn(cookies: string, name: string): string | undefined {
  const pair = cookies.split(';').find((each) => each.trim().startsWith(`${name}=`))
  return pair?.trim().slice(name.length + 1) || undefined
}

/** Renewed at half its life, so that a session in use never ends after a day. */
export const isHalfOver = (issuedAtSeconds: number, now: Date): boolean =>
  now.getTime() / 1000 - issuedAtSeconds >= tokenLifetimeSeconds / 2
