import { setTimeout as sleep } from 'node:timers/promises'
import type { CustomFetch } from 'openid-client'
import { openEgress } from '../../../egress/connect.ts'
import type { Connection } from '../../../egress/connections.ts'
import type { Services } from '../../../kernel/context.ts'
import { errorCode } from '../../../values/errors.ts'
import { urlRefusal } from '../normalize.ts'
import { ProviderTrouble } from './trouble.ts'

const bounds = { bytes: 256 * 1024, ms: 5_000, addresses: 3 }

type Reaching = Pick<Services, 'config' | 'egress'>
type FetchOptions = Parameters<CustomFetch>[1]

/**
 * The only way to a provider: each address is judged by itself, redirects are not followed, and time
 * and size of the answer are bounded.
 */
export const providerFetch =
  (services: Reaching): CustomFetch =>
  async (text, options) => {
    const url = new URL(text)
    const refusal = urlRefusal(text, services)
    if (refusal) throw new ProviderTrouble(`${url.origin} ${refusal}`)
    const { config, egress: reach } = services
    const egress = openEgress({
      allowed: config.egressAllow,
      own: reach.ownAddresses,
      resolve: reach.resolve,
    })
    try {
      const destination = await egress.destinationOf(url)
      if ('fault' in destination) throw new ProviderTrouble(destination.fault.message)
      const { origin, addresses } = destination
      const connections = addresses
        .slice(0, bounds.addresses)
        .map((address) => () => egress.connections.take(origin, address))
      return await inTime(url, askFirst(connections, url, options))
    } finally {
      egress.close()
    }
  }

async function inTime(url: URL, answer: Promise<Response>): Promise<Response> {
  const stop = new AbortController()
  const late = sleep(bounds.ms, undefined, { signal: stop.signal, ref: false }).then(() => {
    throw new ProviderTrouble(`${url.origin} did not answer within ${bounds.ms / 1000} seconds`)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    late.catch(() => {})
    answer.catch(() => {})
    stop.abort()
  }
}

const unreached = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Tries the next address where a connection was not made. */
async function askFirst(
  connections: readonly (() => Connection)[],
  url: URL,
  options: FetchOptions,
): Promise<Response> {
  const [first, ...others] = connections
  if (!first) throw new ProviderTrouble(`${url.hostname} has no address`)
  const connection = first()
  try {
    return await ask(connection, url, options)
  } catch (error) {
    if (others.length > 0 && unreached.has(errorCode(error) ?? '')) {
      return await askFirst(others, url, options)
    }
    throw error
  } finally {
    connection.drop()
  }
}

async function ask({ client }: Connection, url: URL, options: FetchOptions): Promise<Response> {
  const { method, headers, body } = options
  const isForm = body instanceof URLSearchParams
  const answer = await client.request({
    path: `${url.pathname}${url.search}`,
    method: method === 'POST' ? 'POST' : 'GET',
    headers: {
      ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    body: isForm || typeof body === 'string' ? String(body) : null,
    headersTimeout: bounds.ms,
    bodyTimeout: bounds.ms,
  })
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer.body) {
    size += chunk.length
    if (size > bounds.bytes) throw new ProviderTrouble(`${url.origin} answers with too much`)
    chunks.push(chunk)
  }
  const type = answer.headers['content-type']
  const kept = new Headers(typeof type === 'string' ? { 'content-type': type } : {})
  const content = answer.statusCode === 204 || size === 0 ? null : Buffer.concat(chunks)
  return new Response(content, { status: Math.max(answer.statusCode, 200), headers: kept })
}
