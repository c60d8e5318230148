import type { Context } from '../../../kernel/context.ts'
import { guardrailsIn } from '../../guardrails/rules.ts'
import { storedRules } from '../../guardrails/stored.ts'

/** The organization's guardrails. */
export const guardrailsOf = async (ctx: Context) => guardrailsIn(await storedRules(ctx))
