import { isSignedText, signText } from '../../crypto/cipher.ts'
import type { Resealer, SealedRow, SealedTable } from '../../crypto/sealed-table.ts'
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
  { crypto: { cipher } }: Services,
  organizationId: string,
  { sequence, hash, prunedAt }: Omit<Anchor, 'seal'>,
): string => signText(cipher, signedTextOf(organizationId, { sequence, hash, prunedAt }), purpose)

const signedTextOf = (organizationId: string, { sequence, hash, prunedAt }: Omit<Anchor, 'seal'>) =>
  [organizationId, sequence, hash, prunedAt].join('\n')

/** Whether the service wrote the anchor and it is unchanged. */
export function isSealed({ services, organization }: Context, anchor: Anchor): boolean {
  const text = signedTextOf(organization.id, anchor)
  return isSignedText(services.crypto.cipher, { text, signed: anchor.seal }, purpose)
}

export const sealedAnchors: SealedTable = {
  table: 'audit_anchors',
  key: { organization_id: 'text' },
  columns: { seal: { type: 'text', reseal: resealAnchor } },
  bound: ['sequence', 'hash', 'pruned_at'],
}

function resealAnchor(signed: string, row: SealedRow, resealer: Resealer): string {
  const { organization_id, sequence, hash, pruned_at } = row
  const anchor = { sequence: Number(sequence), hash: String(hash), prunedAt: String(pruned_at) }
  return resealer.signed(signed, signedTextOf(String(organization_id), anchor), purpose)
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
