import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '../database/embedded/make-directory.ts'
import { StartError } from '../database/start-error.ts'
import { errorMessage } from '../values/errors.ts'

/** The file with the first owner's password, for people who see no terminal. */
export const passwordFileIn = (dataDir: string): string => join(dataDir, 'first-password')

/** Kept before the account exists: if it cannot be kept, there is none. */
export async function keepFirstPassword(dataDir: string, password: string): Promise<void> {
  const file = passwordFileIn(dataDir)
  try {
    await makeDirectory(dataDir)
    // Replaced, not overwritten: what is there may belong to others, or be a link.
    await rm(file, { force: true })
    await writeFile(file, `${password}\n`, { mode: 0o600, flag: 'wx', flush: true })
  } catch (cause) {
    throw new StartError(
      `The first owner's password cannot be kept in ${file}: ${errorMessage(cause)}. Set FLIGHTDECK_ADMIN_EMAIL and FLIGHTDECK_ADMIN_PASSWORD, or another FLIGHTDECK_DATA_DIR.`,
      { cause },
    )
  }
}
