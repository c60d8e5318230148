import type { Transaction } from '../../database/database.ts'
import type { Services } from '../../kernel/context.ts'
import { sealOf } from './anchors.ts'
import type { Link } from './chain.ts'

const msPerDay = 24 * 60 * 60 * 1000
/** Writers of the organization wait while a step runs, so a step is short. */
const prunedAtOnce = 2_000

/** Prunes what is older than the retention in every organization, one short step at a time. */
export async function pruneAuditLogs(services: Services, signal: AbortSignal) {
  const days = services.config.auditRetentionDays
  const oldest = new Date(services.clock.now().getTime() - days * msPerDay).toISOString()
  const organizations = await services.database.reader.kysely
    .selectFrom('organization_heads')
    .select('organization_id')
    .execute()
  let pruned = 0
  for (const { organization_id: organizationId } of organizations) {
    pruned += await pruneOrganization(services, { organizationId, oldest, signal })
  }
  return { pruned }
}

type Scope = { organizationId: string; oldest: string; signal: AbortSignal }

/** Prunes one organization’s records from before a time. */
export async function pruneOrganization(services: Services, scope: Scope): Promise<number> {
  let pruned = 0
  for (let last = -1; last !== 0 && !scope.signal.aborted; pruned += last) {
    last = await services.database.transaction((tx) => pruneStep(services, tx, scope))
  }
  return pruned
}

const lockHeadSql = 'select 1 from organization_heads where organization_id = $1 for update'

// The newest record always stays, so that the chain has an end to be compared with the head.
const lastPrunableSql = `
  select step.sequence, step.hash from (
    select a.sequence, a.hash, a.occurred_at from audit_logs a
    join organization_heads h on h.organization_id = a.organization_id
      and a.sequence < h.audit_sequence
    where a.organization_id = $1 order by a.sequence limit $2
  ) as step
  where step.occurred_at < $3 order by step.sequence desc limit 1`

const deleteSql = `
  delete from audit_logs where organization_id = $1 and sequence <= $2 returning 1`

const deleteCheckpointsSql = `
  delete from audit_checkpoints where organization_id = $1 and sequence <= $2`

/** Under the organization's lock: the oldest records go with their checkpoints, and an anchor says where the chain begins. */
async function pruneStep(services: Services, tx: Transaction, scope: Scope): Promise<number> {
  const { organizationId, oldest } = scope
  tx.send({ sql: lockHeadSql, parameters: [organizationId] })
  const bounds = [organizationId, prunedAtOnce, oldest]
  const [last] = await tx.query<Link>({ sql: lastPrunableSql, parameters: bounds })
  if (!last) return 0
  tx.send({ sql: `set local flightdeck.pruning = 'on'`, parameters: [] })
  const parameters = [organizationId, last.sequence]
  const gone = await tx.query({ sql: deleteSql, parameters })
  tx.send({ sql: deleteCheckpointsSql, parameters })
  leaveAnchor(services, tx, { organizationId, last })
  return gone.length
}

const anchorSql = `
  insert into audit_anchors (organization_id, sequence, hash, pruned_at, seal)
  values ($1, $2, $3, $4, $5)
  on conflict (organization_id) do update set sequence = excluded.sequence,
    hash = excluded.hash, pruned_at = excluded.pruned_at, seal = excluded.seal`

type Pruned = { organizationId: string; last: Link }

function leaveAnchor(services: Services, tx: Transaction, { organizationId, last }: Pruned): void {
  const anchor = { ...last, prunedAt: services.clock.now().toISOString() }
  const seal = sealOf(services, organizationId, anchor)
  const parameters = [organizationId, anchor.sequence, anchor.hash, anchor.prunedAt, seal]
  tx.send({ sql: anchorSql, parameters })
}
