import type { FastifyInstance } from 'fastify'
import type { Services } from '../kernel/context.ts'
import type { Endpoint } from './endpoint.ts'

export type Site = { services: Services; endpoints: readonly Endpoint[] }

/** What the service answers at its origin, outside /api/v1. */
export function addSite(app: FastifyInstance, { services }: Site): void {
  app.get('/livez', async () => ({ status: 'ok' }))
  app.get('/.well-known/jwks.json', async () => ({ keys: await services.tokens.publicKeys() }))
}
