import { Command } from 'commander'
import { addOperation } from './api/command.ts'
import { addAdvance, addImport, byHand } from './by-hand/commands.ts'
import { made } from './operations.ts'

const footer = `
Environment: FLIGHTDECK_URL, FLIGHTDECK_TOKEN, FLIGHTDECK_CONTEXT
Exit codes:  0 success, 1 refused or failed, 2 wrong call, 3 differences, 4 not logged in or
             not allowed, 5 waits for an approval, 6 conflict, 7 not reachable or over a limit`

/** The program, with the commands of the resource alone that the words name. */
export function programFor(words: readonly string[]): Command {
  const program = new Command('flightdeck')
    .description('The command line of Flightdeck, the ad campaign service')
    .version(made.version)
    .option('--url <address>', 'address of the service')
    .option('--context <name>', 'the context to use')
    .exitOverride()
    .showHelpAfterError('Add --help for usage.')
    .addHelpText('after', footer)
  for (const each of byHand) each(program)
  for (const [resource, verbs] of Object.entries(made.commands)) {
    const group = program.command(resource).description(Object.keys(verbs).join(', '))
    if (!words.includes(resource)) continue
    for (const [verb, operation] of Object.entries(verbs)) addOperation(group, verb, operation)
    if (resource === 'sandbox') addAdvance(group)
    if (resource === 'results') addImport(group)
  }
  return program
}
