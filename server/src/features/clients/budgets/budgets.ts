import { seesWholeClient } from '../../../database/scope/seen.ts'
import type { Amounts } from '../../../database/tables/json-columns.ts'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import { NewObject } from '../../../http/endpoint.ts'
import { change } from '../../../kernel/change.ts'
import { type Context, nowIn } from '../../../kernel/context.ts'
import { withNames } from '../../../kernel/people.ts'
import { checkVersion, namesVersion, oneOf } from '../../../kernel/rows.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import type { Fault } from '../../../problems/fault.ts'
import { checkFaults, notFound } from '../../../problems/problem.ts'
import type { Query } from '../../../query/list.ts'
import { monthsIn } from '../../../query/months.ts'
import { readAmounts } from '../../../schema/amounts.ts'
import type { Difference } from '../../../schema/differences.ts'
import { exponentFor, toMajor } from '../../../values/money.ts'
import { firstDayOf, monthIn, monthOfDay } from '../../../values/times.ts'
import type { BudgetAmount, BudgetBody, BudgetMonth, ClientBudget } from './schema.ts'

/** A row of `client_budgets`. */
type Stored = {
  /** The first day of the month. */
  month: string
  amounts: Amounts
  note: string | null
  version: number
  updated_at: string
  updated_by: string | null
}

const storedSql = `
  select month, amounts, note, version, updated_at, updated_by from client_budgets
  where organization_id = $1 and client_id = $2 and month >= $3 and month <= $4
  order by month`

/** Every month asked for, in order; those without a budget have none. */
export async function listBudgets(ctx: Context, clientId: string, query: Query) {
  const client = await oneOf(ctx, 'clients', clientId)
  if (!(await seesWholeClient(ctx, clientId))) throw notFound()
  const months = monthsIn(query, monthIn(client.time_zone ?? ctx.organization.timeZone, nowIn(ctx)))
  const [from = '', to = from] = [months[0], months.at(-1)]
  const rows = await storedIn(ctx, clientId, { from, to })
  const stored = new Map(rows.map((row) => [monthOfDay(row.month), shown(row)]))
  const all = months.map((month): BudgetMonth => stored.get(month) ?? { ...noBudget, month })
  return { data: await withNames(ctx, all) }
}

const noBudget = { amounts: null, note: null, version: null, updated_at: null, updated_by: null }

const storedIn = (ctx: Context, clientId: string, { from, to }: { from: string; to: string }) =>
  ctx.reader.query<Stored>(tenantQuery(ctx, storedSql, clientId, firstDayOf(from), firstDayOf(to)))

async function storedOf(ctx: Context, { clientId, month }: Place): Promise<Stored | undefined> {
  const [row] = await storedIn(ctx, clientId, { from: month, to: month })
  return row
}

/** The budget of a client in a month. */
type Place = { clientId: string; month: string }

/** Sets the budget of a month, whether or not it has one. */
export async function putBudget(ctx: Context, place: Place, body: BudgetBody) {
  const isNew = (await storedOf(ctx, place)) === undefined
  const request = ctx.request && { ...ctx.request, status: isNew ? 201 : 200 }
  const budget = await setBudget({ ...ctx, request }, place, body)
  return isNew ? new NewObject(budget) : budget
}

const upsertSql = `
  insert into client_budgets (organization_id, client_id, month, amounts, note, version, updated_at,
    updated_by)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (organization_id, client_id, month) do update
    set amounts = $4, note = $5, version = $6, updated_at = $7, updated_by = $8`

const setBudget = (ctx: Context, { clientId, month }: Place, body: BudgetBody) =>
  change<ClientBudget>(ctx, 'client.budget_changed', async (ctx) => {
    const client = await oneOf(ctx, 'clients', clientId)
    const row = await storedOf(ctx, { clientId, month })
    if (row) checkVersion(ctx, row.version)
    // Without a budget there is no version that a request could be about.
    else if (namesVersion(ctx)) throw notFound()
    const faults: Fault[] = []
    const amounts = readAmounts(body.amounts, {
      pointer: '/amounts',
      faults,
      sign: 'not negative',
    })
    checkFaults(ctx, faults)
    const { note = null } = body
    const before = row ? toBudget(client, row) : null
    if (row && before && isSame(row, { amounts, note })) return { before, after: before }
    const stamps = { updated_at: ctx.now, updated_by: ctx.actor.id }
    const next = { month: firstDayOf(month), amounts, note, version: (row?.version ?? 0) + 1 }
    const values = [next.month, JSON.stringify(amounts), note, next.version]
    ctx.tx.send(
      tenantQuery(ctx, upsertSql, client.id, ...values, stamps.updated_at, stamps.updated_by),
    )
    return { before, after: toBudget(client, { ...next, ...stamps }) }
  })

type Settings = Pick<Stored, 'amounts' | 'note'>

/** Amounts are kept in the order of their currencies, but the database has an order of its own. */
const isSame = (one: Settings, other: Settings): boolean =>
  one.note === other.note &&
  JSON.stringify(shownAmounts(one.amounts)) === JSON.stringify(shownAmounts(other.amounts))

const deleteSql = `
  delete from client_budgets where organization_id = $1 and client_id = $2 and month = $3`

export async function deleteBudget(ctx: Context, { clientId, month }: Place): Promise<void> {
  await change<ClientBudget>(ctx, 'client.budget_changed', async (ctx) => {
    const client = await oneOf(ctx, 'clients', clientId)
    const row = await storedOf(ctx, { clientId, month })
    if (!row) throw notFound()
    checkVersion(ctx, row.version)
    ctx.tx.send(tenantQuery(ctx, deleteSql, client.id, row.month))
    const before = toBudget(client, row)
    const stamps = { updated_at: ctx.now, updated_by: ctx.actor.id }
    // Nothing is left of it, but the client is still there.
    const after = { ...before, ...stamps, amounts: [], note: null, version: row.version + 1 }
    return { before, after }
  })
}

/** Whether a change leaves no amount of the month. */
export const isBudgetDeleted = (changes: readonly Difference[]): boolean =>
  changes.some(({ field, after }) => field === 'amounts' && Array.isArray(after) && !after.length)

const toBudget = (
  { id, name }: Pick<Row<'clients'>, 'id' | 'name'>,
  row: Stored,
): ClientBudget => ({
  id,
  name,
  ...shown(row),
})

const shown = ({ month, amounts, note, version, updated_at, updated_by }: Stored) => ({
  month: monthOfDay(month),
  amounts: shownAmounts(amounts),
  note,
  version,
  updated_at,
  updated_by,
})

const shownAmounts = (amounts: Amounts): BudgetAmount[] =>
  Object.entries(amounts)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, amount_minor]) => {
      const currency_exponent = exponentFor(currency)
      const amount = toMajor(amount_minor, currency_exponent)
      return { currency, currency_exponent, amount, amount_minor }
    })
