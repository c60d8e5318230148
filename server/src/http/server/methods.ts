import type { FastifyRequest } from 'fastify'
import { notFound, Problem } from '../../problems/problem.ts'
import { nearestName } from '../../values/nearest-name.ts'
import { type Endpoint, methodsOf } from '../endpoint.ts'
import { apiPrefix } from '../pipeline.ts'
import { acceptPatch } from '../request/body.ts'

/** An existing path and its methods. */
export type KnownPath = { path: string; methods: readonly string[] }

export const pathsOfEndpoints = (endpoints: readonly Endpoint[], prefix = apiPrefix): KnownPath[] =>
  endpoints.map((endpoint) => ({
    path: `${prefix}${endpoint.path}`,
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

/** 404 for a path that no route matches, with the path that was probably meant. */
export function noRoute(
  { url, method }: Pick<FastifyRequest, 'url' | 'method'>,
  known: readonly KnownPath[],
): Problem {
  const path = url.split('?', 1)[0] ?? url
  if (path.length > maxShownPath) return notFound()
  const meant = similarPath(path, known)
  const hint = meant ? `; did you mean ${meant}?` : ''
  return new Problem('not_found', `No route ${method} ${path.toWellFormed()}${hint || '.'}`)
}

const maxShownPath = 200

/** A known path that differs by the prefix, a slash at the end or a misspelled segment. */
function similarPath(path: string, known: readonly KnownPath[]): string | undefined {
  const trimmed = path.replace(/(?<=[^/])\/$/, '')
  const isKnown = (path: string) => known.some((one) => matches(one.path, path))
  if (trimmed !== path && isKnown(trimmed)) return trimmed
  if (isKnown(`${apiPrefix}${trimmed}`)) return `${apiPrefix}${trimmed}`
  const parts = trimmed.split('/')
  for (const [at, part] of parts.entries()) {
    const names = known.map((one) => one.path.split('/')[at] ?? '').filter(isLiteral)
    const nearest = nearestName(part, [...new Set(names)])
    const corrected = parts.with(at, nearest ?? part).join('/')
    if (nearest && isKnown(corrected)) return corrected
  }
  return undefined
}

const isLiteral = (segment: string) => segment !== '' && !segment.startsWith(':')

function notAllowed(method: string, methods: readonly string[]): Problem {
  const allowed = [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)].sort()
  return new Problem('method_not_allowed', `This path does not support ${method}.`, {
    headers: { allow: allowed.join(', '), ...(allowed.includes('PATCH') && acceptPatch) },
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
