import type { Config } from './config/config.ts'
import { cursorsWith } from './crypto/cursors.ts'
import { type Keyring, openKeyring } from './crypto/keyring.ts'
import { installationOf } from './crypto/master-key.ts'
import { loadMasterKey } from './crypto/master-key-file.ts'
import type { DatabaseAddress } from './database/address.ts'
import { type Database, openDatabase } from './database/database.ts'
import { makePartitions } from './database/upkeep/partitions.ts'
import { ownAddresses, withPublicHost } from './egress/own-addresses.ts'
import { askTexts, resolveAsTheSystem } from './egress/resolver.ts'
import { refresh } from './features/auth/sessions.ts'
import {
  allAtCommit,
  allCaps,
  allEventTypes,
  allEvenWhenFull,
  allOnRefusal,
  allReactions,
  allVersionTypes,
  openStorageMeter,
} from './features/index.ts'
import { dueWorks } from './features/work.ts'
import { apiKeysFrom } from './identity/api-keys.ts'
import { type Issuer, noteIssuer } from './identity/issuer.ts'
import { loginThrottle } from './identity/logins/throttle.ts'
import { namesFrom } from './identity/names.ts'
import { passwordHasher } from './identity/passwords.ts'
import { sessionsFrom } from './identity/sessions.ts'
import { timingDecoy } from './identity/timing-decoy.ts'
import { tokensWith } from './identity/tokens.ts'
import type { Services } from './kernel/context.ts'
import { admissionControl, uploadLimits } from './limits/admission.ts'
import { type Counting, openCounting } from './limits/counters/counters.ts'
import { openDeadlines } from './limits/deadlines.ts'
import { openLargeLists } from './limits/large-lists.ts'
import { openLargeReads } from './limits/large-reads.ts'
import { rateLimitsOf } from './limits/rate-limit.ts'
import { openCounters } from './observability/counters.ts'
import { openFailureLog } from './observability/failure-log.ts'
import { readinessOf } from './observability/readiness.ts'
import { watchWrites } from './observability/write-health.ts'
import { type Signals, signals } from './signals/signals.ts'
import { type Clock, systemClock } from './values/clock.ts'

/** The assumed time to record a failed login before the first: a commit on an ordinary disk. */
const recordingMs = 5

/** Opens what all requests of one process share, on a migrated database. */
export async function openServices(
  config: Config,
  address: DatabaseAddress,
  clock: Clock = systemClock,
): Promise<Services> {
  const { database, writes } = watchWrites(openDatabase(address))
  const { keyring, issuer } = await prepare(database, config, clock).catch(
    async (error: unknown) => {
      await database.close()
      throw error
    },
  )
  const { cipher } = keyring
  const bus = signals()
  const people = peopleFrom(database, bus)
  const counting = await openCounting(config, { query: database.counterQuery, clock })
  const deadlines = openDeadlines()
  const failures = openFailureLog(database.reader)
  const closing = [counting, deadlines, failures, writes]
  return {
    config,
    clock,
    database: closingAfter(database, [...Object.values(people), ...closing]),
    signals: bus,
    crypto: { keyring, cipher, cursors: cursorsWith(cipher) },
    egress: {
      resolve: resolveAsTheSystem,
      ownAddresses: withPublicHost(ownAddresses, config.issuer),
      texts: askTexts(),
    },
    identity: {
      passwords: passwordHasher(),
      ...people,
      throttle: loginThrottle(counting, cipher),
      loginFailureDecoy: timingDecoy(recordingMs),
      tokens: tokensWith({ database, cipher, clock, issuer }),
      renewToken: async (ctx) => (await refresh(ctx)).token,
    },
    limits: { ...limitsOf(config, counting, clock), deadlines },
    observability: {
      readiness: readinessOf(database.reader, {
        limits: counting.state,
        writes,
        onFailure: (error) => void failures.isOutage('readiness', error),
      }),
      writes,
      failures,
      counters: openCounters(),
      tracing: null,
    },
    declared: declared(),
  }
}

const limitsOf = (config: Config, counting: Counting, clock: Clock) => ({
  rates: rateLimitsOf(config, { counting, clock }),
  counterStore: counting,
  admission: admissionControl(),
  uploads: admissionControl(uploadLimits),
  largeReads: openLargeReads(clock),
  largeLists: openLargeLists(),
})

const declared = () => ({
  reactions: allReactions(),
  atCommit: allAtCommit(),
  onRefusal: allOnRefusal(),
  dueWorks,
  eventTypes: allEventTypes(),
  versionTypes: allVersionTypes(),
  caps: allCaps(),
  evenWhenFull: allEvenWhenFull(),
  storage: openStorageMeter(),
})

type Prepared = { keyring: Keyring; issuer: Issuer }

/** The database as it must be before anything else asks it; answers the keys of its secrets. */
async function prepare(database: Database, config: Config, clock: Clock): Promise<Prepared> {
  const masterKey = await loadMasterKey(config, database.reader)
  const installationId = await installationOf(database, masterKey)
  const keyring = await openKeyring(database.reader, masterKey)
  await makePartitions(database, clock.now())
  const name = config.issuer ?? `urn:flightdeck:${installationId}`
  return { keyring, issuer: await noteIssuer(database, name, clock.now()) }
}

/** Caches of users and API keys. */
function peopleFrom(database: Database, signals: Signals) {
  const people = {
    sessions: sessionsFrom(database.reader, signals),
    apiKeys: apiKeysFrom(database, signals),
    names: namesFrom(database.reader, signals),
  }
  invalidateOnSignals(signals, Object.values(people))
  return people
}

type Credentials = { forget(organizationId: string): void; forgetAll(): void }

function invalidateOnSignals(signals: Signals, all: readonly Credentials[]): void {
  signals.subscribe(
    ({ organizationId, touchesCredentials }) => {
      if (touchesCredentials) for (const each of all) each.forget(organizationId)
    },
    () => {
      for (const each of all) each.forgetAll()
    },
  )
}

/** Closes the parts that read or write in the background before the database. */
const closingAfter = (database: Database, readers: readonly { close(): void }[]): Database => ({
  ...database,
  close: () => {
    for (const reader of readers) reader.close()
    return database.close()
  },
})
