import type { Context } from '../../kernel/context.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'

export type EventRow = { sequence: number; id: string; type: string; body: string }

/** Events in their order, none left out; `isFull` when there may be more behind them. */
export type EventPage = { rows: readonly EventRow[]; isFull: boolean }

/** An open stream, as those see it who wake it. */
export type Follower = {
  /** There may be new events. */
  wake(): void
  /** It has not passed on this event so far. */
  isBefore(sequence: number): boolean
  /** Its turn, once a second. */
  look(): void
  end(reason: string): void
}

/** An organization's events, as its open streams read them. */
export type Feed = {
  readonly followers: Set<Follower>
  /** New events were committed. */
  wake(): void
  /** The newest event has this sequence: wakes whoever has not come so far. */
  seeNewest(sequence: number): void
  pageAfter(ctx: Context, sequence: number): Promise<EventPage>
}

const maxRows = 100
const maxBytes = 64 * 1024

/** As many events as fit into `mostBytes`, and at least one; sizes are known without their texts. */
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
  /** Streams that stand at the same event share one read. */
  const pages = new Map<number, Promise<EventPage>>()

  function wake(woken: Iterable<Follower>): void {
    // A read that is under way may have begun before the commit.
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
