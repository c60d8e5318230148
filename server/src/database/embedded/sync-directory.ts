import { open } from 'node:fs/promises'

/** Makes the names in a directory last through a power cut, as `sync()` of a file does its bytes. */
export async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path, 'r')
  await directory.sync()
}
