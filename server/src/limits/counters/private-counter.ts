import type { Cipher } from '../../crypto/cipher.ts'
import type { Counter, CounterOptions } from './counter.ts'
import type { Counting } from './counters.ts'

const known = new WeakMap<Counting, Map<string, Counter>>()

type Parts = {
  readonly limits: { readonly counterStore: Counting }
  readonly crypto: { readonly cipher: Cipher }
}

/** The counter of this name, by keys that its store does not reveal, such as addresses. */
export function privateCounter(
  { limits: { counterStore }, crypto: { cipher } }: Parts,
  options: CounterOptions,
): Counter {
  const counter = sharedCounter(counterStore, options)
  const hidden = (key: string) => cipher.sign(key, options.name).toString('base64url')
  return {
    take: (key, taken) => counter.take(hidden(key), taken),
    giveBack: (key, cost) => counter.giveBack(hidden(key), cost),
    look: (key) => counter.look(hidden(key)),
    forget: (key) => counter.forget(hidden(key)),
  }
}

/** The same each time: one in memory counts by itself. */
function sharedCounter(counting: Counting, options: CounterOptions): Counter {
  const counters = known.get(counting) ?? new Map<string, Counter>()
  known.set(counting, counters)
  const counter = counters.get(options.name) ?? counting.counter(options)
  counters.set(options.name, counter)
  return counter
}
