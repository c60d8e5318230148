import type { Type } from 'typebox'
import { refusalsInHour } from '../../../identity/agents/terms.ts'
import { type Context, nowIn } from '../../../kernel/context.ts'
import { oneOf } from '../../../kernel/rows.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { notFound, Problem } from '../../../problems/problem.ts'
import { envelopeUsed } from './envelope.ts'
import type { AgentState } from './schema.ts'

const countsSql = `
  select
    count(*) filter (where is_living and approved_at is null) as open,
    count(*) filter (where is_living and approved_at is not null) as approved,
    count(*) filter (where status in ('applied', 'reverted')) as applied,
    count(*) filter (where status = 'rejected') as rejected,
    count(*) filter (where status = 'failed') as failed
  from (
    select status, approved_at,
      status in ('open', 'approved', 'scheduled') and expires_at > $3 as is_living
    from change_sets where organization_id = $1 and created_by = $2) as own`

type ProposalCounts = Type.Static<typeof AgentState>['change_sets']

/** How an agent does: what it has proposed and taken of its envelope, and whether it is stopped. */
export async function agentState(
  ctx: Context,
  id: string,
): Promise<Type.Static<typeof AgentState>> {
  const row = await oneOf(ctx, 'api_keys', id)
  if (row.revoked_at !== null) throw notFound()
  if (!row.agent) throw new Problem('not_an_agent', 'The key is not an agent’s.')
  const [used, [counts]] = await Promise.all([
    envelopeUsed(ctx, id),
    ctx.reader.query<ProposalCounts>(tenantQuery(ctx, countsSql, id, nowIn(ctx))),
  ])
  const limits = row.agent.envelope_24h ?? {}
  return {
    stopped: row.stopped_at !== null,
    stopped_at: row.stopped_at,
    stopped_by: row.stopped_by,
    reason: row.stop_reason,
    refusals_last_hour: refusalsInHour(row.refusals, ctx.services.clock.now()),
    envelope: Object.entries(limits).map(([currency, limit_minor]) => ({
      currency,
      limit_minor,
      used_minor: used[currency] ?? 0,
    })),
    change_sets: counts ?? { open: 0, approved: 0, applied: 0, rejected: 0, failed: 0 },
    last_request_at: row.last_used_at,
  }
}
