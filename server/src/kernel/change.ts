import { Problem } from '../problems/problem.ts'
import type { Context, WriteContext } from './context.ts'
import { type Difference, differences } from './differences.ts'
import { resourceTypeOf } from './event-types.ts'
import { type AuditEntry, announce, record, resourceOf, type Snapshot } from './ledger.ts'
import { inTransaction } from './transaction.ts'

/** What a change did. The same object before and after: nothing, and so nothing is told. */
export type Changed<T> = {
  before: T | null
  after: T | null
  /** When the change decides only inside which of several it is. */
  action?: string
  /** Changed fields that stand in no snapshot: the audit log tells that they did, not how. */
  redacted?: readonly string[]
  /** The object as the audit log and the event show it, where that is less than the API does. */
  told?: (object: T) => T
  /** Why, where the request says it elsewhere than in `X-Audit-Reason`. */
  reason?: string | null
}

/**
 * The only door to writing. Opens a transaction (or joins the one it is in), runs `work`, and commits
 * its rows together with one audit record, one event and, for an idempotent request, the reply: all
 * or nothing. Returns the object after the change.
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
    if (ctx.dryRun) ctx.dryRun.object ??= object
    if (before === after) return object
    const name = changed.action ?? action
    const shown = transitionOf(changed)
    const changes = [...differences(shown.before, shown.after), ...concealed(changed)]
    const { reason } = changed
    await record(ctx, { action: name, resource: resourceOf(name, object), changes, reason })
    await announce(ctx, name, shown)
    for (const react of ctx.services.reactions[name] ?? []) await react(ctx, before, after)
    return object
  })

const transitionOf = <T>({ before, after, told = (object) => object }: Changed<T>) => ({
  before: before && told(before),
  after: after && told(after),
})

type Concealed = Pick<Changed<unknown>, 'before' | 'after' | 'redacted'>

const concealed = ({ before, after, redacted = [] }: Concealed): Difference[] =>
  redacted.map((field) => ({
    field,
    before: before === null ? null : '[redacted]',
    after: after === null ? null : '[redacted]',
  }))

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

/** What only owners may do: 403, and the audit log tells what it was about. */
class Denied extends Problem {
  readonly about: { id: string; name: string } | undefined

  constructor(detail: string, about?: { id: string; name: string }) {
    super('insufficient_role', detail, { members: { required_roles: ['owner'] } })
    this.about = about
  }
}

type Owned = { readonly role: string; readonly about?: { id: string; name: string } | undefined }

/** Of what has an owner's rights, whom or what it may be: `detail` tells who is not an owner. */
export function checkMayManage(ctx: Context, { role, about }: Owned, detail: string): void {
  if (role === 'owner' && ctx.role !== 'owner') throw new Denied(detail, about)
}

/** Runs work that may be denied. The record of that is no part of what the work would write. */
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
