import type { Insertable } from 'kysely'
import type { Transaction } from '../database/database.ts'
import { parameterBytes } from '../database/driver/parameter-bytes.ts'
import { sqlErrorOf } from '../database/driver/sql-error.ts'
import { insertStatements } from '../database/tables/statements.ts'
import type { Row } from '../database/tables/tenant-tables.ts'
import type { Tables } from '../database/tables/types.ts'
import { dateText } from '../database/upkeep/partitions.ts'
import { Problem } from '../problems/problem.ts'
import { canonicalJson, sha256Hex } from '../values/canonical-json.ts'
import { auditLogIds, eventIds } from '../values/core-ids.ts'
import { newId, newIdAt } from '../values/ids.ts'
import type { Actor } from '../values/organization.ts'
import type { Context, Ledger, WriteContext } from './context.ts'
import { type Difference, differences, type Fields } from './differences.ts'
import { resourceTypeOf } from './event-types.ts'
import { rememberReply, throwIfAnswered } from './idempotency.ts'
import { deliveriesOf, type Subscriber } from './outbox.ts'
import { countsAfter, tallyStatements } from './quotas.ts'
import { tenantQuery } from './tenant-query.ts'

/** An object as the API represents it, never with secrets. */
export type Snapshot = Fields & {
  readonly id: string
  readonly name?: string | null
  /** Shown for objects that have no name. */
  readonly title?: string
}

export type AuditEntry = {
  action: string
  outcome?: 'success' | 'denied' | 'failed'
  resource: { type: string; id: string | null; name: string | null }
  changes?: Difference[]
  reason?: string | null | undefined
}

/** An audit record in its place in the chain. */
type AuditRecord = Row<'audit_logs'>

/** An audit record of a transaction, before its commit gives it a place. */
export type NewRecord = Omit<
  AuditRecord,
  'organization_id' | 'sequence' | 'prev_hash' | 'hash' | 'stored_on' | 'change_set_id'
> & { change_set_id?: string }

/** An event as its readers get it. */
export type LedgerEvent<Shown = Fields> = {
  id: string
  type: string
  timestamp: string
  api_version: string
  organization_id: string
  /** Zero until the commit. */
  sequence: number
  request_id: string | null
  change_set_id?: string
  actor: Actor
  test: boolean
  data: { object: Shown; previous: Partial<Shown> | null }
}

const headSql = `
  select h.audit_sequence, h.audit_hash, h.event_sequence, h.counts,
    h.stored_bytes, h.bytes_measured_at, h.bytes_warned_limit,
    (
      select jsonb_agg(jsonb_build_object('id', w.id, 'events', w.events, 'status', w.status,
        'paused_until', w.paused_until))
      from webhook_endpoints w
      where w.organization_id = $1
    ) as subscribers
  from organization_heads h
  where h.organization_id = $1`

type Head = {
  audit_sequence: number
  audit_hash: string
  event_sequence: number
  counts: Ledger['counts']
  subscribers: Subscriber[] | null
  stored_bytes: number
  bytes_measured_at: string | null
  bytes_warned_limit: number | null
}

/** The head as transactions read it that commit together. */
export type SharedHead = { read?: Promise<Head[]> }

export async function openLedger(
  ctx: Context,
  tx: Transaction,
  shared: SharedHead = {},
): Promise<Ledger> {
  // Head first: a concurrent commit then shows as a stored reply or as a moved head.
  shared.read ??= tx.query<Head>(tenantQuery(ctx, headSql))
  const [[head]] = await Promise.all([shared.read, throwIfAnswered(ctx, tx)])
  if (!head) throw new Problem('not_found', 'The organization is gone.')
  return {
    auditSequence: head.audit_sequence,
    auditHash: head.audit_hash,
    eventSequence: head.event_sequence,
    counts: head.counts,
    storage: {
      bytes: head.stored_bytes,
      measuredAt: head.bytes_measured_at,
      warnedLimit: head.bytes_warned_limit,
      warning: null,
    },
    subscribers: head.subscribers ?? [],
    records: [],
    events: [],
    deliveries: [],
    tallies: [],
    eventByObject: new Map(),
  }
}

/** Adds a record, which the commit appends to the organization's chain. */
export async function record(ctx: WriteContext, entry: AuditEntry): Promise<void> {
  const ledger = await ctx.ledger
  ledger.records.push({
    id: newId(auditLogIds),
    occurred_at: ctx.now,
    action: entry.action,
    outcome: entry.outcome ?? 'success',
    actor: ctx.actor,
    resource: entry.resource,
    changes: entry.changes ?? [],
    reason: entry.reason ?? ctx.reason,
    request: ctx.request,
    ...changeSetOf(ctx),
  })
}

/** Absent elsewhere: older records have their hash without it. */
const changeSetOf = ({ changeSet }: Context): { change_set_id?: string } =>
  changeSet ? { change_set_id: changeSet.id } : {}

/** SHA-256(prev_hash ‖ "\n" ‖ canonical JSON of the record without both hashes), in hex. */
export const chainHash = (prevHash: string, entry: unknown): string =>
  sha256Hex(`${prevHash}\n${canonicalJson(entry)}`)

type Transition = { before: Fields | null; after: Fields | null }

/** Adds an event to the ledger, with the previous values of the fields that changed. */
export async function announce(
  ctx: WriteContext,
  type: string,
  { before, after }: Transition,
): Promise<void> {
  const ledger = await ctx.ledger
  const object = after ?? before
  if (!object) throw new Error(`${type} is about no object`)
  const event: LedgerEvent = {
    id: newIdAt(eventIds, ctx.services.clock.now()),
    type,
    timestamp: ctx.now,
    api_version: 'v1',
    organization_id: ctx.organization.id,
    sequence: 0,
    request_id: ctx.request?.id ?? null,
    ...changeSetOf(ctx),
    actor: ctx.actor,
    test: false,
    data: { object, previous: before && after ? formerValues(before, after) : null },
  }
  ledger.eventByObject.set(object, event)
  ledger.events.push(event)
}

const formerValues = (before: Fields, after: Fields) =>
  Object.fromEntries(differences(before, after).map(({ field, before }) => [field, before]))

export const resourceOf = (action: string, object: Snapshot) => ({
  type: resourceTypeOf(action),
  id: object.id,
  name: object.name ?? object.title ?? null,
})

/** Marks the ledger; the returned function rolls it back to the mark. */
export function markLedger({ records, events, tallies, eventByObject }: Ledger): () => void {
  const [recordCount, eventCount, tallyCount] = [records.length, events.length, tallies.length]
  return () => {
    records.length = recordCount
    tallies.length = tallyCount
    for (const { data } of events.splice(eventCount)) eventByObject.delete(data.object)
  }
}

const lockHeadSql = 'select from organization_heads where organization_id = $1 for no key update'

/** An interactive transaction writes before its commit: like all others, it locks the head first. */
export const lockHeadFirst = (ctx: Context, tx: Transaction): void =>
  tx.lockFirst(tenantQuery(ctx, lockHeadSql))

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
  const [first] = all
  if (!first) return
  const start: Position = { ...first.ledger, bytes: 0 }
  let end = start
  for (const done of all) end = place(done, end)
  if (end.auditSequence === start.auditSequence) return
  const { warnedLimit } = all.at(-1)?.ledger.storage ?? first.ledger.storage
  const { auditSequence, auditHash, eventSequence, counts, bytes } = end
  const head = [auditSequence, auditHash, eventSequence, JSON.stringify(counts), bytes, warnedLimit]
  first.ctx.tx.sendFirst([tenantQuery(first.ctx, moveHeadSql, start.auditSequence, ...head)])
}

/** Numbers the records and events from a position on, and sends them; returns the next position. */
function place({ ctx, ledger, result }: Done, from: Position): Position {
  const { events, tallies, deliveries } = ledger
  // Without a record the write would take no sequence and leave no trace.
  if (ledger.records.length === 0 && ctx.tx.hasSent()) {
    throw new Error('a write without an audit record')
  }
  const records = chained(ctx, ledger.records, from)
  for (const [at, event] of events.entries()) event.sequence = from.eventSequence + at + 1
  deliveries.push(...deliveriesOf(ledger, ctx.services.clock.now()))
  let { bytes } = from
  if (records.length > 0) {
    for (const statement of tallyStatements(ctx, tallies)) ctx.tx.send(statement)
    const kept = [
      ...insertStatements('audit_logs', records.map(recordRow)),
      ...insertStatements('events', events.map(eventRow)),
    ]
    bytes += ctx.tx.sentBytes() + parameterBytes(kept)
    ctx.tx.sendFirst([...kept, ...insertStatements('webhook_deliveries', deliveries)])
  }
  rememberReply(ctx, ledger, result)
  return {
    auditSequence: from.auditSequence + records.length,
    auditHash: records.at(-1)?.hash ?? from.auditHash,
    eventSequence: from.eventSequence + events.length,
    counts: countsAfter(from, ctx.added),
    bytes,
  }
}

/** Records in their places in the chain: each hash covers the record and the hash before it. */
function chained(
  { organization, services }: Context,
  records: readonly NewRecord[],
  { auditSequence, auditHash }: Position,
): AuditRecord[] {
  const stored_on = dateText(services.clock.now())
  let prev_hash = auditHash
  return records.map((record, at) => {
    const entry = { ...record, sequence: auditSequence + at + 1 }
    const hash = chainHash(prev_hash, entry)
    const place = { organization_id: organization.id, prev_hash, hash, stored_on }
    prev_hash = hash
    return { ...entry, ...place, change_set_id: record.change_set_id ?? null }
  })
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
