import type { Guardrails } from '../../database/tables/json-columns.ts'
import type { Holder } from '../../identity/permissions.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, Problem } from '../../problems/problem.ts'
import type { Actor } from '../../values/organization.ts'
import { changeSetRulesIn } from './rules.ts'

/** How `required_for` names the callers; the service itself is not asked. */
const kinds = { user: 'member', api_key: 'api_key' } as const

export type Proposer = Pick<Holder, 'agent'> & {
  readonly actor: Actor
  readonly changeSet?: Context['changeSet']
}

/** Whether the caller may raise, start and delete by change sets only. */
export function mustPropose(
  { actor, agent, changeSet }: Proposer,
  rules: Guardrails | null,
): boolean {
  if (changeSet || (actor.type !== 'user' && actor.type !== 'api_key')) return false
  if (agent) return true
  return changeSetRulesIn(rules).required_for.includes(kinds[actor.type])
}

/**
 * For what makes a day dearer, starts spending, or deletes: throws where the organization wants it of
 * this caller by change set only, and on the way back of a change set that may not raise.
 */
export function checkDirect(ctx: Context, rules: Guardrails | null, does: string): void {
  const { changeSet, actor } = ctx
  if (changeSet?.barred) throw new Problem(changeSet.barred.code, changeSet.barred.detail)
  if (!mustPropose(ctx, rules)) return
  const who = actor.type === 'user' ? 'Members' : 'API keys'
  const detail = `${who} ${does} by change sets only: propose it with POST /change_sets.`
  throw conflict('change_set_required', detail)
}
