import { notFound } from '../../problems/problem.ts'
import { type IdKind, idPrefixes, isId } from '../../values/ids.ts'

/** A path parameter and the kind of id it takes. */
export type PathId = { name: string; kind: IdKind }

/** The ids in a path, outermost first; each follows its collection's name. */
export const idsIn = (path: string): PathId[] =>
  [...path.matchAll(/\/(\w+)\/:(\w+)/g)].map(([, collection = '', name = '']) => ({
    name,
    kind: kindIn(collection),
  }))

/** Collections whose name is not the plural of their id kind. */
const oddCollections: Readonly<Record<string, IdKind>> = { members: 'user' }

function kindIn(collection: string): IdKind {
  const singular = collection.replace(/ies$/, 'y').replace(/s$/, '')
  const kind = isKind(singular) ? singular : oddCollections[collection]
  if (!kind) throw new Error(`the id kind of /${collection} is not declared`)
  return kind
}

const isKind = (name: string): name is IdKind => Object.hasOwn(idPrefixes, name)

/** Throws 404 for an id that is malformed or of another kind. */
export function checkIds(ids: readonly PathId[], params: unknown): void {
  const given = params as Readonly<Record<string, string>>
  if (ids.some(({ name, kind }) => !isId(kind, given[name] ?? ''))) throw notFound()
}
