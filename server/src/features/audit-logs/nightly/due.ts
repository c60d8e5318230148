import { createHash } from 'node:crypto'
import type { Services } from '../../../kernel/context.ts'

/** A chain that is due to be verified; those never verified come first. */
export type DueChain = {
  organization_id: string
  /** Verified up to here; 0 for one that never was. */
  sequence: number
}

const atOnce = 200

/**
 * The longest chain that is first verified from its beginning; that of a longer one begins at the
 * newest checkpoint, as the rest would take hours.
 */
const longestFirst = 10_000_000

const neverSql = `
  select h.organization_id,
    case when h.audit_sequence > ${longestFirst} then h.audit_sequence else 0 end as sequence
  from organization_heads h
  where h.organization_id > $1
    and not exists (
      select from audit_verifications v where v.organization_id = h.organization_id)
  order by h.organization_id limit $2`

const dueSql = `
  select organization_id, sequence from audit_verifications
  where due_at <= $3 and organization_id > $1 order by organization_id limit $2`

/** All chains that are due, a few at a time: those that fail are not found again. */
export async function* dueChains({ database, clock }: Services): AsyncGenerator<DueChain> {
  const now = clock.now().toISOString()
  for (const [sql, ...more] of [[neverSql], [dueSql, now]] as const) {
    let after: string | undefined = ''
    while (after !== undefined) {
      const parameters: unknown[] = [after, atOnce, ...more]
      const found: DueChain[] = await database.reader.query<DueChain>({ sql, parameters })
      yield* found
      after = found.length < atOnce ? undefined : found.at(-1)?.organization_id
    }
  }
}

export type Verified = {
  organizationId: string
  /** The sequence from which the next verification goes on. */
  sequence: number
  /** The sequence at which the chain is broken; null if it is whole. */
  brokenAt: number | null
}

const storeSql = `
  insert into audit_verifications (organization_id, due_at, verified_at, sequence, broken_at)
  values ($1, $2, $3, $4, $5)
  on conflict (organization_id) do update set due_at = excluded.due_at,
    verified_at = excluded.verified_at, sequence = excluded.sequence, broken_at = excluded.broken_at`

export async function storeVerified({ database, clock }: Services, verified: Verified) {
  const { organizationId, sequence, brokenAt } = verified
  const now = clock.now()
  const times = [nextNight(organizationId, now).toISOString(), now.toISOString()]
  const parameters = [organizationId, ...times, sequence, brokenAt]
  await database.transaction(async (tx) => tx.send({ sql: storeSql, parameters }))
}

const dayMs = 24 * 60 * 60 * 1000
/** From midnight, in UTC. */
const nightMs = 5 * 60 * 60 * 1000

/** An organization's own time of the coming night, so that not all are verified at once. */
export function nextNight(organizationId: string, now: Date): Date {
  const share = createHash('sha256').update(organizationId).digest().readUInt32BE() / 2 ** 32
  const midnight = Math.floor(now.getTime() / dayMs) * dayMs + dayMs
  return new Date(midnight + Math.floor(share * nightMs))
}
