import { CommanderError, Command as Words } from 'commander'
import { trimEnd } from '../values/trim-end.ts'
import { version } from '../version.ts'
import type { Command, Given } from './command.ts'
import { commands } from './commands.ts'
import { exitCodeOf, linesOf } from './faults.ts'
import { withSecrets } from './secrets.ts'

/** Runs one command line; the process ends with the exit code that it leaves. */
export async function main(argv: string[]): Promise<void> {
  // `flightdeck … | head`: whoever reads has read enough.
  process.stdout.on('error', () => process.exit())
  process.exitCode = await exitCode(argv)
  // Should anything be left open, the command is over all the same.
  setTimeout(() => process.exit(), 1_000).unref()
}

async function exitCode(argv: string[]): Promise<number> {
  let code = 0
  const program = programOf(async (command, given) => {
    const result = await command.run(given)
    code = command.exitCode?.(result) ?? 0
    print(command, result, given.json)
  })
  try {
    await program.parseAsync(argv, { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    for (const line of linesOf(error)) process.stderr.write(`flightdeck: ${line}\n`)
    return exitCodeOf(error)
  }
}

function print(command: Command, result: unknown, json: boolean): void {
  // A command that has already said everything (serve) returns nothing.
  if (result === undefined) return
  const text = json ? JSON.stringify(result) : command.show(result)
  process.stdout.write(`${trimEnd(text, '\n')}\n`)
}

type Run = (command: Command, given: Given) => Promise<void>

function programOf(run: Run): Words {
  const program = new Words('flightdeck')
    .description('Flightdeck, the self-hosted ad campaign service. Settings: FLIGHTDECK_… or .env')
    .version(version)
    .exitOverride()
    .showHelpAfterError('Add --help for how it is used.')
  for (const command of commands) add(program, command, run)
  return program
}

function add(program: Words, command: Command, run: Run): void {
  const [name = '', ...rest] = command.usage.split(' ').filter((word) => !/^[<[]/.test(word))
  const positional = [...command.usage.matchAll(/<(\w+)>/g)].map(([, word]) => String(word))
  const words =
    rest.length > 0 ? groupOf(program, name).command(rest.join(' ')) : program.command(name)
  words.description(command.summary).option('--json', 'print one JSON value on standard output')
  for (const word of positional) words.argument(`<${word}>`)
  for (const [option, { value, about, required, secret }] of Object.entries(
    command.options ?? {},
  )) {
    const flags = value ? `--${option} <${value}>` : `--${option}`
    const help = secret ? `${about}; - reads standard input` : about
    if (required) words.requiredOption(flags, help)
    else words.option(flags, help)
  }
  words.action(async () => run(command, await withSecrets(command, givenBy(words, positional))))
}

/** `orgs` of `orgs create`: made with the first command that needs it. */
function groupOf(program: Words, name: string): Words {
  const known = program.commands.find((each) => each.name() === name)
  return known ?? program.command(name).description(groups[name] ?? '')
}

const groups: Record<string, string> = {
  audit: 'Check the audit log',
  backup: 'Keep all data in a file, and move it to another database',
  config: 'Check the settings',
  keys: 'Signing keys of the tokens',
  orgs: 'Organizations',
  users: 'Users of an organization',
}

function givenBy(words: Words, positional: string[]): Given {
  const named = Object.fromEntries(positional.map((name, at) => [name, words.args[at]]))
  const option = (name: string) => {
    const value = words.getOptionValue(camelCase(name))
    return typeof value === 'string' ? value : named[name]
  }
  return {
    option,
    text: (name) => option(name) ?? '',
    flag: (name) => words.getOptionValue(camelCase(name)) === true,
    json: words.getOptionValue('json') === true,
  }
}

/** How commander names the value of `--owner-email`. */
const camelCase = (name: string) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
