import { singleFlight } from '../../concurrency/single-flight.ts'
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
  /** Streams at the same position share one read. */
  pageAfter(sequence: number): Promise<EventPage>
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

type Measured = EventRow & { size_after: number }

export function feedOf({ reader }: Pick<Context, 'reader'>, organizationId: string): Feed {
  const followers = new Set<Follower>()
  const tenant = { organization: { id: organizationId } }

  const pageAfter = singleFlight(async (sequence: number): Promise<EventPage> => {
    const rows = await reader.query<Measured>(tenantQuery(tenant, pageSql, sequence))
    const isFull = rows.length === maxRows || (rows.at(-1)?.size_after ?? 0) >= maxBytes
    return { rows, isFull }
  })

  function wake(woken: Iterable<Follower>): void {
    // A read in progress may predate the commit.
    pageAfter.forgetAll()
    for (const follower of woken) follower.wake()
  }

  return {
    followers,
    wake: () => wake(followers),
    seeNewest(sequence) {
      const late = [...followers].filter((follower) => follower.isBefore(sequence))
      if (late.length > 0) wake(late)
    },
    pageAfter,
  }
}
