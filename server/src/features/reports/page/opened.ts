/** Reads what a link shows: there is no caller whose organization it could be. */

import { actAsSystem, nowText, type Services } from '../../../kernel/context.ts'
import { findOne } from '../../../kernel/rows.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { dataOf } from '../data/data.ts'
import type { ReportData } from '../data/schema.ts'
import { contentOf } from '../links/snapshots.ts'

export type OpenedLink = {
  organization_id: string
  id: string
  report_id: string
  snapshot_id: string | null
  password_hash: string | null
}

const linkSql = `
  select organization_id, id, report_id, snapshot_id, password_hash from report_links
  where token_hash = $1 and expires_at > $2`

export async function openedLink(
  services: Services,
  tokenHash: string,
): Promise<OpenedLink | undefined> {
  const { reader } = services.database
  const parameters = [tokenHash, nowText(services)]
  const [link] = await reader.query<OpenedLink>({ sql: linkSql, parameters })
  return link
}

/** The snapshot, or the report as it is; undefined if it or its organization is gone. */
export async function shownBy(
  services: Services,
  { organization_id, report_id, snapshot_id }: OpenedLink,
): Promise<ReportData | undefined> {
  const ctx = await actAsSystem(services, organization_id, 'report links')
  if (!ctx || ctx.organization.status === 'suspended') return undefined
  if (snapshot_id !== null) {
    const snapshot = await findOne(ctx, 'report_snapshots', snapshot_id)
    return snapshot && contentOf(snapshot)
  }
  const report = await findOne(ctx, 'reports', report_id)
  return report && dataOf(ctx, report)
}

const countSql = `
  update report_links set views = views + 1, last_viewed_at = $3
  where organization_id = $1 and id = $2`

/** Counts a view; that a link was opened is no change of the organization. */
export async function countView(
  services: Services,
  { organization_id, id }: OpenedLink,
): Promise<void> {
  const tenant = { organization: { id: organization_id } }
  const count = tenantQuery(tenant, countSql, id, nowText(services))
  await services.database.transaction(async (tx) => tx.send(count))
}
