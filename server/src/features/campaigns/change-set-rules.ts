import type { WriteContext } from '../../kernel/context.ts'
import { conflict } from '../../problems/problem.ts'
import { changeSetRulesIn } from '../guardrails/rules.ts'
import type { Details } from './present.ts'

/**
 * For what costs money or loses it: budgets, starts and deletions. The organization may let API keys
 * do this by change sets only.
 */
export function checkChangeSet(ctx: WriteContext, { guardrails }: Details): void {
  if (ctx.changeSet || ctx.actor.type !== 'api_key') return
  if (!changeSetRulesIn(guardrails).required_for.includes('api_key')) return
  throw conflict('change_set_required', 'API keys do this by change sets only.')
}
