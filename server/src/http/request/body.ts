import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../problems/problem.ts'
import type { Endpoint } from '../endpoint.ts'
import { announcedBytes } from '../server/traffic.ts'
import { parseJson } from './json.ts'

export const maxBodyBytes = 1024 * 1024
const maxBytesOfNobody = 2 * 1024

/** Where no credential is needed, anybody may send it. */
export const mostBytesOf = ({ permission }: Endpoint): number =>
  permission === null ? maxBytesOfNobody : maxBodyBytes

const mostMembers = 5_000
const mostMembersOfMany = 50_000

const json = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i
const mergePatch = /^application\/merge-patch\+json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i

/**
 * One parser for every content type: what is not JSON is refused by us, never skipped by the
 * framework, and an empty body is fine whatever type it claims. It is read by `readBody`, once the
 * rate limit has counted it.
 */
export function acceptBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: FastifyRequest, bytes: Buffer) =>
    bytes.length === 0 ? undefined : bytes,
  )
}

/** What came as bytes, as the value that it says. */
export function readBody(request: FastifyRequest, { carriesMany }: Endpoint): unknown {
  checkMediaType(request)
  return parseJson(request.body as Buffer, carriesMany ? mostMembersOfMany : mostMembers)
}

const bytesOfUnit = 16 * 1024

/** How many requests a body of so many bytes counts as. */
export const costOfBytes = (bytes: number): number => Math.max(1, Math.ceil(bytes / bytesOfUnit))

/** The same, by what its headers say; what is too large is refused unread. */
export function costAnnounced({ headers }: FastifyRequest, endpoint: Endpoint): number {
  const bytes = announcedBytes(headers) ?? 0
  return bytes > mostBytesOf(endpoint) ? 1 : costOfBytes(bytes)
}

function checkMediaType({ headers, method }: FastifyRequest): void {
  const type = headers['content-type']?.trim() ?? ''
  if (!json.test(type) && !(method === 'PATCH' && mergePatch.test(type))) {
    throw new Problem('unsupported_media_type', 'The body is not application/json.', {
      headers: method === 'PATCH' ? { 'accept-patch': 'application/merge-patch+json' } : {},
    })
  }
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Problem('unsupported_media_type', 'Compressed bodies are not accepted.')
  }
}
