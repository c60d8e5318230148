import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** The full path of a system program, or null. Searches PATH and the usual directories. */
export async function findProgram(name: string): Promise<string | null> {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/bin', '/usr/sbin']
  for (const folder of folders.filter((path) => path.startsWith('/'))) {
    const path = join(folder, name)
    const isRunnable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isRunnable) return path
  }
  return null
}
