import type { ReportSection as SectionKind } from '../../../database/tables/json-columns.ts'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import type { Context } from '../../../kernel/context.ts'
import { withNames } from '../../../kernel/people.ts'
import { oneOf } from '../../../kernel/rows.ts'
import { monthOfDay } from '../../../values/times.ts'
import { monthsOfClient } from '../../campaigns/client-pacing/list.ts'
import type { ClientPacing } from '../../campaigns/client-pacing/schema.ts'
import { daysAfter } from '../../results/calendar.ts'
import type { ResultGroup } from '../../results/summary/result-group.ts'
import { campaignsIn, wholeGroups, wholeTotals } from '../../results/summary/whole.ts'
import { logoOf, toReport } from '../reports.ts'
import { changesOf } from './changes.ts'
import { proposedHeadline } from './headline.ts'
import { scheduledFor } from './scheduled.ts'
import type { ReportData, ReportSection } from './schema.ts'
import { type Subject, subjectOf } from './subject.ts'

export const getReportData = async (ctx: Context, id: string): Promise<ReportData> =>
  dataOf(ctx, await oneOf(ctx, 'reports', id))

/** The report with its figures of now; with another logo than the stored one where it is given. */
export async function dataOf(
  ctx: Context,
  row: Row<'reports'>,
  given?: string | null,
): Promise<ReportData> {
  const subject = await subjectOf(ctx, row)
  const [facts, logo, [report = toReport(row)]] = await Promise.all([
    factsOf(ctx, subject),
    given === undefined ? logoOf(ctx, row.id) : given,
    withNames(ctx, [toReport(row)]),
  ])
  const sections = await Promise.all(
    row.sections.map((kind) => sectionOf(ctx, { ...facts, subject, kind })),
  )
  return {
    report,
    client: subject.client?.name ?? null,
    logo: logo === null ? null : `data:${row.logo_type};base64,${logo}`,
    time_zone: subject.timeZone,
    period: subject.range,
    compare: subject.earlier?.range ?? null,
    totals: facts.totals,
    sections,
    as_of: subject.now,
    provisional: isProvisional(subject, facts.totals),
  }
}

const isProvisional = ({ range, today }: Subject, totals: readonly ResultGroup[]): boolean =>
  range.to > today || totals.some(({ is_final }) => is_final === false)

type Facts = {
  readonly totals: ResultGroup[]
  readonly months: ClientPacing[]
  /** Read where sections need them. */
  readonly campaignIds: readonly string[]
}

/** More campaigns than that have no part in the sections about changes. */
const maxCampaigns = 20_000

async function factsOf(ctx: Context, { report, selection, filters }: Subject): Promise<Facts> {
  const { sections, client_id } = report
  const has = (...kinds: SectionKind[]) => kinds.some((kind) => sections.includes(kind))
  const { from, to } = selection.range
  const span = { from: monthOfDay(from), to: monthOfDay(daysAfter(to, -1)) }
  const [totals, months, campaignIds] = await Promise.all([
    wholeTotals(ctx, selection),
    client_id !== null && has('headline', 'plan', 'pacing')
      ? monthsOfClient(ctx, client_id, span)
      : [],
    has('changes', 'next') ? campaignsIn(ctx, filters, maxCampaigns) : [],
  ])
  return { totals, months, campaignIds }
}

type Asked = Facts & { readonly subject: Subject; readonly kind: SectionKind }

const groupings = {
  by_platform: { grouping: 'platform', limit: 100 },
  by_profile: { grouping: 'profile', limit: 200 },
  by_campaign: { grouping: 'campaign', limit: 200 },
  daily: { grouping: 'day', limit: 2_000 },
} as const

async function sectionOf(ctx: Context, asked: Asked): Promise<ReportSection> {
  const { subject, kind, totals, months, campaignIds } = asked
  const { texts } = subject.report
  switch (kind) {
    case 'headline':
      return { kind, ...headlineOf(asked) }
    case 'changes':
      return { kind, text: texts.why, changes: await changesOf(ctx, subject, campaignIds) }
    case 'next':
      return { kind, text: texts.next, scheduled: await scheduledFor(ctx, subject, campaignIds) }
    case 'summary':
      return { kind, rows: totals }
    case 'plan':
    case 'pacing':
      return { kind, months }
    case 'notes':
      return { kind, text: texts.notes }
    default:
      return { kind, ...(await wholeGroups(ctx, subject.selection, groupings[kind])) }
  }
}

function headlineOf({ subject, totals, months }: Asked) {
  const { headline } = subject.report.texts
  if (headline !== null) return { text: headline, is_proposed: false }
  const { range, report } = subject
  const text = proposedHeadline({ totals, months, range, compare: report.compare })
  return { text, is_proposed: true }
}
