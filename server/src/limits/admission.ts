import { keyedSemaphore } from '../concurrency/semaphore.ts'
import { retryLater } from '../problems/problem.ts'
import { type AdaptiveLimit, adaptiveLimit, unlimited } from './adaptive-limit.ts'

/** Bounds concurrent work: in requests for processing, in bytes for uploads. */
export type AdmissionControl = {
  readonly taken: number
  /** At capacity: the next request gets 503. */
  readonly isFull: boolean
  /** A new slot that holds no capacity yet. */
  place(): Slot
}

type AdmissionBounds = {
  /**
   * Maximum for all organizations together; the same again for requests of no or unknown
   * organization.
   */
  most: number
  /** Above this, an organization's further requests queue behind its own. */
  perTenantBeforeQueueing: number
  /**
   * Maximum of all running work, without queued requests, while throughput keeps within the
   * patience.
   */
  running?: { most: number; patienceMs: number }
}

/** Limits are in bytes; uploads only wait for the client, so there is no queue. */
export const uploadLimits: AdmissionBounds = {
  most: 128 * 1024 * 1024,
  perTenantBeforeQueueing: Number.POSITIVE_INFINITY,
}

/** One organization may have all requests of a minute in flight under any plan. */
const defaultBounds: AdmissionBounds = {
  most: 1_280,
  perTenantBeforeQueueing: 32,
  running: { most: 640, patienceMs: 500 },
}

/** One tenant may hold at most 4 × the remaining capacity. */
const shareOfLeft = 4

type AdmissionState = {
  readonly bounds: AdmissionBounds
  /** The adaptive limit for the work of organizations. */
  readonly size: AdaptiveLimit
  readonly byOrganization: Map<string, InUse>
  readonly inLine: ReturnType<typeof keyedSemaphore>
  ofOrganizations: number
  running: number
  anonymous: number
}

/**
 * Admits requests while there is capacity, but limits a tenant to four times the capacity left for
 * others: alone it gets four fifths, two get four ninths each, and the next still finds room.
 */
export function admissionControl(
  bounds: AdmissionBounds = defaultBounds,
  clock = () => performance.now(),
): AdmissionControl {
  const held: AdmissionState = {
    bounds,
    size: bounds.running ? adaptiveLimit(bounds.running, clock) : unlimited,
    byOrganization: new Map(),
    inLine: keyedSemaphore(bounds.most, bounds.perTenantBeforeQueueing),
    ofOrganizations: 0,
    running: 0,
    anonymous: 0,
  }
  return {
    get taken() {
      return held.ofOrganizations + held.anonymous
    },
    get isFull() {
      const isFull = held.running >= held.size.now()
      if (isFull) held.size.noteFull()
      return isFull
    },
    place: () => new Slot(held),
  }
}

/** The capacity held by an organization, and the running part of it. */
type InUse = { readonly all: number; readonly runs: number }

const nothing: InUse = { all: 0, runs: 0 }

type TenantShare = {
  readonly organizationId: string | null
  readonly weight: number
  readonly runs: boolean
}

const unassigned: TenantShare = { organizationId: null, weight: 1, runs: false }

/**
 * A request's share of the capacity, held while the request or its work is active. Calls are
 * idempotent and may come in any order.
 */
export class Slot {
  readonly #room: AdmissionState
  #isInside = false
  #isWorking = false
  #share = unassigned
  #taken: TenantShare | null = null

  constructor(room: AdmissionState) {
    this.#room = room
  }

  /** Throws 503 at capacity. */
  acquire(): void {
    this.#take()
    this.#isInside = true
  }

  leave(): void {
    this.#isInside = false
    this.#giveBack()
  }

  /**
   * Assigns the tenant and weight; `runs` false: counted, not scheduled. Throws 503 if the
   * organization is at its share.
   */
  assign(organizationId: string | null, weight: number, runs = true): void {
    const before = this.#taken
    this.#drop()
    this.#share = { organizationId, weight, runs }
    if (!before) return
    try {
      this.#take()
    } catch (refusal) {
      this.#share = before
      this.#add(before)
      throw refusal
    }
  }

  /** Holds capacity until the work ends; throws 503 at capacity. */
  async work<T>(work: () => Promise<T>): Promise<T> {
    this.#take()
    this.#isWorking = true
    try {
      return await work()
    } finally {
      this.#isWorking = false
      this.#giveBack()
      const { organizationId, weight } = this.#share
      if (organizationId !== null) this.#room.size.noteDone(weight)
    }
  }

  /** Runs at once, or queued if its organization has much in flight. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const { bounds, inLine } = this.#room
    const { organizationId } = this.#share
    if (organizationId === null || this.#ofOrganization().all <= bounds.perTenantBeforeQueueing)
      return work()
    return inLine(organizationId, work)
  }

  #ofOrganization(): InUse {
    return this.#room.byOrganization.get(this.#share.organizationId ?? '') ?? nothing
  }

  #take(): void {
    if (this.#taken) return
    this.#check()
    this.#add(this.#share)
  }

  #giveBack(): void {
    if (!this.#isInside && !this.#isWorking) this.#drop()
  }

  #check(): void {
    const { bounds, size, anonymous, ofOrganizations, running } = this.#room
    const { organizationId, weight, runs } = this.#share
    if (organizationId === null) {
      check({ left: bounds.most - anonymous, has: 0, weight })
      return
    }
    const has = this.#ofOrganization()
    check({ left: bounds.most - ofOrganizations, has: has.all, weight })
    if (!runs) return
    const before = runningOf(has, bounds)
    const more = runningOf(plus(has, this.#share), bounds) - before
    const left = size.now() - running
    if (more > left) size.noteFull()
    if (more > 0) check({ left, has: before, weight: more })
  }

  #add(share: TenantShare): void {
    this.#taken = share
    count(this.#room, share, 1)
  }

  #drop(): void {
    if (this.#taken) count(this.#room, this.#taken, -1)
    this.#taken = null
  }
}

type SlotRequest = { left: number; has: number; weight: number }

function check({ left, has, weight }: SlotRequest): void {
  if (weight > left || has + weight > shareOfLeft * left) throw retryLater('overloaded')
}

/** Beyond the bound, requests of one organization queue. */
const runningOf = ({ runs }: InUse, { perTenantBeforeQueueing }: AdmissionBounds) =>
  Math.min(runs, perTenantBeforeQueueing)

const plus = ({ all, runs }: InUse, share: TenantShare, times = 1): InUse => ({
  all: all + times * share.weight,
  runs: runs + (share.runs ? times * share.weight : 0),
})

function count(room: AdmissionState, share: TenantShare, times: 1 | -1): void {
  const { organizationId, weight } = share
  if (organizationId === null) {
    room.anonymous += times * weight
    return
  }
  room.ofOrganizations += times * weight
  const before = room.byOrganization.get(organizationId) ?? nothing
  const taken = plus(before, share, times)
  room.running += runningOf(taken, room.bounds) - runningOf(before, room.bounds)
  if (taken.all > 0) room.byOrganization.set(organizationId, taken)
  else room.byOrganization.delete(organizationId)
}
