/** A failure that a careful client retries after. */
export type Incident = { at: number; what: string }

/** The incidents that clients experienced, in order. */
export type IncidentLog = {
  readonly incidents: Incident[]
  /** Incidents that no client may ever experience. */
  readonly wrong: string[]
  /** Requests that were executed although their answers were lost, as a retry showed. */
  unheard: number
  slowestMs: number
  /** Does not wait for the clients to finish. */
  isClosed: boolean
}

export const openIncidentLog = (): IncidentLog => ({
  incidents: [],
  wrong: [],
  unheard: 0,
  slowestMs: 0,
  isClosed: false,
})

/** How often each incident occurred. */
export function kindsOf({ incidents }: IncidentLog): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { what } of incidents) counts[what] = (counts[what] ?? 0) + 1
  return counts
}
