import { median } from '../../tools/table.ts'

/** A value and when it was read, in minutes. */
export type Sample = { minute: number; value: number }

/** The median of each minute: a garbage collection or a burst hardly moves it. */
export function mediansByMinute(samples: readonly Sample[]): Sample[] {
  const byMinute = Map.groupBy(samples, ({ minute }) => Math.floor(minute))
  return [...byMinute].map(([minute, all]) => ({
    minute,
    value: median(all.map(({ value }) => value)),
  }))
}

/** Growth of the value per minute, by least squares; NaN for less than two minutes. */
export function slopeOf(samples: readonly Sample[]): number {
  const [meanMinute, meanValue] = [meanOf(samples, 'minute'), meanOf(samples, 'value')]
  let [products, squares] = [0, 0]
  for (const { minute, value } of samples) {
    products += (minute - meanMinute) * (value - meanValue)
    squares += (minute - meanMinute) ** 2
  }
  return products / squares
}

const meanOf = (samples: readonly Sample[], of: keyof Sample) =>
  samples.reduce((sum, sample) => sum + sample[of], 0) / samples.length
