/** The most campaigns of one decision: no one looks through more rows. */
export const mostAtOnce = 1_000
