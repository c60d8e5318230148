import { NoAnswer } from '../database/unavailable.ts'

const timeoutMs = 2_000

/** A database that hangs counts as failed: rejects with `NoAnswer` after two seconds. */
export async function withTimeout<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new NoAnswer()), timeoutMs)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
