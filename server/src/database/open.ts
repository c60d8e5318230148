import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import type { DatabaseAddress } from './address.ts'
import { PrimaryClient } from './driver/connection.ts'
import { findRunningEmbedded, startEmbedded } from './embedded/start.ts'
import { errorCode, StartError } from './start-error.ts'

/** The service's database, and how to leave it. */
export type Attached = { address: DatabaseAddress; stop(): Promise<void> }

type Owner = {
  /** What this process is, told to whoever is refused: 'flightdeck serve'. */
  owner: string
  onExit?: (reason: string) => void
}

/** The database that FLIGHTDECK_DATABASE_URL names, once it answers; else the embedded one, started. */
export async function openOwnDatabase(config: Config, owner: Owner): Promise<Attached> {
  if (config.databaseUrl !== null) return external(config.databaseUrl)
  return startEmbedded({ dataDir: config.dataDir, ...owner })
}

/** As `openOwnDatabase`, but beside a running service it is that one's database. */
export async function joinDatabase(config: Config, owner: string): Promise<Attached> {
  if (config.databaseUrl !== null) return external(config.databaseUrl)
  const running = await findRunningEmbedded(config.dataDir)
  if (running) return { address: running, stop: async () => {} }
  return startEmbedded({ dataDir: config.dataDir, owner })
}

const retryForMs = 10_000
const retryEveryMs = 250

/** A database that is just starting, as in a compose file, gets some seconds to answer. */
async function external(connectionString: string): Promise<Attached> {
  const giveUpAt = Date.now() + retryForMs
  for (;;) {
    const fault = await connectionFault(connectionString)
    if (fault === null) return { address: { connectionString }, stop: async () => {} }
    if (!isPassing(fault) || Date.now() > giveUpAt) throw unreachable(connectionString, fault)
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

/** A wrong password or name stays wrong; a server that is starting, full or away may come. */
const isPassing = (fault: Error) => !/^(28|3D|42|22|F0|0A|XX)/.test(errorCode(fault) ?? '')

function unreachable(connectionString: string, fault: Error): StartError {
  const causes = fault instanceof AggregateError ? fault.errors.map(messageOf) : [messageOf(fault)]
  return new StartError(
    `The database at ${placeOf(connectionString)} cannot be used: ${causes.join('; ')}. ` +
      'Check FLIGHTDECK_DATABASE_URL.',
    { cause: fault },
  )
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Host, port and database, never user or password. */
function placeOf(connectionString: string): string {
  if (!URL.canParse(connectionString)) return 'FLIGHTDECK_DATABASE_URL'
  const { host, pathname, searchParams } = new URL(connectionString)
  return `${host || searchParams.get('host') || 'localhost'}${pathname}`
}
