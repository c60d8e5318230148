import { UsageError } from './command.ts'

type Readers<Values> = { [Name in keyof Values]: () => Values[Name] }

/** Reads all values; throws one UsageError with the faults of all of them. */
export function readAll<Values extends object>(readers: Readers<Values>): Values {
  const faults: string[] = []
  const values = Object.entries<() => unknown>(readers).map(([name, readOne]) => {
    try {
      return [name, readOne()]
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      faults.push(...error.faults)
      return [name, undefined]
    }
  })
  if (faults.length > 0) throw new UsageError(...faults)
  // Safe, as each value comes from the reader of its name.
  return Object.fromEntries(values) as Values
}
