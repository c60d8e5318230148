import type { Services } from '../../kernel/context.ts'
import { dropPartitions, type Past, pastPartitions } from '../../kernel/partitions.ts'
import { keptDays } from './delivery-schema.ts'

const keptMs = keptDays * 24 * 60 * 60 * 1000

/** Drops deliveries and their attempts, a week at a time, unless an attempt is still to come. */
export async function purgeDeliveries({ database, clock }: Services, signal: AbortSignal) {
  const { reader } = database
  const oldest = new Date(clock.now().getTime() - keptMs)
  const attempts = await pastPartitions(reader, 'webhook_attempts', oldest)
  let dropped = 0
  for (const past of await pastPartitions(reader, 'webhook_deliveries', oldest)) {
    if (signal.aborted) break
    const [awaited] = await reader.query({ sql: awaitedSql(past), parameters: [] })
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

// To a disabled endpoint no attempt is to come.
const awaitedSql = ({ name }: Past) => `
  select 1 from ${name} d
  join webhook_endpoints e on e.organization_id = d.organization_id and e.id = d.endpoint_id
    and e.status = 'enabled'
  where d.status = 'pending' limit 1`
