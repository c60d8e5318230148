import type { Context } from '../../kernel/context.ts'
import { oneToChange } from '../../kernel/rows.ts'
import { inTransaction } from '../../kernel/transaction.ts'
import { checkFaults, conflict } from '../../problems/problem.ts'
import { moved, recorded, store } from './change.ts'
import { checkOwn } from './decisions.ts'
import { presentOne } from './present.ts'
import { isTimed } from './propose.ts'
import type { ChangeSet, ChangeSetChanges } from './schema.ts'
import { actionsFrom, isLiving, livingStatus, statusAt } from './status.ts'
import { expiryOf, readTimes } from './timed/times.ts'

/**
 * Changes what a change set is called, and its times. An approval is of what was shown: it is void
 * afterwards.
 */
export const updateChangeSet = (
  ctx: Context,
  id: string,
  body: ChangeSetChanges,
): Promise<ChangeSet> =>
  inTransaction(ctx, async (ctx) => {
    const row = await oneToChange(ctx, 'change_sets', id)
    await checkOwn(ctx, row, 'update')
    const status = statusAt(row, ctx.now)
    if (!isLiving(status)) {
      throw conflict('invalid_state_transition', `A change set that is ${status} cannot change.`, {
        current_status: status,
        action: 'update',
        allowed_actions: actionsFrom(status),
      })
    }
    const { times, faults } = readTimes(body, row, ctx.now)
    checkFaults(ctx, faults)
    const { title = row.title, description = row.description } = body
    const isMoved = times.apply_at !== row.apply_at || times.revert_at !== row.revert_at
    if (!isMoved && title === row.title && description === row.description) {
      return presentOne(ctx, row)
    }
    const again = isMoved && {
      timed_by: isTimed(times) ? ctx.actor.id : null,
      expires_at: expiryOf({ ...row, ...times }),
    }
    const own = ctx.agent && isTimed(times) && { timed_by: ctx.actor.id }
    const unapproved = { approved_by: null, approved_at: null }
    const next = { ...row, title, description, ...times, ...again, ...own, ...unapproved }
    const after = moved(ctx, row, { ...next, status: livingStatus(next) })
    store(ctx, row, after)
    const isScheduled = isMoved && after.status === 'scheduled'
    const action = isScheduled ? 'change_set.scheduled' : 'change_set.updated'
    return recorded(ctx, { action, before: row, after })
  })
