import { LruMap } from 'toad-cache'
import type { Reader } from '../database/database.ts'
import type { TenantTable } from '../database/tables/tenant-tables.ts'

const countsSql = `
  select organization_id, counts || jsonb_build_object('events', event_sequence, 'audit_logs', audit_sequence) as counts
  from organization_heads where organization_id = $1`

type RowCounts = Readonly<Record<string, number>>

/** A table whose rows are counted in the organization's head, events and records by their numbers. */
export type Sized = TenantTable

/** Decides how lists are read: large ones in steps, of which the first is bounded. */
export type LargeLists = {
  /** Whether the organization has many of them, or had a few seconds ago. */
  has(ctx: Asker, sized: Sized): Promise<boolean>
  /** The same of ten times as many: totals may be estimates. */
  hasVeryMany(ctx: Asker, sized: Sized): Promise<boolean>
  /** A total that a sample says is larger is an estimate. */
  readonly countedUpTo: number
  /** How many rows the first step looks at, for a page of this many. */
  firstRows(count: number): number
}

type Asker = { readonly reader: Reader; readonly organization: { readonly id: string } }

/** Lists of this many rows and more are large. */
export const largeFrom = 2_000
const veryLargeFrom = 20_000
const countedUpTo = 5_000
const rowsEach = 20
const rememberedMs = 10_000
const maxCached = 10_000

export function openLargeLists(): LargeLists {
  const known = new LruMap<RowCounts>(maxCached, rememberedMs)

  async function countOf(ctx: Asker, sized: Sized): Promise<number> {
    const { id } = ctx.organization
    const counts = known.get(id) ?? (await readCounts(ctx))
    known.set(id, counts)
    return counts[sized] ?? 0
  }

  return {
    countedUpTo,
    firstRows: (count) => count * rowsEach,
    has: async (ctx, sized) => (await countOf(ctx, sized)) >= largeFrom,
    hasVeryMany: async (ctx, sized) => (await countOf(ctx, sized)) >= veryLargeFrom,
  }
}

async function readCounts({ reader, organization }: Asker): Promise<RowCounts> {
  const parameters = [organization.id]
  const [head] = await reader.query<{ counts: RowCounts }>({
    sql: countsSql,
    parameters,
    byKey: ['organization_id'],
  })
  return head?.counts ?? {}
}
