import { LruMap } from 'toad-cache'
import type { Reader } from '../database/database.ts'
import type { TenantTable } from '../database/tables/tenant-tables.ts'

const countsSql = 'select counts from organization_heads where organization_id = $1'

type RowCounts = Readonly<Record<string, number>>

/** A table whose rows are counted in the organization's head. */
export type Sized = TenantTable

/** Decides how lists are read: large ones in steps, of which the first is bounded. */
export type LargeLists = {
  /** Whether the organization has many of them, or had a few seconds ago. */
  has(ctx: Asker, sized: Sized): Promise<boolean>
  /** How many rows the first step looks at, for a page of this many. */
  firstRows(count: number): number
}

type Asker = { readonly reader: Reader; readonly organization: { readonly id: string } }

const largeFrom = 2_000
const rowsEach = 20
const rememberedMs = 10_000
const maxCached = 10_000

export function openLargeLists(): LargeLists {
  const known = new LruMap<RowCounts>(maxCached, rememberedMs)
  return {
    firstRows: (count) => count * rowsEach,
    async has(ctx, sized) {
      const { id } = ctx.organization
      const counts = known.get(id) ?? (await readCounts(ctx))
      known.set(id, counts)
      return (counts[sized] ?? 0) >= largeFrom
    },
  }
}

async function readCounts({ reader, organization }: Asker): Promise<RowCounts> {
  const parameters = [organization.id]
  const [head] = await reader.query<{ counts: RowCounts }>({
    sql: countsSql,
    parameters,
    byKey: true,
  })
  return head?.counts ?? {}
}
