/** The newest published version of the same major version, if it is newer than `current`. */
export function newestOfSameMajor(current: string, published: readonly string[]): string | null {
  const [major] = numbersOf(current)
  const [newest] = published
    .filter((version) => numbersOf(version)[0] === major && isNewer(version, current))
    .toSorted((one, other) => (isNewer(one, other) ? -1 : 1))
  return newest ?? null
}

/** `18.4.0-beta.17` becomes 18, 4, 0, 17, with the packaging's own number. */
const numbersOf = (version: string): number[] => (version.match(/\d+/g) ?? []).map(Number)

function isNewer(version: string, than: string): boolean {
  const [numbers, others] = [numbersOf(version), numbersOf(than)]
  const at = numbers.findIndex((number, index) => number !== (others[index] ?? 0))
  return at !== -1 && Number(numbers[at]) > (others[at] ?? 0)
}
