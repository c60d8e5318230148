import { UsageError } from '../faults.ts'
import { clean } from './clean.ts'

/** Prints what an expression of jq makes of an answer. */
export type Jq = (answer: unknown) => void

/** Reads an expression before a request is sent. Throws a UsageError if it is none. */
export async function jqOf(expression: string): Promise<Jq> {
  const { compile } = await import('@michaelhomer/jqjs')
  const filter = named(UsageError, expression, () => compile(expression))
  return (answer) => {
    // All of it first: a fault in the middle prints nothing.
    const values = named(Error, expression, () => [...filter(answer)])
    for (const value of values) process.stdout.write(`${textOf(value)}\n`)
  }
}

/** Strings as they are, all else as JSON in one line. */
function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null)
  return process.stdout.isTTY === true ? text.split('\n').map(clean).join('\n') : text
}

/** The library throws its messages as strings. */
function named<Answer>(
  Fault: new (message: string) => Error,
  expression: string,
  act: () => Answer,
): Answer {
  try {
    return act()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new Fault(`--jq '${expression}': ${message}`)
  }
}
