import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../kernel/errors.ts'
import type { Endpoint } from './endpoint.ts'
import { parseJson } from './json.ts'

export const maxBodyBytes = 1024 * 1024
const maxBytesOfNobody = 16 * 1024

/** Where no credential is needed, anybody may send it. */
export const mostBytesOf = ({ permission }: Endpoint): number =>
  permission === null ? maxBytesOfNobody : maxBodyBytes

const json = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i
const mergePatch = /^application\/merge-patch\+json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i

/**
 * One parser for every content type: what is not JSON is refused by us, never skipped by the
 * framework, and an empty body is fine whatever type it claims.
 */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      if (bytes.length === 0) return undefined
      checkMediaType(request)
      return parseJson(bytes)
    },
  )
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
