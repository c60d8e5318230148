/** Preloaded to shift a process's clock; monotonic time is not affected. */
const offMs = Number(process.env.OFF_CLOCK_MS)
const RealDate = Date

class OffDate extends RealDate {
  constructor(...given: [] | ConstructorParameters<DateConstructor>) {
    if (given.length === 0) super(RealDate.now() + offMs)
    else super(...(given as [number]))
  }

  static override now(): number {
    return RealDate.now() + offMs
  }
}

globalThis.Date = OffDate as DateConstructor
