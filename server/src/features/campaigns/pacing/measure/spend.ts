/** Reported spending of a campaign, as far as pacing needs it. */

/** Net of adjustments, over all sources; `day` is a day number. */
export type DaySpend = { day: number; minor: number }

export type Spend = {
  /** The latest days, in order: at least from a week before the period, or the last 62. */
  byDay: readonly DaySpend[]
  /** The spending of the period before those days; null if nothing was reported then. */
  earlierMinor: number | null
  /** The last day that all sources have reported in full; null if nothing was ever reported. */
  completeThrough: number | null
  /** When the last report came, in milliseconds since the epoch. */
  reportedAt: number | null
  /** The open time that the newest reported day had left when it was reported. */
  restOfNewestMs: number
  sources: readonly string[]
}

/** A `Spend` without the time left within its newest day. */
export type Reported = Omit<Spend, 'restOfNewestMs'>

export const noSpend: Spend = {
  byDay: [],
  earlierMinor: null,
  completeThrough: null,
  reportedAt: null,
  restOfNewestMs: 0,
  sources: [],
}
