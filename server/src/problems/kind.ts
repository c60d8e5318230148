/** Whether the same request can succeed: later as it is, after a correction, or never. */
type Retry = 'transient' | 'correctable' | 'terminal'

export type ProblemKind = {
  status: number
  title: string
  retry: Retry
  /** The cause and the remedy, as shown on `/problems/<code>`. */
  cause: string
  fix: string
}

/** One code, with its texts: title, cause and remedy. */
export const kind = (
  status: number,
  retry: Retry,
  [title, cause, fix]: [string, string, string],
) => ({
  status,
  title,
  retry,
  cause,
  fix,
})
