import { existsSync } from 'node:fs'
import { CommandError } from './command.ts'

/** The command line of the API: built into a package, as TypeScript in a clone. */
const places = ['../../cli/dist/main.js', '../../../cli/src/main.ts']

/** Runs a command of the API, as a client of the service: it needs no database. */
export async function runOfApi(argv: readonly string[]): Promise<number> {
  const found = places
    .map((place) => new URL(place, import.meta.url))
    .find((url) => existsSync(url))
  if (!found)
    throw new CommandError('The commands of the API are missing: install Flightdeck again.')
  const { main } = await import(found.href)
  await main(argv[0] === 'api-help' ? ['--help'] : argv)
  return Number(process.exitCode ?? 0)
}
