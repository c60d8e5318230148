import { Type } from 'typebox'
import { minorUnits, orNull, text, time } from '../../../schema/fields.ts'

const count = (description: string) => Type.Integer({ description })

export const AgentState = Type.Object(
  {
    stopped: Type.Boolean({ description: 'Whether its writes are stopped.' }),
    stopped_at: orNull(time('Since when.')),
    stopped_by: orNull(text('Id of the user who stopped it; null where its refusals did.')),
    reason: orNull(text('Why it is stopped.')),
    refusals_last_hour: count('Refused writes within the last hour; five stop it.'),
    envelope: Type.Array(
      Type.Object(
        {
          currency: text('The currency, as ISO 4217 has it.'),
          limit_minor: minorUnits('What its change sets may raise in 24 hours.'),
          used_minor: minorUnits('Taken of it in the last 24 hours.'),
        },
        { title: 'AgentEnvelope', description: 'Its envelope in one currency.' },
      ),
      { description: 'Empty unless it applies `within_envelope`.' },
    ),
    change_sets: Type.Object(
      {
        open: count('Waiting, without an approval.'),
        approved: count('Approved, and waiting to be applied.'),
        applied: count('Applied, those set back since included.'),
        rejected: count('Rejected.'),
        failed: count('Not applied at their time.'),
      },
      {
        title: 'AgentChangeSets',
        description: 'How many it has proposed, by what became of them.',
      },
    ),
    last_request_at: orNull(time('When it was last heard of, to about a minute.')),
  },
  { title: 'AgentState', description: 'How an agent does.' },
)
