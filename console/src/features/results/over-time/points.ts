/** Results by day, added up over days, weeks or months. Pure. */

import { addDays } from '../../../data/values/time.ts'
import type { ResultGroup } from '../queries.ts'

export const steps = ['day', 'week', 'month'] as const
export type Step = (typeof steps)[number]

export const measures = ['spend', 'conversions', 'cpa'] as const
export type Measure = (typeof measures)[number]

/** Money in minor units; null where nothing is known. */
export type Sums = {
  /** With adjustments. */
  net: number | null
  spend: number | null
  conversions: number | null
}

/** The sums of a day, week or month. */
export type Point = {
  /** The first day of its week or month, also before the days that are shown. */
  id: string
  first: string
  last: string
  now: Sums
  before: Sums
  planned: number | null
  isFinal: boolean
}

export type Row = Pick<ResultGroup, 'groups' | 'spend_minor' | 'adjustment_minor'> &
  Pick<ResultGroup, 'conversions' | 'planned_minor' | 'is_final' | 'previous'>

const keyBy = ({ groups }: Pick<Row, 'groups'>, by: string): string | null =>
  groups.find((group) => group.by === by)?.key ?? null

const dayOf = (row: Pick<Row, 'groups'>): string => keyBy(row, 'day') ?? ''

/** In the order of the rows, which is that of the days. */
export const pointsOf = (rows: readonly Row[], step: Step): Point[] =>
  [...Map.groupBy(rows, (row) => startOf(dayOf(row), step))].map(([id, own]) => ({
    id,
    first: own.map(dayOf)[0] ?? id,
    last: own.map(dayOf).at(-1) ?? id,
    now: sumsOf(own.map(sumsIn)),
    before: sumsOf(own.map(sumsBefore)),
    planned: added(own.map(({ planned_minor }) => planned_minor ?? null)),
    isFinal: own.every(({ is_final }) => is_final !== false),
  }))

/** Weeks begin on Monday. */
export function startOf(day: string, step: Step): string {
  if (step === 'month') return `${day.slice(0, 7)}-01`
  if (step === 'day') return day
  const weekday = new Date(day).getUTCDay()
  return addDays(day, -((weekday + 6) % 7))
}

const sumsIn = ({ spend_minor, adjustment_minor, conversions }: Row): Sums => ({
  net: spend_minor === null ? null : spend_minor + (adjustment_minor ?? 0),
  spend: spend_minor,
  conversions,
})

function sumsBefore({ previous }: Row): Sums {
  const [spend, adjustment] = [
    numberOrNone(previous?.spend_minor),
    numberOrNone(previous?.adjustment_minor),
  ]
  return {
    net: spend === null ? null : spend + (adjustment ?? 0),
    spend,
    conversions: numberOrNone(previous?.conversions),
  }
}

const numberOrNone = (value: unknown): number | null => (typeof value === 'number' ? value : null)

const sumsOf = (all: readonly Sums[]): Sums => ({
  net: added(all.map(({ net }) => net)),
  spend: added(all.map(({ spend }) => spend)),
  conversions: added(all.map(({ conversions }) => conversions)),
})

/** Null where none is known: what is not known is not zero. */
function added(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

/** Money of the minor unit, but for conversions. */
export function figureOf({ net, spend, conversions }: Sums, measure: Measure): number | null {
  if (measure === 'spend') return net
  if (measure === 'conversions') return conversions
  return spend === null || !conversions ? null : spend / conversions
}

/** All of the points together. */
export const totalOf = (points: readonly Point[], of: 'now' | 'before'): Sums =>
  sumsOf(points.map((point) => point[of]))

/** A platform, and its sums at each point. */
export type Part = { key: string; sums: readonly Sums[] }

/** The key of what is beyond the largest. */
export const otherParts = 'others'

/** The parts that spent most, the largest first; the rest is one of them. */
export function partsOf(
  rows: readonly Row[],
  { points, step, most }: { points: readonly Point[]; step: Step; most: number },
): Part[] {
  const byKey = [...Map.groupBy(rows, (row) => keyBy(row, 'platform') ?? otherParts)]
  const ordered = byKey.toSorted(([, one], [, other]) => spentOf(other) - spentOf(one))
  const isAll = ordered.length <= most
  const shown = isAll ? ordered : ordered.slice(0, most - 1)
  const rest = isAll ? [] : ordered.slice(most - 1).flatMap(([, own]) => own)
  const all = rest.length === 0 ? shown : [...shown, [otherParts, rest] as const]
  return all.map(([key, own]) => {
    const byStart = Map.groupBy(own, (row) => startOf(dayOf(row), step))
    return { key, sums: points.map(({ id }) => sumsOf((byStart.get(id) ?? []).map(sumsIn))) }
  })
}

const spentOf = (rows: readonly Row[]): number => sumsOf(rows.map(sumsIn)).net ?? 0
