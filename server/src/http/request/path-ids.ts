import { notFound } from '../../problems/problem.ts'
import { type IdKind, idPrefixes, isId } from '../../values/ids.ts'

/** An id in the path of an endpoint, and what it is the id of. */
export type PathId = { name: string; kind: IdKind }

/** The ids that a path has, outermost first: each follows the name of its collection. */
export const idsIn = (path: string): PathId[] =>
  [...path.matchAll(/\/(\w+)\/:(\w+)/g)].map(([, collection = '', name = '']) => ({
    name,
    kind: kindIn(collection),
  }))

/** Collections whose name is not just the plural of what their ids are called. */
const oddCollections: Readonly<Record<string, IdKind>> = { members: 'user' }

function kindIn(collection: string): IdKind {
  const singular = collection.replace(/ies$/, 'y').replace(/s$/, '')
  const kind = isKind(singular) ? singular : oddCollections[collection]
  if (!kind) throw new Error(`nothing says what the ids of /${collection} are`)
  return kind
}

const isKind = (name: string): name is IdKind => Object.hasOwn(idPrefixes, name)

/** An id that is malformed, or of another kind, names nothing: a plain 404. */
export function checkIds(ids: readonly PathId[], params: unknown): void {
  const given = params as Readonly<Record<string, string>>
  if (ids.some(({ name, kind }) => !isId(kind, given[name] ?? ''))) throw notFound()
}
