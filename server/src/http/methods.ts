import type { FastifyRequest } from 'fastify'
import { Problem } from '../kernel/errors.ts'
import { type Endpoint, methodsOf } from './endpoint.ts'
import { apiPrefix } from './routes.ts'

/** 405 with `Allow` when the path exists with other methods; undefined when it does not exist. */
export function methodNotAllowed(
  endpoints: readonly Endpoint[],
  { url, method }: Pick<FastifyRequest, 'url' | 'method'>,
): Problem | undefined {
  const path = url.split('?', 1)[0] ?? url
  const methods = endpoints
    .filter((endpoint) => patternOf(endpoint.path).test(path))
    .flatMap((endpoint) => [...methodsOf(endpoint)])
  if (methods.length === 0) return undefined
  const allowed = [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)].sort()
  return new Problem('method_not_allowed', `This path does not take ${method}.`, {
    headers: { allow: allowed.join(', ') },
    members: { allowed_methods: allowed },
  })
}

const patternOf = (path: string) =>
  new RegExp(`^${apiPrefix}${path.replaceAll(/:\w+/g, '[^/]+')}$`)
