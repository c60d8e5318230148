/** No answer came: nothing listens, a connection broke, a name has no address. */
export class FlightdeckConnectionError extends Error {
  override readonly name: string = 'FlightdeckConnectionError'
  /** How often the request was sent. */
  readonly attempts: number

  constructor(message: string, { attempts, cause }: { attempts: number; cause?: unknown }) {
    super(message, { cause })
    this.attempts = attempts
  }
}

/** No answer came in time. */
export class FlightdeckTimeout extends FlightdeckConnectionError {
  override readonly name = 'FlightdeckTimeout'
}

/** An attempt without an answer; `timeoutMs` is set where it took too long. */
export class Unanswered {
  readonly cause: unknown
  readonly timeoutMs: number | null

  constructor(cause: unknown, timeoutMs: number | null = null) {
    this.cause = cause
    this.timeoutMs = timeoutMs
  }
}

/** Throws `Unanswered` where a connection fails; `work` does nothing else that may. */
export async function answered<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (cause) {
    throw new Unanswered(cause)
  }
}

/** The error of the last attempt. */
export function connectionError(
  { cause, timeoutMs }: Unanswered,
  { url, attempts }: { url: string; attempts: number },
): FlightdeckConnectionError {
  const times = attempts === 1 ? '1 attempt' : `${attempts} attempts`
  const { origin } = new URL(url)
  if (timeoutMs === null) {
    const message = `${origin} gave no answer in ${times}: ${reasonOf(cause)}`
    return new FlightdeckConnectionError(message, { attempts, cause })
  }
  const message = `${origin} gave no answer within ${timeoutMs} ms in ${times}`
  return new FlightdeckTimeout(message, { attempts, cause })
}

/** `fetch` hides the reason in the cause of its error. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause instanceof Error ? reasonOf(cause.cause) : cause.message || cause.name
}
