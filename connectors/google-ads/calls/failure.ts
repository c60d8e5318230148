import type { NetworkAnswer } from '../../kit/src/connect.ts'
import { isObject, type Json } from './rows.ts'

/** `GoogleAdsFailure`, as it stands in the details of an error. */

export type PathElement = { fieldName: string; index: number | null }

export type GoogleError = {
  /** The member of `error_code`, such as `campaignError`. */
  error: string
  /** The word of it, such as `DUPLICATE_CAMPAIGN_NAME`. */
  word: string
  message: string
  path: PathElement[]
  /** Seconds of `retry_delay`. */
  retrySeconds: number | null
  /** Whether a limit is of the credential, not of one account. */
  isOfCredential: boolean
  /** The least budget that the network names. */
  minimumMicros: string | null
}

export type Failure = { errors: GoogleError[]; requestId: string | null }

const mostText = 1_000
const text = (value: unknown): string => (typeof value === 'string' ? value.slice(0, mostText) : '')

/** The errors of an answer; null where it has none of the network’s own. */
export function errorsIn(answer: NetworkAnswer): Failure | null {
  const error = errorObjectIn(answer)
  if (!isObject(error) || !Array.isArray(error.details)) return null
  const failures = error.details.filter(
    (each): each is Json => isObject(each) && Array.isArray(each.errors),
  )
  const [failure] = failures
  if (!failure || !Array.isArray(failure.errors)) return null
  const requestId = text(failure.requestId)
  return {
    errors: failure.errors.filter(isObject).map(errorOf),
    requestId: requestId === '' ? null : requestId,
  }
}

/** An error of Google that is none of Google Ads’ own, such as of a Cloud project: `google.rpc.ErrorInfo`. */
export type CommonError = { reason: string; message: string }

export function commonErrorIn(answer: NetworkAnswer): CommonError | null {
  const error = errorObjectIn(answer)
  if (!isObject(error) || !Array.isArray(error.details)) return null
  const info = error.details.filter(isObject).find(({ reason }) => text(reason) !== '')
  return info ? { reason: text(info.reason), message: text(error.message) } : null
}

/** The error of a stream is in a list, where parts of the answer may stand before it. */
function errorObjectIn(answer: NetworkAnswer): unknown {
  const body = parsed(answer.text)
  const parts: unknown[] = Array.isArray(body) ? body : [body]
  return parts.filter(isObject).find(({ error }) => error !== undefined)?.error ?? null
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

function errorOf(json: Json): GoogleError {
  const [[error = 'unknownError', word = ''] = []] = isObject(json.errorCode)
    ? Object.entries(json.errorCode)
    : []
  const details = isObject(json.details) ? json.details : {}
  return {
    error,
    word: text(word),
    message: text(json.message) || `Google Ads refuses it: ${error}.`,
    path: pathIn(json.location),
    retrySeconds: secondsIn(details.quotaErrorDetails),
    isOfCredential:
      isObject(details.quotaErrorDetails) && details.quotaErrorDetails.rateScope === 'DEVELOPER',
    minimumMicros: minimumIn(details.budgetPerDayMinimumErrorDetails),
  }
}

function pathIn(location: unknown): PathElement[] {
  const elements = isObject(location) ? location.fieldPathElements : null
  if (!Array.isArray(elements)) return []
  return elements.filter(isObject).map(({ fieldName, index }) => ({
    fieldName: text(fieldName),
    index: typeof index === 'number' ? index : null,
  }))
}

/** A duration, such as `12.5s`. */
function secondsIn(details: unknown): number | null {
  const delay = isObject(details) ? text(details.retryDelay) : ''
  const [, seconds] = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(delay) ?? []
  return seconds === undefined ? null : Math.ceil(Number(seconds))
}

function minimumIn(details: unknown): string | null {
  if (!isObject(details)) return null
  const { minimumBudgetAmountMicros: daily, minimumBudgetTotalAmountMicros: total } = details
  return text(daily) || text(total) || null
}
