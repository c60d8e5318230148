import { Type } from 'typebox'
import { bodyOf, idOf, Time } from '../../schema/fields.ts'

export const Sandbox = Type.Object(
  {
    id: idOf('organization'),
    now: Type.String({
      ...Time,
      description: 'Its time when this was answered; it ticks on from there.',
    }),
    ahead_ms: Type.Integer({
      description: 'How far that is ahead of the real time, in milliseconds.',
      examples: [86_400_000],
    }),
  },
  { title: 'Sandbox' },
)
export type Sandbox = Type.Static<typeof Sandbox>

const secondsPerDay = 24 * 60 * 60
/** Further ahead than anybody plans a campaign. */
export const maxAheadDays = 3_660

export const ClockBody = bodyOf(
  {
    now: Type.Optional(
      Type.String({ ...Time, description: 'The time that it shall be: later than it is.' }),
    ),
    advance_seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxAheadDays * secondsPerDay,
        description: 'How much later it shall be.',
        examples: [3600],
      }),
    ),
  },
  { title: 'ClockInput', description: 'One of the two.' },
)
export type ClockInput = Type.Static<typeof ClockBody>
