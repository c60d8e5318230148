import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { errorCode } from '../values/errors.ts'
import type { DatabaseAddress } from './address.ts'
import { PrimaryClient } from './driver/connection.ts'
import { findRunningEmbedded, hasEmbedded, startEmbedded } from './embedded/start.ts'
import { ordinaryPatience, type Report, reportOnStderr } from './patience.ts'
import { StartError } from './start-error.ts'
import { ask, connectToMigrate, endMigrating } from './upkeep/migration-client.ts'

/** The address of the service's database; `stop` ends an embedded one. */
export type Attached = { address: DatabaseAddress; stop(): Promise<void> }

type Owner = {
  /** This process's name in the message to a second one on the same data directory: 'flightdeck serve'. */
  owner: string
  onExit?: (reason: string) => void
  /** Reports waits; on standard error if it is not given. */
  report?: Report
}

/** The database of FLIGHTDECK_DATABASE_URL, once it answers; else starts the embedded one. */
export async function openOwnDatabase(
  { databaseUrl, dataDir }: Config,
  { report = reportOnStderr, ...owner }: Owner,
): Promise<Attached> {
  if (databaseUrl !== null) return external(databaseUrl)
  return startEmbedded({ dataDir, patience: { ...ordinaryPatience, report }, ...owner })
}

type Joining = {
  owner: string
  /** Otherwise throws a `StartError` where there is none: a wrong directory is not to look empty. */
  mayCreate: boolean
}

/** As `openOwnDatabase`, but uses the embedded database of a running service if there is one. */
export async function joinDatabase(
  { databaseUrl, dataDir }: Config,
  { owner, mayCreate }: Joining,
): Promise<Attached> {
  if (databaseUrl !== null) {
    const attached = await external(databaseUrl)
    if (mayCreate || (await isMigrated(attached.address))) return attached
    throw new StartError(
      `The database at ${locationOf(databaseUrl)} has no data of Flightdeck. Check FLIGHTDECK_DATABASE_URL.`,
    )
  }
  const running = await findRunningEmbedded(dataDir)
  if (running) return { address: running, stop: async () => {} }
  if (mayCreate || (await hasEmbedded(dataDir))) return startEmbedded({ dataDir, owner })
  throw new StartError(
    `There is no database in ${dataDir}. Set FLIGHTDECK_DATA_DIR or FLIGHTDECK_DATABASE_URL as for the service.`,
  )
}

/** The database that answers now, which is neither started nor waited for. */
export async function findRunning({
  databaseUrl,
  dataDir,
}: Config): Promise<DatabaseAddress | null> {
  if (databaseUrl === null) return findRunningEmbedded(dataDir)
  return (await connectionFault(databaseUrl)) === null ? { connectionString: databaseUrl } : null
}

async function isMigrated(address: DatabaseAddress): Promise<boolean> {
  const on = await connectToMigrate(address)
  try {
    const { rows } = await ask(on.client, `select to_regclass('migrations') as found`)
    return rows[0].found !== null
  } finally {
    await endMigrating(on)
  }
}

const retryForMs = 10_000
const retryEveryMs = 250

/** Gives a database that is just starting, as with Docker Compose, some seconds to answer. */
async function external(connectionString: string): Promise<Attached> {
  const giveUpAt = Date.now() + retryForMs
  for (;;) {
    const fault = await connectionFault(connectionString)
    if (fault === null) return { address: { connectionString }, stop: async () => {} }
    if (!isTransient(fault) || Date.now() > giveUpAt) throw unreachable(connectionString, fault)
    await sleep(retryEveryMs)
  }
}

async function connectionFault(connectionString: string): Promise<Error | null> {
  const client = new PrimaryClient({ connectionString, connectionTimeoutMillis: 3_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return null
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  } finally {
    await client.end().catch(() => {})
  }
}

/** A wrong password or name stays wrong; a server that is starting, full or down may recover. */
const isTransient = (fault: Error) => !/^(28|3D|42|22|F0|0A|XX)/.test(errorCode(fault) ?? '')

function unreachable(connectionString: string, fault: Error): StartError {
  const causes = fault instanceof AggregateError ? fault.errors.map(messageOf) : [messageOf(fault)]
  return new StartError(
    `The database at ${locationOf(connectionString)} cannot be used: ${causes.join('; ')}. ` +
      'Check FLIGHTDECK_DATABASE_URL.',
    { cause: fault },
  )
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Host, port and database, never user or password. */
function locationOf(connectionString: string): string {
  if (!URL.canParse(connectionString)) return 'FLIGHTDECK_DATABASE_URL'
  const { host, pathname, searchParams } = new URL(connectionString)
  return `${host || searchParams.get('host') || 'localhost'}${pathname}`
}
