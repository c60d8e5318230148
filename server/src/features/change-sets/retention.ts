import { purge } from '../../database/upkeep/purge.ts'
import type { Services } from '../../kernel/context.ts'

const keptMs = 90 * 24 * 60 * 60 * 1000

/** Deletes change sets, with their operations, 90 days after they have ended. */
export const purgeChangeSets = (services: Services, signal: AbortSignal) =>
  purge(services, { table: 'change_sets', endedAt: 'ended_at', keptMs }, signal)
