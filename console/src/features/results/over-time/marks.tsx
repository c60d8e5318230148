import styles from '../../../charts/chart.module.css'
import { fillOf } from '../../../charts/fills.tsx'
import { barsOf, lineOf, type Scale } from '../../../charts/scale.ts'
import type { Choices } from './choices.tsx'
import { figureOf, type Part, type Point } from './points.ts'

type MarksProps = {
  points: readonly Point[]
  parts: readonly Part[]
  choices: Choices
  /** The id of the fills of parts. */
  fills: string
  x: Scale
  y: Scale
  step: number
}

/** Sums are bars, with the plan as a line; a ratio, which does not add up, is a line. */
export function Marks({ points, parts, choices, fills, x, y, step }: MarksProps) {
  const { measure, compare } = choices
  const scales = { x, y, step }
  const now = points.map((point) => figureOf(point.now, measure))
  const before = points.map((point) => figureOf(point.before, measure))
  const at = (value: number | null, index: number) =>
    value === null ? null : ([x(index + 0.5), y(value)] as const)
  return (
    <>
      {measure === 'cpa' && <path d={dotted(now.map(at))} className={styles.line} />}
      {measure !== 'cpa' && parts.length === 0 && (
        <WholeBars points={points} values={now} {...scales} />
      )}
      {measure !== 'cpa' &&
        stackOf(parts, measure).map(({ key, from, to }, index) => (
          <path
            key={key}
            d={bars(to, scales, from)}
            className={styles.part}
            fill={fillOf(fills, index)}
          />
        ))}
      {measure === 'spend' && (
        <path
          d={stepsOf(
            points.map(({ planned }) => planned),
            scales,
          )}
          className={styles.expected}
        />
      )}
      {compare && <path d={dotted(before.map(at))} className={styles.before} />}
    </>
  )
}

type Scales = Pick<MarksProps, 'x' | 'y' | 'step'>
type Values = readonly (number | null)[]

function WholeBars({
  points,
  values,
  ...scales
}: { points: readonly Point[]; values: Values } & Scales) {
  const only = (isFinal: boolean) =>
    values.map((value, at) => (points[at]?.isFinal === isFinal ? value : null))
  return (
    <>
      <path d={bars(only(true), scales)} className={styles.spent} />
      <path d={bars(only(false), scales)} className={styles.provisional} />
    </>
  )
}

const gap = 0.15

/** From zero, or from what is below. */
const bars = (values: Values, { x, y, step }: Scales, from: Values = []): string =>
  barsOf(
    values.flatMap((value, at) => {
      const bottom = from[at] ?? 0
      if (value === null || value <= bottom) return []
      const width = step * (1 - 2 * gap)
      return [{ x: x(at) + step * gap, width, top: y(value), bottom: y(bottom) }]
    }),
  )

/** The parts on top of each other; credits beyond what was spent are no height. */
function stackOf(parts: readonly Part[], measure: 'spend' | 'conversions') {
  let from: Values = []
  return parts.map(({ key, sums }) => {
    const below = from
    from = sums.map((each, at) => (below[at] ?? 0) + Math.max(0, figureOf(each, measure) ?? 0))
    return { key, from: below, to: from }
  })
}

type Place = readonly [number, number]

/** A value without neighbours is a dot. */
function dotted(places: readonly (Place | null)[]): string {
  const dots = places.flatMap((place, at) => {
    const isAlone = place && !places[at - 1] && !places[at + 1]
    return isAlone ? [`M${place[0] - 2} ${place[1]}h4`] : []
  })
  return lineOf(places) + dots.join('')
}

/** A value that holds for the whole time, so that a change is a step. */
const stepsOf = (values: Values, { x, y }: Scales): string =>
  lineOf(
    values.flatMap((value, at) =>
      value === null ? [null] : [[x(at), y(value)] as const, [x(at + 1), y(value)] as const],
    ),
  )
