import type { Transaction } from '../../../database/database.ts'
import type { SingletonTask } from '../../../jobs/job.ts'
import { actAsSystem, type Context, nowText, type Services } from '../../../kernel/context.ts'
import type { EventTypes } from '../../../kernel/event-types.ts'
import type { LedgerEvent } from '../../../kernel/ledger.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { hasMail } from '../../../mail/post.ts'
import { eventIds } from '../../../values/core-ids.ts'
import { firstIdAt } from '../../../values/ids.ts'
import { writeBeside } from '../beside.ts'
import { type Readable, readableOf } from '../readable.ts'
import { enqueue, type Message } from '../sending/messages.ts'
import { unseenOf } from './changed.ts'
import { channelsOf, judgeChannels } from './channels.ts'
import { noticeOf } from './notice.ts'
import { mostAtOnce, organizationsBehind, passOver } from './organizations-due.ts'
import { isFor, peopleOf, personBehind, type Recipient, seenByScope } from './people.ts'
import { reasonsOf } from './reasons.ts'
import { isNotifiedOf, type Rule, ruleOf } from './rules.ts'
import { type Notified, notify } from './store.ts'

/** Notifies people of what has happened, from the events of each organization, in their order. */
export function gatheringOf(eventTypes: readonly EventTypes[]): SingletonTask {
  const readable = readableOf(eventTypes)
  return {
    name: 'notifications.gather',
    everyMs: 1_000,
    work: [{ name: 'notifications', dueSince: pendingSql }],
    run: (services, signal) => gatherAll(services, { readable, signal }),
  }
}

// Heads and cursors are a row for each organization; at most one event of each is looked up.
const pendingSql = `
  select min(e.occurred_at) from organization_heads h
  join notification_cursors c on c.organization_id = h.organization_id
    and c.sequence < h.event_sequence
  join events e on e.organization_id = h.organization_id and e.sequence = c.sequence + 1`

const maxEvents = 200

type Gathering = { readable: Readable; signal: AbortSignal }

async function gatherAll(services: Services, { readable, signal }: Gathering): Promise<void> {
  const changes = unseenOf(services)
  const changed = changes.take()
  if (changed?.length === 0) return
  try {
    if (!(await passesOver(services, changed))) changes.addAll()
    for (let goesOn = true; goesOn && !signal.aborted; ) {
      const behind = await organizationsBehind(services, changed)
      const failed = await gatherEach(services, behind, { readable, signal })
      for (const id of failed) changes.add(id)
      goesOn = behind.length === mostAtOnce && failed.length === 0
    }
  } catch (error) {
    changes.addAll()
    throw error
  }
  if (signal.aborted) changes.addAll()
}

/** Whether it could: a machine of the database may be lost, and organizations of others are notified one by one. */
const passesOver = (services: Services, changed: readonly string[] | null): Promise<boolean> =>
  passOver(services, changed).then(
    () => true,
    (error) => {
      services.observability.failures.note('notifications', error)
      return false
    },
  )

/** Answers those that could not be notified. */
async function gatherEach(
  services: Services,
  organizations: readonly { id: string }[],
  { readable, signal }: Gathering,
): Promise<string[]> {
  const failed: string[] = []
  for (const { id } of organizations) {
    if (signal.aborted || !(await gatherOf(services, id, readable))) failed.push(id)
  }
  return failed
}

/**
 * Notifies what the organization's people do not know yet, and says whether that is done: a fault in
 * one keeps no other waiting.
 */
export async function gatherOf(
  services: Services,
  organizationId: string,
  readable: Readable,
): Promise<boolean> {
  try {
    const ctx = await actAsSystem(services, organizationId, 'notifications')
    for (let goesOn = ctx !== undefined; ctx && goesOn; ) goesOn = await gatherSome(ctx, readable)
    return true
  } catch (error) {
    services.observability.failures.note('notifications', error)
    return false
  }
}

const cursorSql = 'select sequence from notification_cursors where organization_id = $1'

const eventsSql = `
  select sequence, type, body from events where organization_id = $1 and sequence > $2
  order by sequence limit ${maxEvents}`

type EventRow = { sequence: number; type: string; body: string }

/** Whether there may be more. Events that are gone by now are passed over. */
async function gatherSome(ctx: Context, readable: Readable): Promise<boolean> {
  const [cursor] = await ctx.reader.query<{ sequence: number }>(tenantQuery(ctx, cursorSql))
  if (!cursor) return begin(ctx)
  const rows = await ctx.reader.query<EventRow>(tenantQuery(ctx, eventsSql, cursor.sequence))
  const last = rows.at(-1)
  if (!last) return false
  const events = rows.map(({ body }): LedgerEvent => JSON.parse(body))
  const { notified, mails } = await allNotified(ctx, rows, readable)
  const messages = [...(await channelMessages(ctx, events)), ...mails]
  const moved = { from: cursor.sequence, to: last.sequence }
  await writeBeside(ctx, async (tx) => {
    if (!(await moveCursor(ctx, tx, moved))) return
    await notify(ctx, tx, notified)
    await enqueue(ctx, tx, messages)
  })
  return rows.length === maxEvents
}

const recentMs = 60 * 60 * 1_000

const beginSql = `
  insert into notification_cursors (organization_id, sequence)
  select $1, coalesce(
    (select min(sequence) - 1 from events where organization_id = $1 and id >= $2),
    (select event_sequence from organization_heads where organization_id = $1), 0)
  on conflict do nothing`

/** An organization is notified of the last hour, and of nothing that is older than this feature. */
async function begin(ctx: Context): Promise<boolean> {
  const since = new Date(Date.parse(nowText(ctx.services)) - recentMs)
  const started = tenantQuery(ctx, beginSql, firstIdAt(eventIds, since))
  await writeBeside(ctx, async (tx) => tx.send(started))
  return true
}

const moveSql = `
  update notification_cursors set sequence = $3 where organization_id = $1 and sequence = $2
  returning sequence`

/** Whether no one else has notified this meanwhile. */
async function moveCursor(
  ctx: Context,
  tx: Transaction,
  { from, to }: { from: number; to: number },
): Promise<boolean> {
  return (await tx.write(tenantQuery(ctx, moveSql, from, to))).length === 1
}

type Cause = { sequence: number; event: LedgerEvent; rule: Rule }

async function allNotified(
  ctx: Context,
  rows: readonly EventRow[],
  readable: Readable,
): Promise<{ notified: Notified[]; mails: Message[] }> {
  const causes = rows.filter(({ type }) => isNotifiedOf(type)).flatMap(causeOf)
  if (causes.length === 0) return { notified: [], mails: [] }
  const people = await peopleOf(ctx)
  const behind = await personBehind(
    ctx,
    causes.flatMap(({ event, rule }) => [event.actor.id, ...idsIn(rule)]),
  )
  const sequences = causes.map(({ sequence }) => sequence)
  const isSeen = await seenByScope(ctx, people, sequences)
  const approvers = await approverRoles(ctx, causes)
  const reasonFor = await reasonsOf(
    ctx,
    causes.map(({ event }) => event),
  )
  const all = causes.flatMap(({ sequence, event, rule }) => {
    const asked = { rule: withRoles(rule, approvers), event, behind, permissions: readable }
    const notice = noticeOf(event, reasonFor(event))
    return people
      .filter((person) => isFor(person, asked) && isSeen(person, sequence))
      .map((person) => ({ person, notified: notifiedTo(person, { event, rule, notice }) }))
  })
  const mailed = all.filter(({ person, notified }) => person.settings[notified.category] === 'mail')
  return {
    notified: all.map(({ notified }) => notified),
    mails: hasMail(ctx.services)
      ? mailed.map(({ person, notified }) => mailOf(person, notified))
      : [],
  }
}

const mailOf = ({ id, settings }: Recipient, notified: Notified): Message => ({
  receiver: { channelId: null, userId: id, digest: settings.digest, isMail: true },
  type: notified.type,
  eventId: notified.eventId,
  at: notified.at,
  notice: notified.notice,
})

/** Messages to the organization's channels about these events. */
async function channelMessages(ctx: Context, events: readonly LedgerEvent[]): Promise<Message[]> {
  const channels = await channelsOf(ctx)
  if (channels.length === 0) return []
  const isNotified = await judgeChannels(ctx, channels, events)
  const wanted = events.filter((event) => channels.some((channel) => isNotified(channel, event)))
  const reasonFor = await reasonsOf(ctx, wanted)
  return wanted.flatMap((event) =>
    channels
      .filter((channel) => isNotified(channel, event))
      .map(({ id, kind, digest }) => ({
        receiver: { channelId: id, userId: null, digest, isMail: kind === 'email' },
        type: event.type,
        eventId: event.id,
        at: event.timestamp,
        notice: noticeOf(event, reasonFor(event)),
      })),
  )
}

function causeOf({ sequence, body }: EventRow): Cause[] {
  const event: LedgerEvent = JSON.parse(body)
  const rule = ruleOf(event)
  return rule ? [{ sequence, event, rule }] : []
}

function idsIn(rule: Rule): (string | null)[] {
  if (rule.to === 'author') return [rule.id]
  if (rule.to === 'approvers') return [rule.but]
  return rule.to === 'managers' ? [rule.and] : []
}

type Notifying = { event: LedgerEvent; rule: Rule; notice: Notified['notice'] }

const notifiedTo = ({ id }: Recipient, { event, rule, notice }: Notifying): Notified => ({
  userId: id,
  category: rule.category,
  type: event.type,
  eventId: event.id,
  at: event.timestamp,
  notice,
})

const rulesSql = `select rules -> 'approver_roles' as roles from guardrails where organization_id = $1`

/** Roles that approve campaigns, as the organization decides at present. */
async function approverRoles(ctx: Context, causes: readonly Cause[]): Promise<readonly string[]> {
  const isAsked = causes.some(({ rule }) => rule.to === 'approvers' && rule.roles === null)
  if (!isAsked) return []
  const [row] = await ctx.reader.query<{ roles: string[] | null }>(tenantQuery(ctx, rulesSql))
  return row?.roles ?? ['owner', 'admin']
}

const withRoles = (rule: Rule, roles: readonly string[]): Rule =>
  rule.to === 'approvers' && rule.roles === null ? { ...rule, roles } : rule
