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
        checked: Type.Boolean({ description: 'Whether what a campaign needs to run is checked.' }),
        approval: orNull(
          choice(['needed', 'asked'], {
            description:
              'needed: only with the approval, where one is asked for. asked: only where one is.',
          }),
        ),
        by: choice(['writer', 'approver', 'submitter'], {
          description:
            'writer: who may write campaigns. submitter: who has submitted it, owners and admins.',
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
        checked: Type.Boolean({ description: 'Where a check fails, it is paused instead.' }),
        event: Type.String(),
      }),
      { description: 'What happens by itself, at a time that the campaign names.' },
    ),
    reasons: Type.Array(choice(blockReasons)),
  },
  { title: 'CampaignStates' },
)

const ObjectiveFacts = Type.Object(
  {
    objective: choice(objectives),
    aliases: Type.Array(Type.String(), { description: 'Accepted as well, in any case.' }),
  },
  { title: 'ObjectiveFacts' },
)
export const ObjectiveList = Type.Object(
  { data: Type.Array(ObjectiveFacts) },
  { title: 'ObjectiveList' },
)
