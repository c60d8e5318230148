import { UsageError } from './faults.ts'

type Readers<Values> = { [Name in keyof Values]: () => Values[Name] | Promise<Values[Name]> }

/** Reads all values; throws one refusal with those of all of them, a line each. */
export async function readAll<Values extends object>(readers: Readers<Values>): Promise<Values> {
  const refusals: string[] = []
  const values: [string, unknown][] = []
  for (const [name, read] of Object.entries<() => unknown>(readers)) {
    try {
      values.push([name, await read()])
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      refusals.push(error.message)
    }
  }
  if (refusals.length > 0) throw new UsageError(refusals.join('\n'))
  // Safe, as each value comes from the reader of its name.
  return Object.fromEntries(values) as Values
}
