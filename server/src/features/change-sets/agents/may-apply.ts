import { agentStopped } from '../../../identity/agents/terms.ts'
import type { WriteContext } from '../../../kernel/context.ts'
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
