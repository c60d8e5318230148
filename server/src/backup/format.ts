import { createHmac } from 'node:crypto'
import type { FileKey } from './file-key.ts'

/**
 * A backup file is this line, the fingerprint of its key, and blocks: the header, then for each
 * table its rows and its sum, then the end. docs/decisions/0032-backup-file.md says why.
 */
export const magic = Buffer.from('flightdeck backup 2\n')

export const headBytes = 5
export const fingerprintBytes = 32
export const digestBytes = 32
/** Rows are gathered to about so much before they are compressed. */
export const rowsBytes = 1 << 20
/** No block is larger: a length beyond it is damage. */
export const mostBytes = 64 << 20

const kinds = { header: 'H', rows: 'R', table: 'T', end: 'E' } as const

export type BlockKind = keyof typeof kinds

/** What a table's rows come to, in whatever order they are read. */
export type Sum = { rows: number; sha256_sum: string }

/** Why there is no backup, or no restoring it: one clear line. */
export class BackupError extends Error {}

/** The file is not as it was written. */
export class DamagedBackup extends BackupError {
  /** Up to here the file is as it was written. */
  readonly byte: number
  readonly damage: string

  constructor(byte: number, damage: string) {
    super(`The backup is damaged at byte ${byte}: ${damage}.`)
    this.byte = byte
    this.damage = damage
  }
}

export function headOf(kind: BlockKind, length: number): Buffer {
  const head = Buffer.alloc(headBytes)
  head.write(kinds[kind], 'latin1')
  head.writeUInt32BE(length, 1)
  return head
}

export function readHead(head: Buffer): { kind: BlockKind | undefined; length: number } {
  const letter = head.toString('latin1', 0, 1)
  const [found] = Object.entries(kinds).filter(([, each]) => each === letter)
  return { kind: found?.[0] as BlockKind | undefined, length: head.readUInt32BE(1) }
}

/** Of the beginning of a file with this key. */
export const firstDigest = (key: FileKey): Buffer => digestAfter(key, magic, key.fingerprint)

/** Covers all blocks before it too, so that none can go, come or change places. */
export const digestAfter = ({ digestKey }: FileKey, ...parts: Buffer[]): Buffer => {
  const digest = createHmac('sha256', digestKey)
  for (const part of parts) digest.update(part)
  return digest.digest()
}
