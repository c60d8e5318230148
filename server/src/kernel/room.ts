import { retryLater } from './errors.ts'
import { lanes } from './turns.ts'

/** How much a process works on at once. */
export type Room = {
  readonly taken: number
  /** A place for a request, which takes nothing yet. */
  place(): Place
}

type Bounds = {
  /** Of all organizations together; and as many more of whom it is not known yet, or never will be. */
  most: number
  /** An organization with more than this under way waits for itself, and the others not for it. */
  fewOfOne: number
}

/** An organization alone may have all of a minute's requests under way that any plan allows. */
const standard: Bounds = { most: 1_280, fewOfOne: 32 }

/** So many times what is left may one organization have. */
const shareOfLeft = 4

type Held = {
  readonly bounds: Bounds
  readonly byOrganization: Map<string, number>
  readonly inLine: ReturnType<typeof lanes>
  ofOrganizations: number
  ofNobody: number
}

/**
 * Nobody is refused while there is room, but one organization gets no more than four times of what is
 * left for the others: alone it has four fifths, two such four ninths each, and the next finds a place.
 */
export function openRoom(bounds: Bounds = standard): Room {
  const held: Held = {
    bounds,
    byOrganization: new Map(),
    inLine: lanes(bounds.most, bounds.fewOfOne),
    ofOrganizations: 0,
    ofNobody: 0,
  }
  return {
    get taken() {
      return held.ofOrganizations + held.ofNobody
    },
    place: () => new Place(held),
  }
}

/** What a request takes of the room, from its first `enter` to its last `leave`. */
export class Place {
  readonly #room: Held
  #stays = 0
  #weight = 1
  #organizationId: string | null = null

  constructor(room: Held) {
    this.#room = room
  }

  /** Throws 503 when there is no room. */
  enter(): void {
    if (this.#stays === 0) {
      this.#check()
      this.#add(1)
    }
    this.#stays += 1
  }

  leave(): void {
    this.#stays -= 1
    if (this.#stays === 0) this.#add(-1)
  }

  /** Whose request it is, and how heavy; throws 503 when that organization has its share already. */
  claim(organizationId: string, weight: number): void {
    this.#add(-1)
    this.#organizationId = organizationId
    this.#weight = weight
    try {
      this.#check()
    } catch (refusal) {
      this.#organizationId = null
      this.#weight = 1
      throw refusal
    } finally {
      this.#add(1)
    }
  }

  /** Runs it at once, unless its organization has much under way: then a few of those at a time. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const { bounds, inLine } = this.#room
    const organizationId = this.#organizationId
    if (organizationId === null || this.#ofOrganization() <= bounds.fewOfOne) return work()
    return inLine(organizationId, work)
  }

  #ofOrganization(): number {
    return this.#room.byOrganization.get(this.#organizationId ?? '') ?? 0
  }

  #check(): void {
    const { bounds, ofNobody, ofOrganizations } = this.#room
    const isNobodys = this.#organizationId === null
    const left = bounds.most - (isNobodys ? ofNobody : ofOrganizations)
    const wanted = isNobodys ? 0 : this.#ofOrganization() + this.#weight
    if (this.#weight > left || wanted > shareOfLeft * left) throw retryLater('overloaded')
  }

  #add(times: 1 | -1): void {
    const room = this.#room
    const id = this.#organizationId
    if (id === null) {
      room.ofNobody += times
      return
    }
    room.ofOrganizations += times * this.#weight
    const taken = this.#ofOrganization() + times * this.#weight
    if (taken > 0) room.byOrganization.set(id, taken)
    else room.byOrganization.delete(id)
  }
}
