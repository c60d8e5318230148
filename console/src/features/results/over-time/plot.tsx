import { useId } from 'react'
import styles from '../../../charts/chart.module.css'
import { Chart } from '../../../charts/chart.tsx'
import { Fills, fillOf, mostParts } from '../../../charts/fills.tsx'
import { nameOf } from '../../../data/choices.ts'
import { Table } from '../../../ui/lists/table.tsx'
import type { Choices } from './choices.tsx'
import { columnsOf } from './columns.tsx'
import { Marks } from './marks.tsx'
import { figureOf, type Part, type Point, partsOf, type Row } from './points.ts'
import {
  measureNames,
  pointText,
  shortNameOf,
  summaryOf,
  textOf,
  type Unit,
  type Wording,
} from './words.ts'

type PlotProps = {
  points: readonly Point[]
  /** The days of each platform; none where they do not stand apart. */
  platforms: readonly Row[]
  choices: Choices
  unit: Unit
}

export function PlotOf({ points, platforms, choices, unit }: PlotProps) {
  const { measure, step, compare } = choices
  const id = useId()
  const parts = partsOf(platforms, { points, step, most: mostParts })
  const isCompared = compare !== null
  const shown = { measure, step, unit, isCompared }
  const read = (at: number) => {
    const point = points[at]
    return point ? [pointText(point, shown), ...partTexts(parts, at, shown)].join('; ') : ''
  }
  return (
    <Chart
      title={`${measureNames[measure]} by ${step}, ${unit.currency}`}
      summary={`${summaryOf(points, shown)}.`}
      labels={points.map((point) => shortNameOf(point, step))}
      largest={largestOf(points, parts, choices)}
      format={(value) => textOf(value, measure, unit)}
      legend={legendOf(points, parts, { ...choices, id })}
      read={read}
      table={
        <Table
          caption={`${measureNames[measure]} by ${step}`}
          rows={points.map((point, at) => ({ ...point, at }))}
          columns={columnsOf({ ...shown, parts, hasPlan: hasPlan(points, choices) })}
        />
      }
    >
      {(scales) => (
        <>
          <Fills id={id} />
          <Marks points={points} parts={parts} choices={choices} fills={id} {...scales} />
        </>
      )}
    </Chart>
  )
}

const partTexts = (parts: readonly Part[], at: number, { measure, unit }: Wording): string[] =>
  parts.flatMap(({ key, sums }) => {
    const value = sums[at] ? figureOf(sums[at], measure) : null
    return value === null ? [] : [`${nameOf(key)} ${textOf(value, measure, unit)}`]
  })

const hasPlan = (points: readonly Point[], { measure }: Choices): boolean =>
  measure === 'spend' && points.some(({ planned }) => planned !== null)

function largestOf(points: readonly Point[], parts: readonly Part[], { measure }: Choices): number {
  const values = points.flatMap(({ now, before, planned }) => [
    figureOf(now, measure),
    figureOf(before, measure),
    measure === 'spend' ? planned : null,
  ])
  const ofParts = parts.flatMap(({ sums }) => sums.map((each) => figureOf(each, measure)))
  return [...values, ...ofParts].reduce<number>((most, each) => Math.max(most, each ?? 0), 1)
}

type Legend = Choices & { id: string }

function legendOf(points: readonly Point[], parts: readonly Part[], legend: Legend) {
  const { measure, compare, id } = legend
  const isProvisional = points.some(({ isFinal }) => !isFinal)
  const filled = parts.map(({ key }, at) => ({
    name: nameOf(key),
    className: styles.part,
    fill: fillOf(id, at),
  }))
  const whole = [
    { name: measureNames[measure], className: measure === 'cpa' ? styles.line : styles.spent },
    ...(isProvisional && measure !== 'cpa'
      ? [{ name: 'Provisional', className: styles.provisional }]
      : []),
  ]
  return [
    ...(parts.length > 0 && measure !== 'cpa' ? filled : whole),
    ...(hasPlan(points, legend) ? [{ name: 'Plan', className: styles.expected }] : []),
    ...(compare ? [{ name: 'Before', className: styles.before }] : []),
  ]
}
