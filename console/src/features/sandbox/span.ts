const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** `2 days, 3 hours`. */
export function formatSpan(milliseconds: number): string {
  let left = milliseconds
  const parts = units.flatMap(([unit, length]) => {
    const count = Math.floor(left / length)
    left -= count * length
    return count === 0 ? [] : [format(count, unit)]
  })
  return parts.length === 0 ? 'Not ahead' : parts.slice(0, 2).join(', ')
}

const format = (count: number, unit: string) =>
  new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
