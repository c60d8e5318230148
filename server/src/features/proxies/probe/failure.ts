import { errorCode, errorMessage } from '../../../values/errors.ts'
import { storable } from '../../../values/failure-text.ts'

/** A failed check, worded for the proxy's operator; shown in `last_check.error`. */
export class ProbeFailure extends Error {}

export const wrongCredentials = 'proxy authentication failed'

const noRoute = 'there is no route to the proxy'
const closedEarly = 'the connection was closed before an answer came'

const wordsByCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the proxy refused the connection',
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  EHOSTDOWN: noRoute,
  ENETDOWN: noRoute,
  EADDRNOTAVAIL: noRoute,
  ETIMEDOUT: 'the connection to the proxy went silent',
  ECONNRESET: closedEarly,
  ECONNABORTED: closedEarly,
  EPIPE: closedEarly,
  HPE_HEADER_OVERFLOW: 'the headers of the answer exceed 16 KiB',
}

/** Any connection error as a readable message. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the check failed'
  if (error instanceof ProbeFailure) return storable(error.message)
  const code = errorCode(error) ?? ''
  const known = wordsByCode[code]
  if (known !== undefined) return known
  return code.startsWith('HPE_') ? 'the answer is not HTTP' : storable(error.message)
}

/** Drops OpenSSL source files and Node.js option hints from the message. */
export function failureOfTls(error: unknown, peer: string): ProbeFailure {
  const isOfOpenSsl = error instanceof Error && 'reason' in error
  const reason = isOfOpenSsl ? String(error.reason) : errorMessage(error)
  return new ProbeFailure(`no TLS with ${peer}: ${reason.split('; if the root CA ', 1)[0]}`)
}
