import type { CapName, CountedName } from '../config/config.ts'
import { conflict } from '../problems/problem.ts'
import type { Context, Ledger, WriteContext } from './context.ts'
import { tenantQuery } from './tenant-query.ts'

/** Counts one object more or less against the organization's caps. */
export function adjustQuota(ctx: WriteContext, name: CountedName, difference: 1 | -1): void {
  ctx.added[name] = (ctx.added[name] ?? 0) + difference
}

export const countsAfter = ({ counts }: Ledger, added: WriteContext['added']): Ledger['counts'] => {
  const names = Object.keys({ ...counts, ...added }) as CountedName[]
  return Object.fromEntries(names.map((name) => [name, (counts[name] ?? 0) + (added[name] ?? 0)]))
}

/** Throws 409 `limit_exceeded` at the cap. Exact, as an organization has one writer at a time. */
export async function checkCap(ctx: WriteContext, name: CapName): Promise<void> {
  const cap = ctx.services.config.caps[name]
  const used = isCountedOnDemand(name)
    ? (await readCounts(ctx))[name]
    : await countedInHead(ctx, name)
  if (used < cap) return
  const what = name === 'api_keys' ? 'API keys' : name.replace('_', ' ')
  throw conflict('limit_exceeded', `The organization has ${cap} ${what} already.`, {
    resource: name,
    limit: cap,
  })
}

async function countedInHead(ctx: WriteContext, name: CountedName): Promise<number> {
  const { counts } = await ctx.ledger
  return (counts[name] ?? 0) + (ctx.added[name] ?? 0)
}

/** Few and rarely created, so they are counted on demand instead of in the head. */
type ReadName = Exclude<CapName, CountedName>

const isCountedOnDemand = (name: CapName): name is ReadName =>
  name === 'members' || name === 'api_keys'

const membersSql = 'select count(*) from users where organization_id = $1'
const keysSql = 'select count(*) from api_keys where organization_id = $1 and revoked_at is null'

async function readCounts(ctx: Context): Promise<Record<ReadName, number>> {
  const [counts] = await ctx.reader.query<Record<ReadName, number>>(
    tenantQuery(ctx, `select (${membersSql}) as members, (${keysSql}) as api_keys`),
  )
  return counts ?? { members: 0, api_keys: 0 }
}

type Head = Record<ReadName, number> & Pick<Ledger, 'counts'>

const usedSql = `
  select counts, (${membersSql}) as members, (${keysSql}) as api_keys
  from organization_heads where organization_id = $1`

/** How many objects count against each cap, by name. */
export async function usedCounts(ctx: Context): Promise<Partial<Record<CapName, number>>> {
  const [head] = await ctx.reader.query<Head>(tenantQuery(ctx, usedSql))
  if (!head) return {}
  const { counts, ...read } = head
  return { ...counts, ...read }
}
