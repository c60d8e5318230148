import type { TraceSettings } from '../config/trace-settings.ts'
import type { Database } from '../database/database.ts'
import type { Tracing } from './tracing.ts'

/** Null without settings. The library is loaded only when it is used. */
export async function openTracing(settings: TraceSettings | null): Promise<Tracing | null> {
  if (settings === null) return null
  const { startOpenTelemetry } = await import('./open-telemetry.ts')
  return startOpenTelemetry(settings)
}

type Traceable = { database: Database; observability: { tracing: Tracing | null } }

/** The services with a span for each of their transactions. */
export function traced<Services extends Traceable>(
  services: Services,
  tracing: Tracing | null,
): Services {
  if (tracing === null) return services
  const observability = { ...services.observability, tracing }
  return { ...services, observability, database: tracedDatabase(services.database, tracing) }
}

type Transact = Database['transaction']

function tracedDatabase(database: Database, tracing: Tracing): Database {
  const asSpan =
    (transact: Transact): Transact =>
    (work) =>
      tracing.step('transaction', (span) => {
        span.set({ 'db.system.name': 'postgresql' })
        return transact(work)
      })
  return {
    ...database,
    transaction: asSpan(database.transaction),
    sharedTransaction: (key, work) => asSpan((it) => database.sharedTransaction(key, it))(work),
    sharedTransactions: (key, works, choose) =>
      tracing.step('transaction', (span) => {
        span.set({ 'db.system.name': 'postgresql' })
        return database.sharedTransactions(key, works, choose)
      }),
    dryRun: asSpan(database.dryRun),
  }
}
