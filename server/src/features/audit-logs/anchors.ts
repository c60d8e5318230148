import type { Context, Services } from '../../kernel/context.ts'
import type { Link } from './chain.ts'

/** The last record that was pruned: the oldest one that is left continues it. */
export type Anchor = Link & { prunedAt: string; seal: string }

const purpose = 'audit_anchor'

/**
 * Under the master key, not a signing key: those retire after a day, an anchor must still be
 * provable after years.
 */
export const sealOf = (
  { cipher }: Services,
  organizationId: string,
  { sequence, hash, prunedAt }: Omit<Anchor, 'seal'>,
): string =>
  cipher.sign([organizationId, sequence, hash, prunedAt].join('\n'), purpose).toString('base64url')

/** Whether the service itself wrote the anchor, and nobody has changed it since. */
export function isSealed({ services, organization }: Context, anchor: Anchor): boolean {
  const text = [organization.id, anchor.sequence, anchor.hash, anchor.prunedAt].join('\n')
  return services.cipher.verify(text, purpose, Buffer.from(anchor.seal, 'base64url'))
}

/** The organization's anchor; undefined when nothing was ever pruned. */
export async function anchorOf(ctx: Context): Promise<Anchor | undefined> {
  const row = await ctx.reader
    .kysely()
    .selectFrom('audit_anchors')
    .select(['sequence', 'hash', 'pruned_at', 'seal'])
    .where('organization_id', '=', ctx.organization.id)
    .executeTakeFirst()
  return row && { sequence: row.sequence, hash: row.hash, prunedAt: row.pruned_at, seal: row.seal }
}
