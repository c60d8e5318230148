import type { Credential } from './credential.ts'
import { errorOf, FlightdeckError } from './error.ts'
import type { CallOptions } from './options.ts'

export type Send = (request: Request) => Promise<Response>

export type TransportOptions = {
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
  /** Milliseconds that one attempt may take, its answer included. Default: 60,000. */
  timeoutMs?: number
  /** Longest wait before a retry; an error that asks for more is thrown. Default: 60,000. */
  longestWaitMs?: number
  /** Sees each attempt before it is sent, and may return another request. */
  onRequest?: (request: Request) => Request | undefined
  /** Sees each answer, refusals included. Must not read its body. */
  onResponse?: (response: Response, request: Request) => void
}

/** One call, which may take several attempts. */
export type Outgoing = {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body?: string | undefined
  options: CallOptions
  /** Leaves the body to the caller: the timeout ends with the headers. */
  isStreamed?: boolean
}

/** A success; `text` is null where the body is left to the caller. */
export type Delivered = { response: Response; text: string | null }

export type Transport = (outgoing: Outgoing) => Promise<Delivered>

type Settings = Required<Pick<TransportOptions, 'retries' | 'timeoutMs' | 'longestWaitMs'>> &
  Pick<TransportOptions, 'onRequest' | 'onResponse'> & {
    send: Send
    credential: Credential
    newKey: (() => string) | null
  }

const keyHeader = 'idempotency-key'

/** Adds a credential and an idempotency key, retries transient failures, throws refusals. */
export function transportOf(options: TransportOptions, credential: Credential): Transport {
  const { idempotencyKeys, onRequest, onResponse } = options
  const settings: Settings = {
    send: options.fetch ?? ((request) => fetch(request)),
    credential,
    retries: options.retries ?? 3,
    timeoutMs: options.timeoutMs ?? 60_000,
    longestWaitMs: options.longestWaitMs ?? 60_000,
    newKey: idempotencyKeys === false ? null : (idempotencyKeys ?? (() => crypto.randomUUID())),
    ...(onRequest && { onRequest }),
    ...(onResponse && { onResponse }),
  }
  return (outgoing) => deliver(keyed(outgoing, settings), settings)
}

/** All attempts share the key, so the service treats them as one request. */
function keyed(outgoing: Outgoing, { newKey }: Settings): Outgoing {
  const { method, headers } = outgoing
  if (method !== 'POST' || keyHeader in headers || !newKey) return outgoing
  return { ...outgoing, headers: { ...headers, [keyHeader]: newKey() } }
}

async function deliver(outgoing: Outgoing, settings: Settings): Promise<Delivered> {
  const { signal, retries = settings.retries } = outgoing.options
  let mayLogInAgain = settings.credential.canRenew
  for (let attempt = 0; ; attempt += 1) {
    signal?.throwIfAborted()
    const outcome = await tryOnce(outgoing, settings)
    if (!(outcome instanceof Error)) return outcome
    if (mayLogInAgain && isStale(outcome)) {
      mayLogInAgain = false
      settings.credential.forget()
      continue
    }
    const waitMs = attempt < retries ? waitBefore(attempt, outgoing, outcome) : null
    if (waitMs === null || waitMs > settings.longestWaitMs) throw outcome
    await pause(waitMs, signal)
  }
}

/** The answer, or the error of this attempt. */
async function tryOnce(outgoing: Outgoing, settings: Settings): Promise<Delivered | Error> {
  const { options, isStreamed } = outgoing
  const timeout = new AbortController()
  const { timeoutMs = settings.timeoutMs } = options
  const timer = setTimeout(() => timeout.abort(new FlightdeckTimeout(timeoutMs)), timeoutMs)
  const signals = options.signal ? [options.signal, timeout.signal] : [timeout.signal]
  try {
    const response = await exchange(outgoing, settings, AbortSignal.any(signals))
    if (!response.ok && response.status !== 304) return await errorOf(response)
    return { response, text: isStreamed ? null : await response.text() }
  } catch (error) {
    if (timeout.signal.aborted) return timeout.signal.reason
    return error instanceof Error ? error : new Error(String(error))
  } finally {
    clearTimeout(timer)
  }
}

async function exchange(
  { method, url, headers, body }: Outgoing,
  { send, credential, onRequest, onResponse }: Settings,
  signal: AbortSignal,
): Promise<Response> {
  const given = await credential.headers()
  const made = new Request(url, {
    method,
    headers: { ...given, ...headers },
    signal,
    ...(body === undefined ? {} : { body }),
  })
  const request = onRequest?.(made) ?? made
  const response = await send(request)
  onResponse?.(response, request)
  return response
}

/** An attempt took longer than its timeout. */
export class FlightdeckTimeout extends Error {
  override readonly name = 'FlightdeckTimeout'

  constructor(timeoutMs: number) {
    super(`No answer within ${timeoutMs} ms`)
  }
}

const staleCodes = ['token_expired', 'token_revoked', 'session_expired', 'invalid_token']

const isStale = (error: Error) =>
  error instanceof FlightdeckError && staleCodes.includes(error.code)

/** Milliseconds to wait before the retry, or null when the request must not be retried. */
function waitBefore(attempt: number, outgoing: Outgoing, error: Error): number | null {
  if (!isTransient(error, outgoing)) return null
  if (error instanceof FlightdeckError && error.retryAfterSeconds !== null) {
    return error.retryAfterSeconds * 1000
  }
  return 500 * 2 ** attempt * (0.5 + Math.random() / 2)
}

/** A broken connection may have done its work: retry only what is safe to repeat. */
function isTransient(error: Error, { method, headers }: Outgoing): boolean {
  const isRepeatable = method !== 'POST' || keyHeader in headers
  if (!(error instanceof FlightdeckError)) {
    return isRepeatable && (error instanceof TypeError || error instanceof FlightdeckTimeout)
  }
  return (
    error.retry === 'transient' && error.status !== 500 && (error.status === 429 || isRepeatable)
  )
}

/** Rejects with the signal's reason when it is aborted meanwhile. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stop = () => reject(signal?.reason)
  const timer = setTimeout(resolve, milliseconds)
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop, { once: true })
  return promise.finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  })
}
