import type { IncomingMessage, Server } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { type Fault, notFound, Problem } from '../../problems/problem.ts'

export const maxUrlBytes = 8 * 1024

export const targetTooLong = () =>
  new Problem('uri_too_long', 'Path and query have more than 8 KiB.')

/** Names and values, one after the other. */
const mostRawHeaders = 2 * 100

export const unknownTransferEncoding = () =>
  new Problem('not_implemented', 'The only Transfer-Encoding that is understood is chunked.', {
    // Where the body ends, nobody knows.
    headers: { connection: 'close' },
  })

/** What Node's parser lets through although no client of ours sends it. */
export function checkProtocol({ url, raw }: FastifyRequest): void {
  // Every character of a request target is one byte: Node refuses all others.
  if (url.length > maxUrlBytes) {
    throw targetTooLong()
  }
  if (raw.rawHeaders.length > mostRawHeaders) {
    throw new Problem('headers_too_large', 'There are more than 100 headers.')
  }
  const { expect, 'transfer-encoding': encoding } = raw.headers
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked') {
    throw unknownTransferEncoding()
  }
  if (hasOtherSpelling(url)) throw notFound()
  const hosts = countHeaders(raw.rawHeaders, 'host')
  if (hosts > 1)
    throw badHeader({ header: 'Host', code: 'duplicate_item', message: 'is given twice' })
  if (hosts === 0 && raw.httpVersion === '1.1') {
    throw badHeader({ header: 'Host', code: 'required', message: 'is required by HTTP/1.1' })
  }
  if (expect !== undefined && !/\b100-continue\b/i.test(expect)) {
    const allowed = ['100-continue']
    const message = 'is not an expectation that is met here'
    throw badHeader({ header: 'Expect', code: 'invalid_enum_value', message, allowed })
  }
}

const badHeader = (fault: Fault) =>
  new Problem('invalid_header', `The header ${fault.header} ${fault.message}.`, { faults: [fault] })

/**
 * Our paths need no percent encoding, and end before a fragment. The router would decode the one and
 * cut the other off, so a path would have spellings that rules of a reverse proxy do not know.
 */
function hasOtherSpelling(url: string): boolean {
  if (url.includes('#')) return true
  const encoded = url.indexOf('%')
  if (encoded < 0) return false
  const query = url.indexOf('?')
  return query < 0 || encoded < query
}

/** How often a header came; its name in lower case. A plain loop: every request comes through here. */
export function countHeaders(rawHeaders: readonly string[], wanted: string): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === wanted.length && name.toLowerCase() === wanted) count += 1
  }
  return count
}

/** Expectations that Node would answer by itself, and barely, are requests like any other. */
export function takeExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response)
  })
}

const mostDropped = 8 * 1024 * 1024
const patienceMs = 1_000

/** Reads on for a while: many clients see no answer before they have sent all of their body. */
export async function dropBody(raw: IncomingMessage): Promise<void> {
  if (raw.readableEnded) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, patienceMs)
  let dropped = 0
  const drop = (bytes: Buffer) => {
    dropped += bytes.length
    if (dropped > mostDropped) resolve()
  }
  raw.on('data', drop).once('end', resolve).once('close', resolve)
  await promise
  clearTimeout(timer)
  raw.off('data', drop)
}
