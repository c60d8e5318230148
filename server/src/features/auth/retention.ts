import type { Services } from '../../kernel/context.ts'
import { purge } from '../../kernel/purge.ts'

const keptMs = 30 * 24 * 60 * 60 * 1000

/** Deletes sessions that ended or expired more than 30 days ago. */
export const purgeSessions = (services: Services, signal: AbortSignal) =>
  purge(services, { table: 'sessions', endedAt: 'least(ended_at, expires_at)', keptMs }, signal)
