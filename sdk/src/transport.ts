import { type Credential, type Credentials, credentialOf } from './credential.ts'
import { errorOf, FlightdeckError } from './error.ts'

export type Send = (request: Request) => Promise<Response>

export type TransportOptions = Credentials & {
  /** With the version: `https://ads.example.com/api/v1`. */
  baseUrl: string
  /** Instead of the global one. */
  fetch?: Send
  /** Where the keys of POST requests come from, or `false` for none. Standard: random UUIDs. */
  idempotencyKeys?: false | (() => string)
  /** How often a transient failure is tried again. Standard: 3. */
  retries?: number
  /** Longest wait before one retry; what asks for more is thrown. Standard: 60 s. */
  longestWaitMs?: number
}

type Settings = {
  send: Send
  credential: Credential
  retries: number
  longestWaitMs: number
  newKey: (() => string) | null
}

/** Sends requests with a token and a key, tries again what may pass, throws what was refused. */
export function transportOf(options: TransportOptions): Send {
  const send = options.fetch ?? ((request) => fetch(request))
  const { retries = 3, longestWaitMs = 60_000, idempotencyKeys } = options
  const newKey = idempotencyKeys === false ? null : (idempotencyKeys ?? (() => crypto.randomUUID()))
  const credential = credentialOf(options, { send, baseUrl: options.baseUrl })
  const settings = { send, credential, retries, longestWaitMs, newKey }
  return (request) => deliver(keyed(request, settings), settings)
}

const keyHeader = 'idempotency-key'

/** The key stays the same over all attempts: that is what makes them one request. */
function keyed(request: Request, { newKey }: Settings): Request {
  const isOpen = request.method === 'POST' && !request.headers.has(keyHeader)
  if (isOpen && newKey) request.headers.set(keyHeader, newKey())
  return request
}

async function deliver(request: Request, settings: Settings): Promise<Response> {
  let mayLogInAgain = settings.credential.canRenew
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await tryOnce(request, settings)
    if (outcome instanceof Response) return outcome
    if (mayLogInAgain && isStale(outcome)) {
      mayLogInAgain = false
      settings.credential.forget()
      continue
    }
    const waitMs = attempt < settings.retries ? waitBefore(attempt, request, outcome) : null
    if (waitMs === null || waitMs > settings.longestWaitMs) throw outcome
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    request.signal.throwIfAborted()
  }
}

/** The response, or the reason why there is none that helps. */
async function tryOnce(
  request: Request,
  { send, credential }: Settings,
): Promise<Response | Error> {
  try {
    const copy = request.clone()
    if (!copy.headers.has('authorization')) {
      copy.headers.set('authorization', `Bearer ${await credential.token()}`)
    }
    const response = await send(copy)
    return response.ok || response.status === 304 ? response : await errorOf(response)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

const staleCodes = ['token_expired', 'token_revoked', 'session_expired', 'invalid_token']

const isStale = (error: Error) =>
  error instanceof FlightdeckError && staleCodes.includes(error.code)

/** Milliseconds to wait before the request is tried again, or null when it must not be. */
function waitBefore(attempt: number, request: Request, error: Error): number | null {
  if (!isTransient(error, request)) return null
  if (error instanceof FlightdeckError && error.retryAfterSeconds !== null) {
    return error.retryAfterSeconds * 1000
  }
  return 500 * 2 ** attempt * (0.5 + Math.random() / 2)
}

/** A connection that broke may have done its work: only what can be repeated safely is. */
function isTransient(error: Error, request: Request): boolean {
  const isRepeatable = request.method !== 'POST' || request.headers.has(keyHeader)
  if (!(error instanceof FlightdeckError)) return error instanceof TypeError && isRepeatable
  return (
    error.retry === 'transient' && error.status !== 500 && (error.status === 429 || isRepeatable)
  )
}
