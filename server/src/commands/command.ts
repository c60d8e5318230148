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

/** One command of the command line. */
export type Command = {
  /** Words and arguments: `orgs set-plan <org> <plan>`. */
  usage: string
  summary: string
  /** By name without leading dashes. */
  options?: Readonly<Record<string, Option>>
  run(given: Given): Promise<unknown>
  /** The result as text; with --json the result itself is printed instead. */
  show(result: unknown): string
  /** The exit code of a result that is not a success. */
  exitCode?(result: unknown): number
}

type Definition<Result> = Omit<Command, 'run' | 'show' | 'exitCode'> & {
  run(given: Given): Promise<Result>
  show(result: Result): string
  exitCode?(result: Result): number
}

// Safe, as `show` and `exitCode` only get the result of the same command's `run`.
export const command = <Result>(definition: Definition<Result>): Command =>
  definition as unknown as Command

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
