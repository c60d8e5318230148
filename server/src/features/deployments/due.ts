import { sql } from 'kysely'
import { columnsOf } from '../../database/tables/types.ts'
import type { SingletonTask } from '../../jobs/job.ts'
import {
  actAsSystem,
  type Context,
  nowIn,
  nowText,
  type Services,
  type WriteContext,
} from '../../kernel/context.ts'
import { rowsOf } from '../../kernel/rows.ts'
import { tenantQuery, withFree } from '../../kernel/tenant-query.ts'
import { inTransaction } from '../../kernel/transaction.ts'
import { writeBeside } from './beside.ts'
import { campaignsOf } from './campaign.ts'
import { changeDeployment, isNews, withState } from './change.ts'
import { noteStale } from './connector/due.ts'
import { facingNetwork } from './follow.ts'

/** Computes what networks should run where the clock, a profile or a proxy may have changed it. */
export const dueDeployments: SingletonTask = {
  name: 'deployments.due',
  everyMs: 2_000,
  work: [{ name: 'deployments', dueSince: 'select min(due_at) from deployments' }],
  run: bringDue,
}

const maxFound = 1_000
const chunkSize = 20

// The second half is for sandboxes whose clock is ahead.
const dueSql = `
  select organization_id, id from (
    (select organization_id, id, due_at from deployments
      where due_at <= $1 order by due_at limit $2)
    union
    (select d.organization_id, d.id, d.due_at from organizations o
      cross join lateral (select $1::timestamptz + o.clock_ahead_ms * interval '1 millisecond' as now) t
      join deployments d on d.organization_id = o.id
      where o.clock_ahead_ms > 0 and d.due_at <= t.now limit $2)
  ) as found
  order by due_at
  limit $2`

type DueDeployment = { organization_id: string; id: string }

export async function bringDue(services: Services, signal: AbortSignal): Promise<void> {
  await noteStale(services)
  for (let found = maxFound; found === maxFound && !signal.aborted; ) {
    const parameters = [nowText(services), maxFound]
    const due = await services.database.reader.query<DueDeployment>({
      sql: dueSql,
      parameters,
      ofAll: true,
    })
    found = due.length
    for (const [organizationId, rows] of Map.groupBy(due, (each) => each.organization_id)) {
      const ctx = await actAsSystem(services, organizationId, 'Flightdeck')
      const ids = rows.map(({ id }) => id)
      for (let at = 0; ctx && at < ids.length && !signal.aborted; at += chunkSize)
        await bringChunk(ctx, ids.slice(at, at + chunkSize))
    }
  }
}

// Only where nothing has set another time meanwhile.
const nextSql = `
  ${withFree('deployments', '$2::text[]')}
  update deployments d set due_at = looked.next
  from unnest($2::text[], $3::timestamptz[], $4::timestamptz[]) as looked (id, due, next)
  where d.organization_id = $1 and d.id = looked.id and d.due_at = looked.due
    and d.id in (select id from free)`

/** Most are as they were: only what changes is recorded. */
async function bringChunk(ctx: Context, ids: readonly string[]): Promise<void> {
  const now = nowIn(ctx)
  const looked = (await facingAll(ctx, ids)).map(({ row, around }) => {
    const facts = facingNetwork(row, around, now)
    return { row, due_at: facts.due_at ?? null, isNews: isNews(row, withState(row, facts, now)) }
  })
  const [news, others] = [looked.filter((each) => each.isNews), looked.filter((e) => !e.isNews)]
  const columns = [
    others.map(({ row }) => row.id),
    others.map(({ row }) => row.due_at),
    others.map(({ due_at }) => due_at),
  ]
  if (others.length > 0)
    await writeBeside(ctx, async (tx) => tx.send(tenantQuery(ctx, nextSql, ...columns)))
  if (news.length > 0)
    await inTransaction(ctx, (ctx) =>
      bringAll(
        ctx,
        news.map(({ row }) => row.id),
      ),
    )
}

async function bringAll(ctx: WriteContext, ids: readonly string[]): Promise<void> {
  for (const { row, around } of await facingAll(ctx, ids)) {
    const facts = facingNetwork(row, around, ctx.now)
    await changeDeployment(ctx, 'deployment.updated', { row, facts })
  }
}

/** The deployments with their campaigns and accounts; removed ones are left out. */
async function facingAll(ctx: Context, ids: readonly string[]) {
  const rows = await rowsOf(ctx, 'deployments')
    .where(sql<boolean>`id = any(${ids}) and state <> 'removed'`)
    .select(columnsOf.deployments)
    .execute()
  const campaigns = await campaignsOf(
    ctx,
    rows.map(({ campaign_id }) => campaign_id),
  )
  const profiles = await rowsOf(ctx, 'profiles')
    .where(sql<boolean>`id = any(${rows.map(({ profile_id }) => profile_id)})`)
    .select(['id', 'account_ref'])
    .execute()
  return rows.flatMap((row) => {
    const campaign = campaigns.get(row.campaign_id)
    const accountRef = profiles.find(({ id }) => id === row.profile_id)?.account_ref ?? null
    return campaign ? [{ row, around: { campaign, accountRef } }] : []
  })
}
