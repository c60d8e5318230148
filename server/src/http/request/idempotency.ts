import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cipher } from '../../crypto/cipher.ts'
import type { BareContext, Context, Idempotency } from '../../kernel/context.ts'
import { Replay } from '../../kernel/idempotency.ts'
import { Problem } from '../../problems/problem.ts'
import { canonicalJson } from '../../values/canonical-json.ts'
import type { Endpoint } from '../endpoint.ts'
import { isMergePatch } from './body.ts'
import type { ReadHeaders } from './headers.ts'
import type { Params } from './path-ids.ts'
import { searchOf } from './query.ts'

type KeyedRequest = { ctx: Context | BareContext; headers: ReadHeaders }

/** The identity of a request with an `Idempotency-Key`: scope and fingerprint. */
export function idempotencyOf(
  { ctx, headers }: KeyedRequest,
  request: FastifyRequest<{ Params: Params }>,
): Idempotency | undefined {
  const { idempotencyKey } = headers
  if (idempotencyKey === null) return undefined
  if (!('organization' in ctx) || ctx.dryRun) return undefined
  const { actor, services } = ctx
  const path = pathTo(request)
  const scope = `${actor.id} ${request.method} ${path} ${idempotencyKey}`
  // Keyed: a plain digest would allow guessing a password in the body.
  return { scope, ...fingerprintOf(services.crypto.cipher, contentOf(request)) }
}

/**
 * The body, and what says how and where it is written: whether it is merged, and parameters. Without
 * any, it is the body alone.
 */
function contentOf(request: FastifyRequest): string {
  const { url, body = null } = request
  const parameters = new URLSearchParams(searchOf(url))
  parameters.delete('validate_only')
  parameters.sort()
  const kinds = [
    ...(isMergePatch(request) ? ['merged'] : []),
    ...(parameters.size ? [parameters] : []),
  ]
  return [...kinds, canonicalJson(body)].join('\n')
}

/** Whether an `Idempotency-Key` holds: on writes by those who are known. */
export const takesKey = (
  { method }: FastifyRequest,
  { permission, noKey }: Pick<Endpoint, 'permission' | 'noKey'>,
) => method !== 'GET' && method !== 'HEAD' && permission !== null && !noKey

function fingerprintOf(cipher: Cipher, body: string): Omit<Idempotency, 'scope'> {
  const fingerprint = cipher.sign(body, purpose).toString('base64url')
  const isOf = (stored: string) => cipher.verify(body, purpose, Buffer.from(stored, 'base64url'))
  return { fingerprint, isSame: (stored) => stored === fingerprint || isOf(stored) }
}

const purpose = 'idempotency'

/** From the route pattern and ids, as a path may have several spellings. */
const pathTo = ({ routeOptions, params }: FastifyRequest<{ Params: Params }>): string =>
  (routeOptions.url ?? '').replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '')

const inProgress = new Set<string>()

/** Executes a request once per key: a concurrent repeat gets 409, a later one the stored reply. */
export async function runOncePerKey(
  scope: string,
  work: () => Promise<unknown>,
  reply: FastifyReply,
) {
  if (inProgress.has(scope)) {
    throw new Problem(
      'idempotency_in_progress',
      'The first request with this key is still running.',
      {
        headers: { 'retry-after': '1' },
      },
    )
  }
  inProgress.add(scope)
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Replay)) throw error
    reply.header('idempotency-replayed', 'true')
    if (error.reply.status === 201) reply.code(201)
    return error.reply.body
  } finally {
    inProgress.delete(scope)
  }
}
