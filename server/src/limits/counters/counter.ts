/** What is counted in a window, and how long it lasts; without one, 0 and the time of a new one. */
export type Window = { readonly used: number; readonly msLeft: number }

/** Counts by key in windows of so many seconds. A window opens with the first cost that is counted. */
export type CounterOptions = { readonly name: string; readonly seconds: number }

export type TakeOptions = {
  readonly cost?: number
  /** Without a limit it counts in any case. */
  readonly limit?: number
  /** For a window of another length than the counter's. */
  readonly seconds?: number
}

export type Counter = {
  /**
   * Counts whole or not at all: what would pass the limit is not counted, and `used` is what it would
   * have become.
   */
  take(key: string, options?: TakeOptions): Promise<Window>
  /** Counts so much less, but never below 0. */
  giveBack(key: string, cost?: number): Promise<Window>
  look(key: string): Promise<Window>
  /** Ends the window. */
  forget(key: string): Promise<void>
}

export type KeyedWindow = { readonly key: string; readonly seconds: number }
export type Refund = KeyedWindow & { readonly cost: number }
export type Charge = Refund & { readonly limit: number }

/** Where windows are kept. Keys are those of all counters, and told apart by the counter's name. */
export type CounterStore = {
  take(charge: Charge): Promise<Window>
  giveBack(refund: Refund): Promise<Window>
  look(window: KeyedWindow): Promise<Window>
  forget(key: string): Promise<void>
}

/** Larger than any plan's limit, and within PostgreSQL's integers. */
export const noLimit = 1_000_000_000

export function counterIn(store: CounterStore, { name, seconds }: CounterOptions): Counter {
  const keyOf = (key: string) => `${name}:${key}`
  return {
    take: (key, { cost = 1, limit = noLimit, seconds: ownSeconds = seconds } = {}) =>
      store.take({ key: keyOf(key), cost, limit, seconds: ownSeconds }),
    giveBack: (key, cost = 1) => store.giveBack({ key: keyOf(key), cost, seconds }),
    look: (key) => store.look({ key: keyOf(key), seconds }),
    forget: (key) => store.forget(keyOf(key)),
  }
}
