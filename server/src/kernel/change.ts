import { setTimeout } from 'node:timers/promises'
import type { Transaction } from '../database/database.ts'
import { canonicalJson, sha256Hex } from './canonical.ts'
import { countsAfter } from './caps.ts'
import { type Context, type Ledger, nowText, type WriteContext } from './context.ts'
import { type Difference, differences } from './differences.ts'
import { invalid, Problem } from './errors.ts'
import { type KeyState, oldestKey, rememberReply, throwIfAnswered } from './idempotency.ts'
import { newId } from './ids.ts'
import { insertStatement } from './rows.ts'
import { lanes } from './turns.ts'

/** The API's own representation of an object: secrets are in none. */
export type Snapshot = { readonly id: string; readonly name?: string | null }

/** What a change did. The same object before and after: nothing, and so nothing is told. */
export type Changed<T> = {
  before: T | null
  after: T | null
  /** When the change decides only inside which of several it is. */
  action?: string
  /** Changed fields that stand in no snapshot: the audit log tells that they did, not how. */
  redacted?: readonly string[]
}

/**
 * The only door to writing. Opens a transaction (or joins the one it is in), runs `work`, and commits its rows together with one audit record, one event
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
    const changes = [...differences(before, after), ...concealed(changed)]
    await record(ctx, { action: name, resource: resourceOf(name, object), changes })
    await announce(ctx, name, { before, after })
    for (const react of ctx.services.reactions[name] ?? []) await react(ctx, before, after)
    return object
  })

const concealed = ({ before, after, redacted = [] }: Changed<unknown>): Difference[] =>
  redacted.map((field) => ({
    field,
    before: before === null ? null : '[redacted]',
    after: after === null ? null : '[redacted]',
  }))

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
    await record(ctx, typeof entry === 'function' ? entry(result) : entry)
    return result
  })

/** Tells the audit log of a write that the caller's role refuses; nothing else happens. */
export function recordDenial(
  ctx: Context,
  action: string,
  about: { id: string | null; name: string | null } = { id: null, name: null },
): Promise<void> {
  const request = ctx.request && { ...ctx.request, status: 403 }
  const refused = { ...ctx, request, idempotency: null, faults: [] }
  const resource = { type: resourceTypeOf(action), id: about.id, name: about.name }
  return audited(refused, { action, outcome: 'denied', resource }, async () => {})
}

const resourceTypeOf = (action: string) => action.slice(0, action.lastIndexOf('.'))

function isWriting(ctx: Context): ctx is WriteContext {
  return 'tx' in ctx
}

const inLane = lanes(200)

/**
 * Joins the transaction that the context is in, or opens one. An organization has one writer at a
 * time: in this process by its lane; between processes by the sequence of its audit log, which two
 * cannot both take. Whoever loses that race begins again.
 */
export async function inTransaction<T>(
  ctx: Context,
  work: (ctx: WriteContext) => Promise<T>,
): Promise<T> {
  if (isWriting(ctx)) return work(ctx)
  const { database, sessions } = ctx.services
  const attempt = () => database.transaction((tx) => withLedger(ctx, tx, work))
  const { result, ledger } = await inLane(ctx.organization.id, () => untilWon(attempt))
  if (touchesSessions(ledger)) sessions.forget(ctx.organization.id)
  return result
}

const mostAttempts = 10

async function untilWon<T>(attempt: () => Promise<T>): Promise<T> {
  for (let lost = 1; lost < mostAttempts; lost += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!isLostRace(error)) throw error
      await setTimeout(Math.random() * 2 ** lost)
    }
  }
  return attempt()
}

const lostRaceCodes = new Set(['40001', '40P01'])

/** Another process has written in the organization since this one read its head. */
function isLostRace(error: unknown): boolean {
  const { code = '', constraint } = error as { code?: string; constraint?: string }
  return constraint === 'audit_logs_pkey' || lostRaceCodes.has(code)
}

/** Runs `work` in a transaction that is open already: how an organization itself comes to be. */
export async function withLedger<T>(
  ctx: Context,
  tx: Transaction,
  work: (ctx: WriteContext) => Promise<T>,
): Promise<{ result: T; ledger: Ledger }> {
  const inside = begin(ctx, tx)
  const result = await work(inside).catch(async (error: unknown) => {
    // A request that was answered before is a replay, whatever its work would say today.
    await inside.ledger
    throw error
  })
  const ledger = await inside.ledger
  if (ctx.faults.length > 0) throw invalid([...ctx.faults])
  commitLedger(inside, ledger, result)
  return { result, ledger }
}

/** For checks that come before a request's transaction, and would refuse what succeeded before. */
export async function throwIfReplayed(ctx: Context): Promise<void> {
  if (!ctx.idempotency) return
  const { database } = ctx.services
  await database.transaction((tx) => openLedger(ctx, tx, nowText(ctx.services)))
}

const touchesSessions = (ledger: Ledger) =>
  ledger.records.some(({ action }) => /^(auth|member|organization)\./.test(String(action)))

function begin(ctx: Context, tx: Transaction): WriteContext {
  const now = nowText(ctx.services)
  const ledger = openLedger(ctx, tx, now)
  // Whoever needs it awaits it; the work may end before anybody has.
  ledger.catch(() => {})
  const reader = {
    // Most changes build no query of their own, so its builder is made for those that do.
    get kysely() {
      return tx.kysely as unknown as Context['db']
    },
    query: tx.query,
  }
  return {
    ...ctx,
    get db() {
      return reader.kysely
    },
    reader,
    tx,
    now,
    ledger,
    added: {},
  }
}

const headSql = `
  select h.audit_sequence, h.audit_hash, h.event_sequence, h.counts, i.fingerprint, i.status, i.body,
    e.object as told
  from organization_heads h
  left join idempotency_keys i on i.organization_id = h.organization_id
    and i.scope = $2 and i.created_at > $3
  left join events e on e.organization_id = h.organization_id and e.sequence = i.event_sequence
  where h.organization_id = $1`

type Head = KeyState & {
  audit_sequence: number
  audit_hash: string
  event_sequence: number
  counts: Ledger['counts']
}

async function openLedger(ctx: Context, tx: Transaction, now: string): Promise<Ledger> {
  const parameters = [ctx.organization.id, ctx.idempotency?.scope ?? null, oldestKey(now)]
  const [head] = await tx.query<Head>({ sql: headSql, parameters })
  if (!head) throw new Problem('not_found', 'The organization is gone.')
  throwIfAnswered(ctx, head)
  return {
    auditSequence: head.audit_sequence,
    auditHash: head.audit_hash,
    eventSequence: head.event_sequence,
    counts: head.counts,
    records: [],
    events: [],
    told: new Map(),
  }
}

/** Appends to the organization's chain: each hash covers the record and the hash before it. */
async function record(ctx: WriteContext, entry: AuditEntry): Promise<void> {
  const ledger = await ctx.ledger
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
    actor: JSON.stringify(said.actor),
    resource: JSON.stringify(said.resource),
    changes: JSON.stringify(said.changes),
    request: said.request && JSON.stringify(said.request),
    prev_hash: ledger.auditHash,
    hash,
  })
  ledger.auditHash = hash
}

/** SHA-256(prev_hash ‖ "\n" ‖ canonical JSON of the record without both hashes), in hex. */
export const chainHash = (prevHash: string, said: unknown): string =>
  sha256Hex(`${prevHash}\n${canonicalJson(said)}`)

type Transition = { before: unknown; after: unknown }

async function announce(
  ctx: WriteContext,
  type: string,
  { before, after }: Transition,
): Promise<void> {
  const ledger = await ctx.ledger
  const object = after ?? before
  ledger.eventSequence += 1
  ledger.told.set(object, ledger.eventSequence)
  ledger.events.push({
    organization_id: ctx.organization.id,
    sequence: ledger.eventSequence,
    id: newId('event'),
    type,
    occurred_at: ctx.now,
    request_id: ctx.request?.id ?? null,
    actor: JSON.stringify(ctx.actor),
    test: false,
    object: JSON.stringify(object),
    previous: before && after ? JSON.stringify(formerValues(before, after)) : null,
  })
}

const formerValues = (before: unknown, after: unknown) =>
  Object.fromEntries(differences(before, after).map(({ field, before }) => [field, before]))

const resourceOf = (action: string, object: Snapshot) => ({
  type: resourceTypeOf(action),
  id: object.id,
  name: object.name ?? null,
})

const updateHeadSql = `
  update organization_heads
  set audit_sequence = $2, audit_hash = $3, event_sequence = $4, counts = $5
  where organization_id = $1`

/** The records go out first: the sequence they take decides whether this may commit at all. */
function commitLedger(ctx: WriteContext, ledger: Ledger, result: unknown): void {
  const { records, events } = ledger
  if (records.length > 0) {
    ctx.tx.sendFirst([
      ...records.map((row) => insertStatement('audit_logs', row)),
      ...events.map((row) => insertStatement('events', row)),
      { sql: updateHeadSql, parameters: headAfter(ctx, ledger) },
    ])
  }
  rememberReply(ctx, ledger, result)
}

const headAfter = (ctx: WriteContext, ledger: Ledger) => [
  ctx.organization.id,
  ledger.auditSequence,
  ledger.auditHash,
  ledger.eventSequence,
  JSON.stringify(countsAfter(ledger, ctx.added)),
]
