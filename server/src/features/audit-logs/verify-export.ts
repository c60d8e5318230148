import { open } from 'node:fs/promises'
import { memberOf } from '../../values/objects.ts'
import {
  type ChainedRecord,
  type ChainWalk,
  type Checkpoints,
  genesis,
  type Link,
  matchesCheckpoint,
  resultOf,
  verifyNext,
} from './chain.ts'
import type { Verification } from './schema.ts'

type Reading = {
  marks?: Checkpoints
  /** Gaps are those of the filter; without it, removed records. */
  isFiltered?: boolean
}

/**
 * Verifies an NDJSON export offline and compares it with saved checkpoints. If it starts after
 * sequence 1 (older records were pruned), the first record's `prev_hash` is trusted; in a filtered
 * export, that of each record after a gap.
 */
export async function verifyExport(
  path: string,
  { marks = new Map(), isFiltered = false }: Reading = {},
): Promise<Verification> {
  const last_sequence = marks.keys().reduce(later, 0) || null
  const walked = await walk(path, { marks, isFiltered })
  const isShort = !isFiltered && (last_sequence ?? 0) > (walked.to_sequence ?? 0)
  const isCutOff = walked.valid && isShort
  const missing = { valid: false, first_bad_sequence: (walked.to_sequence ?? 0) + 1 }
  return {
    ...walked,
    ...(isCutOff ? missing : {}),
    checkpoints: { count: marks.size, last_sequence },
  }
}

const later = (one: number, other: number) => Math.max(one, other)

async function walk(path: string, reading: Required<Reading>): Promise<ChainWalk> {
  const { marks, isFiltered } = reading
  await using file = await open(path)
  let from: Link | undefined
  let last: Link = genesis
  for await (const line of file.readLines()) {
    if (line.trim() === '') continue
    const record = parse(line)
    from ??= beginningAt(record)
    const isGap = isFiltered && record !== undefined && record.sequence > last.sequence + 1
    if (last === genesis || isGap) last = beginningAt(record)
    const next = record && verifyNext(last, record)
    // For the record before the file's first, only its prev_hash can be compared.
    if (!next || !matchesCheckpoint(marks, last) || !matchesCheckpoint(marks, next))
      return resultOf(from, last, last.sequence + 1)
    last = next
  }
  return resultOf(from ?? genesis, last, null)
}

function parse(line: string): ChainedRecord | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is ChainedRecord =>
  Number.isSafeInteger(memberOf(value, 'sequence')) &&
  typeof memberOf(value, 'prev_hash') === 'string' &&
  typeof memberOf(value, 'hash') === 'string'

function beginningAt(record: ChainedRecord | undefined): Link {
  if (!record || !(record.sequence > 1)) return genesis
  return { sequence: record.sequence - 1, hash: record.prev_hash }
}
