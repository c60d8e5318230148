import { may } from '../../../identity/permissions.ts'
import type { ChangeSetFacts, WriteContext } from '../../../kernel/context.ts'
import { actFor } from '../../../kernel/people.ts'
import { changeSetRulesIn } from '../../guardrails/rules.ts'
import { storedRules } from '../../guardrails/stored.ts'
import type { OperationRow } from '../operations/rows.ts'
import type { ChangeSetRow } from '../present.ts'
import { writeChangeSets } from '../resource.ts'
import { actionBack } from '../trial/actions.ts'
import { isRaisedAbove } from '../trial/raises.ts'
import { seenBy } from '../trial/seen.ts'
import { type Campaign, isRaisedBeyond } from '../trial/spend.ts'

type Barred = NonNullable<ChangeSetFacts['barred']>

/**
 * The reason why nothing may be raised on the way back, by the rights and rules of its time. An
 * approval holds for both ways. Lowering and stopping need nothing.
 */
export async function barredFrom(
  ctx: WriteContext,
  row: ChangeSetRow,
  operations: readonly OperationRow[],
): Promise<Barred | null> {
  const { timed_by, applied_by, approved_at, envelope_use } = row
  const person = timed_by === null ? undefined : await actFor(ctx, timed_by)
  if (!person || !may(person, writeChangeSets) || person.agent?.isStopped) return withoutRights
  if (approved_at !== null) return null
  const isByAgent = person.agent && applied_by === timed_by
  const { approval, raises_above } = changeSetRulesIn(await storedRules(ctx))
  if (approval === 'never' && !isByAgent) return null
  if (approval === 'always') return unapproved
  const { campaigns } = await seenBy(ctx, operations)
  const pairs = campaigns.map((before) => ({ before, after: setBack(before, operations) }))
  if (isByAgent && isRaisedAbove(pairs, envelope_use ?? {}, ctx.now)) return beyondEnvelope
  return approval === 'raises' && isRaisedBeyond(pairs, raises_above, ctx.now) ? unapproved : null
}

const beyondEnvelope: Barred = {
  code: 'approval_required',
  detail: 'It would raise more than the agent took of its envelope when it applied it.',
}

const withoutRights: Barred = {
  code: 'insufficient_role',
  detail: 'Who gave it its time may not change campaigns any more.',
}

const unapproved: Barred = {
  code: 'approval_required',
  detail: 'The rules of change sets ask for an approval now, and it has none.',
}

/** A campaign as it would be if nothing of it was left; the last operation first. */
function setBack(campaign: Campaign, operations: readonly OperationRow[]): Campaign {
  const own = operations.filter(({ object_id }) => object_id === campaign.id)
  let back = campaign
  for (const { op, changes } of own.toReversed()) {
    const before = Object.fromEntries(changes.map((change) => [change.field, change.before]))
    const { status = null, ...fields } = before
    back = {
      ...back,
      ...(op === 'update' && fields),
      ...(op === 'action' && {
        status: actionBack(back.status, String(status))?.to ?? back.status,
      }),
    }
  }
  return back
}
