import { distance } from 'fastest-levenshtein'

/** Longer names are never repeated in an answer, nor compared with known ones. */
const longestName = 64

export const shortName = (name: string): string =>
  name.length > longestName ? `${name.slice(0, longestName).toWellFormed()}…` : name

/** The known name that was probably meant, where one is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > longestName) return undefined
  const [nearest] = known
    .filter((each) => Math.abs(each.length - name.length) <= mostEdits(name))
    .map((each) => ({ each, edits: distance(name, each) }))
    .filter(({ edits }) => edits <= mostEdits(name))
    .sort((one, other) => one.edits - other.edits)
  return nearest?.each
}

/** Two letters of four may be swapped; more than three edits make another word. */
const mostEdits = ({ length }: string) => Math.min(3, Math.ceil(length / 3))
