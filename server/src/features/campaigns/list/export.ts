import type { Streamed } from '../../../http/endpoint.ts'
import type { Context } from '../../../kernel/context.ts'
import { fileOf, formatIn } from '../../../query/file-formats.ts'
import type { Query } from '../../../query/list.ts'
import { beginLongRead, pagesOf } from '../../../query/long-reads.ts'
import { timeInFileName } from '../../../values/times.ts'
import { momentOf } from '../present.ts'
import { Campaign } from '../schema.ts'
import { listCampaigns } from './list.ts'

/** How each field is exported: in one column, one for each of its members, or not; in this order. */
const exported: Readonly<Record<keyof Campaign, boolean | readonly string[]>> = {
  id: true,
  external_id: true,
  name: true,
  objective: true,
  profile_id: true,
  status: true,
  status_reason: true,
  status_change: ['action', 'at', 'by.name', 'reason'],
  delivery: ['state', 'reasons'],
  deployment: ['state', 'network_object_id'],
  daily_budget: true,
  daily_budget_minor: false,
  lifetime_budget: true,
  lifetime_budget_minor: false,
  currency: true,
  currency_exponent: false,
  start_at: true,
  end_at: true,
  time_zone: true,
  schedule: true,
  labels: true,
  metadata: true,
  notes: true,
  target: true,
  performance: false,
  review: false,
  approved: false,
  available_actions: false,
  template_id: true,
  template_version: true,
  version: true,
  created_at: true,
  created_by: true,
  created_by_name: true,
  updated_at: true,
  updated_by: true,
  updated_by_name: true,
  launched_at: true,
  completed_at: true,
  archived_at: true,
}

/** Named as the fields of a campaign. */
export const columns: readonly string[] = Object.entries(exported).flatMap(([field, how]) => {
  if (typeof how === 'boolean') return how ? [field] : []
  return how.map((member) => `${field}.${member}`)
})

/** All matching campaigns, newest first, each as it is when its page is read. */
export async function exportCampaigns(ctx: Context, query: Query): Promise<Streamed> {
  const { format: _, ...filters } = query
  const format = formatIn(query)
  const { signal, end } = beginLongRead(ctx, 'export')
  const list = (page: Query) => listCampaigns(ctx, { ...filters, fields, ...page })
  const batches = pagesOf(list, signal)
  const fileName = `campaigns_${ctx.organization.id}_${timeInFileName(momentOf(ctx).now)}.${format}`
  return { ...fileOf(format, { batches, columns }), fileName, close: end }
}

/** All stored fields, with those that a list has only on request. */
const fields = Object.keys(Campaign.properties)
  .filter((field) => field !== 'performance')
  .join()
