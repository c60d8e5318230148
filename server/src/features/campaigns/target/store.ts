import type { Transaction } from '../../../database/database.ts'
import type { Context, WriteContext } from '../../../kernel/context.ts'
import { announce, record } from '../../../kernel/ledger.ts'
import { tenantQuery, withFree } from '../../../kernel/tenant-query.ts'
import { serviceActor } from '../../../values/organization.ts'
import { isChange, type Judgement } from './assess.ts'
import { type CampaignPerformanceChange, toChange } from './event-types.ts'
import { listedMetrics } from './windows.ts'

// Rows that were marked meanwhile stay due.
const judgedSql = `
  update campaign_performance p set
    status = judged.status, performance_index = judged.performance_index, target = judged.target,
    due_at = case when p.revision = judged.revision then judged.due_at else p.due_at end
  from jsonb_to_recordset($2::jsonb) as judged (id text, status text,
    performance_index double precision, target jsonb, due_at timestamptz, revision integer)
  where p.organization_id = $1 and p.id = judged.id`

const judgedIds = 'array(select id from jsonb_to_recordset($2::jsonb) as judged (id text))'

const judgedFreeSql = `
  ${withFree('campaign_performance', judgedIds)} ${judgedSql} and p.id in (select id from free)`

const columns = listedMetrics.join(', ')
const excluded = listedMetrics.map((name) => `excluded.${name}`).join(', ')
const known = listedMetrics.map((name) => `known.${name}`).join(', ')
const typed = listedMetrics.map((name) => `${name} double precision`).join(', ')

const metricsSql = `
  insert into campaign_metrics as known (organization_id, id, metric_window, ${columns})
  select $1::text, id, metric_window, ${columns}
  from jsonb_to_recordset($2::jsonb) as found (id text, metric_window text, ${typed})
  on conflict (organization_id, id, metric_window) do update set (${columns}) = row(${excluded})
  where (${known}) is distinct from (${excluded})`

const emptySql = `
  delete from campaign_metrics
  where organization_id = $1 and (id, metric_window) in (
    select id, metric_window from unnest($2::text[], $3::text[]) as empty (id, metric_window))`

type Storing = { all: readonly Judgement[]; isBeside: boolean }

/** Stores what was judged, and what the campaigns achieved in each window. */
export function sendJudged(ctx: Context, tx: Transaction, { all, isBeside }: Storing): void {
  const judged = all.map(({ campaign, performance, dueAt }) => ({
    id: campaign.id,
    status: performance?.status ?? null,
    performance_index: performance?.index ?? null,
    target: performance && campaign.target,
    due_at: dueAt,
    revision: campaign.revision,
  }))
  tx.send(tenantQuery(ctx, isBeside ? judgedFreeSql : judgedSql, JSON.stringify(judged)))
  const windows = all.flatMap(({ campaign: { id }, windows }) =>
    windows.map((each) => ({ id, ...each })),
  )
  const found = windows.flatMap(({ id, window, figures }) =>
    figures ? [{ id, metric_window: window, ...figures }] : [],
  )
  const empty = windows.filter(({ figures }) => !figures)
  if (found.length > 0) tx.send(tenantQuery(ctx, metricsSql, JSON.stringify(found)))
  if (empty.length === 0) return
  const keys = [empty.map(({ id }) => id), empty.map(({ window }) => window)]
  tx.send(tenantQuery(ctx, emptySql, ...keys))
}

/** Stores them with an audit record and an event for each change of status. */
export async function storeWithAlerts(
  ctx: WriteContext,
  judgements: readonly Judgement[],
): Promise<void> {
  if (judgements.length === 0) return
  sendJudged(ctx, ctx.tx, { all: judgements, isBeside: false })
  for (const judgement of judgements.filter(isChange)) {
    const after = toChange(judgement)
    if (after) await alert({ ...ctx, actor: serviceActor, reason: null }, judgement, after)
  }
}

async function alert(
  ctx: WriteContext,
  { campaign: { id, name, judged_status } }: Judgement,
  after: CampaignPerformanceChange,
): Promise<void> {
  const before = { ...after, status: judged_status ?? ('no_data' as const) }
  const changes = [{ field: 'performance', before: before.status, after: after.status }]
  const action = 'campaign.performance_changed'
  await record(ctx, { action, resource: { type: 'campaign', id, name }, changes })
  await announce(ctx, action, { before, after })
}
