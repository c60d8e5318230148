import { distance } from 'fastest-levenshtein'

/** Longer names are neither echoed nor compared. */
const longestName = 64

export const shortName = (name: string): string =>
  name.length > longestName ? `${name.slice(0, longestName).toWellFormed()}…` : name

/** The known name that was probably meant, if one is close. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > longestName) return undefined
  const [nearest] = known
    .filter((each) => Math.abs(each.length - name.length) <= mostEdits(name))
    .map((each) => ({ each, edits: distance(name, each) }))
    .filter(({ edits }) => edits <= mostEdits(name))
    .sort((one, other) => one.edits - other.edits)
  return nearest?.each
}

/** Allows a swap in a four-letter word; more than three edits is another word. */
const mostEdits = ({ length }: string) => Math.min(3, Math.ceil(length / 3))
