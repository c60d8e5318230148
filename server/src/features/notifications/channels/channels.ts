import { newSecret } from '../../../crypto/new-secret.ts'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import { eventFaults } from '../../../delivery/target.ts'
import { change } from '../../../kernel/change.ts'
import type { Context, WriteContext } from '../../../kernel/context.ts'
import { checkCap } from '../../../kernel/quotas.ts'
import { findOne, firstStamps, insert, oneOf, oneToChange, remove } from '../../../kernel/rows.ts'
import { showOnce } from '../../../kernel/shown-once.ts'
import type { Fault } from '../../../problems/fault.ts'
import { checkFaults, invalidReference } from '../../../problems/problem.ts'
import { anyOf, commonFilters } from '../../../query/filters.ts'
import { type ListShape, type Page, pageOf, type Query } from '../../../query/list.ts'
import { byWordsOfName } from '../../../query/search/search.ts'
import { byName } from '../../../query/sorting.ts'
import { newId } from '../../../values/ids.ts'
import { cap, channelIds, kinds } from '../resource.ts'
import type { ChannelInput, CreatedNotificationChannel, NotificationChannel } from './schema.ts'
import { resolvedFaults, sealReach, shownTarget, storedTarget, targetFaults } from './target.ts'

export const channelList: ListShape<'notification_channels'> = {
  table: 'notification_channels',
  filters: {
    ...byWordsOfName,
    kind: anyOf('kind', { allowed: kinds }),
    status: anyOf('status', { allowed: ['enabled', 'disabled'] }),
    ...commonFilters,
  },
  sorts: ['created_at', 'updated_at', byName],
  wide: ['content', 'events', 'filter'],
}

export const listChannels = (ctx: Context, query: Query): Promise<Page<NotificationChannel>> =>
  pageOf(ctx, { list: channelList, query, present: toChannel })

export async function getChannel(ctx: Context, id: string): Promise<NotificationChannel> {
  return toChannel(await oneOf(ctx, 'notification_channels', id))
}

/** The name is resolved before the transaction, which must not wait for the network. */
export async function createChannel(
  ctx: Context,
  body: ChannelInput,
): Promise<CreatedNotificationChannel> {
  const { kind = 'webhook', target = '' } = body
  const refused = await resolvedFaults(kind, target, ctx.services)
  const secret = kind === 'webhook' ? newSecret() : null
  return showOnce(ctx, async (ctx) => ({
    kept: await addChannel(ctx, body, { secret, refused }),
    shown: { secret },
  }))
}

type Adding = { secret: string | null; refused: readonly Fault[] }

const addChannel = (
  ctx: WriteContext,
  body: ChannelInput,
  { secret, refused }: Adding,
): Promise<NotificationChannel> =>
  change(ctx, 'notification_channel.created', async (ctx) => {
    const { kind, name, target, events, filter = null, digest = 'none' } = body
    const { eventTypes } = ctx.services.declared
    checkFaults(ctx, [
      ...refused,
      ...targetFaults(kind, target ?? '', ctx.services),
      ...eventFaults(events ?? [], eventTypes),
      ...(await filterFaults(ctx, filter)),
    ])
    await checkCap(ctx, cap)
    const id = newId(channelIds)
    const reach = { target: storedTarget(kind, target), secret }
    const row = {
      ...{ id, kind, name, events, filter, digest },
      shown_target: shownTarget(kind, reach.target),
      content: sealReach(ctx.services.crypto.cipher, id, reach),
      status: 'enabled' as const,
      disabled_reason: null,
      last_success_at: null,
      last_failure_at: null,
      last_error: null,
      ...noFailures,
      ...firstStamps(ctx),
    }
    insert(ctx, 'notification_channels', { ...row, filter: filter && JSON.stringify(filter) })
    return { before: null, after: toChannel(row) }
  })

export const noFailures = { consecutive_failures: 0, failing_since: null, paused_until: null }

export async function filterFaults(
  ctx: Context,
  filter: NotificationChannel['filter'],
): Promise<Fault[]> {
  const { client_id, profile_id } = filter ?? {}
  const [client, profile] = await Promise.all([
    client_id === undefined ? true : findOne(ctx, 'clients', client_id),
    profile_id === undefined ? true : findOne(ctx, 'profiles', profile_id),
  ])
  return [
    ...(client ? [] : [invalidReference('/filter/client_id', client_id)]),
    ...(profile ? [] : [invalidReference('/filter/profile_id', profile_id)]),
  ]
}

/** Deletes its messages with it. */
export async function deleteChannel(ctx: Context, id: string): Promise<void> {
  await change(ctx, 'notification_channel.deleted', async (ctx) => {
    const before = toChannel(await oneToChange(ctx, 'notification_channels', id))
    remove(ctx, 'notification_channels', id)
    return { before, after: null }
  })
}

type ChannelRow = Omit<
  Row<'notification_channels'>,
  'organization_id' | 'name_folded' | 'plain_name_folded' | 'sealed_under'
>

export const toChannel = (row: ChannelRow): NotificationChannel => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  target: row.shown_target,
  events: row.events,
  filter: row.filter,
  digest: row.digest,
  status: row.status,
  disabled_reason: row.disabled_reason,
  last_success_at: row.last_success_at,
  last_failure_at: row.last_failure_at,
  last_error: row.last_error,
  consecutive_failures: row.consecutive_failures,
  version: row.version,
  created_at: row.created_at,
  updated_at: row.updated_at,
  created_by: row.created_by,
  updated_by: row.updated_by,
})
