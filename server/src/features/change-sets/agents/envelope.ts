import { whole } from '../../../database/scope/readers.ts'
import type { Amounts } from '../../../database/tables/json-columns.ts'
import { type Context, nowIn, type WriteContext } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import type { EnvelopeShare } from '../../../problems/members.ts'
import { conflict } from '../../../problems/problem.ts'
import type { ChangeSetRow } from '../present.ts'
import { isCovered } from './may-apply.ts'

const dayMs = 24 * 60 * 60 * 1000

const usedSql = `
  select used.key as currency, sum(used.value::bigint)::bigint as minor
  from change_sets c cross join lateral jsonb_each_text(c.envelope_use) as used
  where c.organization_id = $1 and c.applied_by = $2 and c.applied_at > $3
    and c.envelope_use is not null
  group by used.key`

/** Amounts that an agent has taken in the last 24 hours of the organization's clock. */
export async function envelopeUsed(ctx: Context, agentId: string | null): Promise<Amounts> {
  const since = new Date(Date.parse(nowIn(ctx)) - dayMs).toISOString()
  // All of it, also where the agent's scope does not reach any more.
  const used = await whole(ctx).reader.query<{ currency: string; minor: number }>(
    tenantQuery(ctx, usedSql, agentId, since),
  )
  return Object.fromEntries(used.map(({ currency, minor }) => [currency, Number(minor)]))
}

/**
 * The part of its envelope that an agent takes for a change set; null where it needs none. Throws where
 * not enough is left. An organization has one writer, so that two at once cannot take the same.
 */
export async function takenFromEnvelope(
  ctx: WriteContext,
  row: ChangeSetRow,
  raises: Amounts,
): Promise<Amounts | null> {
  const { agent, actor } = ctx
  if (agent?.apply !== 'within_envelope' || isCovered(row, ctx.now)) return null
  const asked = Object.entries(raises)
  if (asked.length === 0) return null
  const [limits, used] = [agent.envelope_24h ?? {}, await envelopeUsed(ctx, actor.id)]
  const envelope = asked.map(
    ([currency, asked_minor]): EnvelopeShare => ({
      currency,
      limit_minor: limits[currency] ?? 0,
      used_minor: used[currency] ?? 0,
      asked_minor,
    }),
  )
  const isExceeded = ({ limit_minor, used_minor, asked_minor }: EnvelopeShare) =>
    used_minor + asked_minor > limit_minor
  if (envelope.some(isExceeded)) throw exceeded(envelope)
  return raises
}

const exceeded = (envelope: EnvelopeShare[]) =>
  conflict(
    'agent_envelope_exceeded',
    'The change set raises more than is left of the agent’s envelope: a person has to approve it.',
    { envelope },
  )
