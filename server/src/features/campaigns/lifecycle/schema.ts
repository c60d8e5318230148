import { Type } from 'typebox'
import { choice, orNull } from '../../../schema/fields.ts'
import { objectives } from '../objectives.ts'
import { actions, blockReasons, statuses } from './transitions.ts'

export const CampaignStates = Type.Object(
  {
    statuses: Type.Array(
      Type.Object({
        status: choice(statuses),
        editable_fields: Type.Array(Type.String()),
        deletable: Type.Boolean(),
      }),
    ),
    transitions: Type.Array(
      Type.Object({
        action: choice(actions),
        summary: Type.String(),
        from: Type.Array(choice(statuses)),
        to: Type.Array(choice(statuses)),
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
        events: Type.Array(Type.String()),
      }),
    ),
    timed_transitions: Type.Array(
      Type.Object({
        at: choice(['start_at', 'end_at']),
        summary: Type.String(),
        from: Type.Array(choice(statuses)),
        to: choice(statuses),
        checked: Type.Boolean({ description: 'If a check fails, the campaign is paused instead.' }),
        event: Type.String(),
      }),
      { description: 'Transitions that happen at a time set on the campaign.' },
    ),
    reasons: Type.Array(choice(blockReasons)),
  },
  { title: 'CampaignStates' },
)

const ObjectiveFacts = Type.Object(
  {
    objective: choice(objectives),
    aliases: Type.Array(Type.String(), { description: 'Also accepted, case-insensitively.' }),
  },
  { title: 'ObjectiveFacts' },
)
export const ObjectiveList = Type.Object(
  { data: Type.Array(ObjectiveFacts) },
  { title: 'ObjectiveList' },
)
