import { type Context, nowIn, type WriteContext } from '../../../kernel/context.ts'
import { announce, record } from '../../../kernel/ledger.ts'
import { inTransaction } from '../../../kernel/transaction.ts'
import { serviceActor } from '../../../values/organization.ts'
import { firstDayOf, monthIn, monthOfDay } from '../../../values/times.ts'
import { assessAll } from '../pacing/assess.ts'
import { staleAfterMs } from '../pacing/measure/status.ts'
import { endOfDay } from '../pacing/plan/plan.ts'
import { sendPlanned } from '../pacing/store.ts'
import { assessedMonths } from './calendar.ts'
import { unplannedOf } from './facts.ts'
import { type ClientMonths, clientMonths } from './months.ts'
import { type MonthRow, toClientPacing } from './present.ts'
import type { ClientPacing } from './schema.ts'
import { dueLater, storing } from './store.ts'

/** A client that is due, as it was when that was read. */
export type DueClient = { client_id: string; revision: number }

/** Assesses the months of a client; each change of the present one's status is announced. */
export async function assessClient(ctx: Context, due: DueClient): Promise<void> {
  await planOutdated(ctx, due.client_id)
  const assessed = await assess(ctx, due.client_id)
  if (!assessed) return
  if (assessed.changed.length === 0) {
    await ctx.services.database.transaction(async (tx) => {
      for (const statement of statementsOf(ctx, due, assessed)) tx.send(statement)
    })
    return
  }
  await inTransaction(ctx, async (ctx) => {
    // Within the transaction, as it may have changed meanwhile.
    const again = await assess(ctx, due.client_id)
    if (again) await storeWithAlerts(ctx, due, again)
  })
}

const planBatch = 100

/** Plans the campaigns that have no planned days yet, and those that have ended since. */
async function planOutdated(ctx: Context, clientId: string): Promise<void> {
  const [first = ''] = assessedMonths('UTC', nowIn(ctx))
  const since = `${firstDayOf(first)}T00:00:00Z`
  for (let found = planBatch; found === planBatch; ) {
    const ids = await unplannedOf(ctx, clientId, { since, limit: planBatch })
    found = ids.length
    if (found === 0) return
    const assessments = await assessAll(ctx, ids)
    await ctx.services.database.transaction(async (tx) =>
      sendPlanned(ctx, tx, { assessments, ifUnchanged: false, now: nowIn(ctx) }),
    )
  }
}

type AssessedRow = { row: MonthRow; shown: ClientPacing }
type Assessed = ClientMonths & { all: AssessedRow[]; changed: AssessedRow[] }

async function assess(ctx: Context, clientId: string): Promise<Assessed | null> {
  const found = await clientMonths(ctx, clientId)
  if (!found) return null
  const all = found.rows.map((row) => ({ row, shown: toClientPacing(row, found.facts) }))
  const present = monthIn(found.zone, found.facts.now)
  const changed = all.filter(
    ({ row, shown }) => monthOfDay(row.month) === present && row.status !== shown.status,
  )
  return { ...found, all, changed }
}

const statementsOf = (ctx: Context, due: DueClient, { months, all, ...assessed }: Assessed) => [
  ...storing(
    ctx,
    { client_id: due.client_id, months },
    all.map(({ row, shown }) => ({
      ...row,
      status: shown.status,
      riskMinor: shown.money_at_risk_minor,
    })),
  ),
  dueLater(ctx, due, dueAfter(assessed)),
]

/** At the turn of the day, or earlier where reports stay out. */
function dueAfter({ rows, zone, facts }: Pick<Assessed, 'rows' | 'zone' | 'facts'>): string {
  const now = Date.parse(facts.now)
  const stale = rows.flatMap(({ reported_at }) =>
    reported_at === null ? [] : [Date.parse(reported_at) + staleAfterMs],
  )
  const ahead = [endOfDay(zone, now), ...stale].filter((time) => time > now)
  return new Date(Math.min(...ahead)).toISOString()
}

async function storeWithAlerts(
  ctx: WriteContext,
  due: DueClient,
  assessed: Assessed,
): Promise<void> {
  for (const statement of statementsOf(ctx, due, assessed)) ctx.tx.send(statement)
  for (const each of assessed.changed) {
    // Whatever was reported or changed, it is the service that assesses.
    await alert({ ...ctx, actor: serviceActor, reason: null }, each)
  }
}

async function alert(ctx: WriteContext, { row, shown: after }: AssessedRow): Promise<void> {
  const before = { ...after, status: row.status ?? after.status }
  const resource = { type: 'client', id: after.client_id, name: after.client }
  const field = `pacing ${after.currency}`
  const changes = [{ field, before: before.status, after: after.status }]
  await record(ctx, { action: 'client.pacing_changed', resource, changes })
  await announce(ctx, 'client.pacing_changed', { before, after })
}
