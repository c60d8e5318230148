import type { FastifyRequest } from 'fastify'
import { Problem } from '../../problems/problem.ts'
import { type Endpoint, methodsOf } from '../endpoint.ts'
import { apiPrefix } from '../pipeline.ts'

/** An existing path and its methods. */
export type KnownPath = { path: string; methods: readonly string[] }

export const pathsOfEndpoints = (endpoints: readonly Endpoint[]): KnownPath[] =>
  endpoints.map((endpoint) => ({
    path: `${apiPrefix}${endpoint.path}`,
    methods: methodsOf(endpoint),
  }))

/**
 * Literal paths and the methods they lack but a parameterized path would match: `GET
 * /campaigns/bulk` is 405, not a campaign.
 */
export function shadowedPaths(known: readonly KnownPath[]): KnownPath[] {
  const literal = [...new Set(known.map(({ path }) => path))].filter((path) => !path.includes(':'))
  return literal.flatMap((path) => {
    const own = known.filter((one) => one.path === path).flatMap(({ methods }) => methods)
    const shadows = known.filter((one) => one.path !== path && matches(one.path, path))
    const others = new Set(shadows.flatMap(({ methods }) => methods))
    const methods = [...others].filter((method) => !own.includes(method))
    return methods.length > 0 ? [{ path, methods }] : []
  })
}

type MethodGuard = (request: Pick<FastifyRequest, 'url' | 'method'>) => Problem | undefined

/**
 * Returns 405 with `Allow` if the path exists with other methods; undefined if it does not exist.
 */
export function methodGuard(known: readonly KnownPath[]): MethodGuard {
  return ({ url, method }) => {
    const path = url.split('?', 1)[0] ?? url
    const found = known.filter((one) => matches(one.path, path))
    const exact = known.filter((one) => one.path === path)
    const methods = (exact.length > 0 ? exact : found).flatMap((one) => one.methods)
    return methods.length === 0 ? undefined : notAllowed(method, methods)
  }
}

function notAllowed(method: string, methods: readonly string[]): Problem {
  const allowed = [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)].sort()
  return new Problem('method_not_allowed', `This path does not support ${method}.`, {
    headers: { allow: allowed.join(', ') },
    members: { allowed_methods: allowed },
  })
}

/** Whether a path matches a template with parameters. */
function matches(template: string, path: string): boolean {
  const [parts, given] = [template.split('/'), path.split('/')]
  const fits = (part: string, at: number) =>
    part.startsWith(':') ? given[at] !== '' : part === given[at]
  return parts.length === given.length && parts.every(fits)
}
