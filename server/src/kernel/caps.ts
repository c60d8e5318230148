import type { CapName } from '../config.ts'
import type { Context, Ledger, WriteContext } from './context.ts'
import { conflict } from './errors.ts'

/** The organization has so many more (or fewer) of what its caps count. */
export function count(ctx: WriteContext, name: CapName, difference: 1 | -1): void {
  ctx.added[name] = (ctx.added[name] ?? 0) + difference
}

export const countsAfter = ({ counts }: Ledger, added: WriteContext['added']): Ledger['counts'] => {
  const names = Object.keys({ ...counts, ...added }) as CapName[]
  return Object.fromEntries(names.map((name) => [name, (counts[name] ?? 0) + (added[name] ?? 0)]))
}

/** Refuses one more object than the organization may have. Exact, as it has one writer at a time. */
export async function checkCap(ctx: WriteContext, name: CapName): Promise<void> {
  const cap = ctx.services.config.caps[name]
  const added = ctx.added[name] ?? 0
  const { counts } = await ctx.ledger
  if ((counts[name] ?? 0) + added < cap) return
  const what = name.replace('_', ' ')
  throw conflict('limit_exceeded', `The organization has ${cap} ${what} already.`, {
    resource: name,
    limit: cap,
  })
}

/** How many objects count against each cap. */
export async function usedCounts(ctx: Context): Promise<Ledger['counts']> {
  const { counts } = await ctx.reader
    .kysely()
    .selectFrom('organization_heads')
    .select('counts')
    .where('organization_id', '=', ctx.organization.id)
    .executeTakeFirstOrThrow()
  return counts as Ledger['counts']
}
