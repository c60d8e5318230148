import { isDeepStrictEqual } from 'node:util'
import fastJson from 'fast-json-stringify'
import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { lazy } from '../../src/concurrency/lazy.ts'
import { consoleSession } from '../../src/features/auth/console-session.ts'
import { features } from '../../src/features/index.ts'
import { type Endpoint, methodsOf } from '../../src/http/endpoint.ts'
import { apiPrefix } from '../../src/http/pipeline.ts'
import { routesOf } from '../../src/http/request/path-ids.ts'

type Write = (reply: unknown) => string

/**
 * Fails each request whose reply has members that its schema does not declare: the service writes
 * replies as they are.
 */
export function holdToSchemas(app: FastifyInstance): void {
  app.addHook('preSerialization', async ({ method, routeOptions, url }, { statusCode }, reply) => {
    // A dry run adds its warnings.
    if (statusCode >= 300 || url.includes('validate_only=true')) return reply
    const asked = `${method === 'HEAD' ? 'GET' : method} ${routeOptions.url}`
    const write = (statusCode === 201 && writers.get(`${asked} 201`)) || writers.get(asked)
    if (write && !isDeclared(reply, write())) {
      throw new Error(`${method} ${routeOptions.url} replies with undeclared members`)
    }
    return reply
  })
}

const isDeclared = (reply: unknown, write: Write): boolean =>
  isDeepStrictEqual(JSON.parse(write(reply)), JSON.parse(JSON.stringify(reply)))

/** By method and path of the route. */
const writers = new Map<string, () => Write>([
  ...writersOf(routesOf(features), apiPrefix),
  ...writersOf(consoleSession, ''),
])

function writersOf(endpoints: readonly Endpoint[], prefix: string): [string, () => Write][] {
  return endpoints.flatMap((endpoint) => {
    const { path, reply, alsoMakes } = endpoint
    const replies: [string, TSchema | undefined][] = [
      ['', reply],
      [' 201', alsoMakes?.reply],
    ]
    return replies.flatMap(([status, schema]) => {
      if (!schema) return []
      const write = lazy(() => fastJson(optional(schema)))
      return methodsOf(endpoint).map((method): [string, () => Write] => [
        `${method} ${prefix}${path}${status}`,
        write,
      ])
    })
  })
}

/** Selected fields leave members out. */
const optional = (schema: TSchema): object =>
  JSON.parse(
    JSON.stringify(schema, (name, value) =>
      name === 'required' && Array.isArray(value) ? undefined : value,
    ),
  )
