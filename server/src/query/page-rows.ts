import { ByteBudget } from '../database/driver/byte-budget.ts'
import type { Statement } from '../database/driver/protocol.ts'
import type { Context } from '../kernel/context.ts'
import {
  depthStatement,
  farStatement,
  type Look,
  nearStatement,
  type Segment,
  segmentsOf,
} from './large-page.ts'
import { maxPageBytes } from './page-bytes.ts'
import { type PageOf, pageStatement } from './page-statement.ts'
import { indexedBy } from './walk.ts'

/** The rows of a page as they came, and how many bytes they were. */
export type PageRows<Row> = { rows: Row[]; budget: ByteBudget }

/** The rows of a page, in order, of a list with however many. */
export const rowsInOrder = async <Row>(ctx: Context, page: PageOf): Promise<PageRows<Row>> =>
  (await isReadInSteps(ctx, page))
    ? rowsInSteps<Row>(ctx, page)
    : read<Row>(ctx, pageStatement(ctx, page))

async function isReadInSteps(ctx: Context, { list, walk }: PageOf): Promise<boolean> {
  const { sized, ordersWithin } = list
  const isSimple = Object.keys(walk.filters).length === 0 && !walk.order.hasNulls
  if (sized === undefined || isSimple || ordersWithin?.(walk)) return false
  return ctx.services.limits.largeLists.has(ctx, sized)
}

async function read<Row>(
  ctx: Context,
  statement: Statement,
  budget = new ByteBudget(maxPageBytes),
): Promise<PageRows<Row>> {
  return { rows: await ctx.reader.query<Row>({ ...statement, budget }), budget }
}

/** Reads all that match into a budget of their own: rows read in vain do not count. */
async function rowsInSteps<Row>(ctx: Context, page: PageOf): Promise<PageRows<Row>> {
  const found: PageRows<Row> = { rows: [], budget: new ByteBudget(maxPageBytes) }
  for (const segment of segmentsOf(page.walk)) {
    const isWhole = await addNearRows(ctx, page, { segment, found })
    if (isFull(page, found)) return found
    if (!isWhole) return read<Row>(ctx, farStatement(ctx, page, await indexedBy(page.walk)))
  }
  return found
}

const isFull = ({ reading }: PageOf, { rows, budget }: PageRows<unknown>): boolean =>
  rows.length >= reading.count || budget.isExceeded

type Adding<Row> = { segment: Segment; found: PageRows<Row> }

/** Adds the rows among the first ones of a segment; false if others may follow that are too far. */
async function addNearRows<Row>(
  ctx: Context,
  page: PageOf,
  { segment, found }: Adding<Row>,
): Promise<boolean> {
  const { count } = page.reading
  const look: Look = { segment, rows: ctx.services.limits.largeLists.firstRows(count) }
  const { rows } = await read<Row>(ctx, nearStatement(ctx, page, look), found.budget)
  found.rows.push(...rows.slice(0, count - found.rows.length))
  if (isFull(page, found)) return true
  const [deeper] = await ctx.reader.query(depthStatement(ctx, page, look))
  return deeper === undefined
}
