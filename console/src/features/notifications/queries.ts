import { queryOptions } from '@tanstack/react-query'
import { listKey } from '../../data/keys.ts'
import { listOptions } from '../../data/lists.ts'
import { queryOf, type Search } from '../../data/search.ts'
import { flightdeck, type Schema } from '../../flightdeck.ts'
import { sayTrouble } from '../../ui/layers/toast.tsx'

export type Settings = Schema<'NotificationSettings'>
export type Notification = Schema<'Notification'>

/** For changes that no event of the console's stream says. */
const laterMs = 60_000

/** How much in the inbox is unread. */
export const unreadQuery = queryOptions({
  queryKey: listKey('notifications', { unread: 'count' }),
  queryFn: async () => {
    const { meta } = await flightdeck.notifications.list({ limit: 1 })
    return meta.unread ?? 0
  },
  refetchInterval: laterMs,
})

export function notificationList(search: Search) {
  const query = queryOf(search, ['unread', 'category'])
  return listOptions(listKey('notifications', query), (cursor) =>
    flightdeck.notifications.list({ ...query, sort: '-updated_at', cursor, limit: 50 }),
  )
}

/** Nothing waits for it: what is shown is read again when it is done. */
export function markRead({ id, read_at }: Notification): void {
  if (read_at === null) void flightdeck.notifications.read(id).then(undefined, sayTrouble)
}

export const settingsQuery = queryOptions({
  queryKey: ['auth', 'notifications'],
  queryFn: async () => flightdeck.auth.getNotificationSettings(),
})
