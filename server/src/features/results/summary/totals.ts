import { builder } from '../../../database/tables/kysely.ts'
import type { Context } from '../../../kernel/context.ts'
import { comparing } from './compared.ts'
import { idOfKeys } from './groupings.ts'
import { type GroupRow, groupsIn, type Selection } from './groups.ts'
import { noSums } from './metrics.ts'
import { type ResultGroup, shownGroup } from './result-group.ts'

/** All that was found, in each currency, and what is planned. */
export async function totalsOf(ctx: Context, selection: Selection): Promise<ResultGroup[]> {
  const whole: Selection = { ...selection, by: ['currency'] }
  const reported = await ctx.reader.query<GroupRow>((await groupsIn(ctx, whole)).compile(builder))
  const found = [...reported, ...unreported(reported, selection)]
  const ids = found.map(({ id }) => id)
  const compare = await comparing(ctx, whole, ids)
  return found
    .sort((one, other) => (one.currency < other.currency ? -1 : 1))
    .map((row) => ({
      ...shownGroup(row, { by: whole.by, compare, planned: selection.planned?.totals }),
      ...{ group: null, name: null, groups: [] },
    }))
}

/** The currencies that are planned in, while nothing was reported. */
function unreported(found: readonly GroupRow[], { planned }: Selection): GroupRow[] {
  const known = new Set(found.map(({ currency }) => currency))
  return (planned?.currencies ?? [])
    .filter((currency) => !known.has(currency))
    .map((currency) => {
      const id = idOfKeys([currency], currency)
      return { id, key_1: currency, name_1: null, currency, ...noSums }
    })
}
