import { purge } from '../../database/upkeep/purge.ts'
import type { Services } from '../../kernel/context.ts'

/** Until then requests with a deleted key get `token_revoked`, afterwards `invalid_token`. */
const keptMs = 90 * 24 * 60 * 60 * 1000

/** Deletes keys that were revoked more than 90 days ago. */
export const purgeApiKeys = (services: Services, signal: AbortSignal) =>
  purge(services, { table: 'api_keys', endedAt: 'revoked_at', keptMs }, signal)
