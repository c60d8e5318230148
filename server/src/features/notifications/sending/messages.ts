import { randomUUID } from 'node:crypto'
import type { Transaction } from '../../../database/database.ts'
import type { Notice } from '../../../database/tables/json-columns.ts'
import { insertStatements } from '../../../database/tables/statements.ts'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import type { Context } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { type Digest, dueAt } from './due-times.ts'

/** A channel, or a person who is mailed. */
export type Receiver = {
  readonly channelId: string | null
  readonly userId: string | null
  readonly digest: Digest
  /** Set for mails, which are sent together if they follow each other fast. */
  readonly isMail: boolean
}

/** One thing that one receiver is to be notified. */
export type Message = {
  readonly receiver: Receiver
  readonly type: string
  readonly eventId: string
  readonly at: string
  readonly notice: Notice
}

/** Repeats within this time are gathered. */
const gatheredMs = 60 * 60 * 1_000
/** Mails to one receiver are at least this far apart. */
const mailPauseMs = 5 * 60 * 1_000
/** The most that waits for one receiver: what is more is not notified. */
const mostWaiting = 1_000

type WaitingRow = Pick<
  Row<'notification_messages'>,
  | ('id' | 'channel_id' | 'user_id' | 'type' | 'object_id' | 'count')
  | ('created_at' | 'due_at' | 'sent_at')
>

const knownSql = `
  select id, channel_id, user_id, type, object_id, count, created_at, due_at, sent_at
  from notification_messages
  where organization_id = $1 and (channel_id = any($2) or user_id = any($3))
    and (due_at is not null or sent_at > $4)`

const repeatSql = `
  update notification_messages m set count = r.count, happened_at = r.at, content = r.content,
    due_at = r.due
  from unnest($2::text[], $3::integer[], $4::timestamptz[], $5::jsonb[], $6::timestamptz[])
    as r (id, count, at, content, due)
  where m.organization_id = $1 and m.id = r.id`

/** Adds to what waits; what was notified within the hour is notified again at its end, with the count. */
export async function enqueue(
  ctx: Context,
  tx: Transaction,
  messages: readonly Message[],
): Promise<void> {
  if (messages.length === 0) return
  const now = ctx.services.clock.now()
  const ids = (of: 'channelId' | 'userId') => [
    ...new Set(messages.flatMap(({ receiver }) => receiver[of] ?? [])),
  ]
  const oldest = new Date(now.getTime() - gatheredMs).toISOString()
  const known = tenantQuery(ctx, knownSql, ids('channelId'), ids('userId'), oldest)
  const waiting = await tx.query<WaitingRow>(known)
  const { added, repeated } = gathered(ctx, { waiting, messages, now })
  for (const statement of insertStatements('notification_messages', added)) tx.send(statement)
  if (repeated.length > 0) tx.send(tenantQuery(ctx, repeatSql, ...columnsOf(repeated)))
}

type Gathering = { waiting: readonly WaitingRow[]; messages: readonly Message[]; now: Date }
type Repeated = readonly [string, number, string, string, string]
type Added = WaitingRow & { content: string; happened_at: string }

function gathered(ctx: Context, { waiting, messages, now }: Gathering) {
  const rows = new Map(waiting.map((row) => [keyOf(row), row]))
  const all = [...waiting]
  const [added, repeated] = [new Map<string, Added>(), new Map<string, Repeated>()]
  for (const message of messages) {
    const { receiver, type, notice, at } = message
    const receiverIds = { channel_id: receiver.channelId, user_id: receiver.userId }
    const thing = { ...receiverIds, type, object_id: notice.object.id }
    const before = rows.get(keyOf(thing))
    const content = JSON.stringify(notice)
    if (before) {
      const row = again(before)
      rows.set(keyOf(row), row)
      const first = added.get(row.id)
      if (first) added.set(row.id, { ...first, ...row, content, happened_at: at })
      else repeated.set(row.id, [row.id, row.count, at, content, row.due_at ?? at])
      continue
    }
    const own = all.filter((each) => isOf(each, receiver))
    if (own.filter(({ due_at }) => due_at !== null).length >= mostWaiting) continue
    const due_at = dueFor(receiver, own, { now, timeZone: ctx.organization.timeZone }).toISOString()
    const created_at = now.toISOString()
    const row = { id: randomUUID(), ...thing, count: 1, created_at, due_at, sent_at: null }
    all.push(row)
    rows.set(keyOf(row), row)
    added.set(row.id, newRow(ctx, message, { ...row, content, happened_at: at }))
  }
  return { added: [...added.values()], repeated: [...repeated.values()] }
}

const keyOf = (row: Pick<WaitingRow, 'channel_id' | 'user_id' | 'type' | 'object_id'>): string =>
  [row.channel_id, row.user_id, row.type, row.object_id].join(' ')

const isOf = (row: WaitingRow, { channelId, userId }: Receiver): boolean =>
  row.channel_id === channelId && row.user_id === userId

/** Repeats of what was sent wait for the end of the hour. */
const again = (row: WaitingRow): WaitingRow => ({
  ...row,
  count: row.count + 1,
  due_at:
    row.due_at ?? new Date(Date.parse(row.sent_at ?? row.created_at) + gatheredMs).toISOString(),
})

type Planning = { now: Date; timeZone: string }

function dueFor(receiver: Receiver, own: readonly WaitingRow[], { now, timeZone }: Planning): Date {
  const due = dueAt(receiver.digest, now, timeZone)
  if (!receiver.isMail || receiver.digest !== 'none') return due
  const sent = own.flatMap(({ sent_at }) => (sent_at === null ? [] : Date.parse(sent_at)))
  return new Date(Math.max(due.getTime(), ...sent.map((at) => at + mailPauseMs)))
}

const newRow = ({ organization }: Context, { eventId }: Message, row: Added) => ({
  organization_id: organization.id,
  ...row,
  event_id: eventId,
  attempts: 0,
})

const columnsOf = (rows: readonly Repeated[]): unknown[][] =>
  [0, 1, 2, 3, 4].map((at) => rows.map((row) => row[at]))
