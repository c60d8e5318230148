import {
  dropPartitions,
  type PastPartition,
  pastPartitions,
} from '../../database/upkeep/partitions.ts'
import type { Services } from '../../kernel/context.ts'
import { keptDays } from './delivery-schema.ts'

const keptMs = keptDays * 24 * 60 * 60 * 1000

/** Drops deliveries and their attempts a week at a time, unless an attempt is still due. */
export async function purgeDeliveries({ database, clock }: Services, signal: AbortSignal) {
  const { reader } = database
  const now = clock.now().getTime()
  const oldest = new Date(now - keptMs)
  const parameters = [new Date(now + keptMs).toISOString()]
  const attempts = await pastPartitions(reader, 'webhook_attempts', oldest)
  let dropped = 0
  for (const past of await pastPartitions(reader, 'webhook_deliveries', oldest)) {
    if (signal.aborted) break
    const [awaited] = await reader.query({ sql: awaitedSql(past), parameters })
    if (awaited) continue
    const theirs = attempts.filter(({ upper }) => upper === past.upper)
    await dropPartitions(
      database,
      [...theirs, past].map(({ name }) => name),
    )
    dropped += 1
  }
  return { dropped }
}

// Disabled endpoints get no more attempts. Nor does an attempt scheduled beyond the retention
// count: its clock was reset since.
const awaitedSql = ({ name }: PastPartition) => `
  select 1 from ${name} d
  join webhook_endpoints e on e.organization_id = d.organization_id and e.id = d.endpoint_id
    and e.status = 'enabled'
  join organizations o on o.id = d.organization_id
  cross join lateral (
    select $1::timestamptz + o.clock_ahead_ms * interval '1 millisecond' as latest) t
  where d.status = 'pending' and d.next_attempt_at <= t.latest
    and (e.paused_until is null or e.paused_until <= t.latest)
  limit 1`
