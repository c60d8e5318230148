import { LruMap } from 'toad-cache'
import { lazy } from '../../concurrency/lazy.ts'
import { columnsOf } from '../../database/types.ts'
import { type Context, nowText, type Services } from '../../kernel/context.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { type Limits, type StoredKind, storedKinds } from './schema.ts'

type Storage = Limits['storage']

const maxMeasured = 1_000
const rememberedMs = 60_000
const maxCached = 1_000

type Remembered = { until: number; storage: Promise<Storage> }
const rememberedBy = new WeakMap<Services, LruMap<Remembered>>()

/** The number of bytes the organization stores; measured at most once a minute. */
export function storageOf(ctx: Context): Promise<Storage> {
  const { services, organization } = ctx
  const remembered = rememberedBy.get(services) ?? new LruMap<Remembered>(maxCached)
  rememberedBy.set(services, remembered)
  const now = services.clock.now().getTime()
  const known = remembered.get(organization.id)
  if (known && known.until > now) return known.storage
  const storage = measure(ctx)
  remembered.set(organization.id, { until: now + rememberedMs, storage })
  storage.catch(() => remembered.delete(organization.id))
  return storage
}

/** Gapless sequences give the row count without counting. */
const sequenced: readonly StoredKind[] = ['audit_logs', 'events']

const countOf = (kind: StoredKind) =>
  sequenced.includes(kind) ? 'coalesce(max(sequence) - min(sequence) + 1, 0)' : 'count(*)'

const newestFirst = (kind: StoredKind) => (sequenced.includes(kind) ? 'sequence' : 'id')

/** PostgreSQL's row header plus the line pointer in the page. */
const rowHeaderBytes = 28

/** The stored size: values are neither fetched nor decompressed. */
const bytesOf = (kind: StoredKind) =>
  columnsOf[kind].map((column) => `coalesce(pg_column_size(${column}), 0)`).join(' + ')

/** Row count times the average size of the newest rows. */
const storedSql = (kind: StoredKind) => `(
    (select ${countOf(kind)} from ${kind} where organization_id = $1)
    * (select coalesce(avg(${bytesOf(kind)} + ${rowHeaderBytes}), 0) from (
      select * from ${kind} where organization_id = $1
      order by ${newestFirst(kind)} desc limit ${maxMeasured}
    ) as newest)
  )::bigint as ${kind}`

const kinds = Object.keys(storedKinds) as StoredKind[]

const measureSql = lazy(() => `select ${kinds.map(storedSql).join(', ')}`)

async function measure(ctx: Context): Promise<Storage> {
  const [by_kind] = await ctx.reader.query<Storage['by_kind']>(tenantQuery(ctx, measureSql()))
  if (!by_kind) throw new Error('nothing was measured')
  const bytes = Object.values(by_kind).reduce((sum, each) => sum + each, 0)
  return { bytes, by_kind, measured_at: nowText(ctx.services) }
}
