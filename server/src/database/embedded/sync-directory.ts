import { open } from 'node:fs/promises'

/** Makes a directory's entries durable, as `sync()` on a file does for its content. */
export async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path, 'r')
  await directory.sync()
}
