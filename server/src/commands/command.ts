/** The parsed command line of a command. */
export type Given = {
  /** The value of a positional argument, or of a required option. */
  text(name: string): string
  /** The value of an option, by its name without leading dashes; undefined if absent. */
  option(name: string): string | undefined
  /** Whether an option without a value is given. */
  flag(name: string): boolean
  json: boolean
}

/** A flag, if it has no `value`. A secret may be given on standard input instead. */
export type Option = { value?: string; about: string; required?: true; secret?: true }

/** One command of the command line, as its help shows it. */
export type Command = {
  /** Words and arguments: `orgs set-plan <org> <plan>`. */
  usage: string
  summary: string
  /** A line as people type it, without the name of the program. */
  example: string
  /** By name without leading dashes. */
  options?: Readonly<Record<string, Option>>
  /** Imports the code of this command, and of no other. */
  load(): Promise<Action>
}

/** Runs a command. */
export type Action = (given: Given) => Promise<CommandResult>

export type CommandResult = { result: unknown; text(): string; exitCode: number }

type Definition<Result> = {
  run(given: Given): Promise<Result>
  /** The result as text; with --json the result itself is printed instead. */
  show(result: Result): string
  /** The exit code of a result that is not a success. */
  exitCode?(result: Result): number
}

export const action =
  <Result>({ run, show, exitCode = () => 0 }: Definition<Result>): Action =>
  async (given) => {
    const result = await run(given)
    return { result, text: () => show(result), exitCode: exitCode(result) }
  }

/** A command failed; the message is one line. Exit code 1. */
export class CommandError extends Error {}

/** A command was used wrongly, one line per fault. Exit code 2. */
export class UsageError extends Error {
  readonly faults: readonly string[]

  constructor(...faults: string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}
