import { type Changed, change } from '../../kernel/change.ts'
import type { ChangeSetFacts, WriteContext } from '../../kernel/context.ts'
import { nextStamps, update } from '../../kernel/rows.ts'
import type { StaleOperation } from '../../problems/members.ts'
import { approverRolesIn, askerOf, type ChangeSetRow, isAuthorOf, toChangeSet } from './present.ts'
import type { ChangeSet, Failure } from './schema.ts'
import { availableActions, isLiving } from './status.ts'

/**
 * The change set as events show it to everybody: the actions that are possible, not those of one
 * caller.
 */
const forEveryone = ({ failures: _, ...changeSet }: ChangeSet): ChangeSet => ({
  ...changeSet,
  available_actions: availableActions(
    {
      ...changeSet,
      approval_required: changeSet.approval.required,
      applicable: changeSet.applicable,
    },
    null,
  ),
})

type ChangeSetTransition = {
  action: string
  before: ChangeSetRow | null
  after: ChangeSetRow
  stale?: StaleOperation[]
  failures?: Failure[]
  reason?: string | null
}

export const changeSetFactsOf = (row: ChangeSetRow): ChangeSetFacts => ({
  id: row.id,
  author: { by: row.created_by, at: row.created_at },
  approver: row.approved_at === null ? null : { by: row.approved_by, at: row.approved_at },
  unapproved: new Set(),
})

/** Records a change of a change set: its audit record, its event, and the object for the reply. */
export async function recorded(
  ctx: WriteContext,
  { action, before, after, stale = [], failures = [], reason }: ChangeSetTransition,
): Promise<ChangeSet> {
  const [approverRoles, isAuthor] = await Promise.all([
    approverRolesIn(ctx),
    isAuthorOf(ctx, after),
  ])
  const asker = askerOf(ctx, { isAuthor, approverRoles })
  const shown = (row: ChangeSetRow, stale: StaleOperation[]) =>
    toChangeSet(row, { now: ctx.now, approverRoles, asker, stale })
  const within = { ...ctx, changeSet: ctx.changeSet ?? changeSetFactsOf(after) }
  return change(
    within,
    action,
    async (): Promise<Changed<ChangeSet>> => ({
      before: before && shown(before, []),
      after: { ...shown(after, stale), ...(failures.length > 0 && { failures }) },
      toSnapshot: forEveryone,
      ...(reason !== undefined && { reason }),
    }),
  )
}

/** The columns of a change set in its next version; one that is over ends now. */
export function moved(
  ctx: WriteContext,
  row: ChangeSetRow,
  columns: Partial<ChangeSetRow>,
): ChangeSetRow {
  const next = { ...row, ...columns, ...nextStamps(ctx, row) }
  const isOver = !isLiving(next.status) && !(next.status === 'applied' && next.revert_at !== null)
  return { ...next, ended_at: isOver ? realNow(ctx) : null }
}

/** Retention goes by the real time. */
const realNow = ({ services }: WriteContext): string => services.clock.now().toISOString()

/** Writes the columns that differ. */
export function store(ctx: WriteContext, before: ChangeSetRow, after: ChangeSetRow): void {
  const { id, organization_id: _, summary, spend_delta, failure, envelope_use, ...columns } = after
  update(ctx, 'change_sets', {
    id,
    ...columns,
    ...(summary !== before.summary && { summary: JSON.stringify(summary) }),
    ...(spend_delta !== before.spend_delta && { spend_delta: JSON.stringify(spend_delta) }),
    ...(envelope_use !== before.envelope_use && { envelope_use: JSON.stringify(envelope_use) }),
    ...(failure !== before.failure && { failure: failure && JSON.stringify(failure) }),
  })
}
