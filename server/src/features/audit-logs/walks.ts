import type { Context, Services } from '../../kernel/context.ts'
import { retryLater } from '../../problems/problem.ts'

/** A verification or an export while it is under way: both read every record there is. */
export type Walk = {
  /** Aborted once nobody waits for it. */
  readonly signal: AbortSignal
  /** Frees its place. */
  end(): void
}

const mostOfProcess = 2
const underWay = new WeakMap<Services, Set<string>>()

/** Throws 503 while the organization has one of its kind, or the process as many as it may. */
export function beginWalk(
  { services, organization }: Context,
  kind: 'verification' | 'export',
): Walk {
  const names = underWay.get(services) ?? new Set<string>()
  underWay.set(services, names)
  const name = `${kind} ${organization.id}`
  if (names.size >= mostOfProcess || names.has(name)) throw retryLater('overloaded')
  names.add(name)
  const stop = new AbortController()
  const end = () => {
    // By now the name may be that of the next.
    if (stop.signal.aborted) return
    names.delete(name)
    stop.abort()
  }
  return { signal: stop.signal, end }
}
