import type { CapName } from '../config/caps.ts'
import { conflict } from '../problems/problem.ts'
import type { Context, Ledger, WriteContext } from './context.ts'
import { tenantQuery } from './tenant-query.ts'

/** The maximum number of objects of one kind in an organization. */
export type Cap = {
  /** In FLIGHTDECK_CAPS and `/limits`. Without `countSql`, also the table. */
  readonly name: CapName
  /** The maximum where FLIGHTDECK_CAPS does not set it. */
  readonly defaultLimit: number
  /** The word for the objects in messages, if it is not the name. */
  readonly noun?: string
  /**
   * Counts the objects of the organization `$1`, for those few that are rarely created. All others
   * are counted in the head, as rows are inserted and removed.
   */
  readonly countSql?: string
}

/** The cap of the table's rows, if they are counted in the head. */
const capOf = ({ services }: Context, table: string): Cap | undefined =>
  services.declared.caps.find(({ name, countSql }) => name === table && countSql === undefined)

/** Counts a row inserted or removed, if its table has a cap. */
export function countRow(ctx: WriteContext, table: string, difference: 1 | -1): void {
  const cap = capOf(ctx, table)
  if (cap) adjustQuota(ctx, cap, difference)
}

/** Counts one object more or less against the organization's cap. */
export function adjustQuota(ctx: WriteContext, { name }: Cap, difference: 1 | -1): void {
  ctx.added[name] = (ctx.added[name] ?? 0) + difference
}

export const countsAfter = ({ counts }: Ledger, added: WriteContext['added']): Ledger['counts'] => {
  const names = Object.keys({ ...counts, ...added })
  return Object.fromEntries(names.map((name) => [name, (counts[name] ?? 0) + (added[name] ?? 0)]))
}

/** Throws 409 `limit_exceeded` at the cap. Exact, as an organization has one writer at a time. */
export async function checkCap(ctx: WriteContext, cap: Cap): Promise<void> {
  const { name, noun = name.replaceAll('_', ' ') } = cap
  const limit = ctx.services.config.caps[name]
  if ((await usedOf(ctx, cap)) < limit) return
  throw conflict('limit_exceeded', `The organization has ${limit} ${noun} already.`, {
    resource: name,
    limit,
  })
}

async function usedOf(ctx: WriteContext, { name, countSql }: Cap): Promise<number> {
  if (countSql === undefined) {
    const { counts } = await ctx.ledger
    return (counts[name] ?? 0) + (ctx.added[name] ?? 0)
  }
  const [row] = await ctx.reader.query<{ used: number }>(
    tenantQuery(ctx, `select (${countSql}) as used`),
  )
  return row?.used ?? 0
}

const usedSql = (caps: readonly Cap[]) => `
  select ${caps.flatMap(({ name, countSql }) => (countSql ? [`(${countSql}) as ${name}, `] : [])).join('')}stored_bytes as storage, counts
  from organization_heads where organization_id = $1`

/** How many objects, and bytes of storage, count against each cap, by name. */
export async function usedCounts(ctx: Context): Promise<Readonly<Record<string, number>>> {
  const [head] = await ctx.reader.query<Pick<Ledger, 'counts'>>(
    tenantQuery(ctx, usedSql(ctx.services.declared.caps)),
  )
  if (!head) return {}
  const { counts, ...read } = head
  return { ...counts, ...read }
}
