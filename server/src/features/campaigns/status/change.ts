import type { StatusChange } from '../../../database/tables/json-columns.ts'
import type { Context, WriteContext } from '../../../kernel/context.ts'
import { fault } from '../../../problems/fault.ts'
import { invalid } from '../../../problems/problem.ts'

export type Cause = Pick<StatusChange, 'action' | 'reason'>

/** The actor, time and reason to store beside a new status. */
export const statusChange = (ctx: WriteContext, { action, reason }: Cause): StatusChange => ({
  action,
  at: ctx.now,
  by: { type: ctx.actor.type, id: ctx.actor.id, name: ctx.actor.name },
  reason,
  change_set_id: ctx.changeSet?.id ?? null,
})

/**
 * The context with the reason of one action, which its body gives, or the header of the request. In a
 * change set each action has its own: the header is of the one who applies it.
 */
export function explained<Ctx extends Context>(ctx: Ctx, reason: string | null): Ctx {
  if (reason === null) return ctx
  if (ctx.reason !== null && ctx.reason !== reason && !ctx.changeSet) {
    const message = 'differs from the one in X-Audit-Reason: send one of them'
    throw invalid([fault('/reason', 'invalid_format', message)])
  }
  return { ...ctx, reason }
}
