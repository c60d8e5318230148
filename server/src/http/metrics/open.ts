import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { notFound, Problem } from '../../problems/problem.ts'
import { sha256 } from '../site/digest.ts'
import type { MetricsSources } from './metrics.ts'

export type Metrics = { contentType: string; read(): Promise<string> }

/** Null without a token: the metrics library is loaded only if they can be scraped. */
export async function openMetrics(
  app: FastifyInstance,
  measured: MetricsSources,
): Promise<Metrics | null> {
  if (measured.services.config.metricsToken === null) return null
  const { measure } = await import('./metrics.ts')
  return measure(app, measured)
}

/** 404 if no token is configured, 401 without the right one. */
export function authorizeScraper({ headers }: FastifyRequest, token: string | null): void {
  if (token === null) throw notFound()
  const { authorization } = headers
  if (!authorization) throw new Problem('missing_token', 'The metrics token is missing.')
  const isRight = timingSafeEqual(sha256(authorization), sha256(`Bearer ${token}`))
  if (!isRight) throw new Problem('invalid_token', 'This is not the metrics token.')
}
