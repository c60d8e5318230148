import type { Config } from '../config/config.ts'
import { StartError } from '../database/start-error.ts'

/** The work of a process: answer requests, background work, or both. */
export const processRoles = ['all', 'api', 'worker'] as const
export type ProcessRole = (typeof processRoles)[number]

/** Throws `StartError`: the embedded database serves one process, which must have all roles. */
export function checkRole(role: ProcessRole, { databaseUrl }: Config): void {
  if (role === 'all' || databaseUrl !== null) return
  throw new StartError(
    `--role ${role} needs FLIGHTDECK_DATABASE_URL: the embedded database serves a single process, which does everything.`,
  )
}
