import type { Signal } from './signals.ts'

/** Signals to be published, merged by organization. */
export type SignalBuffer = {
  add(signal: Signal): void
  /** Empties the buffer. */
  take(): Signal[]
  readonly isEmpty: boolean
}

type BufferedSignals = { endpointIds: Set<string>; touchesCredentials: boolean }

export function signalBuffer(): SignalBuffer {
  let byOrganization = new Map<string, BufferedSignals>()

  function entryOf(organizationId: string): BufferedSignals {
    const known = byOrganization.get(organizationId)
    if (known) return known
    const created = { endpointIds: new Set<string>(), touchesCredentials: false }
    byOrganization.set(organizationId, created)
    return created
  }

  return {
    get isEmpty() {
      return byOrganization.size === 0
    },
    add({ organizationId, endpointIds, touchesCredentials }) {
      const entry = entryOf(organizationId)
      for (const id of endpointIds) entry.endpointIds.add(id)
      entry.touchesCredentials ||= touchesCredentials
    },
    take() {
      const taken = byOrganization
      byOrganization = new Map()
      return [...taken].map(([organizationId, { endpointIds, touchesCredentials }]) => ({
        organizationId,
        endpointIds: [...endpointIds],
        touchesCredentials,
      }))
    },
  }
}
