import type { IncomingMessage, Server } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { type Fault, Problem } from '../kernel/errors.ts'

export const maxUrlBytes = 8 * 1024

export const targetTooLong = () =>
  new Problem('uri_too_long', 'Path and query have more than 8 KiB.')

/** What Node's parser lets through although no client of ours sends it. */
export function refuseOddRequest({ url, raw }: FastifyRequest): void {
  // Every character of a request target is one byte: Node refuses all others.
  if (url.length > maxUrlBytes) {
    throw targetTooLong()
  }
  const hosts = hostsIn(raw.rawHeaders)
  if (hosts > 1)
    throw badHeader({ header: 'Host', code: 'duplicate_item', message: 'is given twice' })
  if (hosts === 0 && raw.httpVersion === '1.1') {
    throw badHeader({ header: 'Host', code: 'required', message: 'is required by HTTP/1.1' })
  }
  const { expect } = raw.headers
  if (expect !== undefined && !/\b100-continue\b/i.test(expect)) {
    const allowed = ['100-continue']
    const message = 'is not an expectation that is met here'
    throw badHeader({ header: 'Expect', code: 'invalid_enum_value', message, allowed })
  }
}

const badHeader = (fault: Fault) =>
  new Problem('invalid_header', `The header ${fault.header} ${fault.message}.`, { faults: [fault] })

/** Names and values take turns in raw headers. A plain loop: every request comes through here. */
function hostsIn(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts
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
