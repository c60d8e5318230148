import type { FastifyRequest } from 'fastify'
import type { BareContext, Services } from '../../kernel/context.ts'
import type { RequestFacts } from '../../values/organization.ts'
import { type Endpoint, statusOf } from '../endpoint.ts'
import { pathOf } from './path.ts'

/** Builds the context of a verb from a request. */

export const bareContext = (
  services: Services,
  request: FastifyRequest,
  endpoint: Pick<Endpoint, 'status'>,
): BareContext => ({
  reader: services.database.reader,
  services,
  request: requestFactsOf(request, endpoint),
  timed: request.visit ?? undefined,
})

const requestFactsOf = (
  request: FastifyRequest,
  endpoint: Pick<Endpoint, 'status'>,
): RequestFacts => ({
  id: request.id,
  method: request.method,
  path: pathOf(request),
  status: statusOf(endpoint),
  ip: request.ip,
  user_agent: request.headers['user-agent']?.slice(0, 500).toWellFormed() ?? null,
})
