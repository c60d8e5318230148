import type { Context } from '../../kernel/context.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { type Fault, fault } from '../../problems/fault.ts'
import { conflict } from '../../problems/problem.ts'

const maxShown = 10

const sourcesSql = `
  select source, (count(*) over ())::integer as count from result_sources
  where organization_id = $1 and campaign_id = $2 order by source limit ${maxShown}`

type Source = { source: string; count: number }

/** The sources that have reported results of a campaign. */
export const sourcesOf = (ctx: Context, id: string): Promise<Source[]> =>
  ctx.reader.query<Source>(tenantQuery(ctx, sourcesSql, id))

/** Throws 409 for a campaign with results: what was spent stays on record, and what it was spent by. */
export async function checkHasNoResults(ctx: Context, id: string): Promise<void> {
  const sources = await sourcesOf(ctx, id)
  const [first] = sources
  if (!first) return
  throw conflict('resource_in_use', 'The campaign has results: archive it instead.', {
    references: sources.map(({ source }) => ({ type: 'results', id, name: source })),
    reference_count: first.count,
  })
}

/** Results are amounts in the currency of their campaign. */
export async function currencyFaults(ctx: Context, id: string): Promise<Fault[]> {
  if ((await sourcesOf(ctx, id)).length === 0) return []
  const message = 'cannot change: the campaign has results in it'
  return [fault('/currency', 'immutable_field', message)]
}
