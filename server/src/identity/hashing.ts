import { keyedSemaphore } from '../concurrency/semaphore.ts'
import { retryLater } from '../problems/problem.ts'

/**
 * The requester of a password hash: a login from a network known for its account, a login from
 * another network, or an organization that sets or verifies its own passwords.
 */
export type Hashing = 'known login' | 'unknown login' | { readonly organizationId: string }

export type HashingLanes = <T>(hashing: Hashing, work: () => Promise<T>) => Promise<T>

/** Argon2id keeps a core busy; more at once would starve other work. */
const atOnce = 2
/** Leaves one slot to logins. */
const ofOrganizationsAtOnce = 1
/** Longer, and the request would end with its deadline, as if the database were slow. */
const maxWaitMs = 1_000
/** More could not be hashed in that time. */
const maxWaiting = 200

/** In order of priority. */
const kinds = ['known login', 'organization', 'unknown login'] as const
type Kind = (typeof kinds)[number]

/** Known logins come first and unknown ones last, so a flood of the latter blocks only itself. */
export function hashingLanes(): HashingLanes {
  const lines: Record<Kind, (() => void)[]> = {
    'known login': [],
    organization: [],
    'unknown login': [],
  }
  const running: Record<Kind, number> = { 'known login': 0, organization: 0, 'unknown login': 0 }
  const ofOrganization = keyedSemaphore(maxWaiting)

  const mayRun = (kind: Kind): boolean =>
    running['known login'] + running.organization + running['unknown login'] < atOnce &&
    (kind !== 'organization' || running.organization < ofOrganizationsAtOnce)

  function startNext(): void {
    const kind = kinds.find((each) => lines[each].length > 0 && mayRun(each))
    if (!kind) return
    running[kind] += 1
    lines[kind].shift()?.()
  }

  async function inLine<T>(kind: Kind, work: () => Promise<T>): Promise<T> {
    if (mayRun(kind)) running[kind] += 1
    else await turnIn(lines[kind], kind === 'organization' ? null : maxWaitMs)
    try {
      return await work()
    } finally {
      running[kind] -= 1
      startNext()
    }
  }

  return (hashing, work) => {
    if (typeof hashing === 'string') return inLine(hashing, work)
    const enter = (begin: typeof work) =>
      ofOrganization(hashing.organizationId, () => inLine('organization', begin))
    return begunInTime(enter, work)
  }
}

type HashWork<T> = () => Promise<T>

/** Both lines of an organization's own hash count: 503 if it has not begun after a second. */
function begunInTime<T>(enter: (begin: HashWork<T>) => Promise<T>, work: HashWork<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    reject(retryLater('overloaded'))
  }, maxWaitMs)
  const begin = async () => {
    clearTimeout(timer)
    // Its turn has come too late, and is over at once.
    if (isOver) throw retryLater('overloaded')
    return work()
  }
  enter(begin).then(resolve, reject)
  return promise
}

/** Waits for a slot, at most this long. */
function turnIn(line: (() => void)[], withinMs: number | null): Promise<void> {
  if (line.length >= maxWaiting) throw retryLater('overloaded')
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const giveUp = () => {
    line.splice(line.indexOf(start), 1)
    reject(retryLater('overloaded'))
  }
  const timer = withinMs === null ? undefined : setTimeout(giveUp, withinMs)
  const start = () => {
    clearTimeout(timer)
    resolve()
  }
  line.push(start)
  return promise
}
