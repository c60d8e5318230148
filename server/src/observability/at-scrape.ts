import { singleFlight } from '../concurrency/single-flight.ts'
import { withTimeout } from './with-timeout.ts'

const cacheMs = 5_000

/**
 * A measurement of the database for gauges: one at a time however many scrapes there are, kept for
 * 5 s. Undefined when the database does not answer.
 */
export const atScrape = <T>(measure: () => Promise<T>): (() => Promise<T | undefined>) =>
  singleFlight(() => withTimeout(measure()).catch(() => undefined), { keepMs: cacheMs })
