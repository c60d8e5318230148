import { setTimeout as rest } from 'node:timers/promises'
import { sql } from 'kysely'
import { eachOf } from '../../concurrency/each-of.ts'
import { columnsOf } from '../../database/tables/types.ts'
import type { SingletonTask } from '../../jobs/job.ts'
import {
  actAsSystem,
  type Context,
  nowText,
  type Services,
  type WriteContext,
} from '../../kernel/context.ts'
import { rowsOf } from '../../kernel/rows.ts'
import { inTransaction } from '../../kernel/transaction.ts'
import { applyStatus } from './actions.ts'
import { changeCampaign } from './change-campaign.ts'
import { blockOf, recordBlock } from './guardrails/check.ts'
import { startBreach } from './guardrails/rules.ts'
import { dueTransition } from './lifecycle/lifecycle.ts'
import { pausedEvent } from './lifecycle/transitions.ts'
import { type Details, lifecycleFactsOf, toCampaign } from './present.ts'

/** Starts and ends campaigns when they are due. */
export const timedMoves: SingletonTask = {
  name: 'campaigns.timed-moves',
  everyMs: 500,
  work: [
    {
      name: 'campaign_starts',
      dueSince: `select min(start_at) from campaigns where status = 'scheduled'`,
    },
    {
      name: 'campaign_ends',
      dueSince: `select min(end_at) from campaigns where status in ('scheduled', 'active', 'paused')`,
    },
  ],
  run: moveDue,
}

const maxFound = 1_000
/** Campaigns per transaction, and organizations in parallel. */
const chunkSize = 10
const concurrentOrganizations = 2
/**
 * Many campaigns can be due at midnight: rest half of the time so that requests are served
 * meanwhile.
 */
const maxRestMs = 100

const inOrganizationTime = `organizations o
      cross join lateral (select $1::timestamptz + o.clock_ahead_ms * interval '1 millisecond' as now) t
      join campaigns c on c.organization_id = o.id`

// Spans all organizations; each branch has its own index. The last two cover sandboxes whose clock
// is ahead.
const dueSql = `
  select organization_id, id from (
    (select organization_id, id, start_at as due from campaigns
      where status = 'scheduled' and start_at <= $1 order by start_at limit $2)
    union
    (select organization_id, id, end_at from campaigns
      where status in ('scheduled', 'active', 'paused') and end_at <= $1 order by end_at limit $2)
    union
    (select organization_id, c.id, start_at from ${inOrganizationTime}
      where o.clock_ahead_ms > 0 and c.status = 'scheduled' and start_at <= t.now limit $2)
    union
    (select organization_id, c.id, end_at from ${inOrganizationTime}
      where o.clock_ahead_ms > 0 and c.status in ('scheduled', 'active', 'paused')
        and end_at <= t.now limit $2)
  ) as found
  order by due
  limit $2`

type DueMove = { organization_id: string; id: string }

/** Moves every due campaign, the longest overdue first. */
export async function moveDue(services: Services, signal: AbortSignal): Promise<void> {
  for (let found = maxFound; found === maxFound && !signal.aborted; ) {
    const parameters = [nowText(services), maxFound]
    const due = await services.database.reader.query<DueMove>({
      sql: dueSql,
      parameters,
      ofAll: true,
    })
    found = due.length
    const byOrganization = [...Map.groupBy(due, (each) => each.organization_id)]
    await eachOf(
      byOrganization,
      { signal, atOnce: concurrentOrganizations },
      ([organizationId, rows]) =>
        moveAll(services, organizationId, { ids: rows.map(({ id }) => id), signal }),
    )
  }
}

type MoveBatch = { ids: string[]; signal: AbortSignal }

async function moveAll(services: Services, organizationId: string, { ids, signal }: MoveBatch) {
  const ctx = await actAsSystem(services, organizationId, 'Flightdeck')
  if (!ctx) return
  const chunks = Array.from({ length: Math.ceil(ids.length / chunkSize) }, (_, n) =>
    ids.slice(n * chunkSize, (n + 1) * chunkSize),
  )
  await eachOf(chunks, { signal }, async (chunk) => {
    const begun = performance.now()
    await moveChunk(ctx, chunk, signal)
    await rest(Math.min(performance.now() - begun, maxRestMs))
  })
}

/** If the chunk fails, each campaign gets its own transaction, so one cannot block the others. */
async function moveChunk(ctx: Context, ids: readonly string[], signal: AbortSignal): Promise<void> {
  const move = (ids: readonly string[]) => inTransaction(ctx, (ctx) => moveTogether(ctx, ids))
  await move(ids).catch((fault: unknown) => {
    if (ids.length === 1) throw fault
    return eachOf(ids, { signal }, (id) => move([id]))
  })
}

/** Each row is checked again: one that was moved in the meantime stays as it is. */
async function moveTogether(ctx: WriteContext, ids: readonly string[]): Promise<void> {
  const rows = await rowsOf(ctx, 'campaign_details')
    .where(sql<boolean>`id = any(${ids})`)
    .select(columnsOf.campaign_details)
    .execute()
  for (const row of rows) await moveOne(ctx, row)
}

async function moveOne(ctx: WriteContext, row: Details): Promise<void> {
  const facts = lifecycleFactsOf(row, ctx)
  const due = dueTransition(facts, ctx.now)
  if (!due) return
  const breach = due.checked ? startBreach(row, ctx.now) : undefined
  const [obstacle = breach ? 'guardrail_violation' : null] = due.checked ? facts.obstacles : []
  if (breach && obstacle === 'guardrail_violation') await recordBlock(ctx, blockOf(row, breach))
  const action = obstacle ? pausedEvent : due.event
  await changeCampaign(ctx, action, async (ctx) => ({
    before: toCampaign(row, ctx, facts),
    after: applyStatus(
      ctx,
      { row, facts },
      {
        status: obstacle ? 'paused' : due.to,
        reason: obstacle,
        cause: { action: obstacle ? 'pause' : due.cause, reason: obstacle },
      },
    ),
  }))
}
