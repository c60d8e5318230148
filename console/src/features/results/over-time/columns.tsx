import { nameOf } from '../../../data/choices.ts'
import type { Column } from '../../../ui/lists/table.tsx'
import { Soft } from '../../../ui/values/text.tsx'
import { figureOf, type Measure, type Part, type Point, type Step } from './points.ts'
import { measureNames, nameOfPoint, textOf, type Unit } from './words.ts'

/** A point, and where it stands. */
type PointRow = Point & { at: number }

type TableOf = {
  measure: Measure
  step: Step
  unit: Unit
  isCompared: boolean
  hasPlan: boolean
  parts: readonly Part[]
}

/** The figures of a chart, as a table. */
export function columnsOf(shown: TableOf): readonly Column<PointRow>[] {
  const { measure, step, unit, isCompared, hasPlan, parts } = shown
  const number = (id: string, header: string, of: (row: PointRow) => number | null) => ({
    ...{ id, header, align: 'end' as const },
    cell: (row: PointRow) => {
      const value = of(row)
      return value === null ? <Soft>–</Soft> : textOf(value, measure, unit)
    },
  })
  return [
    { id: 'time', header: nameOf(step), cell: (row) => nameOfPoint(row, step) },
    number('now', measureNames[measure], ({ now }) => figureOf(now, measure)),
    ...(hasPlan ? [number('planned', 'Plan', ({ planned }) => planned)] : []),
    ...(isCompared ? [number('before', 'Before', ({ before }) => figureOf(before, measure))] : []),
    ...parts.map(({ key, sums }) =>
      number(key, nameOf(key), ({ at }) => (sums[at] ? figureOf(sums[at], measure) : null)),
    ),
    {
      id: 'state',
      header: 'State',
      cell: ({ now, isFinal }) =>
        now.spend === null ? <Soft>–</Soft> : isFinal ? 'Final' : 'Provisional',
    },
  ]
}
