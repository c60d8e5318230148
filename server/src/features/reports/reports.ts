import { sql } from 'kysely'
import type { Row } from '../../database/tables/tenant-tables.ts'
import { insufficientRole } from '../../identity/permissions.ts'
import { change } from '../../kernel/change.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { readOnlyFaults } from '../../kernel/people.ts'
import { checkCap } from '../../kernel/quotas.ts'
import {
  firstStamps,
  insert,
  nextStamps,
  oneOf,
  oneToChange,
  remove,
  rowsOf,
  update,
} from '../../kernel/rows.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import type { Fault } from '../../problems/fault.ts'
import { checkFaults, outOfScope } from '../../problems/problem.ts'
import { anyOf, commonFilters } from '../../query/filters.ts'
import { type ListShape, type Page, pageOf, type Query } from '../../query/list.ts'
import { byWordsOfName } from '../../query/search/search.ts'
import { byName } from '../../query/sorting.ts'
import { changedFields } from '../../schema/changed-fields.ts'
import { patched } from '../../schema/merge-patch.ts'
import { newId } from '../../values/ids.ts'
import { type Logo, readLogo } from './logo.ts'
import { type NormalizedReport, normalize } from './normalize.ts'
import { cap, reportIds, writeReports } from './resource.ts'
import { type Report, type ReportChanges, type ReportInput, readOnlyFields } from './schema.ts'

export const reportList: ListShape<'reports'> = {
  table: 'reports',
  filters: { ...byWordsOfName, client_id: anyOf('client_id'), ...commonFilters },
  sorts: ['created_at', 'updated_at', byName],
  wide: ['texts'],
}

export const listReports = (ctx: Context, query: Query): Promise<Page<Report>> =>
  pageOf(ctx, { list: reportList, query, present: toReport })

export async function getReport(ctx: Context, id: string): Promise<Report> {
  return toReport(await oneOf(ctx, 'reports', id))
}

export const createReport = (ctx: Context, { logo, ...body }: ReportInput): Promise<Report> =>
  change(ctx, 'report.created', async (ctx) => {
    const { normalized, faults } = await normalize(ctx, body)
    const sent = sentLogo(logo ?? null)
    checkFaults(ctx, [...faults, ...sent.faults])
    await checkCap(ctx, cap)
    const about = aboutLogo(sent.logo)
    const row = { id: newId(reportIds), ...normalized, ...about, ...firstStamps(ctx) }
    insert(ctx, 'reports', { ...row, ...jsonOf(normalized) })
    storeLogo(ctx, row.id, sent.logo)
    return { before: null, after: toReport(row), redacted: sent.logo ? ['logo'] : [] }
  })

function sentLogo(content: string | null): { logo: Logo | null; faults: Fault[] } {
  if (content === null) return { logo: null, faults: [] }
  const read = readLogo(content)
  return 'fault' in read ? { logo: null, faults: [read.fault] } : { logo: read.logo, faults: [] }
}

const aboutLogo = (logo: Logo | null) => ({
  logo_type: logo?.type ?? null,
  logo_bytes: logo?.bytes ?? null,
})

const jsonOf = ({ filter, period, sections, texts }: NormalizedReport) => ({
  filter: filter && JSON.stringify(filter),
  period: JSON.stringify(period),
  sections: JSON.stringify(sections),
  texts: JSON.stringify(texts),
})

const storeLogoSql = `
  insert into report_logos (organization_id, id, content) values ($1, $2, $3)
  on conflict (organization_id, id) do update set content = $3`
const removeLogoSql = 'delete from report_logos where organization_id = $1 and id = $2'

function storeLogo(ctx: WriteContext, id: string, logo: Logo | null): void {
  if (logo) ctx.tx.send(tenantQuery(ctx, storeLogoSql, id, logo.content))
  else ctx.tx.send(tenantQuery(ctx, removeLogoSql, id))
}

export const updateReport = (ctx: Context, id: string, changes: ReportChanges): Promise<Report> =>
  change(ctx, 'report.updated', async (ctx) => {
    const row = await oneToChange(ctx, 'reports', id)
    await checkUnlinked(ctx, id)
    const { before, normalized, isNewLogo, logo } = await merge(ctx, row, changes)
    if (changedFields(row, normalized).length === 0 && !isNewLogo) {
      return { before, after: before }
    }
    const next = { ...normalized, ...(isNewLogo && aboutLogo(logo)), ...nextStamps(ctx, row) }
    update(ctx, 'reports', { id, ...next, ...jsonOf(normalized) })
    if (isNewLogo) storeLogo(ctx, id, logo)
    const after = toReport({ ...row, ...next })
    return { before, after, redacted: isNewLogo ? ['logo'] : [] }
  })

/** A report that is linked to, or mailed, is read outside: agents must not write there. */
async function checkUnlinked(ctx: WriteContext, id: string): Promise<void> {
  if (!ctx.agent) return
  const found = await Promise.all([
    hasAny(ctx, 'report_links', id),
    hasAny(ctx, 'report_schedules', id),
  ])
  if (found.includes(true)) throw insufficientRole(ctx, writeReports.roles)
}

async function hasAny(
  ctx: Context,
  table: 'report_links' | 'report_schedules',
  reportId: string,
): Promise<boolean> {
  const row = await rowsOf(ctx, table)
    .where(sql<boolean>`report_id = ${reportId}`)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function merge(ctx: Context, row: Row<'reports'>, changes: ReportChanges) {
  const before = toReport(row)
  const merged = patched(ctx, before, changes)
  const { logo, ...body } = merged.body
  const { normalized, faults } = await normalize(ctx, { ...fieldsOf(before), ...body })
  const sent = sentLogo(logo ?? null)
  const readOnly = await readOnlyFaults(ctx, { before, body, readOnly: readOnlyFields })
  checkFaults(ctx, [...merged.faults, ...faults, ...sent.faults, ...readOnly])
  const isNewLogo = logo !== undefined && !(logo === null && row.logo_type === null)
  return { before, normalized, isNewLogo, logo: sent.logo }
}

/** The report as it would be after changes, with the logo that they send. Keeps nothing. */
export async function draftOf(
  ctx: Context,
  id: string,
  changes: ReportChanges,
): Promise<{ row: Row<'reports'>; logo?: string | null }> {
  const row = await oneOf(ctx, 'reports', id)
  const { normalized, isNewLogo, logo } = await merge(ctx, row, changes)
  if (ctx.scope && normalized.client_ids.length === 0) {
    throw outOfScope('The report would be outside your scope.')
  }
  const next = { ...row, ...normalized, ...(isNewLogo && aboutLogo(logo)) }
  return { row: next, ...(isNewLogo && { logo: logo?.content ?? null }) }
}

const fieldsOf = ({ name, client_id, filter, period, compare, sections, texts }: Report) => ({
  ...{ name, client_id, filter, period, compare, sections, texts },
})

export async function deleteReport(ctx: Context, id: string): Promise<void> {
  await change(ctx, 'report.deleted', async (ctx) => {
    const row = await oneToChange(ctx, 'reports', id)
    remove(ctx, 'reports', id)
    return { before: toReport(row), after: null }
  })
}

const logoSql = 'select content from report_logos where organization_id = $1 and id = $2'

/** The logo as base64; null if it has none. */
export async function logoOf(ctx: Context, id: string): Promise<string | null> {
  const [row] = await ctx.reader.query<{ content: string }>(tenantQuery(ctx, logoSql, id))
  return row?.content ?? null
}

export const toReport = (row: Omit<Row<'reports'>, 'organization_id'>): Report => ({
  id: row.id,
  name: row.name,
  client_id: row.client_id,
  filter: row.filter,
  period: row.period,
  compare: row.compare,
  sections: row.sections,
  texts: row.texts,
  logo_type: row.logo_type,
  logo_bytes: row.logo_bytes,
  version: row.version,
  created_at: row.created_at,
  updated_at: row.updated_at,
  created_by: row.created_by,
  updated_by: row.updated_by,
})
