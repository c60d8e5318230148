import type { Transaction } from '../database/database.ts'
import type { Row } from '../database/tables/tenant-tables.ts'
import { Problem } from '../problems/problem.ts'
import { type Difference, differences, type Fields } from '../schema/differences.ts'
import { canonicalJson, sha256Hex } from '../values/canonical-json.ts'
import { auditLogIds, eventIds } from '../values/core-ids.ts'
import { newId, newIdAt } from '../values/ids.ts'
import type { Actor } from '../values/organization.ts'
import type { Context, Ledger, WriteContext } from './context.ts'
import { resourceTypeOf } from './event-types.ts'
import { throwIfAnswered } from './idempotency.ts'
import type { Subscriber } from './outbox.ts'
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
export type AuditRecord = Row<'audit_logs'>

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
