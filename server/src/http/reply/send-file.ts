import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Streamed } from '../endpoint.ts'
import { endOf } from './end.ts'

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/**
 * A fault before the first chunk is a problem document; one halfway cuts the connection, so that
 * nobody takes a part for the whole. One chunk waits at a time: the client sets the pace.
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
