/** Sums of results as the API shows them, with the ratios that they define. Pure. */

import { Type } from 'typebox'
import { minorUnits, moneyOut, orNull, text } from '../../../schema/fields.ts'
import { toMajor } from '../../../values/money.ts'

/** Sums in one currency; null where no row has the figure. */
export type Sums = {
  readonly currency: string
  readonly spend_minor: number
  readonly adjustment_minor: number
  readonly impressions: number | null
  readonly clicks: number | null
  readonly conversions_millionths: number | null
  readonly conversion_value_minor: number | null
}

const count = (description: string) => orNull(Type.Integer({ description }))
const ratio = (description: string) => orNull(Type.Number({ description }))

/** The fields of every sum; ratios are null where they are not defined. */
export const sumFields = {
  currency: text('ISO 4217 code of the amounts.'),
  currency_exponent: Type.Integer({ description: 'Number of decimals of the currency.' }),
  spend: moneyOut('Spent, before adjustments.'),
  spend_minor: minorUnits('`spend`.'),
  adjustment: moneyOut('Corrections of `spend`; credits are negative.'),
  adjustment_minor: minorUnits('`adjustment`.'),
  impressions: count('Null if no row has it.'),
  clicks: count('Null if no row has it.'),
  conversions: ratio('Null if no row has it.'),
  conversion_value: orNull(moneyOut('Null if no row has it.')),
  conversion_value_minor: orNull(minorUnits('`conversion_value`.')),
  ctr: ratio('Clicks ÷ impressions, a fraction.'),
  cpc: ratio('Spend ÷ clicks, in major units.'),
  cpm: ratio('Spend ÷ impressions × 1,000.'),
  cpa: ratio('Spend ÷ conversions.'),
  roas: ratio('Conversion value ÷ spend.'),
}

/** The field of a period with rows of several sources or days. */
export const isFinal = Type.Boolean({ description: 'Whether all its rows are final.' })

/** The same where there may be none: a day that nothing was reported of. */
export const sumFieldsOrNone = {
  ...sumFields,
  spend: orNull(sumFields.spend),
  spend_minor: orNull(sumFields.spend_minor),
  adjustment: orNull(sumFields.adjustment),
  adjustment_minor: orNull(sumFields.adjustment_minor),
}

/** Sums of what was reported; null if nothing was. */
export type SumsOrNone = Omit<Sums, 'spend_minor' | 'adjustment_minor'> & {
  readonly spend_minor: number | null
  readonly adjustment_minor: number | null
  readonly is_final: boolean | null
}

export const noSums: Omit<SumsOrNone, 'currency'> = {
  ...{ spend_minor: null, adjustment_minor: null, impressions: null, clicks: null },
  ...{ conversions_millionths: null, conversion_value_minor: null, is_final: null },
}

const million = 1_000_000

/** Figures as the API shows them, without the currency. */
export function shownFigures(sums: Omit<Sums, 'currency'>, exponent: number) {
  const { spend_minor, adjustment_minor, impressions, clicks } = sums
  const { conversions_millionths, conversion_value_minor } = sums
  const conversions = conversions_millionths === null ? null : conversions_millionths / million
  const spend = toMajor(spend_minor, exponent)
  return {
    spend,
    spend_minor,
    adjustment: toMajor(adjustment_minor, exponent),
    adjustment_minor,
    impressions,
    clicks,
    conversions,
    conversion_value: toMajor(conversion_value_minor, exponent),
    conversion_value_minor,
    ctr: quotient(clicks, impressions),
    cpc: quotient(spend, clicks),
    cpm: quotient(spend * 1_000, impressions),
    cpa: quotient(spend, conversions),
    roas: quotient(conversion_value_minor, spend_minor),
  }
}

export type ShownFigures = ReturnType<typeof shownFigures>
export type FiguresOrNone = { [Name in keyof ShownFigures]: ShownFigures[Name] | null }

export const noFigures: FiguresOrNone = {
  ...{ spend: null, spend_minor: null, adjustment: null, adjustment_minor: null },
  ...{ impressions: null, clicks: null, conversions: null },
  ...{ conversion_value: null, conversion_value_minor: null },
  ...{ ctr: null, cpc: null, cpm: null, cpa: null, roas: null },
}

/** Nulls where nothing was reported. */
export function figuresOrNone(sums: SumsOrNone | undefined, exponent: number): FiguresOrNone {
  const { spend_minor = null, adjustment_minor = null } = sums ?? {}
  if (!sums || spend_minor === null || adjustment_minor === null) return noFigures
  return shownFigures({ ...sums, spend_minor, adjustment_minor }, exponent)
}

/** To six decimals; null where one of the two is missing, or the second is zero. */
function quotient(one: number | null, other: number | null): number | null {
  if (one === null || other === null || other === 0) return null
  return Math.round((one / other) * million) / million
}
