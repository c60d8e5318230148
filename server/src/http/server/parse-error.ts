import type { Socket } from 'node:net'
import { documentOf } from '../../problems/document.ts'
import { Problem } from '../../problems/problem.ts'
import { newRequestId } from '../../values/core-ids.ts'
import { STATUS_CODES } from '../reason-phrases.ts'
import { problemHeaders } from '../reply/problem.ts'
import { maxUrlBytes, targetTooLong, unknownTransferEncoding } from './protocol-checks.ts'

/** `rawPacket` is the last data received before the parser failed. */
type ClientError = NodeJS.ErrnoException & { rawPacket?: unknown; reason?: string }

/** Responds on the bare socket to a request that Node could not parse, then closes it. */
export function sendParseError(error: ClientError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const requestId = newRequestId()
  const problem = problemOf(error)
  const body = JSON.stringify(documentOf(problem, { instance: '/', requestId }))
  const headers = {
    ...problemHeaders(problem, requestId),
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '',
      body,
    ].join('\r\n'),
  )
}

function problemOf({ code, rawPacket, reason = '' }: ClientError): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return Buffer.isBuffer(rawPacket) && hasLongTarget(rawPacket)
      ? targetTooLong()
      : new Problem('headers_too_large', 'The headers exceed 16 KiB in total.')
  }
  const isOfEncoding = code === 'HPE_INVALID_TRANSFER_ENCODING'
  if (isOfEncoding && !reason.includes('Content-Length')) return unknownTransferEncoding()
  return new Problem(
    'invalid_header',
    'The request is not well-formed HTTP/1.1 or arrived too slowly.',
  )
}

/** The parser counts the target as a header; the first line shows which of them is too long. */
function hasLongTarget(packet: Buffer): boolean {
  const [, target = ''] = /^[A-Z]+ (\S*)/.exec(packet.toString('latin1')) ?? []
  return target.length > maxUrlBytes
}
