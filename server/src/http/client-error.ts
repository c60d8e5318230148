import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { documentOf } from '../kernel/problem-document.ts'
import { problemType } from './problem.ts'

/** A request that Node could not even parse: answered on the bare socket, then closed. */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const requestId = newId('request')
  const problem = problemOf(error.code)
  const body = JSON.stringify(documentOf(problem, { instance: '/', requestId }))
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
      `content-type: ${problemType}`,
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      `x-request-id: ${requestId}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

function problemOf(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Problem('headers_too_large', 'All headers together have more than 16 KiB.')
  }
  return new Problem(
    'invalid_header',
    'The request is not well-formed HTTP/1.1, or came too slowly.',
  )
}
