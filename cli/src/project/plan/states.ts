/** Which actions lead a campaign to the state that a file wants. Pure. */

import type { Live } from '../live/object.ts'

export type Transition = {
  action: string
  from: readonly string[]
  to: readonly string[]
  by: string
  approval: string | null
}

/** What is left alone, and why; or the actions, none where it is there already. */
export type Way = { actions: readonly string[] } | { left: string } | { blocked: string }

const statusesOf = (state: string): readonly string[] =>
  state === 'active' ? ['active', 'scheduled'] : [state]

/** The way from a campaign as it is, or from a new draft. */
export function wayTo(state: string, live: Live | null, transitions: readonly Transition[]): Way {
  const status = live ? String(live.row.status) : 'draft'
  const wanted = statusesOf(state)
  if (wanted.includes(status)) return { actions: [] }
  if (status === 'pending_review') return { left: 'waits for an approval' }
  if (status === 'completed' && hasEnded(live) && wanted.some((each) => each !== 'archived')) {
    return { left: 'has ended at its end_at' }
  }
  const actions = shortest({ from: status, wanted, live }, transitions)
  return actions ? { actions } : { blocked: `no action leads from ${status} to ${state}` }
}

/** Completed by the clock: whoever wrote `active` and an end wanted that. */
function hasEnded(live: Live | null): boolean {
  if (!live) return false
  const { end_at, completed_at } = live.row
  if (typeof end_at !== 'string' || typeof completed_at !== 'string') return false
  return Date.parse(completed_at) >= Date.parse(end_at)
}

type Search = { from: string; wanted: readonly string[]; live: Live | null }

/** The fewest actions that surely end in a wanted status. */
function shortest({ from, wanted, live }: Search, transitions: readonly Transition[]) {
  const known = new Set<string>([from])
  let ways: { statuses: readonly string[]; actions: string[] }[] = [
    { statuses: [from], actions: [] },
  ]
  while (ways.length > 0) {
    const found = ways.find(({ statuses }) => statuses.every((each) => wanted.includes(each)))
    if (found) return found.actions
    ways = ways.flatMap(({ statuses, actions }) =>
      transitions.filter(isPlain).flatMap((transition) => {
        const { action } = transition
        if (!statuses.every((each) => transition.from.includes(each))) return []
        const next = statusesAfter(transition, live)
        const name = next.toSorted().join()
        if (known.has(name)) return []
        known.add(name)
        return [{ statuses: next, actions: [...actions, action] }]
      }),
    )
  }
  return null
}

/** What anyone who writes campaigns may do, and is no part of an approval. */
const isPlain = ({ by, approval }: Transition) => by === 'writer' && approval !== 'asked'

/** An archived campaign goes back to what it was, which its times say. */
function statusesAfter({ action, to }: Transition, live: Live | null): readonly string[] {
  if (action !== 'unarchive' || !live) return to
  const { launched_at, completed_at } = live.row
  if (typeof completed_at === 'string') return ['completed']
  return [launched_at === null ? 'draft' : 'paused']
}
