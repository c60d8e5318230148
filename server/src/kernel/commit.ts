import { setImmediate as untilNextTurn } from 'node:timers/promises'
import type { Insertable } from 'kysely'
import { parameterBytes } from '../database/driver/parameter-bytes.ts'
import type { Statement } from '../database/driver/protocol.ts'
import { sqlErrorOf } from '../database/driver/sql-error.ts'
import { insertStatements } from '../database/tables/statements.ts'
import type { Tables } from '../database/tables/types.ts'
import { dateText } from '../database/upkeep/partitions.ts'
import type { Context, Ledger, WriteContext } from './context.ts'
import { rememberReply } from './idempotency.ts'
import { type AuditRecord, chainHash, type LedgerEvent, type NewRecord } from './ledger.ts'
import { deliveriesOf } from './outbox.ts'
import { countsAfter, tallyStatements } from './quotas.ts'
import { tenantQuery } from './tenant-query.ts'

// If another writer has moved the head, audit_sequence becomes null and violates its constraint.
const moveHeadSql = `
  update organization_heads
  set audit_sequence = case when audit_sequence = $2 then $3::bigint end,
    audit_hash = $4, event_sequence = $5, counts = $6,
    stored_bytes = stored_bytes + $7, bytes_warned_limit = $8
  where organization_id = $1`

/** Another process has written to the organization since this one read its head. */
export function isHeadConflict(error: unknown): boolean {
  const { code, table, column } = sqlErrorOf(error)
  return code === '23502' && table === 'organization_heads' && column === 'audit_sequence'
}

/** How far an organization's records, events and counts are, and what was written for them. */
type Position = Pick<Ledger, 'auditSequence' | 'auditHash' | 'eventSequence' | 'counts'> & {
  bytes: number
}

/** A transaction whose work is done. */
export type Done = { ctx: WriteContext; ledger: Ledger; result: unknown }

/**
 * Sends what transactions that commit together have recorded, in their order. The head moves once, and
 * first, as that decides whether they may commit.
 */
export function commitLedgers(all: readonly Done[]): void {
  const steps = committing(all)
  while (!steps.next().done);
}

/** The same for one alone, in steps between which other requests go on. */
export async function commitLedger(done: Done): Promise<void> {
  for (const _ of committing([done])) await untilNextTurn()
}

/** Each step takes less than about 2 ms. */
type Steps<T> = Generator<void, T>

function* committing(all: readonly Done[]): Steps<void> {
  const [first] = all
  if (!first) return
  const start: Position = { ...first.ledger, bytes: 0 }
  let end = start
  for (const done of all) end = yield* place(done, end)
  if (end.auditSequence === start.auditSequence) return
  const tallies = all.flatMap(({ ledger }) => (ledger.records.length > 0 ? ledger.tallies : []))
  for (const statement of tallyStatements(first.ctx, tallies)) first.ctx.tx.send(statement)
  const { warnedLimit } = all.at(-1)?.ledger.storage ?? first.ledger.storage
  const { auditSequence, auditHash, eventSequence, counts, bytes } = end
  const head = [auditSequence, auditHash, eventSequence, JSON.stringify(counts), bytes, warnedLimit]
  first.ctx.tx.sendFirst([tenantQuery(first.ctx, moveHeadSql, start.auditSequence, ...head)])
}

/** Numbers the records and events from a position on, and sends them; returns the next position. */
function* place({ ctx, ledger, result }: Done, from: Position): Steps<Position> {
  const { records, events, deliveries } = ledger
  // Without a record the write would take no sequence and leave no trace.
  if (records.length === 0 && ctx.tx.hasSent()) throw new Error('a write without an audit record')
  for (const [at, event] of events.entries()) event.sequence = from.eventSequence + at + 1
  deliveries.push(...deliveriesOf(ledger, ctx.services.clock.now()))
  const kept: Kept = { statements: [], bytes: 0 }
  const auditHash = yield* chain(ctx, kept, { records, from })
  if (records.length > 0) {
    yield* inSlices(events, (some) => keep(kept, 'events', some.map(eventRow)))
    kept.bytes += ctx.tx.sentBytes()
    const sent = insertStatements('webhook_deliveries', deliveries)
    ctx.tx.sendFirst([...kept.statements, ...sent])
  }
  rememberReply(ctx, ledger, result)
  return {
    auditSequence: from.auditSequence + records.length,
    auditHash,
    eventSequence: from.eventSequence + events.length,
    counts: countsAfter(from, ctx.added),
    bytes: from.bytes + kept.bytes,
  }
}

/** Statements that write what an organization keeps, and what its rows take. */
type Kept = { readonly statements: Statement[]; bytes: number }

function keep(kept: Kept, table: 'audit_logs' | 'events', rows: readonly object[]): void {
  const statements = insertStatements(table, rows)
  kept.statements.push(...statements)
  kept.bytes += parameterBytes(statements)
}

/** A multiple of the rows of a statement, so that only the last has fewer. */
const sliceSize = 48

function* inSlices<T>(all: readonly T[], work: (slice: readonly T[]) => void): Steps<void> {
  for (let at = 0; at < all.length; at += sliceSize) {
    if (at > 0) yield
    work(all.slice(at, at + sliceSize))
  }
}

type Chaining = { records: readonly NewRecord[]; from: Position }

/** Writes records in their places in the chain; returns the hash of the last. */
function* chain(ctx: Context, kept: Kept, { records, from }: Chaining): Steps<string> {
  const stored_on = dateText(ctx.services.clock.now())
  let { auditSequence: sequence, auditHash: prev_hash } = from
  const placed = (record: NewRecord): AuditRecord => {
    sequence += 1
    const entry = { ...record, sequence }
    const place = { organization_id: ctx.organization.id, prev_hash, stored_on }
    prev_hash = chainHash(prev_hash, entry)
    return { ...entry, ...place, hash: prev_hash, change_set_id: record.change_set_id ?? null }
  }
  yield* inSlices(records, (some) => keep(kept, 'audit_logs', some.map(placed).map(recordRow)))
  return prev_hash
}

const recordRow = (record: AuditRecord): Insertable<Tables['audit_logs']> => ({
  ...record,
  actor: JSON.stringify(record.actor),
  resource: JSON.stringify(record.resource),
  changes: JSON.stringify(record.changes),
  request: record.request && JSON.stringify(record.request),
})

const eventRow = (event: LedgerEvent): Insertable<Tables['events']> => ({
  organization_id: event.organization_id,
  sequence: event.sequence,
  id: event.id,
  type: event.type,
  occurred_at: event.timestamp,
  body: JSON.stringify(event),
})
