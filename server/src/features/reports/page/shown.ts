/** Pages of reports as the API answers them: the same as links open. */

import { Type } from 'typebox'
import type { Context } from '../../../kernel/context.ts'
import { text } from '../../../schema/fields.ts'
import { dataOf, getReportData } from '../data/data.ts'
import type { ReportData } from '../data/schema.ts'
import { getSnapshot } from '../links/snapshots.ts'
import { draftOf } from '../reports.ts'
import type { ReportChanges } from '../schema.ts'
import { pageOfReport } from './render.ts'

export const ReportPage = Type.Object(
  { html: text('An HTML document without scripts, made to be printed. All texts are escaped.') },
  { title: 'ReportPage', description: 'The page of a report, as a link opens it.' },
)
type ReportPage = Type.Static<typeof ReportPage>

export async function getPage(ctx: Context, id: string, snapshot?: string): Promise<ReportPage> {
  if (snapshot === undefined) return pageOf(await getReportData(ctx, id))
  return pageOf(await getSnapshot(ctx, { reportId: id, innerId: snapshot }))
}

export async function previewPage(
  ctx: Context,
  id: string,
  changes: ReportChanges,
): Promise<ReportPage> {
  const { row, logo } = await draftOf(ctx, id, changes)
  return pageOf(await dataOf(ctx, row, logo))
}

const pageOf = (data: ReportData): ReportPage => ({ html: pageOfReport(data) })
