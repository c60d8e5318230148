import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../problems/problem.ts'
import type { Endpoint } from '../endpoint.ts'
import { announcedBytes } from '../server/traffic.ts'
import { parseJson } from './json.ts'

export const maxBodyBytes = 1024 * 1024
const maxAnonymousBodyBytes = 2 * 1024

/** A lower limit for endpoints that need no credential. */
export const maxBytesOf = ({ permission, maxBytes = maxBodyBytes }: Endpoint): number =>
  permission === null ? maxAnonymousBodyBytes : maxBytes

const maxMembers = 5_000
const maxMembersOfMany = 50_000

const json = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i
const mergePatch = /^application\/merge-patch\+json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i

const scimJson = /^application\/scim\+json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i

/** The types of bodies that PATCH takes (RFC 5789). */
export const acceptPatch = { 'accept-patch': 'application/json, application/merge-patch+json' }

/**
 * One parser for every content type: non-JSON is refused here rather than skipped by the framework,
 * and an empty body is accepted with any type. `readBody` parses it after the rate limit has
 * counted it.
 */
export function acceptBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: FastifyRequest, bytes: Buffer) =>
    bytes.length === 0 ? undefined : bytes,
  )
}

/** Parses the received bytes. */
export function readBody(
  request: FastifyRequest,
  bytes: Buffer,
  { carriesMany, takes, isScim }: Pick<Endpoint, 'carriesMany' | 'takes' | 'isScim'>,
): unknown {
  if (takes) return { csv: csvTextOf(request, bytes) }
  if (isScim && scimJson.test(typeOf(request.headers))) checkEncoding(request.headers)
  else checkMediaType(request)
  return parseJson(bytes, carriesMany ? maxMembersOfMany : maxMembers)
}

const csv = /^text\/csv[ \t]*(?:;[ \t]*(?:charset="?utf-8"?|header=(?:present|absent))[ \t]*)*$/i

function csvTextOf({ headers }: FastifyRequest, bytes: Buffer): string {
  if (!csv.test(typeOf(headers))) {
    throw new Problem('unsupported_media_type', 'The body is not text/csv in UTF-8.')
  }
  checkEncoding(headers)
  if (isUtf8(bytes)) return bytes.toString('utf8')
  throw new Problem('malformed_json', 'The file is not well-formed UTF-8.')
}

const bytesOfUnit = 16 * 1024

/** The number of requests that a body of this size counts as. */
export const costOfBytes = (bytes: number): number => Math.max(1, Math.ceil(bytes / bytesOfUnit))

/** The same from the announced length; throws 413 for an oversized body before reading it. */
export function costAnnounced({ headers }: FastifyRequest, endpoint: Endpoint): number {
  const bytes = announcedBytes(headers) ?? 0
  return bytes > maxBytesOf(endpoint) ? 1 : costOfBytes(bytes)
}

const typeOf = (headers: FastifyRequest['headers']) => headers['content-type']?.trim() ?? ''

/** Whether the body is a merge patch (RFC 7396). */
export const isMergePatch = ({ headers, method }: Pick<FastifyRequest, 'headers' | 'method'>) =>
  method === 'PATCH' && mergePatch.test(typeOf(headers))

function checkMediaType({ headers, method }: FastifyRequest): void {
  if (!json.test(typeOf(headers)) && !isMergePatch({ headers, method })) {
    throw new Problem('unsupported_media_type', 'The body is not application/json.', {
      headers: method === 'PATCH' ? acceptPatch : {},
    })
  }
  checkEncoding(headers)
}

function checkEncoding(headers: FastifyRequest['headers']): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Problem('unsupported_media_type', 'Compressed bodies are not accepted.')
  }
}
