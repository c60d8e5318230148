import type { Live, LiveReply } from '../../http/endpoint.ts'
import type { Context } from '../../kernel/context.ts'
import { Problem } from '../../problems/problem.ts'
import type { EventPage, Feed } from './feed.ts'
import { hubOf } from './hub.ts'
import { endText, eventText, heartbeatText, startText } from './sse.ts'
import type { VisibleTo } from './visible.ts'

/** The event after which a stream begins; no id where that event was purged, or never was. */
export type Start = { sequence: number; id: string | null }

type FollowOptions = Start &
  Pick<Live, 'recheck'> & { types: ReadonlySet<string> | null; visibleTo: VisibleTo }

/** Where an open stream stands. There may be thousands, so this is all that each of them holds. */
type Stream = FollowOptions & {
  readonly ctx: Context
  /** The last id that the client was sent. */
  toldId: string | null
  /** There may be events after `sequence`. */
  isBehind: boolean
  /** Set while the stream waits: goes on. */
  resume: (() => void) | null
  sentAt: number
  /** Reads in a row that failed. */
  failures: number
  /** Why it ends, once it does. */
  ending: string | null
}

/** Each stream is looked at once a second: so none is silent for more than 15 s. */
const heartbeatMs = 14_000
/** One a second: after so many it is no mere restart of the database. */
const maxFailures = 60

/** Joins the open streams of the process. */
export function follow(ctx: Context, wish: FollowOptions): LiveReply {
  const stream: Stream = {
    ...wish,
    ctx,
    toldId: wish.id,
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

/** Once a second: what failed is tried again, silence is broken, and the credential must hold. */
function look(stream: Stream): void {
  if (stream.failures > 0) wake(stream)
  if (isSilent(stream)) stream.resume?.()
  stream.recheck().catch((error: unknown) => {
    if (error instanceof Problem) end(stream, error.code)
  })
}

const isSilent = ({ sentAt }: Stream) => performance.now() - sentAt >= heartbeatMs

/** Asked for the next only when the client has taken the last: what it does not read is not held. */
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

/** By the rights of this moment: who has lost some is sent nothing more of what they were for. */
async function readOn(stream: Stream, feed: Feed): Promise<string> {
  stream.isBehind = false
  try {
    const visible = stream.visibleTo(await stream.recheck())
    const page = await feed.pageAfter(stream.ctx, stream.sequence)
    stream.failures = 0
    return pass(stream, page, visible)
  } catch (error) {
    if (error instanceof Problem) end(stream, error.code)
    else if (stream.failures === maxFailures) throw error
    else stream.failures += 1
    return ''
  }
}

/** The page as it is sent; the stream stands behind it from now on. */
function pass(
  stream: Stream,
  { rows, isFull }: EventPage,
  visible: ReadonlySet<string> | null,
): string {
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return ''
  // Sequences have no gaps: what is missing was purged before it was read.
  if (first.sequence !== stream.sequence + 1) throw purged()
  const wanted = rows.filter(
    ({ type }) => (stream.types?.has(type) ?? true) && (visible?.has(type) ?? true),
  )
  stream.sequence = last.sequence
  stream.id = last.id
  stream.toldId = wanted.at(-1)?.id ?? stream.toldId
  stream.isBehind ||= isFull
  return wanted.map(eventText).join('')
}

const purged = () => new Problem('invalid_header', 'The events that come next are gone.')

/** Tells where the stream stands, if it has passed over events that are not for the client. */
function heartbeat(stream: Stream): string {
  const id = stream.id === stream.toldId ? null : stream.id
  stream.toldId = stream.id
  return heartbeatText(id)
}
