import type { Row } from '../../../database/tables/tenant-tables.ts'
import type { Sender } from '../../../delivery/sending/send.ts'
import { signatureHeaders } from '../../../delivery/sending/signature.ts'
import { actAsSystem, type Context, nowText, type Services } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { sha256Hex } from '../../../values/canonical-json.ts'
import { version } from '../../../version.ts'
import { openReach } from '../channels/target.ts'
import { googleChatBody } from './bodies/google-chat.ts'
import { letterOf } from './bodies/letter.ts'
import type { Item } from './bodies/plain.ts'
import { slackBody } from './bodies/slack.ts'
import { teamsBody } from './bodies/teams.ts'
import { webhookBody } from './bodies/webhook.ts'
import { recordAttempt, recordFailure, recordMail, recordSuccess } from './outcome.ts'
import type { DueReceiver } from './send-due.ts'

export type DueMessage = Pick<
  Row<'notification_messages'>,
  'id' | 'type' | 'event_id' | 'content' | 'count' | 'attempts' | 'happened_at' | 'created_at'
>
type Channel = Row<'notification_channels'>

const mostTogether = 100

const messagesSql = (column: 'channel_id' | 'user_id') => `
  select id, type, event_id, content, count, attempts, happened_at, created_at
  from notification_messages
  where organization_id = $1 and ${column} = $2 and due_at <= $3 order by due_at, id limit $4`

const channelSql = 'select * from notification_channels where organization_id = $1 and id = $2'
const personSql = `
  select email from users where organization_id = $1 and id = $2 and not disabled`

type Sending = { sender: Sender; signal: AbortSignal }

/** Sends to one receiver what is due: a message each, or all in one where they are gathered. */
export async function sendTo(
  services: Services,
  { organization_id, channel_id, user_id }: DueReceiver,
  sending: Sending,
): Promise<void> {
  const ctx = await actAsSystem(services, organization_id, 'notifications')
  if (!ctx) return
  if (user_id !== null) return mailPerson(ctx, user_id)
  if (channel_id === null) return
  const [channel] = await ctx.reader.query<Channel>(tenantQuery(ctx, channelSql, channel_id))
  if (!channel) return
  const messages = await dueOf(ctx, 'channel_id', channel_id)
  if (channel.kind === 'email') return mailChannel(ctx, channel, messages)
  const together = channel.digest !== 'none' && messages.every(({ type }) => !isTest(type))
  const batches = together ? [messages] : messages.map((message) => [message])
  for (const batch of batches) {
    const goesOn = batch.length > 0 && (await post(ctx, channel, { batch, ...sending }))
    if (!goesOn) return
  }
}

const isTest = (type: string): boolean => type === 'notification_channel.test'

const dueOf = (ctx: Context, column: 'channel_id' | 'user_id', id: string) =>
  ctx.reader.query<DueMessage>(
    tenantQuery(ctx, messagesSql(column), id, nowText(ctx.services), mostTogether),
  )

const itemOf = ({ config }: Services, { content, count }: DueMessage): Item => ({
  notice: content,
  count,
  url: config.publicUrl ? `${config.publicUrl}/console${content.path ?? '/'}` : null,
})

async function mailPerson(ctx: Context, userId: string): Promise<void> {
  const messages = await dueOf(ctx, 'user_id', userId)
  const [person] = await ctx.reader.query<{ email: string }>(tenantQuery(ctx, personSql, userId))
  const why = 'You chose to be mailed about this; your account in the console has the settings.'
  await mail(ctx, person?.email ?? null, { messages, why })
}

function mailChannel(ctx: Context, channel: Channel, messages: DueMessage[]): Promise<void> {
  const { target } = openReach(ctx.services.crypto.cipher, channel)
  const why = 'An admin has this sent here; the settings of the organization have the channel.'
  return mail(ctx, target, { messages, why, channel })
}

type Mailing = { messages: DueMessage[]; why: string; channel?: Channel }

/** The mail waits in its queue from the same commit on that these are notified. */
async function mail(ctx: Context, to: string | null, { messages, why, channel }: Mailing) {
  if (messages.length === 0) return
  const items = messages.map((message) => itemOf(ctx.services, message))
  const letter = letterOf(items, { organization: ctx.organization.name, why })
  await recordMail(ctx, messages, { mail: to === null ? null : { to, letter }, channel })
}

/** Whether to go on with the next message. */
async function post(
  ctx: Context,
  channel: Channel,
  { batch, sender, signal }: Sending & { batch: DueMessage[] },
): Promise<boolean> {
  const { services } = ctx
  const { target: url, secret } = openReach(services.crypto.cipher, channel)
  // The same for a repeated attempt, so that a receiver can notify them from news.
  const id = `msg_${sha256Hex(batch.map((each) => `${each.id} ${each.count}`).join()).slice(0, 32)}`
  const body = JSON.stringify(bodyOf(ctx, channel, { batch, id }))
  const headers = { 'content-type': 'application/json', 'user-agent': userAgent }
  const timestamp = Math.floor(services.clock.now().getTime() / 1_000)
  const signed = secret ? signatureHeaders({ eventId: id, timestamp, body, secrets: [secret] }) : {}
  await recordAttempt(ctx, batch)
  const outcome = await sender.send({ url, headers: { ...headers, ...signed }, body }, signal)
  if (outcome.error?.kind === 'aborted') return false
  if (outcome.error === null) await recordSuccess(ctx, channel, batch)
  else await recordFailure(ctx, channel, { messages: batch, outcome })
  return outcome.error === null
}

const userAgent = `flightdeck-notifications/${version}`

function bodyOf(
  ctx: Context,
  { kind }: Channel,
  { batch, id }: { batch: DueMessage[]; id: string },
): object {
  const items = batch.map((message) => itemOf(ctx.services, message))
  switch (kind) {
    case 'slack':
      return slackBody(items)
    case 'teams':
      return teamsBody(items)
    case 'google_chat':
      return googleChatBody(items)
    default: {
      const messages = batch.map((each) => ({ ...each, item: itemOf(ctx.services, each) }))
      const [first] = batch
      const facts = { id, at: first?.created_at ?? '', organizationId: ctx.organization.id }
      return webhookBody(messages, facts)
    }
  }
}
