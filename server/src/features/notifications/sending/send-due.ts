import { lazy } from '../../../concurrency/lazy.ts'
import { pause } from '../../../concurrency/wait.ts'
import type { Sender } from '../../../delivery/sending/send.ts'
import type { SingletonTask } from '../../../jobs/job.ts'
import { actAsSystem, nowText, type Services } from '../../../kernel/context.ts'
import { switchOff } from '../channels/update.ts'
import { sendTo } from './send-to.ts'

/** Sends what channels, and people by mail, are to be notified. */
export const messageSending: SingletonTask = {
  name: 'notifications.send',
  everyMs: 1_000,
  work: [
    {
      name: 'notification_messages',
      dueSince: 'select min(due_at) from notification_messages where due_at is not null',
    },
  ],
  run: sendDueMessages,
}

/** Receivers that are sent to at once, of all organizations and of one. */
const [mostAtOnce, mostOfOne] = [40, 5]

/** One with messages that are due. */
export type DueReceiver = {
  organization_id: string
  channel_id: string | null
  user_id: string | null
}

// Paused channels wait; a test goes out whatever the channel's state.
const dueSql = `
  select m.organization_id, m.channel_id, m.user_id
  from notification_messages m
  left join notification_channels c on c.organization_id = m.organization_id
    and c.id = m.channel_id
  where m.due_at <= $1 and (m.type = 'notification_channel.test' or c.id is null
    or c.status = 'enabled' and (c.paused_until is null or c.paused_until <= $1))
  group by m.organization_id, m.channel_id, m.user_id
  order by min(m.due_at) limit 500`

export async function sendDueMessages(services: Services, signal: AbortSignal): Promise<void> {
  await switchOffDead(services)
  const flights = new Map<string, Promise<void>>()
  const counts = new Map<string, number>()
  const sender = lazySender(services)
  try {
    do {
      const due = await dueReceivers(services)
      for (const each of due) start(each)
      if (flights.size > 0) await Promise.race([...flights.values(), pause(500, signal)])
    } while (flights.size > 0 && !signal.aborted)
  } finally {
    await Promise.allSettled(flights.values())
    sender.close()
  }

  /** One that hangs keeps no other waiting. */
  function start(receiver: DueReceiver): void {
    const { organization_id } = receiver
    const key = `${organization_id} ${receiver.channel_id ?? receiver.user_id}`
    const ofOne = counts.get(organization_id) ?? 0
    if (flights.has(key) || flights.size >= mostAtOnce || ofOne >= mostOfOne) return
    counts.set(organization_id, ofOne + 1)
    const flight = sendTo(services, receiver, { sender, signal })
      .catch((error: unknown) => services.observability.failures.note('notifications', error))
      .finally(() => {
        flights.delete(key)
        counts.set(organization_id, (counts.get(organization_id) ?? 1) - 1)
      })
    flights.set(key, flight)
  }
}

const dueReceivers = (services: Services): Promise<DueReceiver[]> =>
  services.database.reader.query<DueReceiver>({
    sql: dueSql,
    parameters: [nowText(services)],
    ofAll: true,
  })

/** The HTTP client takes 30 MB, so the first message loads it. */
function lazySender({ config, egress: { ownAddresses } }: Services): Sender {
  const opened = lazy(async () => {
    const { openSender } = await import('../../../delivery/sending/send.ts')
    return openSender({ allowed: config.egressAllow, own: ownAddresses })
  })
  return {
    send: async (request, signal) => (await opened()).send(request, signal),
    close: () => void opened.ifMade()?.then((sender) => sender.close()),
  }
}

const deadMs = 24 * 60 * 60 * 1_000

const deadSql = `
  select organization_id, id from notification_channels
  where status = 'enabled' and failing_since <= $1 limit 100`

/** Switches off what has failed for a day. */
async function switchOffDead(services: Services): Promise<void> {
  const before = new Date(Date.parse(nowText(services)) - deadMs).toISOString()
  const statement = { sql: deadSql, parameters: [before], ofAll: true } as const
  const dead = await services.database.reader.query<{ organization_id: string; id: string }>(
    statement,
  )
  for (const { organization_id, id } of dead) {
    const ctx = await actAsSystem(services, organization_id, 'notifications')
    if (ctx) await switchOff(ctx, id, 'failing')
  }
}
