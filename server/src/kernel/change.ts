import { whole } from '../database/scope/readers.ts'
import { hasRoleAmong, type Role } from '../identity/permissions.ts'
import { Problem, Refusal } from '../problems/problem.ts'
import { type Difference, differences } from '../schema/differences.ts'
import type { Context, WriteContext } from './context.ts'
import { resourceTypeOf } from './event-types.ts'
import { type AuditEntry, announce, record, resourceOf, type Snapshot } from './ledger.ts'
import { checkEndsInside } from './scope.ts'
import { checkStorage } from './storage.ts'
import { type Company, inTransaction } from './transaction.ts'

/**
 * The result of a change. The same object before and after means no change: nothing is recorded.
 */
export type Changed<T> = {
  before: T | null
  after: T | null
  /** Overrides the action, when only the work can decide which of several it is. */
  action?: string
  /** Changed fields that are in no snapshot: the audit log records that they changed, not how. */
  redacted?: readonly string[]
  /** The object as audit log and event show it, where they show less than the API. */
  toSnapshot?: (object: T) => T
  /** The action that a request repeats without effect, for reactions to that. */
  repeats?: string
  /** The reason, where the request does not give it in `X-Audit-Reason`. */
  reason?: string | null
  /** Set for what only its owner sees: recorded without its content, and no event. */
  isPrivate?: true
  /** Facts for reactions that the object does not show. */
  news?: unknown
}

/**
 * The only way to write. Opens a transaction (or joins the current one), runs `work`, and commits its
 * rows together with one audit record, one event and, for an idempotent request, the reply: all or
 * nothing. Returns the object after the change.
 */
export const change = <T extends Snapshot>(
  ctx: Context,
  action: string,
  work: (ctx: WriteContext) => Promise<Changed<T>>,
  company?: Company,
): Promise<T> => {
  const run = async (ctx: WriteContext): Promise<T> => {
    const changed = await work(ctx)
    const { before, after } = changed
    const object = after ?? before
    if (!object) throw new Error(`${action} changed an object that does not exist`)
    if (ctx.dryRun) ctx.dryRun.object ??= object
    if (before === after) {
      await reactTo(ctx, changed.repeats, changed)
      return object
    }
    const name = changed.action ?? action
    await checkEndsInside(ctx, { action: name, object, refused: outside(name, before) })
    await publish(ctx, { name, object, changed })
    await reactTo(ctx, name, changed)
    return object
  }
  return inTransaction(ctx, run, company)
}

/** The refusal of a change that would end out of scope; what was to be created has no id. */
const outside = (action: string, before: Snapshot | null) => (detail: string) => {
  const about = before ? resourceOf(action, before) : undefined
  const record = (ctx: Context) => recordDenial(ctx, action, about)
  return new Refusal('out_of_scope', detail, { record })
}

type Publication<T> = { name: string; object: T; changed: Changed<T> }

async function publish<T extends Snapshot>(
  ctx: WriteContext,
  { name, object, changed }: Publication<T>,
): Promise<void> {
  const { reason, isPrivate } = changed
  if (isPrivate) {
    const resource = { ...resourceOf(name, object), name: null }
    return recordIfRoom(ctx, { action: name, resource, reason })
  }
  const shown = transitionOf(changed)
  const resource = resourceOf(name, shown.after ?? shown.before ?? object)
  const changes = [...differences(shown.before, shown.after), ...redactedDifferences(changed)]
  await recordIfRoom(ctx, { action: name, resource, changes, reason })
  await announce(ctx, name, shown)
}

async function reactTo(
  ctx: WriteContext,
  name = '',
  { before, after, news }: Pick<Changed<Snapshot>, 'before' | 'after' | 'news'>,
): Promise<void> {
  for (const react of ctx.services.declared.reactions[name] ?? [])
    await react(whole(ctx), before, after, news)
}

const transitionOf = <T>({ before, after, toSnapshot = (object) => object }: Changed<T>) => ({
  before: before && toSnapshot(before),
  after: after && toSnapshot(after),
})

type Redacted = Pick<Changed<unknown>, 'before' | 'after' | 'redacted'>

const redactedDifferences = ({ before, after, redacted = [] }: Redacted): Difference[] =>
  redacted.map((field) => ({
    field,
    before: before === null ? null : '[redacted]',
    after: after === null ? null : '[redacted]',
  }))

/**
 * A write with an audit record and no event (logins, reveals, refusals). Pass `entry` as a function
 * when the record depends on the result.
 */
export const audited = <T>(
  ctx: Context,
  entry: AuditEntry | ((result: T) => AuditEntry),
  work: (ctx: WriteContext) => Promise<T>,
): Promise<T> =>
  inTransaction(ctx, async (ctx) => {
    const result = await work(ctx)
    await recordIfRoom(ctx, typeof entry === 'function' ? entry(result) : entry)
    return result
  })

async function recordIfRoom(ctx: WriteContext, entry: AuditEntry): Promise<void> {
  await checkStorage(ctx, entry)
  await record(ctx, entry)
}

/** Records in the audit log that the caller's role does not allow a write. */
export async function recordDenial(
  ctx: Context,
  action: string,
  about: { id: string | null; name: string | null } = { id: null, name: null },
): Promise<void> {
  if (ctx.dryRun) return
  const request = ctx.request && { ...ctx.request, status: 403 }
  const refused = { ...ctx, request, idempotency: null, faults: [] }
  const resource = { type: resourceTypeOf(action), id: about.id, name: about.name }
  await audited(refused, { action, outcome: 'denied', resource }, async () => {})
}

type Denial = { about?: { id: string; name: string } | undefined; required_roles: readonly Role[] }

/** 403 for what these roles may do; `about` goes to the audit log. */
class Denied extends Problem {
  readonly about: Denial['about']

  constructor(detail: string, { about, required_roles }: Denial) {
    super('insufficient_role', detail, { members: { required_roles } })
    this.about = about
  }
}

type Owned = { readonly role: string; readonly about?: { id: string; name: string } | undefined }

/** Only owners may manage what has the owner role; others get 403 with this `detail`. */
export function checkMayManage(ctx: Context, { role, about }: Owned, detail: string): void {
  if (role === 'owner' && ctx.role !== 'owner')
    throw new Denied(detail, { about, required_roles: ['owner'] })
}

type Authored = { readonly id: string; readonly name: string; readonly created_by: string | null }

const managers = ['owner', 'admin'] as const

/** Only authors, admins and owners may change it; others get 403 with this `detail`. */
export function checkAuthor(ctx: Context, about: Authored, detail: string): void {
  if (about.created_by === ctx.actor.id || hasRoleAmong(ctx, managers)) return
  throw new Denied(detail, { about, required_roles: managers })
}

/** Runs work that may be denied. The denial is recorded after the work's own rollback. */
export async function withDenials<T>(
  ctx: Context,
  action: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Denied) await recordDenial(ctx, action, error.about)
    throw error
  }
}
