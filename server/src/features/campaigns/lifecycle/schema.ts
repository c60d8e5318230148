import { Type } from 'typebox'
import { choice, orNull, rows, text, texts } from '../../../schema/fields.ts'
import { ActionName, BlockReasonName, CauseName, ObjectiveName, StatusName } from './names.ts'

const statusesOf = (description: string) => Type.Array(StatusName, { description })

export const CampaignStates = Type.Object(
  {
    statuses: Type.Array(
      Type.Object({
        status: StatusName,
        editable_fields: texts('The fields that may change in it.'),
        deletable: Type.Boolean({ description: 'Whether a campaign in it may be deleted.' }),
      }),
      { description: 'Every status.' },
    ),
    transitions: Type.Array(
      Type.Object({
        action: ActionName,
        summary: text('What it does.'),
        from: statusesOf('The statuses in which it is possible.'),
        to: statusesOf('The statuses that it can lead to.'),
        checked: Type.Boolean({
          description: 'Whether the preconditions for running are checked.',
        }),
        approval: orNull(
          choice(['needed', 'asked'], {
            description:
              'needed: requires the approval if the organization asks for one. asked: available only if the organization asks for approval.',
          }),
        ),
        by: choice(['writer', 'approver', 'submitter'], {
          description:
            'writer: users who may write campaigns. submitter: the submitter, owners and admins.',
        }),
        events: texts('The events that it can emit.'),
      }),
      { description: 'What a caller can do to the status.' },
    ),
    timed_transitions: Type.Array(
      Type.Object({
        at: choice(['start_at', 'end_at'], { description: 'The field with the time.' }),
        cause: CauseName,
        summary: text('What happens.'),
        from: statusesOf('The statuses in which it happens.'),
        to: StatusName,
        checked: Type.Boolean({ description: 'If a check fails, the campaign is paused instead.' }),
        event: text('The event that it emits.'),
      }),
      { description: 'Transitions that happen at a time set on the campaign.' },
    ),
    reasons: Type.Array(BlockReasonName, {
      description: 'Every reason of `delivery` and `blocked_by`.',
    }),
  },
  { title: 'CampaignStates' },
)

const ObjectiveFacts = Type.Object(
  {
    objective: ObjectiveName,
    aliases: texts('Also accepted, case-insensitively.'),
  },
  { title: 'ObjectiveFacts' },
)
export const ObjectiveList = Type.Object(
  { data: rows(ObjectiveFacts, 'Every objective.') },
  { title: 'ObjectiveList' },
)
