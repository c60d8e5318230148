import { tableByPrefix } from './conditions.ts'
import type { Readers, Seeing } from './readers.ts'

type KnownPrefix = keyof typeof tableByPrefix

const isKnown = (prefix: string): prefix is KnownPrefix => Object.hasOwn(tableByPrefix, prefix)

/** The ids of these that the caller sees; all of them without a scope, whether they exist or not. */
export async function seenAmong(
  ctx: Seeing & Readers,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (!ctx.scope || ids.length === 0) return ids
  const byKind = Map.groupBy(ids, (id) => id.slice(0, 3))
  const found = await Promise.all(
    [...byKind].map(([kind, asked]) => (isKnown(kind) ? seenOf(ctx, kind, asked) : [])),
  )
  return found.flat()
}

async function seenOf(
  { reader, organization }: Seeing & Readers,
  kind: KnownPrefix,
  ids: string[],
) {
  const sql = `select id from ${tableByPrefix[kind]} where organization_id = $1 and id = any($2)`
  const found = await reader.query<{ id: string }>({ sql, parameters: [organization.id, ids] })
  return found.map(({ id }) => id)
}

/** Whether everything of the client is in scope. */
export async function seesWholeClient(ctx: Seeing & Readers, id: unknown): Promise<boolean> {
  if (!ctx.scope) return true
  const sql = 'select id from whole_clients where organization_id = $1 and id = $2'
  return (await ctx.reader.query({ sql, parameters: [ctx.organization.id, id] })).length > 0
}

/** Objects that an answer is about: not the change set that has changed them. */
const about = /"(?:id|campaign_id|profile_id|client_id)":"((?:cmp|prf|cli|dpl|chs)_[0-9a-z]{26})"/g

/** Whether all is seen that an answer, as JSON, is about. */
export async function isSeenWhole(ctx: Seeing & Readers, answer: string): Promise<boolean> {
  if (!ctx.scope) return true
  const ids = new Set([...answer.matchAll(about)].map(([, id = '']) => id))
  return (await seenAmong(ctx, [...ids])).length === ids.size
}
