import { singleFlight } from '../concurrency/single-flight.ts'
import type { DeliveryDeps } from './deps.ts'
import { findDue } from './due.ts'
import { type EndpointClaims, endpointClaims } from './endpoint-claims.ts'

/** The webhook delivery of this process. */
export type DeliveryWorker = {
  /** Finds deliveries that became due. Also runs every second. */
  sweep(): Promise<void>
  /** Hands over its endpoints; attempts in flight get 5 s to end. */
  stop(): Promise<void>
}

const sweepMs = 1_000
/** Every fifth sweep is a full one, for what a sweep missed. */
const sweepsPerFullSweep = 5

export function startDelivery(deps: DeliveryDeps): DeliveryWorker {
  const claims = endpointClaims(deps)
  const sweeps = sweeper(deps, claims)
  const sweep = () => void guard(deps, sweeps.sweep())
  const unsubscribe = deps.services.signals.subscribe(
    ({ organizationId, endpointIds }) => {
      for (const endpointId of endpointIds) void claims.wakeOrClaim({ organizationId, endpointId })
    },
    () => void guard(deps, sweeps.sweepAll()),
  )
  const sweeping = setInterval(sweep, sweepMs)
  sweep()
  return {
    sweep: sweeps.sweep,
    stop: async () => {
      unsubscribe()
      clearInterval(sweeping)
      await claims.stop(() => deps.sender.close())
    },
  }
}

async function guard({ services }: DeliveryDeps, work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (err) {
    services.observability.failures.note('webhook delivery', err)
  }
}

/** Finds due deliveries without a signal: retries, ends of pauses, other processes' work. */
function sweeper({ services }: DeliveryDeps, claims: EndpointClaims) {
  let count = 0
  let since = ''

  const sweep = singleFlight(async (): Promise<void> => {
    claims.forgetRefusals()
    const now = services.clock.now().toISOString()
    const isFull = count % sweepsPerFullSweep === 0
    const due = findDue(services.database.reader, now, isFull ? null : since)
    const found = await Promise.all([due, claims.abandoned()])
    count += 1
    since = now
    await Promise.all(found.flat().map(claims.wakeOrClaim))
  })

  return {
    sweep,
    /** Runs a new full sweep, after one in progress. */
    async sweepAll(): Promise<void> {
      await sweep.idle()
      count = 0
      return sweep()
    },
  }
}
