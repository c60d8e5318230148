import { type Egress, type EgressSettings, openEgress } from '../../egress/connect.ts'
import { inSeconds } from '../../values/failure-text.ts'
import { bodyText, emptyResponse, type ReceivedResponse, storedHeaders } from './answer.ts'
import { type ExchangeResult, exchange, type Post } from './exchange.ts'
import { type Failure, failure, failureOfStatus, unexpectedFailure } from './failure.ts'

/** The outcome of one attempt. */
export type SendOutcome = {
  /** RFC 3339, by the real clock. */
  started_at: string
  duration_ms: number
  /** The IP address connected to, or tried last; null if none was tried. */
  address: string | null
  response_status: number | null
  /** Names in lower case. */
  response_headers: Record<string, string> | null
  /** The first 16 KiB. */
  response_body: string | null
  /** Null exactly when the attempt succeeded: an answer of 2xx, complete or 64 KiB long, in time. */
  error: Failure | null
}

export type SendRequest = {
  /** http or https. User-info in it is not sent. */
  url: string
  headers: Readonly<Record<string, string>>
  body: string | Uint8Array
}

export type Sender = {
  /** Posts once. Never throws; the signal ends it with the failure `aborted`. */
  send(request: SendRequest, signal?: AbortSignal): Promise<SendOutcome>
  /** Aborts attempts in flight and closes all connections. */
  close(): void
}

export type SenderSettings = EgressSettings & { totalTimeoutMs?: number }

/** More addresses than these are checked, but not tried. */
const maxAddresses = 4

/**
 * Posts to URLs chosen by clients. Redirects are not followed, nothing is decompressed, at most
 * 64 KiB of an answer are read, and idle connections are kept for 10 s. There are as many
 * connections as concurrent sends, which the caller must limit.
 */
export function openSender({ totalTimeoutMs = 15_000, ...settings }: SenderSettings): Sender {
  const egress = openEgress(settings)
  const closing = new AbortController()

  return {
    async send(request, signal) {
      const startedAt = new Date()
      const began = performance.now()
      const attempt: SendAttempt = {
        answer: emptyResponse(),
        address: null,
        isOver: false,
        drop() {},
      }
      const stop = stopAfter(totalTimeoutMs, [closing.signal, ...(signal ? [signal] : [])], attempt)
      const posted = post(request, attempt, egress).catch(unexpectedFailure)
      const error = await Promise.race([stop.failure, posted])
      stop.cancel()
      return {
        started_at: startedAt.toISOString(),
        duration_ms: Math.round(performance.now() - began),
        address: attempt.address,
        ...responded(attempt.answer),
        error: verdict(attempt.answer, error),
      }
    },
    close() {
      closing.abort()
      egress.close()
    },
  }
}

/** The state of an attempt in flight. */
type SendAttempt = {
  answer: ReceivedResponse
  address: string | null
  isOver: boolean
  /** Ends the connection in use. */
  drop(): void
}

const responded = (answer: ReceivedResponse) => ({
  response_status: answer.status,
  response_headers: storedHeaders(answer),
  response_body: bodyText(answer),
})

/** A non-2xx status takes precedence over a truncated answer. */
function verdict({ status }: ReceivedResponse, error: Failure | null): Failure | null {
  if (status === null || error?.kind === 'aborted') return error
  return failureOfStatus(status) ?? error
}

const aborted = failure('aborted', 'the attempt was aborted')

function stopAfter(totalMs: number, signals: readonly AbortSignal[], attempt: SendAttempt) {
  const { promise, resolve } = Promise.withResolvers<Failure>()
  const stop = (reason: Failure) => {
    attempt.isOver = true
    attempt.drop()
    resolve(reason)
  }
  const abort = () => stop(aborted)
  const timer = setTimeout(() => stop(timedOut(totalMs, attempt.answer)), totalMs)
  for (const signal of signals) signal.addEventListener('abort', abort)
  if (signals.some((signal) => signal.aborted)) abort()
  return {
    failure: promise,
    cancel() {
      clearTimeout(timer)
      for (const signal of signals) signal.removeEventListener('abort', abort)
    },
  }
}

function timedOut(totalMs: number, { status }: ReceivedResponse): Failure {
  const what = status === null ? 'no answer' : 'the answer was not complete'
  return failure('timeout', `${what} within ${inSeconds(totalMs)}`)
}

async function post(
  { url: text, headers, body }: SendRequest,
  attempt: SendAttempt,
  egress: Egress,
): Promise<Failure | null> {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return failure('other', 'the URL is not http(s)')
  const until = performance.now() + egress.connectTimeoutMs
  const destination = await egress.destinationOf(url)
  if ('fault' in destination) return destination.fault
  const message: Post = {
    path: url.pathname + url.search,
    headers: { ...headers, 'accept-encoding': 'identity' },
    body,
    isTls: url.protocol === 'https:',
  }
  const { origin } = destination
  const addresses = destination.addresses.slice(0, maxAddresses)
  let result: ExchangeResult = { failure: aborted, isConnected: false }
  for (const [index, address] of addresses.entries()) {
    if (attempt.isOver) break
    const isLast = index === addresses.length - 1
    const leftMs = Math.max(1, until - performance.now())
    // Leave time for the next address.
    const connectMs = isLast ? leftMs : leftMs / 2
    result = await postTo({ origin, address, connectMs }, message, { attempt, egress })
    if (result.isConnected) break
  }
  return result.failure
}

type Route = { origin: string; address: string; connectMs: number }

/**
 * The receiver may close an idle connection just as the request is sent. That is no failure of the
 * receiver, so the request is repeated over a new connection.
 */
async function postTo(
  { origin, address, connectMs }: Route,
  message: Post,
  { attempt, egress }: { attempt: SendAttempt; egress: Egress },
): Promise<ExchangeResult> {
  const postOver = (from?: 'new') => {
    const connection = egress.connections.take(origin, address, from)
    attempt.address = address
    attempt.drop = connection.drop
    const { connectTimeoutMs } = egress
    const run = { answer: attempt.answer, connectMs, connectTimeoutMs }
    const result = exchange(connection, message, run)
    return { result, isReused: connection.isReused }
  }
  const first = postOver()
  const result = await first.result
  const isStale = first.isReused && attempt.answer.status === null && isTruncated(result.failure)
  return isStale && !attempt.isOver ? postOver('new').result : result
}

const isTruncated = (failure: Failure | null) =>
  failure?.kind === 'closed_early' || failure?.kind === 'reset'
