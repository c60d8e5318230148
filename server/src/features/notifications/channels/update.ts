import type { Row } from '../../../database/tables/tenant-tables.ts'
import { eventFaults } from '../../../delivery/target.ts'
import { change } from '../../../kernel/change.ts'
import type { Context, WriteContext } from '../../../kernel/context.ts'
import { readOnlyFaults } from '../../../kernel/people.ts'
import { findOne, nextStamps, oneOf, oneToChange, update } from '../../../kernel/rows.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { inTransaction } from '../../../kernel/transaction.ts'
import type { Fault } from '../../../problems/fault.ts'
import { checkFaults } from '../../../problems/problem.ts'
import { changedFields } from '../../../schema/changed-fields.ts'
import { patched } from '../../../schema/merge-patch.ts'
import type { Actor } from '../../../values/organization.ts'
import type { ChannelKind } from '../resource.ts'
import { filterFaults, noFailures, toChannel } from './channels.ts'
import { type ChannelChanges, type NotificationChannel, readOnlyFields } from './schema.ts'
import {
  openReach,
  resolvedFaults,
  sealReach,
  shownTarget,
  storedTarget,
  targetFaults,
} from './target.ts'

/** Counted as messages go out, without a new version. */
const counted = ['last_success_at', 'last_failure_at', 'last_error', 'consecutive_failures']
const fixed = readOnlyFields.filter((field) => !counted.includes(field))

/** The name is resolved before the transaction, which must not wait for the network. */
export async function updateChannel(
  ctx: Context,
  id: string,
  changes: ChannelChanges,
): Promise<NotificationChannel> {
  const { kind } = await oneOf(ctx, 'notification_channels', id)
  const refused = changes.target ? await resolvedFaults(kind, changes.target, ctx.services) : []
  return change(ctx, 'notification_channel.updated', async (ctx) => {
    const row = await oneToChange(ctx, 'notification_channels', id)
    const before = toChannel(row)
    const { body, faults } = patched(ctx, before, changes)
    const { name, events, filter, digest, status } = { ...before, ...body }
    // The target as answers show it, sent back, changes nothing.
    const given = body.target === before.target ? undefined : body.target
    checkFaults(ctx, [
      ...faults,
      ...faultsOf(ctx, kind, given),
      ...(given === undefined ? [] : refused),
      ...eventFaults(events, ctx.services.declared.eventTypes),
      ...(await filterFaults(ctx, filter)),
      ...(await readOnlyFaults(ctx, { before, body, readOnly: fixed })),
    ])
    const moved = movedTo(ctx, row, given)
    const target = moved?.shown_target ?? row.shown_target
    const set = { name, events, filter, digest, status, target }
    if (!moved && changedFields<typeof set>(before, set).length === 0)
      return { before, after: before }
    const next = {
      ...{ name, events, filter, digest, status, ...moved },
      ...freshFor(row, { status, isMoved: moved !== undefined }),
      ...nextStamps(ctx, row),
    }
    write(ctx, id, next)
    if (status === 'disabled') dropMessages(ctx, id)
    const after = toChannel({ ...row, ...next })
    return { before, after, redacted: moved && target === before.target ? ['target'] : [] }
  })
}

type ChannelRow = Row<'notification_channels'>

const faultsOf = (ctx: WriteContext, kind: ChannelKind, target: string | undefined): Fault[] =>
  target === undefined ? [] : targetFaults(kind, target, ctx.services)

/** Columns that begin anew with another target, or when it is switched on or off. */
function freshFor(row: ChannelRow, { status, isMoved }: { status: string; isMoved: boolean }) {
  const reason = status === 'disabled' ? 'manual' : null
  if (status !== row.status) return { disabled_reason: reason, ...noFailures }
  return isMoved ? noFailures : {}
}

/** The columns of another target; undefined where it is the same. */
function movedTo({ services }: WriteContext, row: ChannelRow, given: string | undefined) {
  if (given === undefined) return undefined
  const { cipher } = services.crypto
  const reach = openReach(cipher, row)
  const target = storedTarget(row.kind, given)
  if (target === reach.target) return undefined
  const content = sealReach(cipher, row.id, { ...reach, target })
  return { content, shown_target: shownTarget(row.kind, target) }
}

function write(ctx: WriteContext, id: string, next: { filter: NotificationChannel['filter'] }) {
  const filter = next.filter && JSON.stringify(next.filter)
  update(ctx, 'notification_channels', { id, ...next, filter })
}

const dropSql = 'delete from notification_messages where organization_id = $1 and channel_id = $2'

const dropMessages = (ctx: WriteContext, id: string): void =>
  ctx.tx.send(tenantQuery(ctx, dropSql, id))

const teller: Actor = { type: 'system', id: null, name: 'notifications' }

/** Switches off what takes nothing, once; its waiting messages go. */
export const switchOff = (ctx: Context, id: string, reason: 'gone' | 'failing'): Promise<void> =>
  inTransaction({ ...ctx, actor: teller }, async (ctx) => {
    const row = await findOne(ctx, 'notification_channels', id)
    if (row?.status !== 'enabled' || (reason === 'failing' && row.failing_since === null)) return
    await change(ctx, 'notification_channel.disabled', async (ctx) => {
      const next = { status: 'disabled' as const, disabled_reason: reason, ...nextStamps(ctx, row) }
      update(ctx, 'notification_channels', { id, ...next })
      dropMessages(ctx, id)
      return { before: toChannel(row), after: toChannel({ ...row, ...next }) }
    })
  })
