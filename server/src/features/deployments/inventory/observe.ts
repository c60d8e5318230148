import { sql } from 'kysely'
import type { ObservedPlan } from '../../../database/tables/json-columns.ts'
import { columnsOf } from '../../../database/tables/types.ts'
import type { Context } from '../../../kernel/context.ts'
import { nowIn } from '../../../kernel/context.ts'
import { rowsOf } from '../../../kernel/rows.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { inTransaction } from '../../../kernel/transaction.ts'
import { writeBeside } from '../beside.ts'
import { changeDeployment, type DeploymentFacts, isNews, withState } from '../change.ts'
import { eventOf, factsOf, factsSeen } from '../connector/decide.ts'
import { type HeldLease, lockHeld } from '../connector/lease.ts'
import type { DeploymentRow } from '../present.ts'
import type { InventoryReply } from './schema.ts'

/** Compares what an account holds with the deployments that are linked with it. */

type OfAccount = { holding: HeldLease; profile_id: string }

type Judge = (row: DeploymentRow, now: string) => DeploymentFacts

/** Notes what was seen of linked deployments; only what is new of them is recorded. */
export async function observeAll(
  ctx: Context,
  { holding, profile_id, seen }: OfAccount & { seen: ReadonlyMap<string, ObservedPlan> },
): Promise<InventoryReply['linked']> {
  const rows = await rowsOf(ctx, 'deployments')
    .where(sql<boolean>`profile_id = ${profile_id} and network_object_id = any(${[...seen.keys()]})
      and state <> 'removed'`)
    .select(columnsOf.deployments)
    .execute()
  const judge: Judge = (row, now) => {
    const plan = seen.get(row.network_object_id ?? '')
    return plan ? factsSeen(row, plan, now) : {}
  }
  const now = nowIn(ctx)
  const [news, others] = [
    rows.filter((row) => isNews(row, withState(row, judge(row, now), now))),
    rows.filter((row) => !isNews(row, withState(row, judge(row, now), now))),
  ]
  await noteSeen(ctx, holding, others)
  await recordAll(ctx, holding, { rows: news, judge })
  return rows.map(({ network_object_id, id, campaign_id, generation }) => ({
    network_object_id: network_object_id ?? '',
    deployment_id: id,
    campaign_id,
    generation,
  }))
}

const seenSql = `
  update deployments set last_seen_at = $2 where organization_id = $1 and id = any($3)`

async function noteSeen(ctx: Context, holding: HeldLease, rows: readonly DeploymentRow[]) {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await writeBeside(ctx, async (tx) => {
    await lockHeld(ctx, tx, holding)
    tx.send(tenantQuery(ctx, seenSql, nowIn(ctx), ids))
  })
}

const maxGone = 500

// A row that changed, or was seen, since the pass began may be newer than what was listed.
const unnamedSql = `
  select d.* from deployments d
  where d.organization_id = $1 and d.profile_id = $2 and d.network_object_id is not null
    and d.state <> 'removed' and coalesce(d.error ->> 'code', '') <> 'gone'
    and d.updated_at < $3 and (d.last_seen_at is null or d.last_seen_at < $3)
    and not exists (select from network_campaigns n
      where n.organization_id = $1 and n.profile_id = $2 and n.id = d.network_object_id
        and not n.gone)
  order by d.id limit ${maxGone}`

/** Notes that linked deployments are gone which a complete pass has not named. */
export async function observeGone(
  ctx: Context,
  { holding, profile_id, since }: OfAccount & { since: string },
): Promise<void> {
  const statement = tenantQuery(ctx, unnamedSql, profile_id, since)
  const rows = await ctx.reader.query<DeploymentRow>(statement)
  const judge: Judge = (row, now) => {
    const report = { deployment_id: row.id, generation: row.generation, outcome: 'gone' as const }
    return row.updated_at < since ? factsOf({ row, report, now }) : {}
  }
  await recordAll(ctx, holding, { rows, judge })
}

const chunkSize = 50

type Judging = { rows: readonly DeploymentRow[]; judge: Judge }

/** Each is judged again as it stands in the transaction. */
async function recordAll(ctx: Context, holding: HeldLease, { rows, judge }: Judging) {
  for (let at = 0; at < rows.length; at += chunkSize) {
    const ids = rows.slice(at, at + chunkSize).map(({ id }) => id)
    await inTransaction(ctx, async (ctx) => {
      await lockHeld(ctx, ctx.tx, holding)
      const known = await rowsOf(ctx, 'deployments')
        .where(sql<boolean>`id = any(${ids}) and state <> 'removed'`)
        .select(columnsOf.deployments)
        .execute()
      for (const row of known) {
        const facts = judge(row, ctx.now)
        const event = eventOf(row, withState(row, facts, ctx.now))
        await changeDeployment(ctx, event, { row, facts, isStale: false })
      }
    })
  }
}
