import { isDeepStrictEqual } from 'node:util'
import type { Reaction } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { readNews } from '../../results/resource.ts'

// In the order of their ids, so that no two transactions wait for each other.
const markSql = `
  insert into campaign_performance as known (organization_id, id, due_at, revision)
  select $1, id, $3::timestamptz, 1 from unnest($2::text[]) as marked (id) order by id
  on conflict (organization_id, id) do update
    set due_at = excluded.due_at, revision = known.revision + 1`

/** Marks the campaigns of a report, or of a deleted source, for the background. */
export const markReported: Reaction = async (ctx, _before, _after, news) => {
  ctx.tx.send(tenantQuery(ctx, markSql, [...readNews(news).keys()], ctx.now))
}

/** Fields that decide how a campaign with a target is judged. */
const decisive = ['target', 'status', 'currency', 'time_zone']

/** Marks a launched campaign that has or had a target. */
export const markChanged: Reaction = async (ctx, before, after) => {
  if (!after?.launched_at || (!after.target && !before?.target)) return
  if (before && decisive.every((field) => isDeepStrictEqual(before[field], after[field]))) return
  ctx.tx.send(tenantQuery(ctx, markSql, [after.id], ctx.now))
}

const allSql = `
  update campaign_performance set due_at = $2, revision = revision + 1
  where organization_id = $1 and status is not null`

/** Another bound may mean another status, for every campaign. */
export const judgeByNewBound: Reaction = async (ctx, before, after) => {
  if (before?.performance_bound === after?.performance_bound) return
  ctx.tx.send(tenantQuery(ctx, allSql, ctx.now))
}
