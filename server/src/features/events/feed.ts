import type { Context } from '../../kernel/context.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'

export type EventRow = { sequence: number; id: string; type: string; body: string }

/** Consecutive events; `isFull` if there may be more after them. */
export type EventPage = { rows: readonly EventRow[]; isFull: boolean }

/** An open stream, as its feed sees it. */
export type Follower = {
  /** New events may exist. */
  wake(): void
  /** Whether the stream has yet to pass this event. */
  isBefore(sequence: number): boolean
  /** Called once a second. */
  look(): void
  end(reason: string): void
}

/** An organization's events, shared by its open streams. */
export type Feed = {
  readonly followers: Set<Follower>
  /** New events were committed. */
  wake(): void
  /** Reports the newest sequence; wakes the streams that are behind it. */
  seeNewest(sequence: number): void
  pageAfter(ctx: Context, sequence: number): Promise<EventPage>
}

const maxRows = 100
const maxBytes = 64 * 1024

/** At most `maxBytes` of events, but at least one; sizes are known without reading the bodies. */
const pageSql = `
  select sequence, id, type, body, size_before + octet_length(body) as size_after
  from (
    select sequence, id, type, body,
      sum(octet_length(body)) over (order by sequence) - octet_length(body) as size_before
    from (
      select sequence, id, type, body from events
      where organization_id = $1 and sequence > $2
      order by sequence limit ${maxRows}
    ) as next
  ) as measured
  where size_before < ${maxBytes}
  order by sequence`

export function feedOf(): Feed {
  const followers = new Set<Follower>()
  /** Streams at the same position share one read. */
  const pages = new Map<number, Promise<EventPage>>()

  function wake(woken: Iterable<Follower>): void {
    // A read in progress may predate the commit.
    pages.clear()
    for (const follower of woken) follower.wake()
  }

  async function read(ctx: Context, after: number): Promise<EventPage> {
    const found = await ctx.reader.query<EventRow & { size_after: number }>(
      tenantQuery(ctx, pageSql, after),
    )
    const last = found.at(-1)
    const isFull = found.length === maxRows || (last?.size_after ?? 0) >= maxBytes
    return { rows: found, isFull }
  }

  return {
    followers,
    wake: () => wake(followers),
    seeNewest(sequence) {
      const late = [...followers].filter((follower) => follower.isBefore(sequence))
      if (late.length > 0) wake(late)
    },
    pageAfter(ctx, sequence) {
      const known = pages.get(sequence)
      if (known) return known
      const page = read(ctx, sequence)
      pages.set(sequence, page)
      const forget = () => {
        if (pages.get(sequence) === page) pages.delete(sequence)
      }
      page.then(forget, forget)
      return page
    },
  }
}
