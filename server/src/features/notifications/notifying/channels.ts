import type { Row } from '../../../database/tables/tenant-tables.ts'
import type { Context } from '../../../kernel/context.ts'
import type { LedgerEvent } from '../../../kernel/ledger.ts'
import { isSubscribed } from '../../../kernel/outbox.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import type { Fields } from '../../../schema/differences.ts'

/** A channel that is notified something. */
export type Channel = Pick<
  Row<'notification_channels'>,
  'id' | 'kind' | 'events' | 'filter' | 'digest'
>

const channelsSql = `
  select id, kind, events, filter, digest from notification_channels
  where organization_id = $1 and status = 'enabled'`

export const channelsOf = (ctx: Context): Promise<Channel[]> =>
  ctx.reader.query<Channel>(tenantQuery(ctx, channelsSql))

const operationsSql = `
  select change_set_id as set_id, object_id as id from change_set_operations
  where organization_id = $1 and change_set_id = any($2) and object_id is not null`

const campaignsSql = `
  select c.id, c.labels || p.labels as labels, p.id as profile_id, p.client_id, p.platform
  from campaigns c
  join profiles p on p.organization_id = c.organization_id and p.id = c.profile_id
  where c.organization_id = $1 and c.id = any($2)`

const profilesSql = `
  select id, labels, id as profile_id, client_id, platform from profiles
  where organization_id = $1 and id = any($2)`

const clientsSql = `
  select id, labels, null as profile_id, id as client_id, null as platform from clients
  where organization_id = $1 and id = any($2)`

type FactsRow = {
  id: string
  labels: string[]
  profile_id: string | null
  client_id: string | null
  platform: string | null
}

export type IsNotified = (channel: Channel, event: LedgerEvent) => boolean

/** Whether channels are notified of these events. What they are about is only read where a filter asks. */
export async function judgeChannels(
  ctx: Context,
  channels: readonly Channel[],
  events: readonly LedgerEvent[],
): Promise<IsNotified> {
  const isFiltered = channels.some(({ filter }) => filter !== null)
  const facts = isFiltered ? await factsOf(ctx, events) : new Map<string, readonly FactsRow[]>()
  return (channel, event) =>
    isSubscribed(channel.events, event.type) &&
    event.data.object.id !== channel.id &&
    (channel.filter === null || fits(channel.filter, facts.get(event.id) ?? []))
}

const fits = (filter: NonNullable<Channel['filter']>, facts: readonly FactsRow[]): boolean =>
  facts.some(
    ({ client_id, profile_id, labels, platform }) =>
      (filter.client_id ?? client_id) === client_id &&
      (filter.profile_id ?? profile_id) === profile_id &&
      (filter.platform ?? platform) === platform &&
      (filter.label === undefined || labels.includes(filter.label)),
  )

/** The rows that each event is about, by its id. A change set is about all that it changes. */
async function factsOf(
  ctx: Context,
  events: readonly LedgerEvent[],
): Promise<ReadonlyMap<string, readonly FactsRow[]>> {
  const about = new Map(events.map((event) => [event.id, idsIn(event.data.object)]))
  const ids = [...new Set([...about.values()].flat())]
  const read = <Found extends object>(sql: string, asked: readonly string[]) =>
    ctx.reader.query<Found>(tenantQuery(ctx, sql, asked))
  const operations = await read<{ set_id: string; id: string }>(operationsSql, ids)
  const all = [...new Set([...ids, ...operations.map(({ id }) => id)])]
  const found = await Promise.all(
    [campaignsSql, profilesSql, clientsSql].map((sql) => read<FactsRow>(sql, all)),
  )
  const rows = Map.groupBy(found.flat(), ({ id }) => id)
  const inSet = Map.groupBy(operations, ({ set_id }) => set_id)
  return new Map(
    [...about].map(([eventId, own]) => {
      const changed = own.flatMap((id) => inSet.get(id) ?? []).map(({ id }) => id)
      return [eventId, [...own, ...changed].flatMap((id) => rows.get(id) ?? [])]
    }),
  )
}

/** The campaign before its profile before its client: the first that is there says most. */
function idsIn(object: Fields): string[] {
  const ids = [object.campaign_id, object.id, object.profile_id, object.client_id]
  return ids.filter((id) => typeof id === 'string').slice(0, 2)
}
