import { dropPastPartitions } from '../../database/upkeep/partitions.ts'
import type { Services } from '../../kernel/context.ts'

export const keptDays = 30
const keptMs = keptDays * 24 * 60 * 60 * 1000

/** Drops events a week at a time. Sequences continue, as the head stores the last one. */
export const purgeEvents = (services: Services, signal: AbortSignal) =>
  dropPastPartitions(services, { table: 'events', keptMs }, signal)
