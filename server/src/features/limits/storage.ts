import { LruMap } from 'toad-cache'
import { lazy } from '../../concurrency/lazy.ts'
import { columnsOf } from '../../database/tables/types.ts'
import type { OwnTable } from '../../http/endpoint.ts'
import { type Context, nowText, type Services } from '../../kernel/context.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import type { Limits } from './schema.ts'

type Storage = Limits['storage']

/** The number of bytes the organization stores; measured at most once a minute. */
export type Measure = (ctx: Context) => Promise<Storage>

const maxMeasured = 1_000
const rememberedMs = 60_000
const maxCached = 1_000

type Remembered = { until: number; storage: Promise<Storage> }
const rememberedBy = new WeakMap<Services, LruMap<Remembered>>()

export function measureOf(tables: readonly OwnTable[]): Measure {
  const text = lazy(() => `select ${tables.map(storedSql).join(', ')}`)
  return (ctx) => remembered(ctx, () => measure(ctx, text()))
}

function remembered(ctx: Context, measure: () => Promise<Storage>): Promise<Storage> {
  const { services, organization } = ctx
  const known = rememberedBy.get(services) ?? new LruMap<Remembered>(maxCached)
  rememberedBy.set(services, known)
  const now = services.clock.now().getTime()
  const last = known.get(organization.id)
  if (last && last.until > now) return last.storage
  const storage = measure()
  known.set(organization.id, { until: now + rememberedMs, storage })
  storage.catch(() => known.delete(organization.id))
  return storage
}

const countOf = ({ name, isSequenced, countSql }: OwnTable) =>
  countSql ??
  `select ${isSequenced ? 'coalesce(max(sequence) - min(sequence) + 1, 0)' : 'count(*)'}
    from ${name} where organization_id = $1`

/** The newest rows, where the key says which they are. */
function newestFirst({ name, isSequenced }: OwnTable): string {
  if (isSequenced) return 'order by sequence desc'
  return columnsOf[name].some((column) => column === 'id') ? 'order by id desc' : ''
}

/** PostgreSQL's row header plus the line pointer in the page. */
const rowHeaderBytes = 28

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

async function measure(ctx: Context, sql: string): Promise<Storage> {
  const [by_kind] = await ctx.reader.query<Storage['by_kind']>(tenantQuery(ctx, sql))
  if (!by_kind) throw new Error('nothing was measured')
  const bytes = Object.values(by_kind).reduce((sum, each) => sum + each, 0)
  return { bytes, by_kind, measured_at: nowText(ctx.services) }
}
