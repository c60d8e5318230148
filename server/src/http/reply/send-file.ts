import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Streamed } from '../endpoint.ts'
import { endOf } from './end.ts'

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/**
 * An error before the first chunk becomes a problem document; a later one cuts the connection, so
 * that a partial file is not mistaken for the whole. Buffers one chunk: the client sets the pace.
 */
export function sendFile(
  { contentType, fileName, chunks, close = () => {} }: Streamed,
  { request, reply }: Exchange,
): unknown {
  reply.header('content-type', contentType)
  if (fileName) reply.header('content-disposition', `attachment; filename="${fileName}"`)
  void endOf(reply).then(close)
  const body = request.method === 'HEAD' ? [] : chunks
  return reply.send(Readable.from(body, { highWaterMark: 1 }))
}
