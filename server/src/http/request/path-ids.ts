import { notFound } from '../../problems/problem.ts'
import { type IdType, isId } from '../../values/ids.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Feature } from '../feature.ts'

/** The parameters in a path, as the router gives them. */
export type Params = Readonly<Record<string, string>>

/** A path parameter and the type of id it takes. */
export type PathId = { name: string; type: IdType }

/** An endpoint with the ids in its path, outermost first. */
export type Route = Endpoint & { ids: readonly PathId[] }

/** The endpoints of all features. */
export function routesOf(features: readonly Feature[]): Route[] {
  const types = Object.fromEntries(features.flatMap(({ ids = {} }) => Object.entries(ids)))
  return features
    .flatMap(({ endpoints }) => endpoints)
    .map((endpoint) => ({ ...endpoint, ids: idsIn(endpoint.path, types) }))
}

/** Each id follows the name of its collection. */
const idsIn = (path: string, types: NonNullable<Feature['ids']>): PathId[] =>
  [...path.matchAll(/\/(\w+)\/:(\w+)/g)].map(([, collection = '', name = '']) => {
    const type = types[collection]
    if (!type) throw new Error(`no feature declares the ids of /${collection}`)
    return { name, type }
  })

/** Throws 404 for an id that is malformed or of another type. */
export function checkIds(ids: readonly PathId[], params: Params): void {
  if (ids.some(({ name, type }) => !isId(type, params[name] ?? ''))) throw notFound()
}
