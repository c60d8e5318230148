/** Positions of a chart, in the units of its view box. */

export type Scale = (value: number) => number

export const scaleOf =
  ([from, to]: readonly [number, number], [start, end]: readonly [number, number]): Scale =>
  (value) =>
    to === from ? start : start + ((value - from) / (to - from)) * (end - start)

const steps = [1, 2, 2.5, 5, 10]

/** Round values from zero to at least the largest, about `count` of them. */
export function ticksTo(largest: number, count = 4): readonly number[] {
  if (largest <= 0) return [0]
  const rough = largest / count
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = magnitude * (steps.find((each) => each * magnitude >= rough) ?? 10)
  return Array.from({ length: Math.ceil(largest / step) + 1 }, (_, at) => at * step)
}

type Point = readonly [x: number, y: number]

/** A line through points; nulls leave a gap. */
export function lineOf(points: readonly (Point | null)[]): string {
  let isNew = true
  let path = ''
  for (const point of points) {
    if (point) path += `${isNew ? 'M' : 'L'}${point[0].toFixed(1)} ${point[1].toFixed(1)}`
    isNew = point === null
  }
  return path
}

/** The area between two lines over the same places. */
export const bandOf = (upper: readonly Point[], lower: readonly Point[]): string =>
  upper.length === 0 ? '' : `${lineOf(upper)}${lineOf([...lower].reverse()).replace('M', 'L')}Z`

type Bar = { x: number; width: number; top: number; bottom: number }

/** Bars as one path: many cost no more than one. */
export const barsOf = (bars: readonly Bar[]): string =>
  bars
    .map(({ x, width, top, bottom }) => {
      const [left, right] = [x.toFixed(1), (x + width).toFixed(1)]
      return `M${left} ${bottom.toFixed(1)}V${top.toFixed(1)}H${right}V${bottom.toFixed(1)}Z`
    })
    .join('')
