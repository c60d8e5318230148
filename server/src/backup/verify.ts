import type { Cipher } from '../crypto/cipher.ts'
import { fileKeyOf } from './file-key.ts'
import { DamagedBackup } from './format.ts'
import type { Header } from './header.ts'
import { openBackup } from './open-file.ts'

export type Verified =
  | { valid: true; bytes: number; header: Header }
  | { valid: false; byte: number; damage: string }

/** Reads the whole file; needs the master key, but no database. */
export async function verifyBackup(path: string, cipher: Cipher): Promise<Verified> {
  try {
    await using file = await openBackup(path, fileKeyOf(cipher))
    for (const table of file.header.tables) {
      for await (const _ of file.rowsOf(table));
    }
    await file.end()
    return { valid: true, bytes: file.bytes, header: file.header }
  } catch (error) {
    if (!(error instanceof DamagedBackup)) throw error
    return { valid: false, byte: error.byte, damage: error.damage }
  }
}
