import type { Config } from './config.ts'
import type { DatabaseAddress } from './database/address.ts'
import { type Database, openDatabase } from './database/database.ts'
import { allEventTypes, allReactions } from './features/index.ts'
import { apiKeysFrom } from './kernel/api-keys.ts'
import { type Clock, systemClock } from './kernel/clock.ts'
import type { Services } from './kernel/context.ts'
import { openCounting } from './kernel/counting/counting.ts'
import { cursorsWith } from './kernel/cursors.ts'
import { openDeadlines } from './kernel/deadlines.ts'
import { resolveAsTheSystem } from './kernel/egress-resolve.ts'
import { openLargeReads } from './kernel/large-reads.ts'
import { loginThrottle } from './kernel/logins/throttle.ts'
import { loadMasterKey, proveMasterKey } from './kernel/master-key.ts'
import { openMeters } from './kernel/meters.ts'
import { ownAddresses } from './kernel/own-addresses.ts'
import { paceOf } from './kernel/pace.ts'
import { makePartitions } from './kernel/partitions.ts'
import { passwordHasher } from './kernel/passwords.ts'
import { rateLimitsOf } from './kernel/rate-limits.ts'
import { readinessOf } from './kernel/readiness.ts'
import { bodiesOnTheirWay, openRoom } from './kernel/room.ts'
import { type Cipher, cipherWith } from './kernel/secrets.ts'
import { sessionsFrom } from './kernel/sessions.ts'
import { type Signals, signals } from './kernel/signals.ts'
import { tokensWith } from './kernel/tokens.ts'

/** What recording a failed login takes before any was: a commit on a common disk. */
const recordingMs = 5

/** What one process has for all its requests, on a migrated database. */
export async function openServices(
  config: Config,
  address: DatabaseAddress,
  clock: Clock = systemClock,
): Promise<Services> {
  const database = openDatabase(address)
  const cipher = await prepare(database, config, clock).catch(async (error: unknown) => {
    await database.close()
    throw error
  })
  const told = signals()
  const sessions = sessionsFrom(database.reader, told)
  const apiKeys = apiKeysFrom(database, told)
  const counting = await openCounting(config, { query: database.counts, clock })
  const deadlines = openDeadlines()
  forgetWhatIsTold(told, [sessions, apiKeys])
  return {
    config,
    clock,
    database: closingAfter(database, [sessions, apiKeys, counting, deadlines]),
    cipher,
    cursors: cursorsWith(cipher),
    resolve: resolveAsTheSystem,
    ownAddresses,
    passwords: passwordHasher(),
    sessions,
    apiKeys,
    throttle: loginThrottle(counting, cipher),
    failurePace: paceOf(recordingMs),
    tokens: tokensWith({ database, cipher, clock, issuer: config.publicUrl }),
    reactions: allReactions(),
    limits: rateLimitsOf(config, { counting, clock }),
    counting,
    readiness: readinessOf(database.reader, counting.state),
    signals: told,
    room: openRoom(),
    largeReads: openLargeReads(clock),
    deadlines,
    bodies: openRoom(bodiesOnTheirWay),
    meters: openMeters(),
    tracing: null,
    eventTypes: allEventTypes(),
  }
}

/** The database as it must be before anything else asks it; answers the cipher of its secrets. */
async function prepare(database: Database, config: Config, clock: Clock): Promise<Cipher> {
  const cipher = cipherWith(await loadMasterKey(config, database.reader))
  await proveMasterKey(database, cipher)
  await makePartitions(database, clock.now())
  return cipher
}

type Credentials = { forget(organizationId: string): void; forgetAll(): void }

function forgetWhatIsTold(signals: Signals, all: readonly Credentials[]): void {
  signals.listen(
    ({ organizationId, touchesCredentials }) => {
      if (touchesCredentials) for (const each of all) each.forget(organizationId)
    },
    () => {
      for (const each of all) each.forgetAll()
    },
  )
}

/** What is in use is read of itself: not from a database that is closing. */
const closingAfter = (database: Database, readers: readonly { close(): void }[]): Database => ({
  ...database,
  close: () => {
    for (const reader of readers) reader.close()
    return database.close()
  },
})
