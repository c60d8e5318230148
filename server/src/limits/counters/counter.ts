/**
 * The count of a window and its remaining time; without a window, 0 and the length of a new one.
 */
export type Window = { readonly used: number; readonly msLeft: number }

/** Counts by key in windows of `seconds`; a window starts with the first counted cost. */
export type CounterOptions = { readonly name: string; readonly seconds: number }

export type TakeOptions = {
  readonly cost?: number
  /** Omitted: always counts. */
  readonly limit?: number
  /** For a window length other than the counter's. */
  readonly seconds?: number
}

export type Counter = {
  /**
   * Counts completely or not at all: a cost over the limit is not counted, and `used` is what the
   * count would have been.
   */
  take(key: string, options?: TakeOptions): Promise<Window>
  /** Reduces the count, but never below 0. */
  giveBack(key: string, cost?: number): Promise<Window>
  look(key: string): Promise<Window>
  /** Ends the window. */
  forget(key: string): Promise<void>
}

export type KeyedWindow = { readonly key: string; readonly seconds: number }
export type Refund = KeyedWindow & { readonly cost: number }
export type Charge = Refund & { readonly limit: number }

/** A store of windows. Keys of all counters share one namespace, prefixed by the counter's name. */
export type CounterStore = {
  take(charge: Charge): Promise<Window>
  giveBack(refund: Refund): Promise<Window>
  look(window: KeyedWindow): Promise<Window>
  forget(key: string): Promise<void>
}

/** Above any plan's limit, within PostgreSQL's integers. */
export const noLimit = 1_000_000_000

export function counterIn(store: CounterStore, { name, seconds }: CounterOptions): Counter {
  const storedKeyOf = (key: string) => `${name}:${key}`
  return {
    take: (key, { cost = 1, limit = noLimit, seconds: ownSeconds = seconds } = {}) =>
      store.take({ key: storedKeyOf(key), cost, limit, seconds: ownSeconds }),
    giveBack: (key, cost = 1) => store.giveBack({ key: storedKeyOf(key), cost, seconds }),
    look: (key) => store.look({ key: storedKeyOf(key), seconds }),
    forget: (key) => store.forget(storedKeyOf(key)),
  }
}
