import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '../../values/errors.ts'

/**
 * Makes a directory and those above it; returns whether it was absent. Node's own `recursive` tries
 * for ever where none can be made, as in /proc.
 */
export async function makeDirectory(path: string, mode?: number): Promise<boolean> {
  try {
    await mkdir(path, mode)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST' && (await stat(path)).isDirectory()) return false
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error
  }
  await makeDirectory(dirname(path), mode)
  await mkdir(path, mode).catch(unlessMade)
  return true
}

/** Another process may have been faster. */
function unlessMade(error: unknown): void {
  if (errorCode(error) !== 'EEXIST') throw error
}
