import { BackupError } from '../backup/format.ts'
import { ConfigError } from '../config/config.ts'
import { WrongKey } from '../crypto/cipher.ts'
import { StartError } from '../database/start-error.ts'
import { features } from '../features/index.ts'
import type { Constraints } from '../http/endpoint.ts'
import { Problem } from '../problems/problem.ts'
import { CommandError, UsageError } from './command.ts'

/** What went wrong, in lines for a terminal: never a stack trace. */
export function linesOf(error: unknown): string[] {
  if (error instanceof ConfigError) return error.faults
  if (error instanceof UsageError) return [...error.faults]
  if (error instanceof Problem) return problemLines(error)
  const violated = violatedBy(error)
  if (violated) return problemLines(violated)
  if (isForPeople(error)) return [error.message]
  const message = error instanceof Error ? error.message : String(error)
  return [`Unexpected fault: ${message}`]
}

export const exitCodeOf = (error: unknown): number => (error instanceof UsageError ? 2 : 1)

const isForPeople = (error: unknown): error is Error =>
  [StartError, WrongKey, BackupError, CommandError].some((kind) => error instanceof kind)

/** Pointers of a body are options here: `/password` is `--password`. */
function problemLines({ faults, message }: Problem): string[] {
  if (faults.length === 0) return [message]
  return faults.map((fault) => `${fault.pointer?.slice(1) ?? ''}: ${fault.message}`)
}

function violatedBy(error: unknown): Problem | undefined {
  if (!(error instanceof Error) || !('constraint' in error)) return undefined
  const constraints: Constraints = Object.assign({}, ...features.map((each) => each.constraints))
  return constraints[String(error.constraint)]?.()
}
