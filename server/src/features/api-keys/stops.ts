import type { Row } from '../../database/tables/tenant-tables.ts'
import { change } from '../../kernel/change.ts'
import { type Context, nowText } from '../../kernel/context.ts'
import { nextStamps, oneToChange, update } from '../../kernel/rows.ts'
import { Problem } from '../../problems/problem.ts'
import { active, toApiKey } from './api-keys.ts'
import type { ApiKey } from './schema.ts'

export type Stop = { by: string | null; reason: string | null }

/** Stops the writes of an agent, pausing excepted. One that is stopped stays as it is. */
export const stopKey = (ctx: Context, id: string, { by, reason }: Stop): Promise<ApiKey> =>
  change(ctx, 'api_key.stopped', async (ctx) => {
    const row = agentIn(await oneToChange(ctx, 'api_keys', id))
    const now = nowText(ctx.services)
    const before = toApiKey(row, now)
    if (row.stopped_at !== null) return { before, after: before }
    const stopped = { stopped_at: now, stopped_by: by, stop_reason: reason }
    const next = { ...stopped, ...nextStamps(ctx, row) }
    update(ctx, 'api_keys', { id, ...next })
    return { before, after: toApiKey({ ...row, ...next }, now), ...(reason !== null && { reason }) }
  })

/** Lets it go on, with none of its refusals counted. */
export const resumeKey = (ctx: Context, id: string): Promise<ApiKey> =>
  change(ctx, 'api_key.resumed', async (ctx) => {
    const row = agentIn(await oneToChange(ctx, 'api_keys', id))
    const now = nowText(ctx.services)
    const before = toApiKey(row, now)
    if (row.stopped_at === null) return { before, after: before }
    const going = { stopped_at: null, stopped_by: null, stop_reason: null }
    const next = { ...going, ...nextStamps(ctx, row) }
    update(ctx, 'api_keys', { id, ...next, refusals: '[]' })
    return { before, after: toApiKey({ ...row, ...next }, now) }
  })

function agentIn(row: Row<'api_keys'>): Row<'api_keys'> {
  if (active(row).agent) return row
  throw new Problem('not_an_agent', 'The key is not an agent’s.')
}
