/** Comparison of groups with what they spent and achieved before. */

import { sql } from 'kysely'
import { Type } from 'typebox'
import { builder } from '../../../database/tables/kysely.ts'
import type { Context } from '../../../kernel/context.ts'
import { keysOf, recordOf } from '../../../values/objects.ts'
import { type GroupRow, groupsIn, type Selection } from './groups.ts'
import { type FiguresOrNone, figuresOrNone, noFigures } from './metrics.ts'
import { earlierThan } from './period.ts'

const figureNames = keysOf(noFigures)

type FigureChanges = Record<keyof FiguresOrNone, number | null>

const Previous = Type.Unsafe<FiguresOrNone & { data: boolean; is_final: boolean | null }>({
  type: 'object',
  title: 'PreviousResults',
  description: 'The figures, `data` and `is_final` of the days before.',
  additionalProperties: {
    anyOf: [{ type: 'number' }, { type: 'boolean' }, { type: 'null' }],
  },
})

const Change = Type.Unsafe<FigureChanges>({
  type: 'object',
  title: 'ResultChange',
  description: '(now − before) ÷ before of each figure; null if not defined.',
  additionalProperties: { type: ['number', 'null'] },
})

/** The fields of a row that is compared. */
export const comparedFields = {
  previous: Type.Optional(Previous),
  change: Type.Optional(Change),
}

/** Rows beside their earlier ones. */
export type Compare = (
  row: Pick<GroupRow, 'id'>,
  now: FiguresOrNone,
  exponent: number,
) => Partial<ReturnType<typeof comparison>>

/** Reads what these groups had before; adds nothing where that is not asked for. */
export async function comparing(
  ctx: Context,
  selection: Selection,
  ids: readonly string[],
): Promise<Compare> {
  const earlier = earlierThan(selection.range, selection.filters)
  if (earlier === undefined) return () => ({})
  const groups = await groupsIn(ctx, { ...selection, ...earlier })
  const statement = sql`select * from (${groups}) as found where id = any(${ids})`
  const rows = await ctx.reader.query<GroupRow>(statement.compile(builder))
  const before = new Map(rows.map((row) => [row.id, row]))
  return (row, now, exponent) => comparison(before.get(row.id), now, exponent)
}

function comparison(before: GroupRow | undefined, now: FiguresOrNone, exponent: number) {
  const then = figuresOrNone(before, exponent)
  const is_final = before?.is_final ?? null
  return {
    previous: { data: then.spend_minor !== null, ...then, is_final },
    change: recordOf(figureNames, (name) => changeOf(then[name], now[name])),
  }
}

const million = 1_000_000

/** To six decimals. */
function changeOf(before: number | null, now: number | null): number | null {
  if (before === null || now === null || before === 0) return null
  return Math.round(((now - before) / before) * million) / million
}
