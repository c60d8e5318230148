import { Readable } from 'node:stream'
import type { Streamed } from '../endpoint.ts'
import type { Exchange } from '../exchange.ts'
import { endOf } from './end.ts'

export const isStreamed = (result: unknown): result is Streamed =>
  typeof result === 'object' &&
  result !== null &&
  'contentType' in result &&
  typeof result.contentType === 'string' &&
  'chunks' in result &&
  typeof result.chunks === 'object' &&
  result.chunks !== null &&
  Symbol.asyncIterator in result.chunks

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
