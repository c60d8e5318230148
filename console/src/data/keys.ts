import type { Kind } from '../kinds.ts'

/** Keys of the query cache: a kind of object, then what is asked of it. */

export const listKey = (kind: Kind, query: object = {}) => [kind, 'list', query] as const
export const objectKey = (kind: Kind, id: string) => [kind, 'object', id] as const
/** The key of a part of an object, such as its history. */
export const partKey = (kind: Kind, id: string, part: string, query: object = {}) =>
  [kind, 'part', id, part, query] as const
