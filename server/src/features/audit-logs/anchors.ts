import type { Context, Services } from '../../kernel/context.ts'
import type { Link } from './chain.ts'

/** The last pruned record; the oldest remaining record continues it. */
export type Anchor = Link & { prunedAt: string; seal: string }

const purpose = 'audit_anchor'

/**
 * Sealed with the master key: signing keys retire after a day, but an anchor must be verifiable for
 * years.
 */
export const sealOf = (
  { cipher }: Services,
  organizationId: string,
  { sequence, hash, prunedAt }: Omit<Anchor, 'seal'>,
): string =>
  cipher.sign([organizationId, sequence, hash, prunedAt].join('\n'), purpose).toString('base64url')

/** Whether the service wrote the anchor and it is unchanged. */
export function isSealed({ services, organization }: Context, anchor: Anchor): boolean {
  const text = [organization.id, anchor.sequence, anchor.hash, anchor.prunedAt].join('\n')
  return services.cipher.verify(text, purpose, Buffer.from(anchor.seal, 'base64url'))
}

/** The organization's anchor; undefined if nothing was ever pruned. */
export async function anchorOf(ctx: Context): Promise<Anchor | undefined> {
  const row = await ctx.reader
    .kysely()
    .selectFrom('audit_anchors')
    .select(['sequence', 'hash', 'pruned_at', 'seal'])
    .where('organization_id', '=', ctx.organization.id)
    .executeTakeFirst()
  return row && { sequence: row.sequence, hash: row.hash, prunedAt: row.pruned_at, seal: row.seal }
}
