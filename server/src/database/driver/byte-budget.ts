/** Limits the bytes of rows that one statement may return, as sent by the server. */
export class ByteBudget {
  readonly #maxBytes: number
  #taken = 0
  #isExceeded = false

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Bytes of the rows taken so far. */
  get taken(): number {
    return this.#taken
  }

  /** Whether rows were dropped. */
  get isExceeded(): boolean {
    return this.#isExceeded
  }

  /** Whether the next row fits. The first always does; after one that does not, none does. */
  takes(bytes: number): boolean {
    this.#isExceeded ||= this.#taken > 0 && this.#taken + bytes > this.#maxBytes
    if (this.#isExceeded) return false
    this.#taken += bytes
    return true
  }
}
