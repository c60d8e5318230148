import { timingSafeEqual } from 'node:crypto'
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client'
import { nowText, type Services } from '../../../kernel/context.ts'
import { sha256Hex } from '../../../values/canonical-json.ts'

/** A login under way at a provider, as the browser keeps it meanwhile: sealed. */
export type Attempt = {
  readonly organizationId: string
  readonly issuer: string
  readonly clientId: string
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** A path of the console. */
  readonly next: string
  readonly startedAt: string
  /** The address of who is logged in already, and has to prove it again. */
  readonly again: string | null
}

export const attemptLifetimeMs = 10 * 60_000

const purpose = 'sso.attempt'

type Begun = Omit<Attempt, 'state' | 'nonce' | 'verifier' | 'startedAt'>

export const newAttempt = (services: Services, begun: Begun): Attempt => ({
  ...begun,
  state: randomState(),
  nonce: randomNonce(),
  verifier: randomPKCECodeVerifier(),
  startedAt: nowText(services),
})

export const sealAttempt = ({ crypto }: Services, attempt: Attempt): string =>
  Buffer.from(crypto.cipher.seal(JSON.stringify(attempt), purpose)).toString('base64url')

/** The attempt of the cookie, if the answer is to it and in time; undefined otherwise. */
export function attemptOf(
  services: Services,
  cookie: string | undefined,
  state: string | null,
): Attempt | undefined {
  const attempt = cookie === undefined ? undefined : opened(services, cookie)
  if (!attempt || state === null || !isSame(attempt.state, state)) return undefined
  const age = services.clock.now().getTime() - Date.parse(attempt.startedAt)
  return age >= 0 && age < attemptLifetimeMs ? attempt : undefined
}

function opened({ crypto }: Services, cookie: string): Attempt | undefined {
  try {
    const sealed = Buffer.from(cookie, 'base64url').toString()
    return JSON.parse(crypto.cipher.open(sealed, purpose))
  } catch {
    return undefined
  }
}

const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(sha256Hex(one)), Buffer.from(sha256Hex(other)))

const start = '/console'
const maxNextLength = 2048
const anywhere = 'https://flightdeck.invalid'

/** A path of the console, whatever was asked for. */
export function nextOf(text: string | null): string {
  if (text === null || text.length > maxNextLength || /[\\\p{Cc}]/u.test(text)) return start
  if (!text.startsWith('/') || text.startsWith('//')) return start
  const url = URL.parse(text, anywhere)
  if (!url || url.origin !== anywhere) return start
  const isConsole = url.pathname === start || url.pathname.startsWith(`${start}/`)
  return isConsole ? `${url.pathname}${url.search}${url.hash}` : start
}
