import { LruMap } from 'toad-cache'
import { lazy } from '../../concurrency/lazy.ts'
import { rowHeaderBytes } from '../../database/driver/parameter-bytes.ts'
import { whole } from '../../database/scope/readers.ts'
import { columnsOf } from '../../database/tables/types.ts'
import type { OwnTable } from '../../http/feature.ts'
import { type Context, nowText, type Services } from '../../kernel/context.ts'
import {
  type Counted,
  correctCount,
  type Storage,
  type StorageMeter,
} from '../../kernel/storage.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { withTimeout } from '../../observability/with-timeout.ts'

const maxMeasured = 1_000
const rememberedMs = 60_000
const maxCached = 1_000

/** The last attempt to measure; without a storage it has failed. */
type Attempt = { until: number; storage: Promise<Storage> | null }

const warningText = 'an organization has nearly filled the storage of its plan'

/** Measures what organizations store in these tables. */
export function storageMeter(tables: readonly OwnTable[]): StorageMeter {
  const text = lazy(() => `select ${tables.map(storedSql).join(', ')}, ${headSql}`)
  const textsWithin = lazy(() => tables.map(storedWithinSql))
  const attempts = new LruMap<Attempt>(maxCached)
  let log: Parameters<StorageMeter['reportTo']>[0] = { warn() {} }

  function recent(ctx: Context): Attempt | undefined {
    const last = attempts.get(viewOf(ctx))
    return last && last.until > nowMs(ctx.services) ? last : undefined
  }

  function measure(ctx: Context): Promise<Storage> {
    const last = recent(ctx)
    if (last?.storage) return last.storage
    const storage = ctx.scope ? measureWithin(ctx, textsWithin()) : measured(ctx, text())
    const attempt: Attempt = { until: nowMs(ctx.services) + rememberedMs, storage }
    attempts.set(viewOf(ctx), attempt)
    storage.catch(() => {
      attempt.storage = null
    })
    return storage
  }

  return {
    measure,
    measureForWrite: (ctx) => withTimeout(measure(whole(ctx))).then(() => {}, noting(ctx.services)),
    isMeasured: (ctx) => recent(whole(ctx)) !== undefined,
    logWarning: (facts) => log.warn(facts, warningText),
    reportTo: (logger) => {
      log = logger
    },
  }
}

/** Name of what is measured: all of an organization, or what someone sees of it. */
const viewOf = ({ organization, actor, scope }: Context): string =>
  scope ? JSON.stringify([organization.id, actor.id, scope]) : organization.id

const nowMs = ({ clock }: Services) => clock.now().getTime()

const noting =
  ({ observability: { failures } }: Services) =>
  (error: unknown) =>
    failures.note('measuring storage', error)

const countOf = ({ name, isSequenced, countSql }: OwnTable) =>
  countSql ??
  `select ${isSequenced ? 'coalesce(max(sequence) - min(sequence) + 1, 0)' : 'count(*)'}
    from ${name} where organization_id = $1`

/** The newest rows, where the key says which they are. */
function newestFirst({ name, isSequenced }: OwnTable): string {
  if (isSequenced) return 'order by sequence desc'
  return columnsOf[name].some((column) => column === 'id') ? 'order by id desc' : ''
}

/** The stored size: values are neither fetched nor decompressed. */
const bytesOf = ({ name }: OwnTable) =>
  columnsOf[name].map((column) => `coalesce(pg_column_size(${column}), 0)`).join(' + ')

/** Row count times the average size of the newest rows. */
const storedSql = (table: OwnTable) => `(
    (${countOf(table)})
    * (select coalesce(avg(${bytesOf(table)} + ${rowHeaderBytes}), 0) from (
      select * from ${table.name} where organization_id = $1
      ${newestFirst(table)} limit ${maxMeasured}
    ) as newest)
  )::bigint as ${table.name}`

/** The same within a scope, which leaves gaps between numbers. */
const storedWithinSql = ({ isSequenced: _, ...table }: OwnTable) => `select ${storedSql(table)}`

const headSql = `
  (select jsonb_build_object('bytes', stored_bytes, 'measured_at', bytes_measured_at)
    from organization_heads where organization_id = $1) as head`

type Read = Storage & { head: Counted | null }

async function read(ctx: Context, sql: string): Promise<Read> {
  const [found] = await ctx.reader.query<{ head: Counted | null }>(tenantQuery(ctx, sql))
  if (!found) throw new Error('nothing was measured')
  const { head, ...by_kind } = found
  return { ...storageOf(ctx, by_kind), head }
}

/** A statement for each table: one of all their views is planned for seconds. */
async function measureWithin(ctx: Context, texts: readonly string[]): Promise<Storage> {
  const kinds: Record<string, number>[] = []
  for (const text of texts)
    kinds.push(...(await ctx.reader.query<Record<string, number>>(tenantQuery(ctx, text))))
  return storageOf(ctx, Object.assign({}, ...kinds))
}

function storageOf({ services }: Context, by_kind: Readonly<Record<string, number>>): Storage {
  const bytes = Object.values(by_kind).reduce((sum, each) => sum + each, 0)
  return { bytes, by_kind, measured_at: nowText(services) }
}

async function measured(ctx: Context, sql: string): Promise<Storage> {
  const { head, ...storage } = await read(ctx, sql)
  if (head) await correctCount(ctx, head, storage).catch(noting(ctx.services))
  return storage
}
