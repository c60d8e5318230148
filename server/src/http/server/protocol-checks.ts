import type { IncomingMessage, Server } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Fault } from '../../problems/fault.ts'
import { notFound, Problem } from '../../problems/problem.ts'

export const maxUrlBytes = 8 * 1024

export const targetTooLong = () => new Problem('uri_too_long', 'Path and query exceed 8 KiB.')

/** Names and values alternate. */
const maxRawHeaders = 2 * 100

export const unknownTransferEncoding = () =>
  new Problem('not_implemented', 'The only supported Transfer-Encoding is chunked.', {
    // The end of the body is unknown.
    headers: { connection: 'close' },
  })

/** Rejects unusual requests that Node's parser accepts. */
export function checkProtocol({ url, raw }: FastifyRequest): void {
  checkRequestLine(url, raw)
  // The target is single-byte: Node refuses other characters.
  if (url.length > maxUrlBytes) {
    throw targetTooLong()
  }
  if (raw.rawHeaders.length > maxRawHeaders) {
    throw new Problem('headers_too_large', 'The request has more than 100 headers.')
  }
  const { expect, 'transfer-encoding': encoding } = raw.headers
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked') {
    throw unknownTransferEncoding()
  }
  if (hasOtherSpelling(url)) throw notFound()
  const hosts = countHeaders(raw.rawHeaders, 'host')
  if (hosts > 1)
    throw badHeader({ header: 'Host', code: 'duplicate_item', message: 'is sent more than once' })
  if (hosts === 0 && raw.httpVersion === '1.1') {
    throw badHeader({ header: 'Host', code: 'required', message: 'is required by HTTP/1.1' })
  }
  if (expect !== undefined && !/\b100-continue\b/i.test(expect)) {
    const allowed = ['100-continue']
    const message = 'is not a supported expectation'
    throw badHeader({ header: 'Expect', code: 'invalid_enum_value', message, allowed })
  }
}

/** A proxy in front may read a whole URL, or a line without a version, in another way. */
function checkRequestLine(url: string, { method, httpVersion }: IncomingMessage): void {
  const isKnown = httpVersion === '1.1' || httpVersion === '1.0'
  const isPath = url.startsWith('/') || (method === 'OPTIONS' && url === '*')
  if (isKnown && isPath) return
  throw new Problem('invalid_header', 'The request line is not "<method> <path> HTTP/1.1".', {
    headers: { connection: 'close' },
  })
}

const badHeader = (fault: Fault) =>
  new Problem('invalid_header', `The header ${fault.header} ${fault.message}.`, { faults: [fault] })

/**
 * Paths need no percent encoding or fragment. The router would decode or strip them, giving a path
 * spellings that reverse proxy rules miss. Only names that clients chose have characters to encode.
 */
function hasOtherSpelling(url: string): boolean {
  if (url.includes('#')) return true
  const encoded = url.indexOf('%')
  if (encoded < 0) return false
  const query = url.indexOf('?')
  if (query >= 0 && encoded > query) return false
  const path = query < 0 ? url : url.slice(0, query)
  return !beforeNames.some((start) => path.startsWith(start) && isSpeltOnce(path, start.length))
}

const beforeNames = ['/api/v1/results/sources/']

/** Whether nothing is encoded but what a name cannot have otherwise. */
const isSpeltOnce = (path: string, start: number): boolean =>
  !encodedUnreserved.test(path.slice(start))

/** Letters, digits and `-._~` (RFC 3986, 2.3). */
const encodedUnreserved = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/i

/** Counts a header by its lower-case name. A plain loop: it runs on every request. */
export function countHeaders(rawHeaders: readonly string[], headerName: string): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === headerName.length && name.toLowerCase() === headerName) count += 1
  }
  return count
}

/** Handles `Expect` as an ordinary request instead of leaving it to Node. */
export function takeExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response)
  })
}

const maxDropped = 8 * 1024 * 1024
const patienceMs = 1_000

/** Drains the body for a while: many clients read the response only after sending everything. */
export async function dropBody(raw: IncomingMessage): Promise<void> {
  if (raw.readableEnded) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, patienceMs)
  let dropped = 0
  const drop = (bytes: Buffer) => {
    dropped += bytes.length
    if (dropped > maxDropped) resolve()
  }
  raw.on('data', drop).once('end', resolve).once('close', resolve)
  await promise
  clearTimeout(timer)
  raw.off('data', drop)
}
