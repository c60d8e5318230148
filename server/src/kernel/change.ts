import type { Statement } from '../database/client.ts'
import type { Transaction } from '../database/database.ts'
import { canonicalJson, sha256Hex } from './canonical.ts'
import { type Difference, differences } from './differences.ts'
import { type Context, type Ledger, nowText, type WriteContext } from './context.ts'
import { invalid, Problem } from './errors.ts'
import { newId } from './ids.ts'
import { Replay, rememberReply, replayOf } from './idempotency.ts'

/** The API's own representation of an object: secrets are in none. */
export type Snapshot = { readonly id: string; readonly name?: string | null }

/** What a change did. The same object before and after: nothing, and so nothing is told. */
export type Changed<T> = {
  before: T | null
  after: T | null
  /** When the change decides only inside which of several it is. */
  action?: string
}

/**
 * The only door to writing. Opens a transaction (or joins the one it is in), locks the
 * organization's head, runs `work`, and commits its rows together with one audit record, one event
 * and, for an idempotent request, the reply: all or nothing. Returns the object after the change.
 */
export const change = <T extends Snapshot>(
  ctx: Context,
  action: string,
  work: (ctx: WriteContext) => Promise<Changed<T>>,
): Promise<T> =>
  inTransaction(ctx, async (ctx) => {
    const changed = await work(ctx)
    const { before, after } = changed
    const object = after ?? before
    if (!object) throw new Error(`${action} changed nothing that there is`)
    if (before === after) return object
    const name = changed.action ?? action
    record(ctx, { action: name, resource: resourceOf(name, object), changes: differences(before, after) })
    announce(ctx, name, before, after)
    for (const react of ctx.services.reactions[name] ?? []) await react(ctx, before, after)
    return object
  })

export type AuditEntry = {
  action: string
  outcome?: 'success' | 'denied' | 'failed'
  resource: { type: string; id: string | null; name: string | null }
  changes?: Difference[]
}

/**
 * A write that no subscriber is told of (logins, reveals, refusals): an audit record, no event.
 * Where the outcome decides what there is to tell, `entry` is a function of it.
 */
export const audited = <T>(
  ctx: Context,
  entry: AuditEntry | ((result: T) => AuditEntry),
  work: (ctx: WriteContext) => Promise<T>,
): Promise<T> =>
  inTransaction(ctx, async (ctx) => {
    const result = await work(ctx)
    record(ctx, typeof entry === 'function' ? entry(result) : entry)
    return result
  })

function isWriting(ctx: Context): ctx is WriteContext {
  return 'tx' in ctx
}

/** Joins the transaction that the context is in, or opens one under the organization's lock. */
export async function inTransaction<T>(
  ctx: Context,
  work: (ctx: WriteContext) => Promise<T>,
): Promise<T> {
  if (isWriting(ctx)) return work(ctx)
  const { database, sessions } = ctx.services
  const { result, ledger } = await database.transaction((tx) => withLedger(ctx, tx, work))
  if (touchesSessions(ledger)) sessions.forget(ctx.organization.id)
  return result
}

/** Runs `work` in a transaction that is open already: how an organization itself comes to be. */
export async function withLedger<T>(
  ctx: Context,
  tx: Transaction,
  work: (ctx: WriteContext) => Promise<T>,
): Promise<{ result: T; ledger: Ledger }> {
  const inside = await begin(ctx, tx)
  const replay = await replayOf(inside)
  if (replay) throw new Replay(replay)
  const result = await work(inside)
  if (ctx.faults.length > 0) throw invalid([...ctx.faults])
  commitLedger(inside, result)
  return { result, ledger: inside.ledger }
}

const touchesSessions = (ledger: Ledger) =>
  ledger.records.some(({ action }) => /^(auth|member|organization)\./.test(String(action)))

const lockHeadSql = `
  select h.audit_sequence, h.audit_hash, h.event_sequence
  from organization_heads h where h.organization_id = $1 for update`

type Head = { audit_sequence: number; audit_hash: string; event_sequence: number }

async function begin(ctx: Context, tx: Transaction): Promise<WriteContext> {
  const [head] = await tx.query<Head>({ sql: lockHeadSql, parameters: [ctx.organization.id] })
  if (!head) throw new Problem('not_found', 'The organization is gone.')
  const ledger: Ledger = {
    auditSequence: head.audit_sequence,
    auditHash: head.audit_hash,
    eventSequence: head.event_sequence,
    records: [],
    events: [],
  }
  // Taken under the lock, so that times never run against the sequence.
  const now = nowText(ctx.services)
  const reader = { kysely: tx.kysely as unknown as Context['db'], query: tx.query }
  return { ...ctx, db: reader.kysely, reader, tx, now, ledger }
}

/** Appends to the organization's chain: each hash covers the record and the hash before it. */
function record(ctx: WriteContext, entry: AuditEntry): void {
  const { ledger } = ctx
  ledger.auditSequence += 1
  const said = {
    id: newId('audit_log'),
    sequence: ledger.auditSequence,
    occurred_at: ctx.now,
    action: entry.action,
    outcome: entry.outcome ?? 'success',
    actor: ctx.actor,
    resource: entry.resource,
    changes: entry.changes ?? [],
    reason: ctx.reason,
    request: ctx.request,
  }
  const hash = chainHash(ledger.auditHash, said)
  ledger.records.push({
    ...said,
    organization_id: ctx.organization.id,
    prev_hash: ledger.auditHash,
    hash,
  })
  ledger.auditHash = hash
}

/** SHA-256(prev_hash ‖ "\n" ‖ canonical JSON of the record without both hashes), in hex. */
export const chainHash = (prevHash: string, said: unknown): string =>
  sha256Hex(`${prevHash}\n${canonicalJson(said)}`)

function announce<T extends Snapshot>(
  ctx: WriteContext,
  type: string,
  before: T | null,
  after: T | null,
): void {
  const { ledger } = ctx
  ledger.eventSequence += 1
  ledger.events.push({
    organization_id: ctx.organization.id,
    sequence: ledger.eventSequence,
    id: newId('event'),
    type,
    occurred_at: ctx.now,
    request_id: ctx.request?.id ?? null,
    actor: ctx.actor,
    test: false,
    object: after ?? before,
    previous: before && after ? formerValues(before, after) : null,
  })
}

const formerValues = (before: unknown, after: unknown) =>
  Object.fromEntries(differences(before, after).map(({ field, before }) => [field, before]))

const resourceOf = (action: string, object: Snapshot) => ({
  type: action.slice(0, action.lastIndexOf('.')),
  id: object.id,
  name: object.name ?? null,
})

// One statement for any number of records and events, so that a bulk change costs no more.
const writeLedgerSql = `
  with audit as (
    insert into audit_logs select * from jsonb_populate_recordset(null::audit_logs, $2::jsonb)
  ), told as (
    insert into events select * from jsonb_populate_recordset(null::events, $3::jsonb)
  )
  update organization_heads set audit_sequence = $4, audit_hash = $5, event_sequence = $6
  where organization_id = $1`

function commitLedger(ctx: WriteContext, result: unknown): void {
  const { ledger, tx } = ctx
  if (ledger.records.length > 0) tx.send(writeLedger(ctx.organization.id, ledger))
  rememberReply(ctx, result)
}

const writeLedger = (organizationId: string, ledger: Ledger): Statement => ({
  sql: writeLedgerSql,
  parameters: [
    organizationId,
    JSON.stringify(ledger.records),
    JSON.stringify(ledger.events),
    ledger.auditSequence,
    ledger.auditHash,
    ledger.eventSequence,
  ],
})
