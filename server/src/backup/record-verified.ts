import type { Config } from '../config/config.ts'
import { openDatabase } from '../database/database.ts'
import { findRunning } from '../database/open.ts'
import { recordVerifiedBackup } from '../database/upkeep/task-successes.ts'

/** Records it where the service's metrics are read from; false where no database answers. */
export async function recordVerified(config: Config, createdAt: string): Promise<boolean> {
  const address = await findRunning(config).catch(() => null)
  if (!address) return false
  const database = openDatabase(address)
  try {
    await recordVerifiedBackup(database, createdAt)
    return true
  } catch {
    return false
  } finally {
    await database.close()
  }
}
