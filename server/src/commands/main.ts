import { Command as CommanderCommand, CommanderError } from 'commander'
import { trimEnd } from '../values/trim-end.ts'
import { revision, version } from '../version.ts'
import type { Command, CommandResult, Given } from './command.ts'
import { commands } from './commands.ts'
import { withSecrets } from './secrets.ts'

/** Runs one command line and sets the process's exit code. */
export async function main(argv: string[]): Promise<void> {
  // A closed pipe, as with `flightdeck … | head`, ends the command.
  process.stdout.on('error', () => process.exit())
  process.exitCode = await exitCode(argv)
  // Exit even if something is left open.
  setTimeout(() => process.exit(), 1_000).unref()
}

async function exitCode(argv: string[]): Promise<number> {
  if (asksVersion(argv)) return printVersion()
  if (isOfApi(argv)) return await (await import('./of-api.ts')).runOfApi(argv)
  let code = 0
  const program = programOf(async (command, given) => {
    const act = await command.load()
    const outcome = await act(given)
    code = outcome.exitCode
    print(outcome, given)
  })
  try {
    await program.parseAsync(argv.length === 0 ? ['help'] : argv, { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const { exitCodeOf, linesOf } = await import('./faults.ts')
    for (const line of await linesOf(error)) process.stderr.write(`flightdeck: ${line}\n`)
    return exitCodeOf(error)
  }
}

/** The name of commands of both kinds, of which the second word says which: `api-keys revoke`. */
const shared = 'api-keys'

const ownWords = ['help', '-h', '--help', '-V', '--version']

/** Whether a command line is none of the operator's, but one of the API. */
function isOfApi([first, second]: readonly string[]): boolean {
  if (first === undefined || ownWords.includes(first)) return false
  const own = commands.filter(({ usage }) => usage.split(' ')[0] === first)
  if (own.length === 0) return true
  const verbs = own.map(({ usage }) => usage.split(' ')[1])
  return first === shared && second !== undefined && ![...verbs, ...ownWords].includes(second)
}

const versionWords = ['--version', '-V', '--json']

const asksVersion = (argv: string[]) =>
  argv.length === 2 && argv.includes('--json') && argv.every((word) => versionWords.includes(word))

function printVersion(): number {
  process.stdout.write(`${JSON.stringify({ version, revision })}\n`)
  return 0
}

function print({ result, text }: CommandResult, { json }: Given): void {
  // A command that prints by itself (serve) returns nothing.
  if (result === undefined) return
  process.stdout.write(`${trimEnd(json ? JSON.stringify(result) : text(), '\n')}\n`)
}

type RunCommand = (command: Command, given: Given) => Promise<void>

function programOf(run: RunCommand): CommanderCommand {
  const program = new CommanderCommand('flightdeck')
    .description('Flightdeck, the self-hosted ad campaign service. Settings: FLIGHTDECK_… or .env')
    .version(version)
    .exitOverride()
    .showHelpAfterError('Add --help for usage.')
    .addHelpText('afterAll', footer)
  for (const command of commands) add(program, command, run)
  return program
}

function add(program: CommanderCommand, command: Command, run: RunCommand): void {
  const [name = '', ...rest] = command.usage.split(' ').filter((word) => !/^[<[]/.test(word))
  const positional = [...command.usage.matchAll(/<(\w+)>/g)].map(([, word]) => String(word))
  const parsed =
    rest.length > 0 ? groupOf(program, name).command(rest.join(' ')) : program.command(name)
  parsed
    .description(command.summary)
    .option('--json', jsonHelp)
    .addHelpText('after', `\nExample: flightdeck ${command.example}`)
  for (const word of positional) parsed.argument(`<${word}>`)
  for (const [option, { value, about, required, secret }] of Object.entries(
    command.options ?? {},
  )) {
    const flags = value ? `--${option} <${value}>` : `--${option}`
    const help = secret ? `${about}; - reads standard input` : about
    if (required) parsed.requiredOption(flags, help)
    else parsed.option(flags, help)
  }
  parsed.action(async () => run(command, await withSecrets(command, givenBy(parsed, positional))))
}

const jsonHelp = 'print one JSON value on standard output'

/** Below the help of the program and of each command. */
const footer = `
All operations of the API are commands too, and listen, results import: flightdeck api-help
Environment: FLIGHTDECK_… as for the service, or .env; "flightdeck config check" shows all
Exit codes:  0 success, 1 failure, 2 wrong arguments
Docs:        docs/guides/command-line.md; the API at /docs of the running service`

/** The group of a command, such as `orgs` for `orgs create`; added on first use. */
function groupOf(program: CommanderCommand, name: string): CommanderCommand {
  const known = program.commands.find((each) => each.name() === name)
  return known ?? program.command(name).description(groups[name] ?? '')
}

const groups: Record<string, string> = {
  'api-keys': 'API keys of organizations',
  audit: 'Check the audit log',
  backup: 'Back up all data to a file, and restore it',
  config: 'Check the settings',
  keys: 'Signing keys for tokens, and the master key',
  orgs: 'Organizations',
  results: 'Results of campaigns',
  users: 'Users of an organization',
}

function givenBy(parsed: CommanderCommand, positional: string[]): Given {
  const named = Object.fromEntries(positional.map((name, at) => [name, parsed.args[at]]))
  const option = (name: string) => {
    const value = parsed.getOptionValue(camelCase(name))
    return typeof value === 'string' ? value : named[name]
  }
  return {
    option,
    text: (name) => option(name) ?? '',
    flag: (name) => parsed.getOptionValue(camelCase(name)) === true,
    json: parsed.getOptionValue('json') === true,
  }
}

/** commander's name for the value of an option: `ownerEmail` for `--owner-email`. */
const camelCase = (name: string) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
