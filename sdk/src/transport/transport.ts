import { FlightdeckError } from '../error.ts'
import { errorOf, jsonOf, throwIfPage } from './answer.ts'
import { answered, connectionError, Unanswered } from './connection.ts'
import type { Credential } from './credential.ts'
import type { CallOptions } from './options.ts'
import { pause, waitBefore } from './wait.ts'

export type Send = (request: Request) => Promise<Response>

export type TransportOptions = {
  /** Includes the version: `https://ads.example.com/api/v1`. */
  baseUrl: string
  /** Replaces the global `fetch`. */
  fetch?: Send
  /**
   * Generates the idempotency keys of writes, or `false` for none: writes are then not retried after
   * a lost answer. Default: random UUIDs.
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

/** A success; `body` is its JSON, undefined where there is none or it is left to the caller. */
export type Delivered = { response: Response; body: unknown }

export type Transport = (outgoing: Outgoing) => Promise<Delivered>

type Settings = Required<Pick<TransportOptions, 'retries' | 'timeoutMs' | 'longestWaitMs'>> &
  Pick<TransportOptions, 'onRequest' | 'onResponse'> & {
    send: Send
    credential: Credential
    newKey: (() => string) | null
  }

const keyHeader = 'idempotency-key'

export const defaultTimeoutMs = 60_000

/** Adds a credential and an idempotency key, retries transient failures, throws refusals. */
export function transportOf(options: TransportOptions, credential: Credential): Transport {
  const { idempotencyKeys, onRequest, onResponse } = options
  const settings: Settings = {
    send: options.fetch ?? ((request) => fetch(request)),
    credential,
    retries: options.retries ?? 3,
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    longestWaitMs: options.longestWaitMs ?? 60_000,
    newKey: idempotencyKeys === false ? null : (idempotencyKeys ?? (() => crypto.randomUUID())),
    ...(onRequest && { onRequest }),
    ...(onResponse && { onResponse }),
  }
  return (outgoing) => deliver(keyed(outgoing, settings), settings)
}

/** All attempts share the key, so the service treats them as one request. */
function keyed(outgoing: Outgoing, { newKey }: Settings): Outgoing {
  const { headers } = outgoing
  if (isRead(outgoing) || keyHeader in headers || !newKey) return outgoing
  return { ...outgoing, headers: { ...headers, [keyHeader]: newKey() } }
}

const isRead = ({ method }: Outgoing) => /^(?:get|head)$/i.test(method)

async function deliver(outgoing: Outgoing, settings: Settings): Promise<Delivered> {
  const { url, options } = outgoing
  const { signal, retries = settings.retries } = options
  let mayLogInAgain = settings.credential.canRenew
  for (let attempt = 0; ; attempt += 1) {
    signal?.throwIfAborted()
    const outcome = await tryOnce(outgoing, settings)
    if (isDelivered(outcome)) return outcome
    if (mayLogInAgain && isStale(outcome)) {
      mayLogInAgain = false
      settings.credential.forget()
      continue
    }
    const isLast = attempt >= retries || !isTransient(outcome, outgoing)
    const wait = isLast ? null : waitBefore(attempt, askedOf(outcome))
    if (wait === null || wait.leastMs > settings.longestWaitMs) {
      throw outcome instanceof Unanswered
        ? connectionError(outcome, { url, attempts: attempt + 1 })
        : outcome
    }
    await pause(wait.ms, signal)
  }
}

type Failed = FlightdeckError | Unanswered

const isDelivered = (outcome: Delivered | Failed): outcome is Delivered => 'response' in outcome

/** The answer, or why this attempt has none. Throws what the caller's own functions throw. */
async function tryOnce(outgoing: Outgoing, settings: Settings): Promise<Delivered | Failed> {
  const { options } = outgoing
  const timeout = new AbortController()
  const { timeoutMs = settings.timeoutMs } = options
  const timer = setTimeout(() => timeout.abort(), timeoutMs)
  const signals = options.signal ? [options.signal, timeout.signal] : [timeout.signal]
  try {
    const response = await exchange(outgoing, settings, AbortSignal.any(signals))
    return await deliveredOf(response, outgoing)
  } catch (error) {
    options.signal?.throwIfAborted()
    if (timeout.signal.aborted) return new Unanswered(error, timeoutMs)
    if (error instanceof Unanswered || error instanceof FlightdeckError) return error
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function deliveredOf(
  response: Response,
  { method, isStreamed }: Outgoing,
): Promise<Delivered> {
  const { ok, status } = response
  if (!ok && status !== 304) throw await errorOf(response)
  if (isStreamed) await throwIfPage(response)
  const hasBody = !isStreamed && status !== 204 && status !== 304 && !/^head$/i.test(method)
  return { response, body: hasBody ? await jsonOf(response) : undefined }
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
    // The next address gets no token, and of a redirected POST only a GET.
    redirect: 'manual',
    signal,
    ...(body === undefined ? {} : { body }),
  })
  const request = onRequest?.(made) ?? made
  const response = await answered(() => send(request))
  onResponse?.(response, request)
  return response
}

const staleCodes = ['token_expired', 'token_revoked', 'session_expired', 'invalid_token']

const isStale = (failed: Failed) =>
  failed instanceof FlightdeckError && staleCodes.includes(failed.code)

const askedOf = (failed: Failed): number | null =>
  failed instanceof FlightdeckError ? failed.retryAfterSeconds : null

/** An attempt without an answer may have done its work: retry only what is safe to repeat. */
function isTransient(failed: Failed, outgoing: Outgoing): boolean {
  const isRepeatable = isRead(outgoing) || keyHeader in outgoing.headers
  if (failed instanceof Unanswered) return isRepeatable
  const { retry, status } = failed
  return retry === 'transient' && status !== 500 && (status === 429 || isRepeatable)
}
