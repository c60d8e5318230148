import type { CapName } from '../config/caps.ts'
import type { Insert } from '../database/driver/insert.ts'
import type { Statement } from '../database/driver/protocol.ts'
import { whole } from '../database/scope/readers.ts'
import { insertOf, sqlOf } from '../database/tables/statements.ts'
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
  /** The condition of the rows that count in the head, where not all do. */
  readonly counted?: string
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

export const countsAfter = (
  { counts }: Pick<Ledger, 'counts'>,
  added: WriteContext['added'],
): Ledger['counts'] => {
  const names = Object.keys({ ...counts, ...added })
  return Object.fromEntries(names.map((name) => [name, (counts[name] ?? 0) + (added[name] ?? 0)]))
}

/** Whether the counts, as other transactions leave them, have room for what this one adds. */
export const hasRoom = ({ services, added }: WriteContext, { counts }: Pick<Ledger, 'counts'>) =>
  services.declared.caps.every(({ name }) => {
    const more = added[name] ?? 0
    return more <= 0 || (counts[name] ?? 0) + more <= services.config.caps[name]
  })

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
  const [row] = await whole(ctx).reader.query<{ used: number }>(
    tenantQuery(ctx, `select (${countSql}) as used`),
  )
  return row?.used ?? 0
}

/** Rows within a scope are in no running count. */
const countWithin = ({ name, counted = 'true' }: Cap) =>
  `select count(*) from ${name} where organization_id = $1 and ${counted}`

const usedSql = (caps: readonly Cap[]) => `
  select ${caps.flatMap(({ name, countSql }) => (countSql ? [`(${countSql}) as ${name}, `] : [])).join('')}stored_bytes as storage, counts
  from organization_heads where organization_id = $1`

/** How many objects, and bytes of storage, count against each cap, by name. */
export async function usedCounts(ctx: Context): Promise<Readonly<Record<string, number>>> {
  const { caps } = ctx.services.declared
  const counted = ctx.scope
    ? caps.map((cap) => ({ ...cap, countSql: cap.countSql ?? countWithin(cap) }))
    : caps
  const [head] = await ctx.reader.query<Pick<Ledger, 'counts'>>(tenantQuery(ctx, usedSql(counted)))
  if (!head) return {}
  const { counts, ...read } = head
  return { ...counts, ...read }
}

/** A table of running counts: how many rows of the organization have each combination of values. */
export type TallyTable = {
  readonly table: string
  readonly count: string
  /** The columns of a combination, all texts. */
  readonly by: readonly string[]
}

export type Tallied = {
  readonly of: TallyTable
  readonly values: readonly string[]
  readonly difference: 1 | -1
}

/** Counts a row that has these values now, or has them no longer; stored with the commit. */
export async function tally(ctx: WriteContext, tallied: Tallied): Promise<void> {
  const { tallies } = await ctx.ledger
  tallies.push(tallied)
}

/** Returns what the transaction of this context, if any, will add to what is stored. */
export async function talliedSoFar(
  ctx: Context | WriteContext,
  table: string,
): Promise<readonly Tallied[]> {
  if (!('ledger' in ctx)) return []
  const { tallies } = await ctx.ledger
  return tallies.filter(({ of }) => of.table === table)
}

/** The statements that add up, one for each combination that changed. */
export function tallyStatements(ctx: Context, tallies: readonly Tallied[]): Statement[] {
  const sums = new Map<string, Tallied & { sum: number }>()
  for (const tallied of tallies) {
    const key = [tallied.of.table, ...tallied.values].join(' ')
    const sum = (sums.get(key)?.sum ?? 0) + tallied.difference
    sums.set(key, { ...tallied, sum })
  }
  return [...sums.values()]
    .filter(({ sum }) => sum !== 0)
    .map(({ of, values, sum }) =>
      sum > 0
        ? insertOf(moreOf(of), [ctx.organization.id, ...values, sum])
        : tenantQuery(
            ctx,
            sqlOf(`less ${of.table}`, () => lessSql(of)),
            ...values,
            sum,
          ),
    )
}

const lessSql = ({ table, count, by }: TallyTable) => `
  update ${table} set ${count} = ${count} + $${by.length + 2}
  where organization_id = $1 and ${by.map((column, at) => `${column} = $${at + 2}`).join(' and ')}`

const moreByTable = new Map<TallyTable, Insert>()

function moreOf(of: TallyTable): Insert {
  const known = moreByTable.get(of)
  if (known) return known
  const { table, count, by } = of
  const key = ['organization_id', ...by]
  const ending = `on conflict (${key}) do update set ${count} = ${table}.${count} + excluded.${count}`
  const made = { table, columns: [...key, count], ending }
  moreByTable.set(of, made)
  return made
}
