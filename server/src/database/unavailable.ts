import { errorCode } from '../values/errors.ts'

/** No answer in time: the database, or the way to it, is too slow. */
export class NoAnswer extends Error {
  constructor() {
    super('no answer in time')
  }
}

const systemCodes =
  'EAI_AGAIN|ECONNABORTED|ECONNREFUSED|ECONNRESET|EHOSTDOWN|EHOSTUNREACH|ENETDOWN|ENETUNREACH|ENOTFOUND|EPIPE|ETIMEDOUT'
/** Shutting down, out of connections or disk, not the primary. */
const outageCodes = new RegExp(`^(${systemCodes}|57P0[1-5]|08\\w{3}|53\\w{3}|25006|25P03)$`)
/** Locked or cancelled by others: about this statement alone. */
const contentionCodes = /^(57014|55P03|40P01|40001)$/
/** Errors of `pg` and its pool that have no code, and one of Citus that says "internal error". */
const outageMessages =
  /postmaster was shut down|Connection terminated|connection timeout|Query read timeout|timeout exceeded|timeout expired|not queryable|Client was closed|Connection ended|server closed the connection|Cannot use a pool after calling end/i

/** The database is unreachable, shutting down or full: every statement fails. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.some(isDatabaseDown)
  if (error instanceof NoAnswer) return true
  const code = errorCode(error)
  if (code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect') return true
  return outageCodes.test(code ?? '') || outageMessages.test(error.message)
}

/** The database is down or too slow: a retry may succeed. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  isDatabaseDown(error) || contentionCodes.test(errorCode(error) ?? '')
