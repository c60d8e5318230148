import { distance } from 'fastest-levenshtein'

/** Longer names are neither echoed nor compared. */
const maxNameLength = 64

export const shortName = (name: string): string =>
  name.length > maxNameLength ? `${name.slice(0, maxNameLength).toWellFormed()}…` : name

/** The known name that was probably meant, if one is close. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > maxNameLength) return undefined
  const [nearest] = known
    .filter((each) => Math.abs(each.length - name.length) <= maxEdits(name))
    .map((each) => ({ each, edits: distance(name, each) }))
    .filter(({ edits }) => edits <= maxEdits(name))
    .sort((one, other) => one.edits - other.edits)
  return nearest?.each
}

/** Allows a swap in a four-letter word; more than three edits is another word. */
const maxEdits = ({ length }: string) => Math.min(3, Math.ceil(length / 3))
