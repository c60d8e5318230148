import type { Config } from '../config/config.ts'
import { StartError } from '../database/start-error.ts'

/** What a process does: answer requests, work beside them, or both. */
export const processRoles = ['all', 'api', 'worker'] as const
export type ProcessRole = (typeof processRoles)[number]

/** The embedded database belongs to one process, so that one has to do everything. */
export function checkRole(role: ProcessRole, { databaseUrl }: Config): void {
  if (role === 'all' || databaseUrl !== null) return
  throw new StartError(
    `--role ${role} needs FLIGHTDECK_DATABASE_URL: the embedded database has one process, which does everything.`,
  )
}
