/** How work ended: with a value, or with an error. */
export type Ending<T> = { value: T } | { error: unknown }

export const endingOf = <T>(work: Promise<T>): Promise<Ending<T>> =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
