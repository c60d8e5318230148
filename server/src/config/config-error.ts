/** All faults of the environment, one per line. */
export class ConfigError extends Error {
  readonly faults: string[]

  constructor(faults: string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}
