import type { Row } from '../../../database/tables/tenant-tables.ts'
import { nowText, type WriteContext } from '../../../kernel/context.ts'
import { findOne } from '../../../kernel/rows.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { postMail } from '../../../mail/post.ts'
import { createMailedLink } from '../links/links.ts'
import { createSnapshot } from '../links/snapshots.ts'
import { reportLetter } from './letter.ts'
import type { ScheduleRow } from './present.ts'

// Links that are over would fill the room of those that still show something.
const dropOverSql = `
  delete from report_links
  where organization_id = $1 and report_id = $2 and schedule_id is not null and expires_at <= $3`

type Sending = { report: Row<'reports'>; row: ScheduleRow }

/** Makes a snapshot and a link to it, and posts a mail to each recipient: all or nothing. */
export async function mailReport(written: WriteContext, { report, row }: Sending): Promise<void> {
  // The version that the request names is that of the schedule.
  const ctx = { ...written, ifMatch: null }
  ctx.tx.send(tenantQuery(ctx, dropOverSql, report.id, nowText(ctx.services)))
  const snapshot = await createSnapshot(ctx, report.id)
  const { url, expires_at } = await createMailedLink(ctx, report.id, {
    snapshot_id: snapshot.id,
    scheduleId: row.id,
    days: row.link_days,
  })
  const client = report.client_id === null ? null : await findOne(ctx, 'clients', report.client_id)
  const letter = reportLetter({
    by: ctx.organization.name,
    name: report.name,
    client: client?.name ?? null,
    period: snapshot.period,
    every: row.every,
    url,
    expiresAt: expires_at,
  })
  for (const to of row.recipients) postMail(ctx, { to, letter }, { canWait: true })
}
