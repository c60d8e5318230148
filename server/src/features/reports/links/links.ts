import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import { change } from '../../../kernel/change.ts'
import type { Context, WriteContext } from '../../../kernel/context.ts'
import { findOne, insert, oneInVersion, oneOf, remove } from '../../../kernel/rows.ts'
import { showOnce } from '../../../kernel/shown-once.ts'
import { type Fault, fault } from '../../../problems/fault.ts'
import { checkFaults, invalidReference, notFound } from '../../../problems/problem.ts'
import { type ListShape, type Page, pageOf, type Query } from '../../../query/list.ts'
import { sha256Hex } from '../../../values/canonical-json.ts'
import { newId } from '../../../values/ids.ts'
import { readTime } from '../../../values/times.ts'
import { linkIds, maxLinksOfReport, maxMailedLinksOfReport } from '../resource.ts'
import { maxLinkDays, type NewReportLink, type ReportLink, type ReportLinkInput } from './schema.ts'
import { checkRoom, ofReport, type ReportPart, snapshotList } from './snapshots.ts'

export const linkList: ListShape<'report_links'> = {
  table: 'report_links',
  filters: snapshotList.filters,
  sorts: ['created_at'],
}

/** The report is part of the filters, which ties a cursor to it. */
const listOfReport = { ...linkList, filters: { ...linkList.filters, report_id: ofReport } }

export async function listLinks(ctx: Context, id: string, query: Query): Promise<Page<ReportLink>> {
  const { name } = await oneOf(ctx, 'reports', id)
  return pageOf(ctx, {
    list: listOfReport,
    query: { ...query, report_id: id },
    present: (row) => toLink(row, name),
  })
}

/** Path of the page that a link opens. */
export const linkPath = '/r'

/** 256 random bits, of which only the hash is stored. */
export async function createLink(
  ctx: Context,
  reportId: string,
  input: ReportLinkInput,
): Promise<NewReportLink> {
  const { password = null } = input
  const { identity } = ctx.services
  const hashing = { organizationId: ctx.organization.id }
  const password_hash = password === null ? null : await identity.passwords.hash(password, hashing)
  const { token_hash, url } = newAddress(ctx)
  const secrets = { token_hash, password_hash }
  return showOnce(ctx, async (ctx) => ({
    kept: await addLink(ctx, reportId, { ...input, ...secrets }),
    shown: { url: ctx.dryRun ? null : url },
  }))
}

/** An address that no one can guess, and the hash that is stored in its place. */
function newAddress({ services: { config } }: Context): { token_hash: string; url: string } {
  const token = randomBytes(32).toString('base64url')
  const { href: url } = new URL(`${linkPath}/${token}`, config.publicUrl)
  return { token_hash: sha256Hex(token), url }
}

type Mailed = { snapshot_id: string; scheduleId: string; days: number }

/** A link that a schedule mails: its address must be in no reply, record or event. */
export async function createMailedLink(
  ctx: WriteContext,
  reportId: string,
  { snapshot_id, scheduleId, days }: Mailed,
): Promise<{ url: string; expires_at: string }> {
  const { token_hash, url } = newAddress(ctx)
  const expires_at = new Date(ctx.services.clock.now().getTime() + days * dayMs).toISOString()
  const about = { snapshot_id, scheduleId, expires_at }
  await addLink(ctx, reportId, { ...about, token_hash, password_hash: null })
  return { url, expires_at }
}

type MadeLink = { token_hash: string; password_hash: string | null; scheduleId?: string }

const addLink = (ctx: WriteContext, reportId: string, input: ReportLinkInput & MadeLink) =>
  change<ReportLink>(ctx, 'report_link.created', async (ctx) => {
    const report = await oneInVersion(ctx, 'reports', reportId)
    const { snapshot_id = null, token_hash, password_hash, scheduleId = null } = input
    const { expires_at, faults } = expiryOf(ctx, input.expires_at)
    checkFaults(ctx, [...faults, ...(await snapshotFaults(ctx, { reportId, snapshot_id }))])
    await checkRoom(ctx, 'report_links', roomFor(reportId, scheduleId))
    const row = {
      ...{ id: newId(linkIds), report_id: report.id, snapshot_id, token_hash, password_hash },
      ...{ schedule_id: scheduleId, expires_at, views: 0, last_viewed_at: null },
      ...{ created_at: ctx.now, created_by: ctx.actor.id },
    }
    insert(ctx, 'report_links', row)
    return { before: null, after: toLink(row, report.name) }
  })

/** Links that schedules mail leave the room of those that people make. */
const roomFor = (reportId: string, scheduleId: string | null) =>
  scheduleId === null
    ? { reportId, limit: maxLinksOfReport, counted: sql<boolean>`schedule_id is null` }
    : { reportId, limit: maxMailedLinksOfReport, counted: sql<boolean>`schedule_id is not null` }

const dayMs = 86_400_000

/** By the real clock, as links are opened by it. */
function expiryOf(ctx: Context, text = ''): { expires_at: string; faults: Fault[] } {
  const read = readTime(text, '/expires_at')
  if ('fault' in read) return { expires_at: '', faults: [read.fault] }
  const now = ctx.services.clock.now().getTime()
  const latest = now + maxLinkDays * dayMs
  const at = Date.parse(read.time)
  if (at > now && at <= latest) return { expires_at: read.time, faults: [] }
  const limit = new Date(latest).toISOString()
  const message = `must be in the future, and at most ${maxLinkDays} days ahead`
  const code = at > now ? 'out_of_range' : 'date_in_past'
  return { expires_at: '', faults: [fault('/expires_at', code, message, { limit, given: text })] }
}

type Shown = { reportId: string; snapshot_id: string | null }

async function snapshotFaults(ctx: Context, { reportId, snapshot_id }: Shown): Promise<Fault[]> {
  if (snapshot_id === null) return []
  const row = await findOne(ctx, 'report_snapshots', snapshot_id)
  return row?.report_id === reportId ? [] : [invalidReference('/snapshot_id', snapshot_id)]
}

/** Ends a link: its address shows nothing any more. */
export async function deleteLink(ctx: Context, { reportId, innerId }: ReportPart): Promise<void> {
  await change<ReportLink>(ctx, 'report_link.deleted', async (ctx) => {
    const report = await oneOf(ctx, 'reports', reportId)
    const row = await oneInVersion(ctx, 'report_links', innerId)
    if (row.report_id !== report.id) throw notFound()
    remove(ctx, 'report_links', innerId)
    return { before: toLink(row, report.name), after: null }
  })
}

const toLink = (row: Omit<Row<'report_links'>, 'organization_id'>, name: string): ReportLink => ({
  id: row.id,
  report_id: row.report_id,
  name,
  snapshot_id: row.snapshot_id,
  schedule_id: row.schedule_id,
  expires_at: row.expires_at,
  has_password: row.password_hash !== null,
  views: row.views,
  last_viewed_at: row.last_viewed_at,
  created_at: row.created_at,
  created_by: row.created_by,
})
