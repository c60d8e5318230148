/** A map that forgets what was not used for the longest time. */
export class LRUMap<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    // While there is room enough, nothing is forgotten, so nothing needs to be kept in order.
    if (this.#entries.size * 2 > this.#most) {
      this.#entries.delete(key)
      this.#entries.set(key, value)
    }
    return value
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > this.#most) {
      const [oldest] = this.#entries.keys()
      this.#entries.delete(oldest as Key)
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key)
  }

  get size(): number {
    return this.#entries.size
  }

  /** From the oldest on, up to the first that stays. */
  dropWhile(isOver: (value: Value) => boolean): void {
    for (const [key, value] of this.#entries) {
      if (!isOver(value)) return
      this.#entries.delete(key)
    }
  }
}
