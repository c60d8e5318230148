import { setTimeout as sleep } from 'node:timers/promises'
import type { Lease } from '../jobs/leases.ts'
import { type DeliveryDeps, report } from './deps.ts'
import type { EndpointKey } from './due.ts'
import { type EndpointWorker, startEndpointWorker } from './endpoint/worker.ts'

/** The endpoints that this process works on, each under a lease. */
export type EndpointClaims = {
  /**
   * Wakes the endpoint's worker, or starts one unless another process has the endpoint. Resolves when
   * that is decided, or the endpoint has to wait for others.
   */
  wakeOrClaim(key: EndpointKey): Promise<void>
  /** Until then, endpoints of other processes are not claimed again. */
  forgetRefusals(): void
  /** Endpoints of processes that died, or stopped with work left. */
  abandoned(): Promise<EndpointKey[]>
  /** Hands over all endpoints. Attempts in flight get 5 s to end; then `abort` is called. */
  stop(abort: () => void): Promise<void>
}

const maxEndpoints = 500
const graceMs = 5_000
const prefix = 'webhook-endpoint/'

const leaseName = ({ organizationId, endpointId }: EndpointKey) =>
  `${prefix}${organizationId}/${endpointId}`

function endpointKeyOf(leaseName: string): EndpointKey {
  const [organizationId = '', endpointId = ''] = leaseName.slice(prefix.length).split('/')
  return { organizationId, endpointId }
}

type ClaimedWork = { lease: Lease; worker: EndpointWorker }
/** `begun` resolves to nothing if another process has the endpoint. */
type Claim = { begun: Promise<ClaimedWork | undefined>; done: Promise<void> }

type ClaimsState = {
  readonly deps: DeliveryDeps
  readonly claims: Map<string, Claim>
  /** Endpoints beyond those at once, in the order in which they came. */
  readonly waiting: Map<string, EndpointKey>
  readonly refused: Set<string>
  isStopping: boolean
}

export function endpointClaims(deps: DeliveryDeps): EndpointClaims {
  const state: ClaimsState = {
    deps,
    claims: new Map(),
    waiting: new Map(),
    refused: new Set(),
    isStopping: false,
  }
  return {
    wakeOrClaim: (key) => wakeOrClaim(state, key),
    forgetRefusals: () => state.refused.clear(),
    abandoned: async () =>
      (await deps.leases.find(prefix, 'expired')).map(({ name }) => endpointKeyOf(name)),
    stop: (abort) => stop(state, abort),
  }
}

async function wakeOrClaim(state: ClaimsState, key: EndpointKey): Promise<void> {
  const name = leaseName(key)
  const claim = state.claims.get(name)
  if (claim) return (await claim.begun)?.worker.wake()
  if (state.isStopping || state.refused.has(name)) return
  state.waiting.set(name, key)
  claimWaiting(state)
  await state.claims.get(name)?.begun
}

function claimWaiting(state: ClaimsState): void {
  for (const [name, key] of state.waiting) {
    if (state.claims.size >= maxEndpoints) return
    state.waiting.delete(name)
    const begun = begin(state, name, key)
    state.claims.set(name, { begun, done: untilDone(state, key, begun) })
  }
}

async function begin(
  state: ClaimsState,
  name: string,
  key: EndpointKey,
): Promise<ClaimedWork | undefined> {
  const lease = await state.deps.leases.acquire(name)
  if (!lease) state.refused.add(name)
  else if (state.isStopping) await lease.handOver()
  else {
    const remind = (afterMs: number) =>
      void setTimeout(() => void wakeOrClaim(state, key), afterMs).unref()
    return { lease, worker: startEndpointWorker(state.deps, key, { lease, remind }) }
  }
  return undefined
}

async function untilDone(
  state: ClaimsState,
  key: EndpointKey,
  begun: Claim['begun'],
): Promise<void> {
  const work = await begun
  if (work) await finish(state, key, work)
  state.claims.delete(leaseName(key))
  if (work?.worker.isWoken()) void wakeOrClaim(state, key)
  claimWaiting(state)
}

async function finish(
  state: ClaimsState,
  key: EndpointKey,
  { lease, worker }: ClaimedWork,
): Promise<void> {
  await worker.ended.catch((err: unknown) =>
    report(state.deps, { err, ...key }, 'the worker of a webhook endpoint failed'),
  )
  await (state.isStopping ? lease.handOver() : lease.release())
}

async function stop(state: ClaimsState, abort: () => void): Promise<void> {
  state.isStopping = true
  state.waiting.clear()
  const claims = [...state.claims.values()]
  for (const { begun } of claims) void begun.then((work) => work?.worker.stop())
  const done = Promise.all(claims.map(({ done }) => done))
  const inTime = new AbortController()
  const late = sleep(graceMs, undefined, { signal: inTime.signal }).catch(() => {})
  await Promise.race([done, late])
  inTime.abort()
  abort()
  await done
}
