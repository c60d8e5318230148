import { chainHash } from '../../kernel/ledger.ts'
import type { AuditLog, Verification } from './schema.ts'

/** Where a walk along the chain stands: the record that must come next continues this one. */
export type Link = { sequence: number; hash: string }

export const genesis: Link = { sequence: 0, hash: '0'.repeat(64) }

/** The link that the record makes, or null: it is changed, or not the one that must come next. */
export function verifyNext(last: Link, record: AuditLog): Link | null {
  const { prev_hash, hash, ...said } = record
  const isNext = record.sequence === last.sequence + 1 && prev_hash === last.hash
  return isNext && isIntact(prev_hash, said, hash) ? { sequence: record.sequence, hash } : null
}

function isIntact(prevHash: string, said: object, hash: string): boolean {
  try {
    return chainHash(prevHash, said) === hash
  } catch {
    // What cannot even be written canonically was never written by us.
    return false
  }
}

/** The hash at some sequences, as checkpoints tell it; null where one was forged, and none is right. */
export type Checkpoints = ReadonlyMap<number, string | null>

/** Whether no checkpoint tells another hash at this place. */
export function matchesCheckpoint(marks: Checkpoints, { sequence, hash }: Link): boolean {
  const told = marks.get(sequence)
  return told === undefined || told === hash
}

/** What was found on the chain itself, without how many checkpoints it was compared with. */
export type ChainWalk = Omit<Verification, 'checkpoints' | 'since_checkpoint'>

/** What the walk from one link to another found; `bad` is the sequence at which it broke. */
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
