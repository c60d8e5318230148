import type { Services } from '../../../kernel/context.ts'

/** Organizations that have changed since they were looked at. */
export type Unseen = {
  /** Takes them; null where any may have changed. */
  take(): readonly string[] | null
  add(organizationId: string): void
  addAll(): void
}

/** All are looked at by this time: a signal of another process may be lost without a notice. */
const sweepMs = 30_000

/** Beyond this, a look at all costs no more. */
const maxKept = 10_000

const kept = new WeakMap<Services, Unseen>()

/** Follows the signals of commits from the first call on, which finds that all may have changed. */
export function unseenOf(services: Services): Unseen {
  const changes = kept.get(services) ?? followed(services)
  kept.set(services, changes)
  return changes
}

function followed({ signals, observability: { readiness } }: Services): Unseen {
  const changed = new Set<string>()
  let mayBeAny = true
  let sweptAt = performance.now()

  function add(organizationId: string): void {
    if (changed.size < maxKept) changed.add(organizationId)
    else mayBeAny = true
  }

  function addAll(): void {
    mayBeAny = true
  }

  const unsubscribe = signals.subscribe(({ organizationId }) => add(organizationId), addAll)
  readiness.stopping.addEventListener('abort', unsubscribe, { once: true })
  return {
    take() {
      const now = performance.now()
      const isAll = mayBeAny || now - sweptAt >= sweepMs
      if (isAll) sweptAt = now
      const ids = [...changed]
      mayBeAny = false
      changed.clear()
      return isAll ? null : ids
    },
    add,
    addAll,
  }
}
