/** The known name that is meant by one that is not known; undefined where none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > 64) return undefined
  const most = Math.max(1, Math.floor(name.length / 3))
  const [best] = known
    .map((each) => ({ each, distance: distanceOf(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .sort((one, other) => one.distance - other.distance)
  return best?.each
}

/** How many characters have to be added, removed or replaced. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (let column = 1; column <= other.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (letter === other[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
