import { createHash } from 'node:crypto'

/**
 * A backup file is this line and blocks: the header, then for each table its rows and its sum, then
 * the end. docs/decisions/backup-file.md says why.
 */
export const magic = Buffer.from('flightdeck backup 1\n')

export const headBytes = 5
export const digestBytes = 32
/** Rows are gathered to about so much before they are compressed. */
export const rowsBytes = 1 << 20
/** No block is larger: a length beyond it is damage. */
export const mostBytes = 64 << 20

const kinds = { header: 'H', rows: 'R', table: 'T', end: 'E' } as const

export type BlockKind = keyof typeof kinds

export type Header = {
  service_version: string
  created_at: string
  /** Names of the migrations that made the schema, in their order. */
  migrations: string[]
  /** What tells one master key from another, and does not tell the key. */
  master_key_fingerprint: string
  /** In the order of their foreign keys. */
  tables: BackupTable[]
  partitions: Partition[]
}

export type BackupTable = { name: string; columns: string[]; rows: number }

/** `bound` and `key` as PostgreSQL writes them; `key` where it is itself partitioned. */
export type Partition = { name: string; parent: string; bound: string; key: string | null }

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

/** Covers all blocks before it too, so that none can go, come or change places. */
export const digestAfter = (previous: Buffer, ...parts: Buffer[]): Buffer => {
  const digest = createHash('sha256').update(previous)
  for (const part of parts) digest.update(part)
  return digest.digest()
}
