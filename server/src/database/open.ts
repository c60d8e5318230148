import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import type { DatabaseAddress } from './address.ts'
import { PrimaryClient } from './driver/connection.ts'
import { findRunningEmbedded, startEmbedded } from './embedded/start.ts'
import { errorCode, StartError } from './start-error.ts'

/** The address of the service's database; `stop` ends an embedded one. */
export type Attached = { address: DatabaseAddress; stop(): Promise<void> }

type Owner = {
  /** This process's name in the message to a second one on the same data directory: 'flightdeck serve'. */
  owner: string
  onExit?: (reason: string) => void
}

/** The database of FLIGHTDECK_DATABASE_URL, once it answers; else starts the embedded one. */
export async function openOwnDatabase(config: Config, owner: Owner): Promise<Attached> {
  if (config.databaseUrl !== null) return external(config.databaseUrl)
  return startEmbedded({ dataDir: config.dataDir, ...owner })
}

/** As `openOwnDatabase`, but uses the embedded database of a running service if there is one. */
export async function joinDatabase(config: Config, owner: string): Promise<Attached> {
  if (config.databaseUrl !== null) return external(config.databaseUrl)
  const running = await findRunningEmbedded(config.dataDir)
  if (running) return { address: running, stop: async () => {} }
  return startEmbedded({ dataDir: config.dataDir, owner })
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
