import type { Live, LiveReply } from '../../http/endpoint.ts'
import type { Context } from '../../kernel/context.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import type { Fault } from '../../problems/fault.ts'
import { faultSummary, Problem } from '../../problems/problem.ts'
import { valuesOf } from '../../query/filters.ts'
import type { Query } from '../../query/list.ts'
import { badParameters } from '../../query/parameters.ts'
import { eventIds } from '../../values/core-ids.ts'
import { isId } from '../../values/ids.ts'
import { follow, type Start } from './follow.ts'
import { keptDays } from './retention.ts'
import { readTypes, typeParameter } from './types.ts'
import type { VisibleTo } from './visible.ts'

type StreamOptions = { query: Query; known: readonly string[]; visibleTo: VisibleTo } & Live

/** Streams the organization's events as they happen, or from the client's last event. */
export async function streamEvents(ctx: Context, options: StreamOptions): Promise<LiveReply> {
  const { recheck, visibleTo } = options
  const types = typesIn(options)
  const start = await startOf(ctx, options.lastEventId)
  return follow(ctx, { ...start, types, recheck, visibleTo })
}

function typesIn({ query, known }: StreamOptions): ReadonlySet<string> | null {
  const { type } = query
  if (type === undefined) return null
  const read = readTypes(valuesOf(typeParameter, type), known)
  if ('fault' in read) throw badParameters([read.fault])
  return read.types && new Set(read.types)
}

/** After the client's last event; without one, after the newest. */
async function startOf(ctx: Context, lastEventId: string | null): Promise<Start> {
  if (lastEventId === null) return newest(ctx)
  const sequence = isId(eventIds, lastEventId) ? await sequenceOf(ctx, lastEventId) : undefined
  if (sequence === undefined) throw unknownEvent(lastEventId)
  return { sequence, id: lastEventId }
}

const newestSql = `
  select h.event_sequence as sequence, e.id from organization_heads h
  left join events e on e.organization_id = h.organization_id and e.sequence = h.event_sequence
  where h.organization_id = $1`

async function newest(ctx: Context): Promise<Start> {
  const [start] = await ctx.reader.query<Start>(tenantQuery(ctx, newestSql))
  return start ?? { sequence: 0, id: null }
}

const sequenceSql = 'select sequence from events where organization_id = $1 and id = $2'

async function sequenceOf(ctx: Context, id: string): Promise<number | undefined> {
  const [found] = await ctx.reader.query<{ sequence: number }>(tenantQuery(ctx, sequenceSql, id))
  return found?.sequence
}

/** Continuing with new events would hide the ones the client missed. */
function unknownEvent(given: string): Problem {
  const fault: Fault = {
    header: 'Last-Event-ID',
    code: 'invalid_reference',
    message: `is not an event of this organization or is older than ${keptDays} days. Fetch the remaining events with GET /events, then connect with the id of the newest`,
    given: given.slice(0, 80),
  }
  return new Problem('invalid_header', faultSummary([fault]), { faults: [fault] })
}
