/** Seconds until the time that `Retry-After` names, as seconds or as a date; null without it. */
export function retryAfterSeconds(headers: Headers): number | null {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value)
  const at = Date.parse(value)
  if (!/[a-z]/i.test(value) || Number.isNaN(at)) return null
  // The sender's clock, where it shows: ours may be wrong.
  const sentAt = Date.parse(headers.get('date') ?? '')
  return Math.max(0, Math.ceil((at - (Number.isNaN(sentAt) ? Date.now() : sentAt)) / 1000))
}

type Wait = { leastMs: number; ms: number }

/**
 * The wait before the next attempt: as long as asked for, and up to a fifth more, so that not all
 * clients return together. Where nothing was asked for, it doubles with each attempt.
 */
export function waitBefore(
  attempt: number,
  askedSeconds: number | null,
  random: () => number = Math.random,
): Wait {
  const leastMs = askedSeconds === null ? 250 * 2 ** attempt : askedSeconds * 1000
  const share = askedSeconds === null ? 1 : 0.2
  return { leastMs, ms: leastMs * (1 + share * random()) }
}

/** Rejects with the signal's reason when it is aborted while waiting. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stop = () => reject(signal?.reason)
  const timer = setTimeout(resolve, milliseconds)
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop, { once: true })
  return promise.finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  })
}
