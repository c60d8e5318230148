import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { access, link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncDirectory } from '../database/embedded/sync-directory.ts'
import { errorCode } from '../values/errors.ts'
import type { FileKey } from './file-key.ts'
import { BackupError, type BlockKind, digestAfter, firstDigest, headOf, magic } from './format.ts'

/** A backup file being written, under a temporary name until it is complete. */
export type NewFile = {
  block(kind: BlockKind, payload: Buffer): Promise<void>
  /** Completes the file and gives it its name. Returns its size in bytes. */
  keep(): Promise<number>
  [Symbol.asyncDispose](): Promise<void>
}

const ownerOnly = 0o600

export async function newFile(path: string, key: FileKey): Promise<NewFile> {
  await refuseExisting(path)
  // Random, not the pid: in a container every process may be pid 1.
  const unfinished = `${path}.unfinished-${randomUUID()}`
  const file = await open(unfinished, 'wx', ownerOnly).catch((error) => cannotWrite(path, error))
  const removeNow = () => rmSync(unfinished, { force: true })
  process.once('exit', removeNow)
  let digest = firstDigest(key)
  let bytes = 0

  async function write(parts: Buffer[]): Promise<void> {
    const whole = Buffer.concat(parts)
    // Unlike `write`, `writeFile` continues after a partial write.
    await file.writeFile(whole).catch((error) => cannotWrite(path, error))
    bytes += whole.length
  }

  await write([magic, key.fingerprint])
  return {
    block: async (kind, payload) => {
      const head = headOf(kind, payload.length)
      digest = digestAfter(key, digest, head, payload)
      await write([head, payload, digest])
    },
    keep: async () => {
      await file.sync()
      const { size } = await file.stat()
      if (size !== bytes) cannotWrite(path, `only ${size} of ${bytes} bytes were written`)
      await file.close()
      await giveName(unfinished, path)
      await syncDirectory(dirname(path))
      return bytes
    },
    [Symbol.asyncDispose]: async () => {
      process.off('exit', removeNow)
      await file.close().catch(() => {})
      await rm(unfinished, { force: true })
    },
  }
}

async function refuseExisting(path: string): Promise<void> {
  const exists = await access(path).then(
    () => true,
    () => false,
  )
  if (exists) throw new BackupError(`${path} already exists and is not overwritten.`)
}

/** A link fails if the name is taken; a file system without links needs a rename. */
async function giveName(unfinished: string, path: string): Promise<void> {
  try {
    await link(unfinished, path)
  } catch (error) {
    await refuseExisting(path)
    if (errorCode(error) === 'EEXIST') throw error
    await rename(unfinished, path)
  }
}

function cannotWrite(path: string, error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error)
  throw new BackupError(`${path} cannot be written: ${reason}`, { cause: error })
}
