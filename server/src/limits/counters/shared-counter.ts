import type { Counter, CounterOptions } from './counter.ts'
import type { Counting } from './counters.ts'

const known = new WeakMap<Counting, Map<string, Counter>>()

/** The counter of this name, the same each time: one in memory counts by itself. */
export function sharedCounter(counting: Counting, options: CounterOptions): Counter {
  const counters = known.get(counting) ?? new Map<string, Counter>()
  known.set(counting, counters)
  const counter = counters.get(options.name) ?? counting.counter(options)
  counters.set(options.name, counter)
  return counter
}
