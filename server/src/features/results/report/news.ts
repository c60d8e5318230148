/** Finds what a report changes for its campaigns. Pure. */

import type { SpendNews } from '../resource.ts'
import { netOf } from './decide-day.ts'
import type { DayChange } from './store.ts'
import type { Progress } from './stored.ts'

type StoredReport = {
  days: readonly DayChange[]
  /** The progress to store, and beside it the stored one. */
  progress: readonly Progress[]
  sources: ReadonlyMap<string, readonly Progress[]>
}

/** By campaign: those with a new figure or a later report. */
export function newsOf({ days, progress, sources }: StoredReport): Map<string, SpendNews> {
  const changed = new Map<string, SpendNews['days'][number][]>()
  for (const { campaign_id, date, before, stored } of days) {
    const addedMinor = netOf(stored) - (before ? netOf(before) : 0)
    const known = changed.get(campaign_id)
    if (known) known.push({ date, addedMinor })
    else changed.set(campaign_id, [{ date, addedMinor }])
  }
  const moved = new Map(progress.map((each) => [each.campaign_id, each]))
  const ids = new Set([...changed.keys(), ...moved.keys()])
  return new Map(
    [...ids].map((id) => {
      const after = sourcesAfter(sources.get(id) ?? [], moved.get(id))
      return [id, { days: changed.get(id) ?? [], sources: after }]
    }),
  )
}

function sourcesAfter(known: readonly Progress[], moved: Progress | undefined) {
  if (!moved) return known
  return [...known.filter(({ source }) => source !== moved.source), moved]
}
