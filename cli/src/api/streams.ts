import { clean } from '../output/clean.ts'
import type { Call } from './run.ts'

/** Prints events as they happen, until it is interrupted. */
export async function printStream({ client, given, isGiven }: Call): Promise<void> {
  const types = given('type')
  const events = client.events.stream({ ...(types.length > 0 && { types: [...types] }) } as object)
  process.once('SIGINT', () => process.exit(0))
  for await (const event of events) {
    const { id, type, occurred_at } = event as Record<string, unknown>
    const line = isGiven('json') ? JSON.stringify(event) : clean(`${occurred_at}  ${id}  ${type}`)
    process.stdout.write(`${line}\n`)
  }
}
