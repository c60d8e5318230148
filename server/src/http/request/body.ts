import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../problems/problem.ts'
import type { Endpoint } from '../endpoint.ts'
import { announcedBytes } from '../server/traffic.ts'
import { parseJson } from './json.ts'

export const maxBodyBytes = 1024 * 1024
const maxBytesOfNobody = 2 * 1024

/** A lower limit for endpoints that need no credential. */
export const maxBytesOf = ({ permission }: Endpoint): number =>
  permission === null ? maxBytesOfNobody : maxBodyBytes

const maxMembers = 5_000
const maxMembersOfMany = 50_000

const json = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i
const mergePatch = /^application\/merge-patch\+json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i

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
export function readBody(request: FastifyRequest, { carriesMany }: Endpoint): unknown {
  checkMediaType(request)
  return parseJson(request.body as Buffer, carriesMany ? maxMembersOfMany : maxMembers)
}

const bytesOfUnit = 16 * 1024

/** The number of requests that a body of this size counts as. */
export const costOfBytes = (bytes: number): number => Math.max(1, Math.ceil(bytes / bytesOfUnit))

/** The same from the announced length; throws 413 for an oversized body before reading it. */
export function costAnnounced({ headers }: FastifyRequest, endpoint: Endpoint): number {
  const bytes = announcedBytes(headers) ?? 0
  return bytes > maxBytesOf(endpoint) ? 1 : costOfBytes(bytes)
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
