/** What a command gets from the command line. */
export type Given = {
  /** The value of a positional argument, or of an option that must be given. */
  text(name: string): string
  /** The value of an option, by its name without dashes in front; undefined when left out. */
  option(name: string): string | undefined
  /** Whether an option without a value is given. */
  flag(name: string): boolean
  json: boolean
}

/** Without `value`, it is a flag. A secret may be given on standard input instead. */
export type Option = { value?: string; about: string; required?: true; secret?: true }

/** One command of the command line: data, and a function that does it. */
export type Command = {
  /** Words and arguments: `orgs set-plan <org> <plan>`. */
  usage: string
  summary: string
  /** By name without dashes in front. */
  options?: Readonly<Record<string, Option>>
  run(given: Given): Promise<unknown>
  /** What a person reads; with --json it is the result itself, as one JSON value. */
  show(result: unknown): string
  /** The exit code of a result that is not a success. */
  exitCode?(result: unknown): number
}

type Definition<Result> = Omit<Command, 'run' | 'show' | 'exitCode'> & {
  run(given: Given): Promise<Result>
  show(result: Result): string
  exitCode?(result: Result): number
}

// The runner hands `show` and `exitCode` nothing but what the same command's `run` has returned.
export const command = <Result>(definition: Definition<Result>): Command =>
  definition as unknown as Command

/** A command cannot be done; the message is one clear line. Exit code 1. */
export class CommandError extends Error {}

/** A command was called wrongly, a line for each fault. Exit code 2. */
export class UsageError extends Error {
  readonly faults: readonly string[]

  constructor(...faults: string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}
