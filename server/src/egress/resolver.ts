import { lookup, Resolver } from 'node:dns/promises'

/** Every IPv4 and IPv6 address of a name in the order to try; rejects with Node's `code`. */
export type Resolve = (host: string) => Promise<readonly string[]>

/** The system resolver: `/etc/hosts`, search domains, name servers. */
const askSystem: Resolve = async (host) => {
  const found = await lookup(host, { all: true, order: 'verbatim' })
  return found.map(({ address }) => address)
}

/** Queries name servers directly (by default the machine's), without using a thread. */
export function askNameServers(servers?: readonly string[]): Resolve {
  return async (host) => {
    const resolver = new Resolver({ timeout: 1500, tries: 2 })
    if (servers) resolver.setServers(servers)
    const pending = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const found = pending.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const [first] = pending
    if (found.length === 0 && first.status === 'rejected') throw first.reason
    return found
  }
}

/**
 * Uses the first resolver; if it is slow, the faster of both. Node gives the system resolver few
 * threads, so names with dead servers would block all others.
 */
export function hedged(first: Resolve, second: Resolve, patienceMs: number): Resolve {
  return async (host) => {
    const pending = first(host)
    const early = await Promise.race([pending, timeoutError(pending, patienceMs)])
    if (early) return early
    return Promise.any([pending, second(host)]).catch((error: unknown) => {
      throw error instanceof AggregateError ? error.errors[0] : error
    })
  }
}

function timeoutError(pending: Promise<unknown>, patienceMs: number): Promise<undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, patienceMs, undefined)
    const stop = () => clearTimeout(timer)
    pending.then(stop, stop)
  })
}

/** Rejects after a time with the code `ETIMEOUT`. */
export function within(patienceMs: number, resolve: Resolve): Resolve {
  return async (host) => {
    const pending = resolve(host)
    const found = await Promise.race([pending, timeoutError(pending, patienceMs)])
    if (found) return found
    throw Object.assign(new Error('no answer from the name servers'), { code: 'ETIMEOUT' })
  }
}

export const resolveAsTheSystem = hedged(askSystem, askNameServers(), 250)

/** The TXT records of a name, each as one text; rejects where there is no answer. */
export type ResolveTexts = (name: string) => Promise<readonly string[]>

/** Queries name servers directly, by default the machine's. */
export function askTexts(servers?: readonly string[]): ResolveTexts {
  return async (name) => {
    const resolver = new Resolver({ timeout: 1500, tries: 2 })
    if (servers) resolver.setServers(servers)
    const found = await resolver.resolveTxt(name)
    return found.map((parts) => parts.join(''))
  }
}
