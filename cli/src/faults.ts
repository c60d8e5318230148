/** A call that is refused here, before a request. Exit code 2. */
export class UsageError extends Error {}

/** There is no credential, or it ended. Exit code 4. */
export class NotLoggedIn extends Error {}

/** Faults of files, a line each. Exit code 2. */
export class FileFaults extends UsageError {
  readonly lines: readonly string[]
  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
    this.lines = lines
  }
}

/** What was looked at has moved since. Exit code 6. */
export class Moved extends Error {}
