import { sql } from 'kysely'
import { seesWholeClient } from '../../../database/scope/seen.ts'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import { columnsOf } from '../../../database/tables/types.ts'
import { type Context, nowIn } from '../../../kernel/context.ts'
import { oneOf, rowsOf } from '../../../kernel/rows.ts'
import { notFound } from '../../../problems/problem.ts'
import { anyOf, byCurrency } from '../../../query/filters.ts'
import { joinedPageOf, type ListShape, type Page, type Query } from '../../../query/list.ts'
import { monthFilter } from '../../../query/months.ts'
import { inExternalId, inName, nameText, type WordCondition } from '../../../query/search/places.ts'
import { wordsIn } from '../../../query/search/search.ts'
import { firstDayOf, monthIn, monthOfDay } from '../../../values/times.ts'
import { pacingStatuses } from '../pacing/measure/status.ts'
import { monthFacts, toClientPacing } from './present.ts'
import type { ClientMonth, ClientPacing } from './schema.ts'

/** In a text of the row's client. */
const ofItsClient =
  (place: WordCondition): WordCondition =>
  (word) =>
    sql<boolean>`(organization_id, client_id) in (
    select organization_id, id from clients where ${place(word)})`

export const clientPacingList: ListShape<'client_pacing'> = {
  table: 'client_pacing',
  filters: {
    q: wordsIn('the name or `external_id` of the client', {
      places: [inName, inExternalId].map(ofItsClient),
      text: nameText,
      textOf: 'clients',
    }),
    month: monthFilter('Calendar month. Default: the organization’s present one.', (month) => {
      return sql<boolean>`month = ${firstDayOf(month)}::date`
    }),
    client_id: anyOf('client_id'),
    currency: byCurrency,
    status: anyOf('status', { allowed: pacingStatuses }),
  },
  sorts: [{ name: 'money_at_risk', key: sql.ref('money_at_risk'), hasNulls: true }],
}

export const listClientPacing = (ctx: Context, query: Query): Promise<Page<ClientPacing>> =>
  joinedPageOf(ctx, {
    list: clientPacingList,
    query: isContinued(query) ? query : { month: presentMonth(ctx), ...query },
    presentAll: (rows) => presentAll(ctx, rows),
  })

const presentMonth = (ctx: Context): string => monthIn(ctx.organization.timeZone, nowIn(ctx))

/** Whether the cursor says alone what the list is filtered by. */
const isContinued = (query: Query): boolean =>
  query.cursor !== undefined &&
  Object.keys(clientPacingList.filters).every((name) => query[name] === undefined)

async function presentAll(
  ctx: Context,
  rows: readonly Row<'client_pacing'>[],
): Promise<ClientPacing[]> {
  const [first] = rows
  if (!first) return []
  const month = monthOfDay(first.month)
  const ids = [...new Set(rows.map(({ client_id }) => client_id))]
  const facts = await monthFacts(ctx, ids, { from: month, to: month })
  return rows.map((row) => toClientPacing(row, facts))
}

/** The pacing of a client in months from one to another, both included; a currency each. */
export async function monthsOfClient(
  ctx: Context,
  id: string,
  { from, to }: { from: string; to: string },
): Promise<ClientPacing[]> {
  const rows = await rowsOf(ctx, 'client_pacing')
    .where(
      sql<boolean>`client_id = ${id} and month between ${firstDayOf(from)}::date and ${firstDayOf(to)}::date`,
    )
    .orderBy('month')
    .orderBy('currency')
    .select(columnsOf.client_pacing)
    .execute()
  if (rows.length === 0) return []
  const facts = await monthFacts(ctx, [id], { from, to })
  return rows.map((row) => toClientPacing(row, facts))
}

/** The pacing of a client in a month, a currency each. */
export async function getClientPacing(
  ctx: Context,
  id: string,
  { month }: Query,
): Promise<ClientMonth> {
  const client = await oneOf(ctx, 'clients', id)
  if (!(await seesWholeClient(ctx, id))) throw notFound()
  const zone = client.time_zone ?? ctx.organization.timeZone
  const asked = typeof month === 'string' ? month : monthIn(zone, nowIn(ctx))
  const rows = await rowsOf(ctx, 'client_pacing')
    .where(sql<boolean>`client_id = ${id} and month = ${firstDayOf(asked)}::date`)
    .orderBy('currency')
    .select(columnsOf.client_pacing)
    .execute()
  return { data: await presentAll(ctx, rows) }
}
