/** Something that a careful client meets, and tries again after. */
export type Trouble = { at: number; what: string }

/** What clients have met, in the order in which they met it. */
export type Diary = {
  readonly troubles: Trouble[]
  /** What no client may ever meet. */
  readonly wrong: string[]
  /** Requests that were carried out, though their answers were lost: a repetition showed it. */
  unheard: number
  slowestMs: number
  /** Nobody waits for the clients' end. */
  isClosed: boolean
}

export const openDiary = (): Diary => ({
  troubles: [],
  wrong: [],
  unheard: 0,
  slowestMs: 0,
  isClosed: false,
})

/** How often each trouble was met. */
export function kindsOf({ troubles }: Diary): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { what } of troubles) counts[what] = (counts[what] ?? 0) + 1
  return counts
}
