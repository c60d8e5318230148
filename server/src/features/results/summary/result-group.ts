import { Type } from 'typebox'
import { minorUnits, orNull, text } from '../../../schema/fields.ts'
import { exponentFor } from '../../../values/money.ts'
import { type Compare, comparedFields } from './compared.ts'
import { ResultDay } from './days.ts'
import { type Groupings, GroupKey, groupsOf } from './groupings.ts'
import type { GroupRow, PlannedByGroup } from './groups.ts'
import { figuresOrNone, isFinal, sumFieldsOrNone } from './metrics.ts'

export const ResultGroup = Type.Object(
  {
    group: orNull(text('Its key by the first grouping: an id, label, day …; null: none.')),
    name: orNull(text('Name of the first, if it has one.')),
    groups: Type.Array(GroupKey, { description: 'By each grouping.' }),
    data: Type.Boolean({ description: 'Whether anything was reported.' }),
    ...sumFieldsOrNone,
    planned_minor: Type.Optional(
      orNull(
        minorUnits('With `include=plan`: to be spent by campaigns that run; null: none does.'),
      ),
    ),
    is_final: orNull(isFinal),
    ...comparedFields,
    days: Type.Optional(
      Type.Array(ResultDay, {
        description: 'With `include_days`: those with results, in order.',
      }),
    ),
  },
  {
    title: 'ResultGroup',
    description: 'What a group spent and achieved; nulls where nothing was reported.',
  },
)
export type ResultGroup = Type.Static<typeof ResultGroup>

type Shown = {
  readonly by: Groupings
  readonly compare: Compare
  readonly planned: PlannedByGroup | undefined
}

/** A row as the API shows it. */
export function shownGroup(row: GroupRow, { by, compare, planned }: Shown): ResultGroup {
  const { currency, is_final } = row
  const currency_exponent = exponentFor(currency)
  const figures = figuresOrNone(row, currency_exponent)
  return {
    group: row.key_1,
    name: row.name_1,
    groups: groupsOf(by, row),
    data: figures.spend_minor !== null,
    currency,
    currency_exponent,
    ...figures,
    ...(planned && { planned_minor: planned.get(row.id) ?? null }),
    is_final,
    ...compare(row, figures, currency_exponent),
  }
}
