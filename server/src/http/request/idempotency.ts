import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BareContext, Context, Idempotency } from '../../kernel/context.ts'
import { Replay } from '../../kernel/idempotency.ts'
import { Problem } from '../../problems/problem.ts'
import { canonicalJson } from '../../values/canonical-json.ts'
import type { Endpoint } from '../endpoint.ts'
import type { ReadHeaders } from './headers.ts'

type KeyedRequest = { ctx: Context | BareContext; headers: ReadHeaders }

export const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? url

/** The identity of a request with an `Idempotency-Key`: scope and fingerprint. */
export function keyOf(
  { ctx, headers }: KeyedRequest,
  request: FastifyRequest,
  endpoint: Endpoint,
): Idempotency | undefined {
  const isScoped = 'organization' in ctx && request.method === 'POST' && !ctx.dryRun
  if (!isScoped || headers.idempotencyKey === null || endpoint.permission === null) return undefined
  const { actor, services } = ctx
  const path = pathTo(request)
  const scope = `${actor.id} ${request.method} ${path} ${headers.idempotencyKey}`
  // Keyed: a plain digest would allow guessing a password in the body.
  const fingerprint = services.cipher.sign(canonicalJson(request.body ?? null), 'idempotency')
  return { scope, fingerprint: fingerprint.toString('base64url') }
}

/** From the route pattern and ids, as a path may have several spellings. */
function pathTo({ routeOptions, params }: FastifyRequest): string {
  const ids = params as Readonly<Record<string, string>>
  return (routeOptions.url ?? '').replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? '')
}

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
    return error.reply.body
  } finally {
    inProgress.delete(scope)
  }
}
