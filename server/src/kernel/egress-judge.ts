import { isIP } from 'node:net'
import { isReachable, readHost } from './egress.ts'
import { type Resolve, resolveAsTheSystem, together, within } from './egress-resolve.ts'
import { LRUMap } from './lru.ts'

/** Why nothing may connect: `message` is for whoever wrote the URL. */
export type EgressFault = { kind: 'dns' | 'forbidden_address'; message: string }

/** The host as it is meant, and its addresses, all of which may be reached. */
export type Judged = { host: string; addresses: readonly string[] }

export type JudgeSettings = {
  /** Subnets that are open although private: `config.egressAllow`. */
  allowed: readonly string[]
  resolve?: Resolve
  /** A name that takes longer counts as one that does not resolve. */
  withinMs: number
}

type Judge = (url: URL) => Promise<Judged | { fault: EgressFault }>

/** Resolves the host of a URL anew each time; one address that is forbidden forbids them all. */
export function openJudge({
  allowed,
  resolve = resolveAsTheSystem,
  withinMs,
}: JudgeSettings): Judge {
  // Both are pure, and cost more than the rest of a small request's preparation.
  const hostOf = remembered((text) => readHost(text, { pointer: '', allowed }))
  const isOpen = remembered((address) => isReachable(address, allowed))
  const resolveInTime = together(within(withinMs, resolve))

  return async (url) => {
    const read = hostOf(url.hostname)
    if ('fault' in read) return { fault: forbidden(`${url.hostname} is not allowed`) }
    const { host } = read
    if (isIP(host)) return { host, addresses: [host] }
    const found = await addressesOf(host, resolveInTime)
    if ('fault' in found) return found
    if (found.addresses.every(isOpen)) return { host, addresses: found.addresses }
    // Without the address: what a name means inside is not for whoever wrote it.
    return { fault: forbidden(`${host} resolves to an address that is not allowed`) }
  }
}

function remembered<Value>(judge: (text: string) => Value): (text: string) => Value {
  const known = new LRUMap<string, Value>(1000)
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const value = judge(text)
    known.set(text, value)
    return value
  }
}

const forbidden = (why: string): EgressFault => ({
  kind: 'forbidden_address',
  message: `${why}: no loopback, private, reserved or metadata address is reached from here`,
})

async function addressesOf(
  host: string,
  resolve: Resolve,
): Promise<{ addresses: readonly string[] } | { fault: EgressFault }> {
  try {
    const addresses = [...new Set(await resolve(host))]
    return addresses.length > 0 ? { addresses } : { fault: unresolved(host, 'ENODATA') }
  } catch (error) {
    return { fault: unresolved(host, (error as NodeJS.ErrnoException).code) }
  }
}

const absent: readonly unknown[] = ['ENOTFOUND', 'ENODATA']

function unresolved(host: string, code: string | undefined): EgressFault {
  if (absent.includes(code)) return { kind: 'dns', message: `the name ${host} does not resolve` }
  const why = code === undefined ? '' : ` (${code})`
  return { kind: 'dns', message: `the name ${host} could not be resolved${why}` }
}
