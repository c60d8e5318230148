import type { Signal } from './signals.ts'

/** Signals that wait to be told, one an organization. */
export type SignalBuffer = {
  add(signal: Signal): void
  /** All of them; from here on it is empty. */
  take(): Signal[]
  readonly isEmpty: boolean
}

type BufferedSignals = { endpointIds: Set<string>; touchesCredentials: boolean }

export function signalBuffer(): SignalBuffer {
  let byOrganization = new Map<string, BufferedSignals>()

  function gatheredOf(organizationId: string): BufferedSignals {
    const known = byOrganization.get(organizationId)
    if (known) return known
    const made = { endpointIds: new Set<string>(), touchesCredentials: false }
    byOrganization.set(organizationId, made)
    return made
  }

  return {
    get isEmpty() {
      return byOrganization.size === 0
    },
    add({ organizationId, endpointIds, touchesCredentials }) {
      const gathered = gatheredOf(organizationId)
      for (const id of endpointIds) gathered.endpointIds.add(id)
      gathered.touchesCredentials ||= touchesCredentials
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
