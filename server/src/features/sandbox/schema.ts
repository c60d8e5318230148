import { Type } from 'typebox'
import { bodyOf, idOf, time } from '../../schema/fields.ts'
import { organizationIds } from '../../values/core-ids.ts'

export const Sandbox = Type.Object(
  {
    id: idOf(organizationIds, 'The organization.'),
    now: time('Its time when the response was made; the clock keeps running.'),
    ahead_ms: Type.Integer({
      description: 'How far it is ahead of real time, in milliseconds.',
      examples: [86_400_000],
    }),
  },
  { title: 'Sandbox' },
)
export type Sandbox = Type.Static<typeof Sandbox>

const secondsPerDay = 24 * 60 * 60
/** Beyond any planned campaign. */
export const maxAheadDays = 3_660

export const ClockBody = bodyOf(
  {
    now: Type.Optional(time('The new time; must be later than the current one.')),
    advance_seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxAheadDays * secondsPerDay,
        description: 'Seconds to move the clock forward.',
        examples: [3600],
      }),
    ),
  },
  {
    title: 'ClockInput',
    description: 'Exactly one of the two.',
    alternatives: [
      {
        title: 'ClockTo',
        description: 'Moves the clock to a time.',
        required: ['now'],
        without: ['advance_seconds'],
      },
      {
        title: 'ClockBy',
        description: 'Moves the clock by a number of seconds.',
        required: ['advance_seconds'],
        without: ['now'],
      },
    ],
  },
)
export type ClockInput = Type.Static<typeof ClockBody>
