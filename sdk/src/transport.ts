import { type Credential, type Credentials, credentialOf } from './credential.ts'
import { errorOf, FlightdeckError } from './error.ts'

export type Send = (request: Request) => Promise<Response>

export type TransportOptions = Credentials & {
  /** Includes the version: `https://ads.example.com/api/v1`. */
  baseUrl: string
  /** Replaces the global `fetch`. */
  fetch?: Send
  /**
   * Generates the idempotency keys of POST requests, or `false` for none. Default: random UUIDs.
   */
  idempotencyKeys?: false | (() => string)
  /** How often a transient failure is retried. Default: 3. */
  retries?: number
  /** Longest wait before a retry; an error that asks for more is thrown. Default: 60 s. */
  longestWaitMs?: number
}

type Settings = {
  send: Send
  credential: Credential
  retries: number
  longestWaitMs: number
  newKey: (() => string) | null
}

/** Adds a token and an idempotency key, retries transient failures, throws refusals. */
export function transportOf(options: TransportOptions): Send {
  const send = options.fetch ?? ((request) => fetch(request))
  const { retries = 3, longestWaitMs = 60_000, idempotencyKeys } = options
  const newKey = idempotencyKeys === false ? null : (idempotencyKeys ?? (() => crypto.randomUUID()))
  const credential = credentialOf(options, { send, baseUrl: options.baseUrl })
  const settings = { send, credential, retries, longestWaitMs, newKey }
  return (request) => deliver(keyed(request, settings), settings)
}

const keyHeader = 'idempotency-key'

/** All attempts share the key, so the service treats them as one request. */
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

/** The response, or the error of this attempt. */
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

/** Milliseconds to wait before the retry, or null when the request must not be retried. */
function waitBefore(attempt: number, request: Request, error: Error): number | null {
  if (!isTransient(error, request)) return null
  if (error instanceof FlightdeckError && error.retryAfterSeconds !== null) {
    return error.retryAfterSeconds * 1000
  }
  return 500 * 2 ** attempt * (0.5 + Math.random() / 2)
}

/** A broken connection may have done its work: retry only what is safe to repeat. */
function isTransient(error: Error, request: Request): boolean {
  const isRepeatable = request.method !== 'POST' || request.headers.has(keyHeader)
  if (!(error instanceof FlightdeckError)) return error instanceof TypeError && isRepeatable
  return (
    error.retry === 'transient' && error.status !== 500 && (error.status === 429 || isRepeatable)
  )
}
