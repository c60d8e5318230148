import type { FastifyRequest } from 'fastify'
import { tokenLifetimeSeconds } from '../../crypto/signing-keys.ts'

/** The console's session: a token in a cookie that no script can read. */

const secureName = '__Host-flightdeck'
const plainName = 'flightdeck'

const maxAgeSeconds = 30 * 24 * 60 * 60

type Sent = Pick<FastifyRequest, 'headers' | 'method' | 'protocol' | 'host' | 'hostname'>

/** A request, and the public URL of the service. */
export type Received = { request: Sent; publicUrl: string }

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
  return isFromOwnPage(received) ? cookieIn(cookie, nameFor(received)) : undefined
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

const isTrusted = (received: Received) =>
  isSecure(received) || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(received.request.hostname)

function cookieIn(cookies: string, name: string): string | undefined {
  const pair = cookies.split(';').find((each) => each.trim().startsWith(`${name}=`))
  return pair?.trim().slice(name.length + 1) || undefined
}

/** Renewed at half its life, so that a session in use never ends after a day. */
export const isHalfOver = (issuedAtSeconds: number, now: Date): boolean =>
  now.getTime() / 1000 - issuedAtSeconds >= tokenLifetimeSeconds / 2
