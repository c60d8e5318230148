import type { Guardrails } from '../../database/tables/json-columns.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, Problem } from '../../problems/problem.ts'
import { changeSetRulesIn } from './rules.ts'

/** How `required_for` and a refusal name the callers; the service itself is not asked. */
const writers = {
  user: { kind: 'member', who: 'Members' },
  api_key: { kind: 'api_key', who: 'API keys' },
} as const

/**
 * For what makes a day dearer, starts spending, or deletes: throws where the organization wants it of
 * this caller by change set only, and on the way back of a change set that may not raise.
 */
export function checkDirect(ctx: Context, rules: Guardrails | null, does: string): void {
  const { changeSet, actor } = ctx
  if (changeSet?.barred) throw new Problem(changeSet.barred.code, changeSet.barred.detail)
  if (changeSet || (actor.type !== 'user' && actor.type !== 'api_key')) return
  const { kind, who } = writers[actor.type]
  if (!changeSetRulesIn(rules).required_for.includes(kind)) return
  const detail = `${who} ${does} by change sets only: propose it with POST /change_sets.`
  throw conflict('change_set_required', detail)
}
