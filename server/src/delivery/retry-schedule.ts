/** When a delivery whose attempt failed is tried again. */
export type Wait = {
  /** Seconds before each further attempt. */
  schedule: readonly number[]
  /** Attempts of the schedule that have failed, this one not counted. */
  retryCount: number
  /** `Retry-After` of the answer, if it had one. */
  retryAfter: string | null
  now: Date
  /** 0 (inclusive) to 1: the share of the jitter that is added. */
  random: number
}

/** Up to 20 % is added, so that a receiver that was down does not get all retries at once. */
const jitter = 0.2
const maxWaitMs = 24 * 60 * 60 * 1000

/** The time of the next attempt, or null when the schedule is exhausted. */
export function nextAttemptAt(wait: Wait): Date | null {
  const seconds = wait.schedule[wait.retryCount]
  if (seconds === undefined) return null
  const planned = seconds * 1000 * (1 + jitter * wait.random)
  const requested = Math.min(retryAfterMs(wait.retryAfter, wait.now), maxWaitMs)
  return new Date(wait.now.getTime() + Math.ceil(Math.max(planned, requested)))
}

/** `Retry-After` as milliseconds: whole seconds or an HTTP date (RFC 9110, 10.2.3); else 0. */
function retryAfterMs(text: string | null, now: Date): number {
  if (text === null) return 0
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime())
}
