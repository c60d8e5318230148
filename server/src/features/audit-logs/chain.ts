import { chainHash } from '../../kernel/ledger.ts'
import type { AuditLog, Verification } from './schema.ts'

/** A position in the chain; the next record must continue it. */
export type Link = { sequence: number; hash: string }

export const genesis: Link = { sequence: 0, hash: '0'.repeat(64) }

/** The fields that verification reads; the hash covers all others of the record. */
export type ChainedRecord = Pick<AuditLog, 'sequence' | 'prev_hash' | 'hash'>

/** The link that the record forms; null if it was modified or is not the expected successor. */
export function verifyNext(last: Link, record: ChainedRecord): Link | null {
  const { prev_hash, hash, ...said } = record
  const isNext = record.sequence === last.sequence + 1 && prev_hash === last.hash
  return isNext && isIntact(prev_hash, said, hash) ? { sequence: record.sequence, hash } : null
}

function isIntact(prevHash: string, said: object, hash: string): boolean {
  try {
    return chainHash(prevHash, said) === hash
  } catch {
    // A record without a canonical form was not written by this service.
    return false
  }
}

/**
 * Hashes by sequence according to the checkpoints; null for a forged checkpoint, which no hash
 * matches.
 */
export type Checkpoints = ReadonlyMap<number, string | null>

/** Whether no checkpoint contradicts the hash at this position. */
export function matchesCheckpoint(marks: Checkpoints, { sequence, hash }: Link): boolean {
  const expected = marks.get(sequence)
  return expected === undefined || expected === hash
}

/** The result of walking the chain, without the checkpoint statistics. */
export type ChainWalk = Omit<Verification, 'checkpoints' | 'since_checkpoint'>

/** The result of a walk between two links; `bad` is the sequence at which the chain broke. */
export function resultOf(from: Link, last: Link, bad: number | null): ChainWalk {
  const isEmpty = last.sequence === from.sequence
  return {
    valid: bad === null,
    from_sequence: isEmpty ? null : from.sequence + 1,
    to_sequence: isEmpty ? null : last.sequence,
    head_hash: isEmpty ? null : last.hash,
    first_bad_sequence: bad,
  }
}
