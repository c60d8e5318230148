import type { Config } from './config.ts'
import type { DatabaseAddress } from './database/address.ts'
import { type Database, openDatabase } from './database/database.ts'
import { allEventTypes, allReactions } from './features/index.ts'
import { apiKeysFrom } from './kernel/api-keys.ts'
import { type Clock, systemClock } from './kernel/clock.ts'
import type { Services } from './kernel/context.ts'
import { cursorsWith } from './kernel/cursors.ts'
import { loginThrottle } from './kernel/login-throttle.ts'
import { loadMasterKey, proveMasterKey } from './kernel/master-key.ts'
import { passwordHasher } from './kernel/passwords.ts'
import { rateLimitsOf } from './kernel/rate-limits.ts'
import { readinessOf } from './kernel/readiness.ts'
import { cipherWith } from './kernel/secrets.ts'
import { sessionsFrom } from './kernel/sessions.ts'
import { signals } from './kernel/signals.ts'
import { tokensWith } from './kernel/tokens.ts'

/** What one process has for all its requests, on a migrated database. */
export async function openServices(
  config: Config,
  address: DatabaseAddress,
  clock: Clock = systemClock,
): Promise<Services> {
  const cipher = cipherWith(await loadMasterKey(config))
  const database = openDatabase(address)
  try {
    await proveMasterKey(database, cipher)
  } catch (error) {
    await database.close()
    throw error
  }
  const sessions = sessionsFrom(database.reader)
  const apiKeys = apiKeysFrom(database)
  return {
    config,
    clock,
    database: closingAfter(database, [sessions, apiKeys]),
    cipher,
    cursors: cursorsWith(cipher),
    passwords: passwordHasher(),
    sessions,
    apiKeys,
    throttle: loginThrottle(),
    tokens: tokensWith({ database, cipher, clock, issuer: config.publicUrl }),
    reactions: allReactions(),
    limits: rateLimitsOf(config.planLimits),
    readiness: readinessOf(database.reader),
    signals: signals(),
    eventTypes: allEventTypes(),
  }
}

/** What is in use is read of itself: not from a database that is closing. */
const closingAfter = (database: Database, readers: readonly { close(): void }[]): Database => ({
  ...database,
  close: () => {
    for (const reader of readers) reader.close()
    return database.close()
  },
})
