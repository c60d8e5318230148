import type { Config } from '../config/config.ts'
import type { DatabaseAddress } from '../database/address.ts'
import { joinDatabase } from '../database/open.ts'
import { exitWhenStopped } from '../process/stop-signals.ts'

export type Creation = {
  /** Whether the command may create the database. */
  mayCreate?: boolean
}

/** Runs `work` on the service's database as it is, whether or not the service is running. */
export async function onDatabase<T>(
  config: Config,
  { name, mayCreate = false }: Creation & { name: string },
  work: (address: DatabaseAddress) => Promise<T>,
): Promise<T> {
  exitWhenStopped()
  const { address, stop } = await joinDatabase(config, { owner: `flightdeck ${name}`, mayCreate })
  try {
    return await work(address)
  } finally {
    await stop()
  }
}
