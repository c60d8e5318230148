import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Fault } from '../../problems/fault.ts'
import type { FaultCode } from '../../problems/fault-codes.ts'
import { faultSummary, Problem } from '../../problems/problem.ts'
import type { Endpoint } from '../endpoint.ts'
import { countHeaders } from '../server/protocol-checks.ts'

/** Validated request headers that affect an endpoint. */
export type ReadHeaders = {
  ifMatch: readonly number[] | '*' | null
  idempotencyKey: string | null
  reason: string | null
  overrideReason: string | null
}

const entityTags = /^\s*(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*\s*$/
const printableAscii = /^[\x20-\x7e]{1,255}$/
const maxReasonLength = 500

type SentHeaders = Pick<IncomingMessage, 'headers' | 'rawHeaders'>

/** `takesKey`: an `Idempotency-Key` holds here; elsewhere it is ignored, whatever it is. */
type HeaderRules = { takesKey: boolean }

export function readHeaders(
  { headers, rawHeaders }: SentHeaders,
  { takesKey }: HeaderRules,
): ReadHeaders {
  const faults: Fault[] = []
  const refuse: Refuse = (header, message, code = 'invalid_format') => {
    faults.push({ header, code, message })
    return null
  }
  const read = {
    ifMatch: readIfMatch(headers['if-match'], refuse),
    idempotencyKey: takesKey ? readKey(headers['idempotency-key'], rawHeaders, refuse) : null,
    reason: readReason(headers['x-audit-reason'], (message) => refuse('X-Audit-Reason', message)),
    overrideReason: readReason(headers['x-override-reason'], (message) =>
      refuse('X-Override-Reason', message),
    ),
  }
  if (faults.length > 0) throw new Problem('invalid_header', faultSummary(faults), { faults })
  return read
}

/** The reason for the audit record of a request refused before its headers are validated. */
export const reasonIn = (headers: IncomingHttpHeaders): string | null =>
  readReason(headers['x-audit-reason'], () => null)

const keyHeader = 'idempotency-key'

type Refuse = (header: string, message: string, code?: FaultCode) => null
type HeaderValue = string | string[] | undefined

/** Proxies that compress make tags weak: the version in them is the same. */
function readIfMatch(value: string | undefined, refuse: Refuse): ReadHeaders['ifMatch'] {
  if (value === undefined) return null
  if (value.trim() === '*') return '*'
  if (!entityTags.test(value)) return refuse('If-Match', 'must be an ETag such as "3", in quotes')
  return [...value.matchAll(/"([^"]*)"/g)].map(([, tag]) =>
    /^\d{1,9}$/.test(tag ?? '') ? Number(tag) : -1,
  )
}

function readKey(value: HeaderValue, raw: readonly string[], refuse: Refuse): string | null {
  if (value === undefined) return null
  // Node joins repeated headers into one value.
  if (countHeaders(raw, keyHeader) > 1)
    return refuse('Idempotency-Key', 'is sent more than once', 'duplicate_item')
  if (typeof value === 'string' && printableAscii.test(value)) return value
  return refuse('Idempotency-Key', 'must be 1 to 255 printable ASCII characters')
}

function readReason(value: HeaderValue, refuse: (message: string) => null): string | null {
  if (value === undefined) return null
  // Node decodes header bytes as Latin-1, but clients send UTF-8.
  const text = Buffer.from(String(value), 'latin1').toString('utf8').trim()
  const isShort = [...text].length <= maxReasonLength
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are refused
  if (isShort && !/[\u0000-\u001f\u007f\ufffd]/.test(text)) return text === '' ? null : text
  return refuse(`must be text of at most ${maxReasonLength} characters`)
}

/** RFC 9110: `If-None-Match` compares weakly. */
export const matchesTag = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.trim() === '*' ||
  ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)

/** Whether the client reads what it has in this version already. */
function hasVersion({ method, headers }: FastifyRequest, etag: string): boolean {
  const known = method === 'GET' || method === 'HEAD' ? headers['if-none-match'] : undefined
  return known !== undefined && matchesTag(known, etag)
}

/** Whether the client has the reply already. */
export const isUnchanged = (
  { variesBeside }: Pick<Endpoint, 'variesBeside'>,
  request: FastifyRequest,
  etag: string,
): boolean => hasVersion(request, etag) && !variesBeside?.(request.opened?.query ?? {})
