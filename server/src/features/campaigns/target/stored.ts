import { isDeepStrictEqual } from 'node:util'
import type { Target } from '../../../database/tables/json-columns.ts'
import type { Context } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { daysAfter } from '../../results/calendar.ts'
import type { Performance } from './schema.ts'

/** The days of a target, which end yesterday in the campaign's zone. */
export const windowOf = (days: number, today: string): Performance['window'] => ({
  from: daysAfter(today, -days),
  to: today,
})

type StatusRow = { id: string; status: Performance['status'] | null; target: Target | null }

const statusesSql = `
  select id, status, target from campaign_performance where organization_id = $1 and id = any($2)`

/** The status of campaigns as it was judged last, by what is still their target. */
export async function statusesBefore(
  ctx: Context,
  campaigns: readonly { id: string; target: Target }[],
): Promise<Map<string, Performance['status'] | null>> {
  const ids = campaigns.map(({ id }) => id)
  const rows = await ctx.reader.query<StatusRow>(tenantQuery(ctx, statusesSql, ids))
  const targets = new Map(campaigns.map(({ id, target }) => [id, target]))
  return new Map(
    rows
      .filter(({ id, target }) => isDeepStrictEqual(target, targets.get(id)))
      .map(({ id, status }) => [id, status]),
  )
}
