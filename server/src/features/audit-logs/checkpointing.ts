import type { Services } from '../../kernel/context.ts'
import { signatureOf, wholeSecond } from './checkpoint-signature.ts'

/** Organizations per step: a few milliseconds of signing. */
const atOnce = 200

/**
 * Signs the end of every chain that has grown since its last checkpoint. It signs committed data
 * only, so writers need not wait. Duplicates from two replicas are stored once.
 */
export async function makeCheckpoints(services: Services, signal: AbortSignal) {
  let signed = 0
  let after: string | undefined = ''
  while (after !== undefined && !signal.aborted) {
    const heads: ChainHead[] = await headsAfter(services, after)
    const grown = heads.filter(hasGrown)
    if (grown.length > 0) await signHeads(services, grown)
    signed += grown.length
    after = heads.length < atOnce ? undefined : heads.at(-1)?.organization_id
  }
  return { signed }
}

const headsSql = `
  select h.organization_id, h.audit_sequence as sequence, h.audit_hash as hash,
    (select max(c.sequence) from audit_checkpoints c where c.organization_id = h.organization_id)
      as last_sequence
  from organization_heads h where h.organization_id > $1
  order by h.organization_id limit $2`

type ChainHead = {
  organization_id: string
  sequence: number
  hash: string
  last_sequence: number | null
}

const headsAfter = ({ database }: Services, organizationId: string): Promise<ChainHead[]> =>
  database.reader.query<ChainHead>({ sql: headsSql, parameters: [organizationId, atOnce] })

const hasGrown = ({ sequence, last_sequence }: ChainHead): boolean =>
  sequence > (last_sequence ?? 0)

const insertSql = `
  insert into audit_checkpoints
    (organization_id, sequence, head_hash, signature, signed_at, key_id)
  select organization_id, sequence, head_hash, signature, $5, $6
  from unnest($1::text[], $2::bigint[], $3::text[], $4::text[])
    as signed (organization_id, sequence, head_hash, signature)
  on conflict do nothing`

async function signHeads(services: Services, heads: readonly ChainHead[]): Promise<void> {
  const signedAt = wholeSecond(services.clock.now())
  const key = await services.identity.tokens.signingKey()
  const signatures = await Promise.all(
    heads.map(({ organization_id: organizationId, sequence, hash }) =>
      signatureOf({ organizationId, sequence, hash, signedAt }, key),
    ),
  )
  const parameters = [
    heads.map((head) => head.organization_id),
    heads.map((head) => head.sequence),
    heads.map((head) => head.hash),
    signatures,
    signedAt.toISOString(),
    key.id,
  ]
  await services.database.transaction(async (tx) => tx.send({ sql: insertSql, parameters }))
}
