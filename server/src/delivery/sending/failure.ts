import { errors } from 'undici'
import type { EgressFault } from '../../egress/connect.ts'
import { errorCode } from '../../values/errors.ts'
import { inSeconds, storable } from '../../values/failure-text.ts'

/** The kind of a failed attempt, by the step that failed. */
export type FailureKind =
  | EgressFault['kind']
  | 'connect_refused'
  | 'connect_timeout'
  | 'unreachable'
  | 'tls'
  | 'reset'
  | 'closed_early'
  | 'timeout'
  | 'headers_too_large'
  | 'invalid_response'
  | 'http_status'
  | 'aborted'
  | 'other'

/** `message` is for the operator of the receiver. */
export type Failure = { kind: FailureKind; message: string }

export const failure = (kind: FailureKind, message: string): Failure => ({ kind, message })

const isSuccess = (status: number) => status >= 200 && status <= 299
const isRedirect = (status: number) => status >= 300 && status <= 399 && status !== 304

/** The failure for an answer's status; null for 2xx. */
export function failureOfStatus(status: number): Failure | null {
  if (isSuccess(status)) return null
  const more = isRedirect(status) ? ', a redirect, which is not followed' : ''
  return failure('http_status', `the receiver answered ${status}${more}`)
}

const reset = failure('reset', 'the receiver reset the connection')
const unreachable = failure('unreachable', 'there is no route to the receiver')
const closedEarly = failure('closed_early', 'the connection closed before the answer was complete')
const lengthMismatch = failure('closed_early', 'the answer is not as long as it announced')
const headersTooLarge = failure('headers_too_large', 'the headers of the answer exceed 16 KiB')

const failuresByCode: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: failure('connect_refused', 'the receiver refused the connection'),
  ECONNRESET: reset,
  ECONNABORTED: reset,
  EPIPE: reset,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EHOSTDOWN: unreachable,
  ENETDOWN: unreachable,
  EADDRNOTAVAIL: unreachable,
  ETIMEDOUT: failure('timeout', 'the connection went silent'),
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: lengthMismatch,
  UND_ERR_HEADERS_OVERFLOW: headersTooLarge,
}

type Circumstances = { isConnected: boolean; isTls: boolean; connectTimeoutMs: number }

/** The failure for an error of undici, a socket or TLS. */
export function failureOf(error: Error, circumstances: Circumstances): Failure {
  const code = errorCode(error) ?? ''
  if (!circumstances.isConnected && isTimeout(code)) {
    return noConnection(circumstances.connectTimeoutMs)
  }
  const known = failuresByCode[code]
  if (known) return known
  if (code === 'UND_ERR_SOCKET') return failureOfSocket(error)
  if (error instanceof errors.HTTPParserError) return failureOfParser(error)
  if (code.startsWith('UND_ERR')) return unexpectedFailure(error)
  const isHandshake = !circumstances.isConnected && circumstances.isTls
  return failure(isHandshake ? 'tls' : 'other', storable(error.message))
}

/** For unknown errors, as every attempt needs an outcome. */
export const unexpectedFailure = (error: Error): Failure =>
  failure('other', storable(error.message))

const isTimeout = (code: string) => code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT'

export const noConnection = (connectTimeoutMs: number): Failure =>
  failure('connect_timeout', `no connection within ${inSeconds(connectTimeoutMs)}`)

/** undici says `other side closed` or `closed`; or `bad response`, `bad upgrade`. */
function failureOfSocket(error: Error): Failure {
  if (!error.message.startsWith('bad')) return closedEarly
  return failure('invalid_response', 'the receiver sent an answer that does not fit the request')
}

const failureOfParser = (error: Error): Failure =>
  error.message.includes('EOF') ? closedEarly : failure('invalid_response', storable(error.message))
