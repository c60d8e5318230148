import type { FastifyRequest } from 'fastify'
import { Problem } from '../kernel/errors.ts'
import { type Endpoint, methodsOf } from './endpoint.ts'
import { apiPrefix } from './routes.ts'

/** A path that exists, with the methods that it takes. */
export type KnownPath = { path: string; methods: readonly string[] }

export const pathsOfEndpoints = (endpoints: readonly Endpoint[]): KnownPath[] =>
  endpoints.map((endpoint) => ({
    path: `${apiPrefix}${endpoint.path}`,
    methods: methodsOf(endpoint),
  }))

type MethodGuard = (request: Pick<FastifyRequest, 'url' | 'method'>) => Problem | undefined

/** 405 with `Allow` when the path exists with other methods; undefined when it does not exist. */
export function methodGuard(known: readonly KnownPath[]): MethodGuard {
  const patterns = known.map(({ path, methods }) => ({ pattern: patternOf(path), methods }))
  return ({ url, method }) => {
    const path = url.split('?', 1)[0] ?? url
    const methods = patterns
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((one) => one.methods)
    return methods.length === 0 ? undefined : notAllowed(method, methods)
  }
}

function notAllowed(method: string, methods: readonly string[]): Problem {
  const allowed = [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)].sort()
  return new Problem('method_not_allowed', `This path does not take ${method}.`, {
    headers: { allow: allowed.join(', ') },
    members: { allowed_methods: allowed },
  })
}

const patternOf = (path: string) =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`)
