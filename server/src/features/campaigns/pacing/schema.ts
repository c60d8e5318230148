import { Type } from 'typebox'
import {
  choice,
  idOf,
  minorUnits,
  orNull,
  pageOfSchema,
  text,
  texts,
  time,
} from '../../../schema/fields.ts'
import { profileIds } from '../../profiles/resource.ts'
import { StatusName } from '../lifecycle/names.ts'
import { campaignIds } from '../resource.ts'
import { pacingStatuses } from './measure/status.ts'

const date = (description: string) => Type.String({ format: 'date', description })

const Overspend = Type.Object(
  {
    from: date('First day.'),
    to: date('The day after the last.'),
    spent_minor: minorUnits('Spent.'),
    allowed_minor: minorUnits('What was allowed.'),
  },
  { title: 'Overspend' },
)

export const PacingStatusName = choice(pacingStatuses, {
  title: 'PacingStatus',
  description: 'The first that holds, in the order of the values.',
})

const figures = {
  period: Type.Object(
    { start: time('Its start.'), end: orNull(time('Its end, exclusive; null: none.')) },
    {
      description: 'The flight, with a lifetime budget; else its part of the calendar month.',
    },
  ),
  target_minor: minorUnits('To be spent in the period.'),
  spent_minor: orNull(minorUnits('Reported for it; null: nothing yet.')),
  expected_minor: orNull(minorUnits('To be spent by `complete_through`.')),
  pacing_index: orNull(Type.Number({ description: 'Spent by `complete_through` ÷ expected.' })),
  projected_minor: orNull(minorUnits('By the end, at the rate of the last 7 days.')),
  required_daily_minor: orNull(minorUnits('A day to reach the target.')),
  money_at_risk_minor: orNull(minorUnits('Projected less target, or the reverse.')),
  complete_through: orNull(date('The last day reported in full by all sources.')),
  last_reported_at: orNull(time('The last report.')),
  days_left: orNull(Type.Integer({ description: 'With open time; null: no end.' })),
  status: PacingStatusName,
  confidence: choice(['low', 'normal'], {
    description: '`low`: under 3 complete days or 5 % of the period.',
  }),
  overspend: Type.Array(Overspend, {
    description: 'What went beyond the platform’s allowance; the last 60.',
  }),
  sources: texts('Of its results.'),
}

const PlannedDay = Type.Object(
  {
    date: date('A day in the campaign’s time zone.'),
    budget_minor: orNull(minorUnits('The last daily budget in force on it; null: none.')),
    expected_minor: minorUnits('To be spent on it, of what it is open and not paused.'),
    allowed_minor: orNull(minorUnits('The most that the platform allows itself; null: unknown.')),
  },
  { title: 'PlannedDay' },
)

export const Pacing = Type.Object(
  {
    campaign_id: idOf(campaignIds, 'The campaign.'),
    name: text('Its name.'),
    campaign_status: StatusName,
    profile_id: idOf(profileIds, 'Its profile.'),
    currency: text('ISO 4217 code of the amounts.'),
    currency_exponent: Type.Integer({ description: 'Number of decimals of the currency.' }),
    ...figures,
    days: Type.Optional(
      Type.Array(PlannedDay, {
        description: 'The plan of each day, up to 40 days ahead; of one campaign only.',
      }),
    ),
  },
  { title: 'Pacing', description: 'Spending beside its plan.' },
)
export type Pacing = Type.Static<typeof Pacing>

export const PacingList = pageOfSchema(Pacing)
