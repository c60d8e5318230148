import type { Streamed } from '../../../http/endpoint.ts'
import type { Context } from '../../../kernel/context.ts'
import { fileOf, formatIn } from '../../../query/file-formats.ts'
import type { Query } from '../../../query/list.ts'
import { beginLongRead } from '../../../query/long-reads.ts'
import { momentOf, type StoredCampaign } from '../present.ts'
import { Campaign } from '../schema.ts'
import { listCampaigns } from './list.ts'

/** Named as the fields of a campaign. */
export const columns = [
  ...['id', 'external_id', 'name', 'objective', 'profile_id', 'status', 'status_reason'],
  ...['status_change.action', 'status_change.at', 'status_change.by.name', 'status_change.reason'],
  ...['delivery.state', 'delivery.reasons', 'daily_budget', 'lifetime_budget', 'currency'],
  ...['start_at', 'end_at', 'time_zone', 'schedule', 'labels', 'metadata', 'notes'],
  ...['template_id', 'template_version', 'version'],
  ...['created_at', 'created_by', 'created_by_name'],
  ...['updated_at', 'updated_by', 'updated_by_name', 'launched_at', 'completed_at', 'archived_at'],
]

/** All matching campaigns, newest first, each as it is when its page is read. */
export async function exportCampaigns(ctx: Context, query: Query): Promise<Streamed> {
  const { format: _, ...filters } = query
  const format = formatIn(query)
  const { signal, end } = beginLongRead(ctx, 'export')
  const batches = pagesOf(ctx, filters, signal)
  const time = momentOf(ctx).now.slice(0, 19).replaceAll(':', '-')
  const fileName = `campaigns_${ctx.organization.id}_${time}Z.${format}`
  return { ...fileOf(format, { batches, columns }), fileName, close: end }
}

/** All fields, with those that a list has only on request. */
const fields = Object.keys(Campaign.properties).join()

/** Walks the list: new campaigns come before its first page. */
async function* pagesOf(
  ctx: Context,
  filters: Query,
  signal: AbortSignal,
): AsyncGenerator<StoredCampaign[]> {
  let cursor: string | undefined
  do {
    signal.throwIfAborted()
    const { data, meta } = await listCampaigns(ctx, { ...filters, fields, cursor, limit: '100' })
    yield data
    cursor = meta.next_cursor ?? undefined
  } while (cursor !== undefined)
}
