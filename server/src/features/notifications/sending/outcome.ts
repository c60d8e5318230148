import type { Row } from '../../../database/tables/tenant-tables.ts'
import { nextAttemptAt } from '../../../delivery/retry-schedule.ts'
import type { SendOutcome } from '../../../delivery/sending/send.ts'
import { type Context, nowText } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { hasMail, type Mail, mailStatement } from '../../../mail/post.ts'
import { writeBeside } from '../beside.ts'
import { testType } from '../channels/send-test.ts'
import { switchOff } from '../channels/update.ts'
import type { DueMessage } from './send-to.ts'

type Channel = Pick<Row<'notification_channels'>, 'id' | 'consecutive_failures' | 'failing_since'>

const hourMs = 60 * 60 * 1_000

// Repeats that came while it was sent wait for the end of the hour, whose time is a parameter:
// Citus refuses to add an interval within a case.
const notifiedSql = `
  update notification_messages m set count = m.count - t.count, attempts = 0, sent_at = $4,
    due_at = case when m.count > t.count then $5::timestamptz end
  from unnest($2::text[], $3::integer[]) as t (id, count)
  where m.organization_id = $1 and m.id = t.id`

const notified = (ctx: Context, messages: readonly DueMessage[]) => {
  const [ids, counts] = [messages.map(({ id }) => id), messages.map(({ count }) => count)]
  const now = ctx.services.clock.now()
  const hourEnd = new Date(now.getTime() + hourMs)
  return tenantQuery(ctx, notifiedSql, ids, counts, now.toISOString(), hourEnd.toISOString())
}

const takenSql = `
  update notification_channels set last_success_at = $3, last_error = null,
    consecutive_failures = 0, failing_since = null, paused_until = null
  where organization_id = $1 and id = $2`

const taken = (ctx: Context, { id }: Pick<Channel, 'id'>) =>
  tenantQuery(ctx, takenSql, id, nowText(ctx.services))

export const recordSuccess = (
  ctx: Context,
  channel: Channel,
  messages: readonly DueMessage[],
): Promise<void> =>
  writeBeside(ctx, async (tx) => {
    tx.send(notified(ctx, messages))
    tx.send(taken(ctx, channel))
  })

type Mailed = { mail: Mail | null; channel?: Channel | undefined }

/** Without a mail server, or of people who are gone, nothing is sent. */
export const recordMail = (
  ctx: Context,
  messages: readonly DueMessage[],
  { mail, channel }: Mailed,
): Promise<void> =>
  writeBeside(ctx, async (tx) => {
    if (mail && hasMail(ctx.services)) tx.send(mailStatement(ctx, mail, { canWait: true }))
    tx.send(notified(ctx, messages))
    if (channel) tx.send(taken(ctx, channel))
  })

const attemptSql = `
  update notification_messages m set attempts = m.attempts + 1, due_at = t.due
  from unnest($2::text[], $3::timestamptz[]) as t (id, due)
  where m.organization_id = $1 and m.id = t.id`

const laterSql = `
  update notification_messages m set due_at = t.due
  from unnest($2::text[], $3::timestamptz[]) as t (id, due)
  where m.organization_id = $1 and m.id = t.id`

const unknownMs = 60_000

/** Records an attempt before it is made: one whose outcome cannot be stored is not repeated at once. */
export async function recordAttempt(ctx: Context, messages: readonly DueMessage[]): Promise<void> {
  const unknown = new Date(ctx.services.clock.now().getTime() + unknownMs).toISOString()
  const dues = messages.map((message) => nextOf(ctx, message) ?? unknown)
  const ids = messages.map(({ id }) => id)
  await writeBeside(ctx, async (tx) => tx.send(tenantQuery(ctx, attemptSql, ids, dues)))
}

const dropSql = 'delete from notification_messages where organization_id = $1 and id = any($2)'

const failedSql = `
  update notification_channels set last_failure_at = $3, last_error = $4,
    consecutive_failures = consecutive_failures + 1, failing_since = coalesce(failing_since, $3),
    paused_until = case when consecutive_failures + 1 >= 10 then $5::timestamptz end
  where organization_id = $1 and id = $2`

// A test shows no more than its own outcome.
const failedTestSql = `
  update notification_channels set last_failure_at = $3, last_error = $4
  where organization_id = $1 and id = $2`

const pauseMs = 60_000
const gone = 410

type Failed = { messages: readonly DueMessage[]; outcome: SendOutcome }

/** By the schedule of webhooks; what it exhausts is notified no more. */
export async function recordFailure(
  ctx: Context,
  channel: Channel,
  { messages, outcome }: Failed,
): Promise<void> {
  const now = nowText(ctx.services)
  const next = messages.map((message) => ({ id: message.id, due: nextOf(ctx, message, outcome) }))
  const later = next.filter(({ due }) => due !== null)
  const over = next.filter(({ due }) => due === null).map(({ id }) => id)
  const error = outcome.error?.message.slice(0, 500) ?? ''
  const isTest = messages.every(({ type }) => type === testType)
  const pausedUntil = new Date(Date.parse(now) + pauseMs).toISOString()
  await writeBeside(ctx, async (tx) => {
    const [ids, dues] = [later.map(({ id }) => id), later.map(({ due }) => due)]
    if (ids.length > 0) tx.send(tenantQuery(ctx, laterSql, ids, dues))
    if (over.length > 0) tx.send(tenantQuery(ctx, dropSql, over))
    if (isTest) tx.send(tenantQuery(ctx, failedTestSql, channel.id, now, error))
    else tx.send(tenantQuery(ctx, failedSql, channel.id, now, error, pausedUntil))
  })
  if (outcome.response_status === gone) await switchOff(ctx, channel.id, 'gone')
}

function nextOf({ services }: Context, message: DueMessage, outcome?: SendOutcome): string | null {
  if (message.type === testType || outcome?.response_status === gone) return null
  const at = nextAttemptAt({
    schedule: services.config.webhookRetrySchedule,
    retryCount: message.attempts,
    retryAfter: outcome?.response_headers?.['retry-after'] ?? null,
    now: services.clock.now(),
    random: Math.random(),
  })
  return at?.toISOString() ?? null
}
