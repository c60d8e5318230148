import { agentStopped } from '../../../identity/agents/terms.ts'
import type { WriteContext } from '../../../kernel/context.ts'
import { actFor } from '../../../kernel/people.ts'
import { conflict, type Problem } from '../../../problems/problem.ts'
import type { ChangeSetRow } from '../present.ts'

export const unapproved = ({ status }: ChangeSetRow): Problem =>
  conflict('approval_required', 'The change set needs an approval first.', {
    current_status: status,
    action: 'apply',
    allowed_actions: ['approve', 'reject', 'cancel', 'refresh'],
  })

/** A person has approved that it happens now: the approval of a later time is none yet. */
export const isCovered = ({ approved_at, apply_at }: ChangeSetRow, now: string): boolean =>
  approved_at !== null && (apply_at === null || apply_at <= now)

/** Refuses an agent what only a person applies, or has to approve first. */
export function checkAgentMayApply({ agent, now }: WriteContext, row: ChangeSetRow): void {
  if (!agent) return
  if (agent.isStopped) throw agentStopped()
  if (agent.apply === 'never') throw unapproved(row)
  if (agent.apply === 'approved' && !isCovered(row, now)) throw unapproved(row)
}

/** Refuses other keys what an agent proposed that leaves all applying to people. */
export async function checkPersonApplies(ctx: WriteContext, row: ChangeSetRow): Promise<void> {
  if (ctx.actor.type !== 'api_key' || ctx.agent || row.created_by === null) return
  const author = await actFor(ctx, row.created_by)
  if (author?.agent?.apply === 'never') throw unapproved(row)
}
