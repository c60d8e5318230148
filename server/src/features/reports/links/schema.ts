import { Type } from 'typebox'
import {
  bodyOf,
  idOf,
  nameBeside,
  orNull,
  pageOfSchema,
  referenceTo,
  shownOnce,
  text,
  time,
} from '../../../schema/fields.ts'
import { ResultRange } from '../../results/summary/period.ts'
import { linkIds, reportIds, snapshotIds } from '../resource.ts'

const made = {
  created_at: time('When it was made.'),
  created_by: orNull(text('Id of the user or API key that made it.')),
  created_by_name: nameBeside('created_by'),
}

export const ReportSnapshot = Type.Object(
  {
    id: idOf(snapshotIds, 'Snapshot identifier.'),
    report_id: idOf(reportIds, 'The report.'),
    name: text('Name of the report then.'),
    period: ResultRange,
    ...made,
  },
  { title: 'ReportSnapshot', description: 'A report as it was; it never changes.' },
)
export type ReportSnapshot = Type.Static<typeof ReportSnapshot>

export const ReportSnapshotList = pageOfSchema(ReportSnapshot)

const link = {
  id: idOf(linkIds, 'Link identifier.'),
  report_id: idOf(reportIds, 'The report.'),
  name: text('Name of the report.'),
  snapshot_id: orNull(text('The snapshot that it shows; null: the report as it is when opened.')),
  schedule_id: orNull(text('The schedule that mailed it, which may be gone; null: made by hand.')),
  expires_at: time('Until when it works.'),
  has_password: Type.Boolean({ description: 'Whether it asks for a password.' }),
  views: Type.Integer({ description: 'How often it was opened.' }),
  last_viewed_at: orNull(time('When it was last opened.')),
  ...made,
}

export const ReportLink = Type.Object(link, {
  title: 'ReportLink',
  description: 'Shows a report to all who have its address.',
})
export type ReportLink = Type.Static<typeof ReportLink>

export const ReportLinkList = pageOfSchema(ReportLink)

export const NewReportLink = Type.Object(
  { ...link, url: shownOnce('Its address.', { format: 'uri' }) },
  { title: 'NewReportLink', description: 'The link with its address.' },
)
export type NewReportLink = Type.Static<typeof NewReportLink>

export const maxLinkDays = 366

export const ReportLinkBody = bodyOf(
  {
    expires_at: time(`Until when it works, at most ${maxLinkDays} days ahead.`),
    password: Type.Optional(
      orNull(
        Type.String({
          ...{ minLength: 8, maxLength: 128, writeOnly: true },
          description: 'Asked for when it is opened.',
        }),
      ),
    ),
    snapshot_id: Type.Optional(
      orNull(
        referenceTo(snapshotIds, 'Shows this snapshot; null: the report as it is when opened.'),
      ),
    ),
  },
  { title: 'ReportLinkInput' },
)
export type ReportLinkInput = Type.Static<typeof ReportLinkBody>
