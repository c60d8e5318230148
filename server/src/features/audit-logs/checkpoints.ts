import type { Row } from '../../database/tables/tenant-tables.ts'
import { columnsOf } from '../../database/tables/types.ts'
import type { Context } from '../../kernel/context.ts'
import { rowsOf } from '../../kernel/rows.ts'
import { timeRange } from '../../query/filters.ts'
import { type ListShape, type Page, pageOf, type Query } from '../../query/list.ts'
import type { Checkpoints } from './chain.ts'
import { type FindKey, signedFor } from './checkpoint-signature.ts'
import type { AuditCheckpoint } from './schema.ts'

export const checkpointList: ListShape<'audit_checkpoints'> = {
  table: 'audit_checkpoints',
  filters: {
    ...timeRange('signed', 'signed_at'),
    // Checkpoints never change: both time filters mean `signed_at`.
    ...timeRange('created', 'signed_at'),
    ...timeRange('updated', 'signed_at'),
  },
  sorts: ['sequence'],
}

export const listCheckpoints = (ctx: Context, query: Query): Promise<Page<AuditCheckpoint>> =>
  pageOf(ctx, { list: checkpointList, query, present: toCheckpoint })

const toCheckpoint = (row: Row<'audit_checkpoints'>): AuditCheckpoint => ({
  sequence: row.sequence,
  head_hash: row.head_hash,
  signed_at: row.signed_at,
  key_id: row.key_id,
  signature: row.signature,
})

/** Looks up each key once per verification. */
export function findKeysOf({ services }: Context): FindKey {
  const found = new Map<string, ReturnType<FindKey>>()
  return (id) => {
    const key = found.get(id) ?? services.identity.tokens.publicKey(id)
    found.set(id, key)
    return key
  }
}

/** A range of the chain by sequence: after (exclusive) to upTo (inclusive). */
export type Span = { after: number; upTo: number }

/** The checkpoints within a range, each signature verified. */
export async function marksWithin(
  ctx: Context,
  { after, upTo }: Span,
  findKey: FindKey,
): Promise<Checkpoints> {
  const query = rowsOf(ctx, 'audit_checkpoints')
    .select(columnsOf.audit_checkpoints)
    .where('sequence', '>', after)
    .where('sequence', '<=', upTo)
  const rows = await ctx.reader.query<Row<'audit_checkpoints'>>(query.compile())
  const marks = rows.map(async (row) => {
    const isOurs = (await signedFor(toCheckpoint(row), findKey)) === ctx.organization.id
    return [row.sequence, isOurs ? row.head_hash : null] as const
  })
  return new Map(await Promise.all(marks))
}
