/** The newest of these versions, if it is newer than `current` and of its major version. */
export function newestOfSameMajor(current: string, published: readonly string[]): string | null {
  const [major] = numbersOf(current)
  const [newest] = published
    .filter((version) => numbersOf(version)[0] === major && isNewer(version, current))
    .toSorted((one, other) => (isNewer(one, other) ? -1 : 1))
  return newest ?? null
}

/** Of `18.4.0-beta.17`, the packaging's own number too: 18, 4, 0, 17. */
const numbersOf = (version: string): number[] => (version.match(/\d+/g) ?? []).map(Number)

function isNewer(version: string, than: string): boolean {
  const [numbers, others] = [numbersOf(version), numbersOf(than)]
  const at = numbers.findIndex((number, index) => number !== (others[index] ?? 0))
  return at !== -1 && Number(numbers[at]) > (others[at] ?? 0)
}
