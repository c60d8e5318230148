import { settingsOnShards } from '../../database/upkeep/citus/settings.ts'
import {
  dateText,
  dropPartitions,
  makePartitionsAhead,
  type PastPartition,
  pastPartitions,
} from '../../database/upkeep/partitions.ts'
import type { Services } from '../../kernel/context.ts'
import { sealOf } from './anchors.ts'
import type { Link } from './chain.ts'

const msPerDay = 24 * 60 * 60 * 1000
/** Organizations per step. */
const atOnce = 200

/**
 * Drops the partitions whose records are all past the retention. First each organization gets an
 * anchor that marks where its chain will begin, and its newest record is copied forward, so that
 * the chain keeps an end to compare with the head.
 */
export async function pruneAuditLogs(services: Services, signal: AbortSignal) {
  const { database, clock, config } = services
  const oldest = new Date(clock.now().getTime() - config.auditRetentionDays * msPerDay)
  const past = await pastPartitions(database.reader, 'audit_logs', oldest)
  const upper = past.at(-1)?.upper
  if (!upper) return { anchored: 0, dropped: 0 }
  // The newest records are copied into today's partition.
  await makePartitionsAhead(services)
  const anchored = await anchorAll(services, upper, signal)
  if (signal.aborted) return { anchored, dropped: 0 }
  for (const { name } of past) await dropPartitions(database, [name])
  return { anchored, dropped: past.length }
}

/** Prepares every organization for dropping records before a day; returns how many are affected. */
async function anchorAll(services: Services, upper: string, signal: AbortSignal): Promise<number> {
  let anchored = 0
  let after: string | undefined = ''
  while (after !== undefined && !signal.aborted) {
    const ends: End[] = await services.database.reader.query<End>({
      sql: endsSql,
      parameters: [after, atOnce, upper],
    })
    const leaving = ends.filter(({ newest }) => newest !== null)
    if (leaving.length > 0) await anchorStep(services, leaving, upper)
    anchored += leaving.length
    after = ends.length < atOnce ? undefined : ends.at(-1)?.organization_id
  }
  return anchored
}

/** An organization's chain before a day. */
type End = {
  organization_id: string
  /** The end of the whole chain, as of now. */
  head: number
  newest: number | null
  /** The newest record to be dropped, other than the end of the chain. */
  sequence: number | null
  hash: string | null
}

// Columns and not lateral joins, which Citus does not send to the shards.
const endsSql = `
  select e.organization_id, e.head, e.newest, e.sequence, (
      select a.hash from audit_logs a
      where a.organization_id = e.organization_id and a.sequence = e.sequence and a.stored_on < $3
    ) as hash
  from (
    select h.organization_id, h.audit_sequence as head, (
        select max(a.sequence) from audit_logs a
        where a.organization_id = h.organization_id and a.stored_on < $3
      ) as newest, (
        select max(a.sequence) from audit_logs a
        where a.organization_id = h.organization_id and a.stored_on < $3
          and a.sequence < h.audit_sequence
      ) as sequence
    from organization_heads h where h.organization_id > $1
  ) as e
  order by e.organization_id
  limit $2`

// A concurrent write makes this record redundant, which is harmless.
const keepSql = `
  update audit_logs a set stored_on = $4
  from unnest($1::text[], $2::bigint[]) as kept (organization_id, sequence)
  where a.organization_id = kept.organization_id and a.sequence = kept.sequence
    and a.stored_on < $3`

const anchorSql = `
  insert into audit_anchors (organization_id, sequence, hash, pruned_at, seal)
  select organization_id, sequence, hash, $4, seal
  from unnest($1::text[], $2::bigint[], $3::text[], $5::text[])
    as anchored (organization_id, sequence, hash, seal)
  on conflict (organization_id) do update set sequence = excluded.sequence,
    hash = excluded.hash, pruned_at = excluded.pruned_at, seal = excluded.seal
  where audit_anchors.sequence < excluded.sequence`

const deleteCheckpointsSql = `
  delete from audit_checkpoints c
  using unnest($1::text[], $2::bigint[]) as anchored (organization_id, sequence)
  where c.organization_id = anchored.organization_id and c.sequence <= anchored.sequence`

async function anchorStep(
  services: Services,
  ends: End[],
  upper: PastPartition['upper'],
): Promise<void> {
  const now = services.clock.now()
  const ids = (rows: readonly { organization_id: string }[]) =>
    rows.map(({ organization_id }) => organization_id)
  const heads = ends.map(({ head }) => head)
  const links = ends.filter(isLink)
  const sequences = links.map(({ sequence }) => sequence)
  const seals = links.map(({ organization_id, sequence, hash }) =>
    sealOf(services, organization_id, { sequence, hash, prunedAt: now.toISOString() }),
  )
  const hashes = links.map(({ hash }) => hash)
  const anchors = [ids(links), sequences, hashes, now.toISOString(), seals]
  await services.database.transaction(async (tx) => {
    tx.send({ sql: settingsOnShards, parameters: [] })
    tx.send({ sql: `set local flightdeck.pruning = 'on'`, parameters: [] })
    tx.send({ sql: keepSql, parameters: [ids(ends), heads, upper, dateText(now)] })
    tx.send({ sql: anchorSql, parameters: anchors })
    tx.send({ sql: deleteCheckpointsSql, parameters: [ids(links), sequences] })
  })
}

const isLink = (end: End): end is End & Link => end.sequence !== null && end.hash !== null
