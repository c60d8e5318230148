import { LruMap } from 'toad-cache'
import type { Reader } from '../database/database.ts'

const sizesSql = `
  select (counts ->> 'campaigns')::integer as campaigns, audit_sequence, event_sequence
  from organization_heads where organization_id = $1`

type Sizes = { campaigns: number | null; audit_sequence: number; event_sequence: number }

/** How an organization's rows of a kind are counted. */
export type Sized = keyof Sizes

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
  const known = new LruMap<Sizes>(maxCached, rememberedMs)
  return {
    firstRows: (count) => count * rowsEach,
    async has(ctx, sized) {
      const { id } = ctx.organization
      const sizes = known.get(id) ?? (await readSizes(ctx))
      known.set(id, sizes)
      return (sizes[sized] ?? 0) >= largeFrom
    },
  }
}

async function readSizes({ reader, organization }: Asker): Promise<Sizes> {
  const parameters = [organization.id]
  const [sizes] = await reader.query<Sizes>({ sql: sizesSql, parameters, byKey: true })
  return sizes ?? { campaigns: 0, audit_sequence: 0, event_sequence: 0 }
}
