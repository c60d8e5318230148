import { queryOptions } from '@tanstack/react-query'
import { cache } from '../../data/cache.ts'
import { listKey, objectKey } from '../../data/keys.ts'
import { listOptions } from '../../data/lists.ts'
import { queryOf, type Search } from '../../data/search.ts'
import { flightdeck, type Schema } from '../../flightdeck.ts'

export type Channel = Schema<'NotificationChannel'>

/** There are no events of what channels take. */
const rereadMs = 15_000

export function channelList(search: Search) {
  const query = queryOf(search, ['q', 'kind', 'status', 'sort'])
  const options = listOptions(listKey('notification_channels', query), (cursor) =>
    flightdeck.notificationChannels.list({ ...query, cursor, limit: 50 }),
  )
  return { ...options, refetchInterval: rereadMs }
}

export const channelQuery = (id: string) =>
  queryOptions({
    queryKey: objectKey('notification_channels', id),
    queryFn: async () => flightdeck.notificationChannels.get(id),
    refetchInterval: rereadMs,
  })

const askAgainMs = 1_000
const mostAsked = 20

/** Sends a test, and waits for what comes of it; null if that is not known by then. */
export async function testChannel(id: string): Promise<Channel | null> {
  const before = await flightdeck.notificationChannels.test(id)
  for (let asked = 0; asked < mostAsked; asked += 1) {
    await new Promise((done) => setTimeout(done, askAgainMs))
    const channel = await cache.fetchQuery({ ...channelQuery(id), staleTime: 0 })
    const isSame =
      channel.last_success_at === before.last_success_at &&
      channel.last_failure_at === before.last_failure_at
    if (!isSame) return channel
  }
  return null
}
