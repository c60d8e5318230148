/** How many bytes of rows one statement may answer, as they travel. */
export class ByteBudget {
  readonly #most: number
  #taken = 0
  #isExceeded = false

  constructor(most: number) {
    this.#most = most
  }

  /** Of the rows that were taken. */
  get taken(): number {
    return this.#taken
  }

  /** Rows were dropped. */
  get isExceeded(): boolean {
    return this.#isExceeded
  }

  /** Whether the next row is within it: the first always is, and none after one that is not. */
  takes(bytes: number): boolean {
    this.#isExceeded ||= this.#taken > 0 && this.#taken + bytes > this.#most
    if (this.#isExceeded) return false
    this.#taken += bytes
    return true
  }
}
