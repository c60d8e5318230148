import { purge } from '../../database/upkeep/purge.ts'
import type { Services } from '../../kernel/context.ts'

const keptMs = 30 * 24 * 60 * 60 * 1000

/** Deletes invitations that expired more than 30 days ago. */
export const purgeInvitations = (services: Services, signal: AbortSignal) =>
  purge(services, { table: 'invitations', endedAt: 'expires_at', keptMs }, signal)

/** Deletes links that expired more than 30 days ago. */
export const purgeLinks = (services: Services, signal: AbortSignal) =>
  purge(services, { table: 'account_links', endedAt: 'expires_at', keptMs }, signal)
