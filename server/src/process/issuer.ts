import { randomUUID } from 'node:crypto'
import { pause } from '../concurrency/wait.ts'
import { keepLease } from '../jobs/keep-lease.ts'
import type { FoundLease } from '../jobs/lease-table.ts'
import type { Leases } from '../jobs/leases.ts'
import type { Logger } from '../observability/logger.ts'

type Issuing = { leases: Leases; issuer: string; logger: Logger }
type IssuerRun = Issuing & { signal: AbortSignal }

const prefix = 'issuer/'
const lookEveryMs = 500

/**
 * Holds a lease in the name of this process's tokens, and warns once if a live process on the database
 * has another name: each refuses the other's tokens.
 */
export function announceIssuer(issuing: Issuing): { stop(): Promise<void> } {
  const name = `${prefix}${randomUUID()}/${issuing.issuer}`
  let hasLooked = false
  return keepLease(issuing.leases, name, async (signal) => {
    if (!hasLooked) await warnOfOthers({ ...issuing, signal })
    hasLooked = true
  })
}

async function warnOfOthers({ leases, issuer, logger, signal }: IssuerRun): Promise<void> {
  const warned = new Set([issuer])
  let doubtful = await othersOf(leases, issuer)
  while (doubtful.length > 0 && !signal.aborted) {
    await pause(lookEveryMs, signal)
    const found = new Map((await othersOf(leases, issuer)).map((each) => [each.name, each]))
    // The lease of a killed process remains for a while, but only a live one renews it.
    const isDoubtful = ({ name, expiresAt }: FoundLease) => found.get(name)?.expiresAt === expiresAt
    const alive = doubtful.filter((each) => found.has(each.name) && !isDoubtful(each))
    for (const other of alive.map(issuerOf)) {
      if (!warned.has(other)) logger.warn({ issuer, other }, textFor(issuer, other))
      warned.add(other)
    }
    doubtful = doubtful.filter(isDoubtful)
  }
}

const textFor = (issuer: string, other: string) =>
  `this process issues tokens as ${issuer}, another live one on this database as ${other}: each refuses the other's tokens. Set the same FLIGHTDECK_PUBLIC_URL for all processes`

const othersOf = async (leases: Leases, issuer: string): Promise<FoundLease[]> =>
  (await leases.find(prefix, 'live')).filter((each) => issuerOf(each) !== issuer)

/** After the prefix and the id of the process. */
const issuerOf = ({ name }: FoundLease): string => name.split('/').slice(2).join('/')
