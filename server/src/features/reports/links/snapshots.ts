import { type RawBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import { change } from '../../../kernel/change.ts'
import type { Context } from '../../../kernel/context.ts'
import { insert, oneInVersion, oneOf, remove, rowsOf } from '../../../kernel/rows.ts'
import { conflict, notFound } from '../../../problems/problem.ts'
import { createdFilters, type Filter } from '../../../query/filters.ts'
import { type ListShape, type Page, pageOf, type Query } from '../../../query/list.ts'
import { newId } from '../../../values/ids.ts'
import { memberOf } from '../../../values/objects.ts'
import { dataOf } from '../data/data.ts'
import type { ReportData } from '../data/schema.ts'
import { maxLinksOfReport, maxSnapshotsOfReport, snapshotIds } from '../resource.ts'
import type { ReportSnapshot } from './schema.ts'

export const snapshotList: ListShape<'report_snapshots'> = {
  table: 'report_snapshots',
  filters: createdFilters,
  sorts: ['created_at'],
  wide: ['content'],
}

export const ofReport: Filter = {
  schema: Type.String(),
  read: ([id]) => ({ condition: sql<boolean>`report_id = ${id}` }),
}

/** The report is part of the filters, which ties a cursor to it. */
const listOfReport = { ...snapshotList, filters: { ...snapshotList.filters, report_id: ofReport } }

export async function listSnapshots(
  ctx: Context,
  id: string,
  query: Query,
): Promise<Page<ReportSnapshot>> {
  await oneOf(ctx, 'reports', id)
  return pageOf(ctx, {
    list: listOfReport,
    query: { ...query, report_id: id },
    present: toSnapshot,
  })
}

/** Freezes the report with its figures of now. */
export const createSnapshot = (ctx: Context, reportId: string): Promise<ReportSnapshot> =>
  change<ReportSnapshot>(ctx, 'report_snapshot.created', async (ctx) => {
    const report = await oneInVersion(ctx, 'reports', reportId)
    await checkRoom(ctx, 'report_snapshots', { reportId, limit: maxSnapshotsOfReport })
    const content = await dataOf(ctx, report)
    const row = {
      id: newId(snapshotIds),
      report_id: report.id,
      name: report.name,
      period_from: content.period.from,
      period_to: content.period.to,
      created_at: ctx.now,
      created_by: ctx.actor.id,
    }
    insert(ctx, 'report_snapshots', { ...row, content: JSON.stringify(content) })
    return { before: null, after: toSnapshot(row) }
  })

type PartOfReport = 'report_snapshots' | 'report_links' | 'report_schedules'
type Room = { reportId: string; limit: number; counted?: RawBuilder<boolean> }

const nouns: Readonly<Record<PartOfReport, string>> = {
  report_snapshots: 'snapshots',
  report_links: 'links',
  report_schedules: 'schedules',
}

/** Throws 409 where a report has as many as it may have; `counted` says which of them count. */
export async function checkRoom(
  ctx: Context,
  table: PartOfReport,
  { reportId, limit, counted = sql<boolean>`true` }: Room,
): Promise<void> {
  const rows = await rowsOf(ctx, table)
    .where(sql<boolean>`report_id = ${reportId}`)
    .where(counted)
    .select('id')
    .limit(limit)
    .execute()
  if (rows.length >= limit)
    throw conflict('limit_exceeded', `A report has at most ${limit} ${nouns[table]}.`)
}

export type ReportPart = { reportId: string; innerId: string }

async function snapshotRow(ctx: Context, { reportId, innerId }: ReportPart) {
  const row = await oneOf(ctx, 'report_snapshots', innerId)
  if (row.report_id !== reportId) throw notFound()
  return row
}

export const getSnapshot = async (ctx: Context, place: ReportPart): Promise<ReportData> =>
  contentOf(await snapshotRow(ctx, place))

/** A snapshot that a link shows stays: its address would show something else, or nothing. */
export async function deleteSnapshot(ctx: Context, place: ReportPart): Promise<void> {
  await change<ReportSnapshot>(ctx, 'report_snapshot.deleted', async (ctx) => {
    await oneInVersion(ctx, 'reports', place.reportId)
    const row = await snapshotRow(ctx, place)
    await checkNoLink(ctx, row)
    remove(ctx, 'report_snapshots', row.id)
    return { before: toSnapshot(row), after: null }
  })
}

async function checkNoLink(ctx: Context, { id, name }: Row<'report_snapshots'>): Promise<void> {
  const links = await rowsOf(ctx, 'report_links')
    .where(sql<boolean>`snapshot_id = ${id}`)
    .select('id')
    .limit(maxLinksOfReport)
    .execute()
  if (links.length === 0) return
  throw conflict('resource_in_use', 'Links show this snapshot: end them first.', {
    references: links.slice(0, 10).map((link) => ({ type: 'report_link', id: link.id, name })),
    reference_count: links.length,
  })
}

/** The report as it was. */
export function contentOf({ content }: Pick<Row<'report_snapshots'>, 'content'>): ReportData {
  if (!isReport(content)) throw new Error('a snapshot holds no report')
  return content
}

/** Only the service writes them, as it answers them. */
const isReport = (content: unknown): content is ReportData =>
  Array.isArray(memberOf(content, 'sections')) && Array.isArray(memberOf(content, 'totals'))

const toSnapshot = (row: Omit<Row<'report_snapshots'>, 'organization_id' | 'content'>) => ({
  id: row.id,
  report_id: row.report_id,
  name: row.name,
  period: { from: row.period_from, to: row.period_to },
  created_at: row.created_at,
  created_by: row.created_by,
})
