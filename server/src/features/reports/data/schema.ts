import { Type } from 'typebox'
import { choice, minorUnits, orNull, text, time } from '../../../schema/fields.ts'
import { ClientPacing } from '../../campaigns/client-pacing/schema.ts'
import { ResultRange } from '../../results/summary/period.ts'
import { ResultGroup } from '../../results/summary/result-group.ts'
import { Report, SectionName } from '../schema.ts'

const DailyAmount = Type.Object(
  {
    currency: text('ISO 4217 code of the amounts.'),
    currency_exponent: Type.Integer({ description: 'Number of decimals of the currency.' }),
    before_minor: minorUnits('A day before.'),
    after_minor: minorUnits('A day after.'),
    added_minor: minorUnits('The difference.'),
  },
  { title: 'ReportDailyAmount', description: 'Daily spending that changes.' },
)
export type DailyAmount = Type.Static<typeof DailyAmount>

const amounts = Type.Array(DailyAmount, { description: 'By currency.' })
const campaigns = Type.Integer({ description: 'How many campaigns it concerns.' })

const moves = ['started', 'resumed', 'paused', 'ended', 'budget', 'several'] as const

const Change = Type.Object(
  {
    day: text('The day.'),
    what: choice(moves, { description: 'What was done; several: by one change set.' }),
    name: orNull(text('The campaign, or the title of a change set of it alone.')),
    campaigns,
    amounts,
    reason: orNull(text('Why, where it was said.')),
  },
  { title: 'ReportChange', description: 'A change that moved money.' },
)
export type ReportChange = Type.Static<typeof Change>

const plans = ['change_set', 'start', 'end'] as const

const Scheduled = Type.Object(
  {
    at: time('When.'),
    day: text('The day.'),
    what: choice(plans, { description: 'What happens then.' }),
    name: text('The campaign, or the title of the change set.'),
    campaigns,
    amounts,
  },
  { title: 'ReportScheduled', description: 'What is scheduled.' },
)
export type ReportScheduled = Type.Static<typeof Scheduled>

const Section = Type.Object(
  {
    kind: SectionName,
    text: Type.Optional(orNull(text('Text of a person.'))),
    is_proposed: Type.Optional(
      Type.Boolean({ description: 'Whether the figures proposed the sentence.' }),
    ),
    rows: Type.Optional(Type.Array(ResultGroup, { description: 'Figures, as in `GET /results`.' })),
    omitted: Type.Optional(Type.Integer({ description: 'How many more rows there are.' })),
    months: Type.Optional(
      Type.Array(ClientPacing, { description: 'Months of the client; none of a filter.' }),
    ),
    changes: Type.Optional(Type.Array(Change, { description: 'In order of time, at most 10.' })),
    scheduled: Type.Optional(
      Type.Array(Scheduled, { description: 'In order of time, at most 20.' }),
    ),
  },
  { title: 'ReportSection', description: 'A part of a report.' },
)
export type ReportSection = Type.Static<typeof Section>

export const ReportData = Type.Object(
  {
    report: Report,
    client: orNull(text('Name of its client.')),
    logo: orNull(text('Its logo, as a data URL.')),
    time_zone: text('IANA name: its days begin there.'),
    period: ResultRange,
    compare: orNull(ResultRange),
    totals: Type.Array(ResultGroup, { description: 'All of it, one a currency.' }),
    sections: Type.Array(Section, { description: 'Its parts, in order.' }),
    as_of: time('When it was put together.'),
    provisional: Type.Boolean({
      description: 'Whether figures may change, or days are not over.',
    }),
  },
  { title: 'ReportData', description: 'A report with its figures.' },
)
export type ReportData = Type.Static<typeof ReportData>
