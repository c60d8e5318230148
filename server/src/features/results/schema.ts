import { Type } from 'typebox'
import { ItemProblem } from '../../problems/schema.ts'
import {
  bodyOf,
  choice,
  idOf,
  minorUnits,
  moneyIn,
  oneLine,
  orNull,
  referenceTo,
  text,
  time,
} from '../../schema/fields.ts'
import type { MoneyInput } from '../../values/money.ts'
import { campaignIds } from '../campaigns/resource.ts'
import { maxSourceLength, reportIds } from './resource.ts'

const day = (description: string) =>
  Type.String({ format: 'date', description, examples: ['2025-11-20'] })

const maxCount = 1_000_000_000_000

const count = (description: string) =>
  Type.Optional(orNull(Type.Integer({ minimum: 0, maximum: maxCount, description })))

const optionalMoney = (description: string) =>
  Type.Optional(Type.Unsafe<MoneyInput | null>(moneyIn(description)))

const Source = Type.String({
  title: 'ResultSource',
  minLength: 1,
  maxLength: maxSourceLength,
  trim: true,
  pattern: oneLine,
  description: 'Where the figures come from, under a name of your choice, not `.` or `..`.',
  examples: ['google_ads'],
})

export const ResultRow = bodyOf(
  {
    campaign_id: Type.Optional(referenceTo(campaignIds, 'The campaign; or send `external_id`.')),
    external_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'The `external_id` of the campaign.',
        examples: ['crm-4711'],
      }),
    ),
    date: day('A day in the time zone of the campaign, at most today.'),
    spend: moneyIn('Spent on that day in all, in the currency of the campaign.'),
    impressions: count('Times shown.'),
    clicks: count('Clicks; at most `impressions`.'),
    conversions: optionalMoney('Conversions, rounded to 6 decimals.'),
    conversion_value: optionalMoney('Value of the conversions, in the currency of the campaign.'),
    adjustment: optionalMoney('Correction of `spend`; a credit is negative.'),
    is_final: Type.Optional(
      Type.Boolean({
        description:
          'The source will not change the day any more. Default: false; with `restate`, true.',
      }),
    ),
  },
  { title: 'ResultRow', description: 'The figures of one day: totals, never increments.' },
)
export type ResultRow = Type.Static<typeof ResultRow>

const maxRows = 1_000

export const ResultsBody = bodyOf(
  {
    source: Source,
    reported_at: time('When the figures were true. Of two reports of a day the later one counts.'),
    complete_through: Type.Optional(
      orNull(
        day(
          'Last day with complete figures, for all campaigns in `rows`. Default: the day before the newest row of each.',
        ),
      ),
    ),
    restate: Type.Optional(
      Type.Boolean({ description: 'Lets final rows replace final days. Default: false.' }),
    ),
    additional: Type.Optional(
      Type.Boolean({
        description:
          'Admits the source for good beside the one that a campaign already has; both are added up. Needs an editor. Default: false.',
      }),
    ),
    rows: Type.Array(ResultRow, { minItems: 1, maxItems: maxRows, description: 'The days.' }),
  },
  { title: 'ResultsInput' },
)
export type ResultsInput = Type.Static<typeof ResultsBody>

export const outcomes = ['created', 'updated', 'unchanged', 'ignored_older', 'failed'] as const
export type ReportOutcome = (typeof outcomes)[number]

const number = (description: string) => Type.Integer({ description })

const Counts = Type.Object(
  {
    created: number('Days that were new.'),
    updated: number('Days with other figures now.'),
    unchanged: number('Days that had these figures.'),
    ignored_older: number('Rows older than what is stored.'),
    failed: number('Rows with a problem.'),
  },
  { title: 'ResultCounts', description: 'How many rows had each outcome.' },
)
export type Counts = Type.Static<typeof Counts>

const RowOutcome = Type.Object(
  {
    index: number('Position of the row in the request.'),
    outcome: choice(outcomes, { description: 'What became of the row.' }),
    problem: Type.Optional(ItemProblem('Why it failed, with pointers into this request.')),
  },
  { title: 'ResultOutcome' },
)
export type RowOutcome = Type.Static<typeof RowOutcome>

export const ResultsReply = Type.Object(
  {
    id: orNull(idOf(reportIds, 'The report, as its event names it; null if nothing changed.')),
    counts: Counts,
    results: Type.Array(RowOutcome, { description: 'One per row, in the same order.' }),
  },
  { title: 'ResultsReply' },
)
export type ResultsReply = Type.Static<typeof ResultsReply>

const reported = {
  id: idOf(reportIds, 'Identifier of the report.'),
  source: text('Where the figures come from.'),
  reported_at: time('When the figures were true.'),
}

/** A report in the audit log and in events. */
export const ResultsReport = Type.Object(
  {
    ...reported,
    complete_through: orNull(text('As in the request.')),
    counts: Counts,
    first_date: orNull(text('The first day that changed; null: none did.')),
    last_date: orNull(text('The last day that changed.')),
    campaign_count: number('Campaigns with changes.'),
    campaign_ids: Type.Array(Type.String(), { description: 'The first 100 of them.' }),
  },
  { title: 'ResultsReport' },
)
export type ResultsReport = Type.Static<typeof ResultsReport>

const RestatedDay = Type.Object(
  {
    campaign_id: idOf(campaignIds, 'The campaign.'),
    date: text('The day.'),
    currency: text('ISO 4217 code of the amounts.'),
    spend_minor: minorUnits('Spent, net of adjustments.'),
    previous_spend_minor: minorUnits('The same before.'),
  },
  { title: 'RestatedDay' },
)
export type RestatedDay = Type.Static<typeof RestatedDay>

export const ResultsRestatement = Type.Object(
  {
    ...reported,
    day_count: number('Final days whose spend moved.'),
    days: Type.Array(RestatedDay, { description: 'The first 100 of them.' }),
  },
  { title: 'ResultsRestatement' },
)
export type ResultsRestatement = Type.Static<typeof ResultsRestatement>

/** A deleted source in the audit log and in events. */
export const ResultsRemoval = Type.Object(
  {
    id: idOf(reportIds, 'Identifier of the removal.'),
    source: text('The source.'),
    day_count: number('Days of campaigns that it had reported.'),
    first_month: orNull(text('The first month of them, as its first day.')),
    last_month: orNull(text('The last month of them, as its first day.')),
    campaign_count: number('Campaigns that it had reported.'),
    campaign_ids: Type.Array(Type.String(), { description: 'The first 100 of them.' }),
  },
  { title: 'ResultsRemoval' },
)
export type ResultsRemoval = Type.Static<typeof ResultsRemoval>
