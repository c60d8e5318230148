import { createHmac } from 'node:crypto'
import { keysOf } from '../values/objects.ts'
import type { FileKey } from './file-key.ts'

/**
 * A backup file is this line, the fingerprint of its key, and blocks: the header, the rows and the
 * sum of each table, and the end. The reasons are in docs/decisions/0032-backup-file.md.
 */
export const magic = Buffer.from('flightdeck backup 2\n')

export const headBytes = 5
export const fingerprintBytes = 32
export const digestBytes = 32
/** Rows are compressed in chunks of about this size. */
export const rowsBytes = 1 << 20
/** The maximum block size: a greater length is damage. */
export const maxBlockBytes = 64 << 20

const kinds = { header: 'H', rows: 'R', table: 'T', end: 'E' } as const

export type BlockKind = keyof typeof kinds

/** A checksum of a table's rows, whatever their order. */
export type Sum = { rows: number; sha256_sum: string }

/** A backup cannot be created or restored; the message is one line. */
export class BackupError extends Error {}

/** The file is not what was written. */
export class DamagedBackup extends BackupError {
  /** The file is intact up to here. */
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
  const kind = keysOf(kinds).find((each) => kinds[each] === letter)
  return { kind, length: head.readUInt32BE(1) }
}

/** The digest of the beginning of a file with this key. */
export const firstDigest = (key: FileKey): Buffer => digestAfter(key, magic, key.fingerprint)

/** Covers all earlier blocks too, so that none can be removed, inserted or moved. */
export const digestAfter = ({ digestKey }: FileKey, ...parts: Buffer[]): Buffer => {
  const digest = createHmac('sha256', digestKey)
  for (const part of parts) digest.update(part)
  return digest.digest()
}
