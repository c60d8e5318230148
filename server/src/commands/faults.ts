import { BackupError } from '../backup/format.ts'
import { ConfigError } from '../config/config-error.ts'
import { WrongKey } from '../crypto/cipher.ts'
import { StartError } from '../database/start-error.ts'
import { isDatabaseDown } from '../database/unavailable.ts'
import type { Constraints } from '../http/feature.ts'
import { Problem } from '../problems/problem.ts'
import { errorMessage } from '../values/errors.ts'
import { CommandError, UsageError } from './command.ts'

/** The lines that report an error on the terminal, without a stack trace. */
export async function linesOf(error: unknown): Promise<string[]> {
  if (error instanceof ConfigError) return error.faults
  if (error instanceof UsageError) return [...error.faults]
  if (error instanceof Problem) return problemLines(error)
  const violated = await violatedBy(error)
  if (violated) return problemLines(violated)
  if (hasPlainMessage(error)) return [error.message]
  if (isDatabaseDown(error)) return [`The database cannot be used: ${errorMessage(error)}`]
  return [`Unexpected error: ${errorMessage(error)}`]
}

export const exitCodeOf = (error: unknown): number => (error instanceof UsageError ? 2 : 1)

const hasPlainMessage = (error: unknown): error is Error =>
  [StartError, WrongKey, BackupError, CommandError].some((kind) => error instanceof kind)

/** Names fields by their pointer without the slash: `password` for `/password`. */
function problemLines({ faults, message }: Problem): string[] {
  if (faults.length === 0) return [message]
  return faults.map((fault) => `${fault.pointer?.slice(1) ?? ''}: ${fault.message}`)
}

async function violatedBy(error: unknown): Promise<Problem | undefined> {
  if (!(error instanceof Error) || !('constraint' in error)) return undefined
  const { features } = await import('../features/index.ts')
  const constraints: Constraints = Object.assign({}, ...features.map((each) => each.constraints))
  return constraints[String(error.constraint)]?.()
}
