import { sql } from 'kysely'
import type { CapName } from '../config.ts'
import type { Context, WriteContext } from './context.ts'
import { conflict } from './errors.ts'
import { rowsOf } from './rows.ts'

/** How many objects count against the cap: archived campaigns do not. */
export async function usedOf(ctx: Context, name: CapName): Promise<number> {
  const all = rowsOf(ctx, name as 'campaigns')
  const counted = name === 'campaigns' ? all.where('status', '<>', 'archived') : all
  const { used } = await counted
    .select(sql<number>`count(*)`.as('used'))
    .executeTakeFirstOrThrow()
  return used
}

/** Refuses one more object than the organization may have. Exact, as its head is locked. */
export async function checkCap(ctx: WriteContext, name: CapName): Promise<void> {
  const cap = ctx.services.config.caps[name]
  if ((await usedOf(ctx, name)) < cap) return
  throw conflict('limit_exceeded', `The organization has ${cap} ${name.replace('_', ' ')} already.`, {
    resource: name,
    limit: cap,
  })
}
