import { builder } from '../../../database/tables/kysely.ts'
import type { Context } from '../../../kernel/context.ts'
import { comparing } from './compared.ts'
import { type GroupRow, groupsIn, type Selection } from './groups.ts'
import { type ResultGroup, shownGroup } from './result-group.ts'

/** All that was found, in each currency. */
export async function totalsOf(ctx: Context, selection: Selection): Promise<ResultGroup[]> {
  const whole: Selection = { ...selection, by: ['currency'] }
  const found = await ctx.reader.query<GroupRow>((await groupsIn(ctx, whole)).compile(builder))
  const ids = found.map(({ id }) => id)
  const compare = await comparing(ctx, whole, ids)
  return found
    .sort((one, other) => (one.currency < other.currency ? -1 : 1))
    .map((row) => ({
      ...shownGroup(row, { by: whole.by, compare }),
      ...{ group: null, name: null, groups: [] },
    }))
}
