import { Type } from 'typebox'
import { ActorOrNull } from '../../../schema/actor.ts'
import { bodyOf, oneLine, orNull, text, time } from '../../../schema/fields.ts'
import { CauseName } from '../lifecycle/names.ts'
import { type Action, transitionOf } from '../lifecycle/transitions.ts'

const reason = Type.String({
  minLength: 1,
  maxLength: 500,
  trim: true,
  pattern: oneLine,
  description: 'Why; also kept in the audit log.',
  examples: ['The budget belongs to next month'],
})

export const ReasonBody = bodyOf({ reason }, { title: 'RejectInput' })

/** Without a title: a client gives the reason with the other options of the call. */
const OptionalReason = bodyOf({
  reason: Type.Optional({
    ...reason,
    description:
      'Why; also kept in `status_change` and the audit log. The same as `X-Audit-Reason`: both may be sent if they say the same.',
  }),
})

/** The body schema of an action. */
export const bodyOfAction = (action: Action) =>
  transitionOf(action).takesReason ? ReasonBody : OptionalReason

export const ExplainBody = bodyOf({ reason }, { title: 'ExplainInput' })

export const StatusChange = Type.Object(
  {
    action: CauseName,
    at: time('When it happened.'),
    by: ActorOrNull,
    reason: orNull(
      text(
        'Why: what was given with the action or added later; `status_reason` where the service did it by itself.',
      ),
    ),
    change_set_id: orNull(text('The change set that it was part of.')),
  },
  {
    title: 'StatusChange',
    description:
      'The last change of the status; null for drafts that were never launched. In lists only where `fields` names it.',
  },
)
