import { purge } from '../../database/upkeep/purge.ts'
import type { Services } from '../../kernel/context.ts'

const keptMs = 90 * 24 * 60 * 60 * 1000

/** Deletes what people were notified more than 90 days ago. */
export const purgeNotifications = (services: Services, signal: AbortSignal) =>
  purge(services, { table: 'notifications', endedAt: 'created_at', keptMs }, signal)

const gatheredMs = 60 * 60 * 1000

/** Forgets what channels and mails have notified, once repeats of it are no longer gathered. */
export const purgeMessages = (services: Services, signal: AbortSignal) =>
  purge(
    services,
    { table: 'notification_messages', endedAt: 'sent_at', keptMs: gatheredMs },
    signal,
  )
