import { withScope } from '../../database/scope/readers.ts'
import type { Live, LiveReply } from '../../http/endpoint.ts'
import { withoutPeople } from '../../identity/agents/hidden-people.ts'
import type { ScopedHolder } from '../../identity/permissions.ts'
import type { Context } from '../../kernel/context.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { Problem } from '../../problems/problem.ts'
import type { EventPage, EventRow, Feed } from './feed.ts'
import { hubOf } from './hub.ts'
import { endText, eventText, heartbeatText, startText } from './sse.ts'
import type { VisibleTo } from './visible.ts'

/** The event a stream starts after; id is null if that event was purged or never existed. */
export type Start = { sequence: number; id: string | null }

type FollowOptions = Start &
  Pick<Live, 'recheck'> & { types: ReadonlySet<string> | null; visibleTo: VisibleTo }

/** The state of an open stream. Kept minimal: there may be thousands. */
type Stream = FollowOptions & {
  readonly ctx: Context
  /** The last id sent to the client. */
  sentId: string | null
  /** Events after `sequence` may exist. */
  isBehind: boolean
  /** Set while the stream waits; resumes it. */
  resume: (() => void) | null
  sentAt: number
  /** Consecutive failed reads. */
  failures: number
  /** The reason for ending, once set. */
  ending: string | null
}

/** Checked once a second, so the silence never exceeds 15 s. */
const heartbeatMs = 14_000
/** One attempt per second: beyond this it is more than a database restart. */
const maxFailures = 60

/** Adds a stream to the open streams of the process. */
export function follow(ctx: Context, options: FollowOptions): LiveReply {
  const stream: Stream = {
    ...options,
    ctx,
    sentId: options.id,
    isBehind: true,
    resume: null,
    sentAt: performance.now(),
    failures: 0,
    ending: null,
  }
  const { feed, leave } = hubOf(ctx).join(ctx.organization.id, {
    wake: () => wake(stream),
    isBefore: (sequence) => stream.sequence < sequence,
    look: () => look(stream),
    end: (reason) => end(stream, reason),
  })
  return {
    contentType: 'text/event-stream',
    chunks: chunksOf(stream, feed),
    close: () => {
      leave()
      end(stream, 'closed')
    },
  }
}

function wake(stream: Stream): void {
  stream.isBehind = true
  stream.resume?.()
}

function end(stream: Stream, reason: string): void {
  stream.ending ??= reason
  stream.resume?.()
}

/** Once a second: retries failed reads, sends heartbeats and revalidates the credential. */
function look(stream: Stream): void {
  if (stream.failures > 0) wake(stream)
  if (isSilent(stream)) stream.resume?.()
  stream.recheck().catch((error: unknown) => {
    if (error instanceof Problem) end(stream, error.code)
  })
}

const isSilent = ({ sentAt }: Stream) => performance.now() - sentAt >= heartbeatMs

/**
 * Pulled only after the client has taken the previous chunk, so nothing is buffered for slow
 * clients.
 */
async function* chunksOf(stream: Stream, feed: Feed): AsyncGenerator<string> {
  yield startText(stream.id)
  while (stream.ending === null) {
    const text = await nextText(stream, feed)
    if (text === '') continue
    stream.sentAt = performance.now()
    yield text
  }
  yield endText(stream.ending)
}

async function nextText(stream: Stream, feed: Feed): Promise<string> {
  if (stream.isBehind) return readOn(stream, feed)
  if (isSilent(stream)) return heartbeat(stream)
  await new Promise<void>((resolve) => {
    stream.resume = resolve
  })
  stream.resume = null
  return ''
}

/**
 * Permissions are checked after the read: an event that it found may be newer than the loss of them.
 */
async function readOn(stream: Stream, feed: Feed): Promise<string> {
  stream.isBehind = false
  try {
    const page = await feed.pageAfter(stream.sequence)
    const holder = await stream.recheck()
    const found = await rowsFor(stream, page, holder)
    const rows = holder.agent ? found.map((row) => rowWithoutPeople(row, stream.ctx)) : found
    stream.failures = 0
    return pass(stream, page, { rows, isWhole: holder.scope === null })
  } catch (error) {
    if (error instanceof Problem) end(stream, error.code)
    else if (stream.failures === maxFailures) throw error
    else stream.failures += 1
    return ''
  }
}

const shownSql = `
  select sequence, id, type, body from events
  where organization_id = $1 and sequence = any($2) order by sequence`

/** The events of a page that the stream asks for, and that its holder may see at this moment. */
async function rowsFor(
  { ctx, types, visibleTo }: Stream,
  { rows }: EventPage,
  holder: ScopedHolder,
): Promise<readonly EventRow[]> {
  const visible = visibleTo(holder)
  const asked = rows.filter(
    ({ type }) => (types?.has(type) ?? true) && (visible?.has(type) ?? true),
  )
  if (!holder.scope || asked.length === 0) return asked
  const sequences = asked.map(({ sequence }) => sequence)
  const { reader } = withScope(ctx, holder.scope)
  return reader.query<EventRow>(tenantQuery(ctx, shownSql, sequences))
}

const rowWithoutPeople = (row: EventRow, { actor }: Context): EventRow => ({
  ...row,
  body: JSON.stringify(withoutPeople(JSON.parse(row.body), actor.id)),
})

/** Formats the rows of the page and advances the stream past it. */
function pass(
  stream: Stream,
  { rows, isFull }: EventPage,
  shown: { rows: readonly EventRow[]; isWhole: boolean },
): string {
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return ''
  // Sequences have no gaps: a missing event was purged before it was read.
  if (first.sequence !== stream.sequence + 1) throw purged()
  stream.sequence = last.sequence
  // Within a scope no position shows that others have done something.
  const sentId = shown.rows.at(-1)?.id
  stream.id = shown.isWhole ? last.id : (sentId ?? stream.id)
  stream.sentId = sentId ?? stream.sentId
  stream.isBehind ||= isFull
  return shown.rows.map(eventText).join('')
}

const purged = () => new Problem('invalid_header', 'The next events are no longer stored.')

/** Sends the stream's position if it has skipped events the client may not see. */
function heartbeat(stream: Stream): string {
  const id = stream.id === stream.sentId ? null : stream.id
  stream.sentId = stream.id
  return heartbeatText(id)
}
