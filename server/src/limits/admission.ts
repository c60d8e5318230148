import { keyedSemaphore } from '../concurrency/semaphore.ts'
import { retryLater } from '../problems/problem.ts'
import { type AdaptiveLimit, adaptiveLimit, unlimited } from './adaptive-limit.ts'

/** How much a process works on at once, in requests, or takes in, in bytes. */
export type AdmissionControl = {
  readonly taken: number
  /** As much runs as may: whoever comes next is refused. */
  readonly isFull: boolean
  /** A place in it, which takes nothing yet. */
  place(): Slot
}

type Bounds = {
  /** Of all organizations together; and as many more of whom it is not known yet, or never will be. */
  most: number
  /** An organization with more than this under way waits for itself, and the others not for it. */
  perTenantBeforeQueueing: number
  /** Of all organizations together, without what waits for itself; while they keep up within the patience. */
  running?: { most: number; patienceMs: number }
}

/** In bytes. They wait for their senders, and nothing runs that could take turns. */
export const uploadLimits: Bounds = {
  most: 128 * 1024 * 1024,
  perTenantBeforeQueueing: Number.POSITIVE_INFINITY,
}

/** An organization alone may have all of a minute's requests under way that any plan allows. */
const defaultBounds: Bounds = {
  most: 1_280,
  perTenantBeforeQueueing: 32,
  running: { most: 640, patienceMs: 500 },
}

/** So many times what is left may one organization have. */
const shareOfLeft = 4

type AdmissionState = {
  readonly bounds: Bounds
  /** How much of organizations may run at present. */
  readonly size: AdaptiveLimit
  readonly byOrganization: Map<string, InUse>
  readonly inLine: ReturnType<typeof keyedSemaphore>
  ofOrganizations: number
  running: number
  ofNobody: number
}

/**
 * Nobody is refused while there is room, but one organization gets no more than four times of what is
 * left for the others: alone it has four fifths, two such four ninths each, and the next finds a place.
 */
export function admissionControl(
  bounds: Bounds = defaultBounds,
  clock = () => performance.now(),
): AdmissionControl {
  const held: AdmissionState = {
    bounds,
    size: bounds.running ? adaptiveLimit(bounds.running, clock) : unlimited,
    byOrganization: new Map(),
    inLine: keyedSemaphore(bounds.most, bounds.perTenantBeforeQueueing),
    ofOrganizations: 0,
    running: 0,
    ofNobody: 0,
  }
  return {
    get taken() {
      return held.ofOrganizations + held.ofNobody
    },
    get isFull() {
      const isFull = held.running >= held.size.now()
      if (isFull) held.size.noteFull()
      return isFull
    },
    place: () => new Slot(held),
  }
}

/** What an organization has of the room, and how much of that is to run. */
type InUse = { readonly all: number; readonly runs: number }

const nothing: InUse = { all: 0, runs: 0 }

type TenantShare = {
  readonly organizationId: string | null
  readonly weight: number
  readonly runs: boolean
}

const unassigned: TenantShare = { organizationId: null, weight: 1, runs: false }

/**
 * What a request takes of the room: its share while it is inside or its work goes on, else nothing.
 * So it does not matter in which order these come, nor how often.
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

  /** Throws 503 when there is no room. */
  acquire(): void {
    this.#take()
    this.#isInside = true
  }

  leave(): void {
    this.#isInside = false
    this.#giveBack()
  }

  /**
   * Whose request it is, how heavy, and whether there is more to do than to take it in; throws 503 when
   * that organization has its share already.
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

  /** Throws 503 when there is no room; else it takes room until the work ends. */
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

  /** Runs it at once, unless its organization has much under way: then a few of those at a time. */
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
    const { bounds, size, ofNobody, ofOrganizations, running } = this.#room
    const { organizationId, weight, runs } = this.#share
    if (organizationId === null) {
      check({ left: bounds.most - ofNobody, has: 0, weight })
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

/** Beyond the few, they wait for each other. */
const runningOf = ({ runs }: InUse, { perTenantBeforeQueueing }: Bounds) =>
  Math.min(runs, perTenantBeforeQueueing)

const plus = ({ all, runs }: InUse, share: TenantShare, times = 1): InUse => ({
  all: all + times * share.weight,
  runs: runs + (share.runs ? times * share.weight : 0),
})

function count(room: AdmissionState, share: TenantShare, times: 1 | -1): void {
  const { organizationId, weight } = share
  if (organizationId === null) {
    room.ofNobody += times * weight
    return
  }
  room.ofOrganizations += times * weight
  const before = room.byOrganization.get(organizationId) ?? nothing
  const taken = plus(before, share, times)
  room.running += runningOf(taken, room.bounds) - runningOf(before, room.bounds)
  if (taken.all > 0) room.byOrganization.set(organizationId, taken)
  else room.byOrganization.delete(organizationId)
}
