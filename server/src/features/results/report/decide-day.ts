/** Decides a reported day by the stored one. Pure. */

/** The figures of a day. Null: the source does not report it. */
export type Figures = {
  readonly spend_minor: number
  readonly adjustment_minor: number
  readonly impressions: number | null
  readonly clicks: number | null
  readonly conversions_millionths: number | null
  readonly conversion_value_minor: number | null
}

export type Day = Figures & {
  readonly is_final: boolean
  /** RFC 3339 in UTC, which sorts chronologically. */
  readonly reported_at: string
}

export type Decision =
  | { readonly outcome: 'created' | 'updated'; readonly stored: Day }
  /** `stored` has the later time, if there is something to store. */
  | { readonly outcome: 'unchanged'; readonly stored: Day | null }
  | { readonly outcome: 'ignored_older' | 'row_final' }

const figures = [
  'spend_minor',
  'adjustment_minor',
  'impressions',
  'clicks',
  'conversions_millionths',
  'conversion_value_minor',
] as const satisfies readonly (keyof Figures)[]

/**
 * Keeps the later of two reports of a day, but a final one beats any that is not; only a
 * restatement replaces it. So reports end in the same figures in whatever order they arrive, and
 * however often.
 */
export function decide(before: Day | undefined, day: Day, restate: boolean): Decision {
  if (!before) return { outcome: 'created', stored: day }
  if (day.is_final && !before.is_final) return { outcome: 'updated', stored: day }
  if (day.reported_at < before.reported_at) return { outcome: 'ignored_older' }
  const isSame = figures.every((figure) => before[figure] === day[figure])
  if (isSame) return { outcome: 'unchanged', stored: laterOf(before, day) }
  if (before.is_final && !(day.is_final && restate)) return { outcome: 'row_final' }
  return { outcome: 'updated', stored: day }
}

/** A provisional report does not make a final day later, or an earlier restatement would miss it. */
const laterOf = (before: Day, day: Day): Day | null =>
  day.reported_at > before.reported_at && day.is_final === before.is_final ? day : null

/** Spend after corrections. */
export const netOf = ({ spend_minor, adjustment_minor }: Figures): number =>
  spend_minor + adjustment_minor
