import type { Row } from '../../../database/tables/tenant-tables.ts'
import { type Context, nowIn } from '../../../kernel/context.ts'
import { toDecimal } from '../../../values/fraction.ts'
import { firstDayOf, monthIn, monthOfDay, monthsAfter } from '../../../values/times.ts'
import { guardrailsOf } from '../guardrails/of-organization.ts'
import type { PacingBounds } from '../pacing/measure/status.ts'
import { daysFrom, type Month, monthOf } from './calendar.ts'
import {
  budgetsBy,
  type ClientFacts,
  campaignCounts,
  clientsOf,
  keyOf,
  type SpentDay,
  spentBy,
} from './facts.ts'
import { monthFigures } from './measure.ts'
import type { ClientPacing } from './schema.ts'

/** A client's month in a currency, as it is stored. */
export type MonthRow = Omit<Row<'client_pacing'>, 'organization_id' | 'money_at_risk'>

/** Facts with which the rows of some clients and months are presented. */
export type MonthFacts = {
  bounds: PacingBounds
  now: string
  organizationZone: string
  clients: ReadonlyMap<string, ClientFacts>
  spent: ReadonlyMap<string, readonly SpentDay[]>
  budgets: ReadonlyMap<string, number>
  counts: Awaited<ReturnType<typeof campaignCounts>>
}

/** Months from one to another, both included. */
export async function monthFacts(
  ctx: Context,
  clientIds: readonly string[],
  { from, to }: { from: string; to: string },
): Promise<MonthFacts> {
  const range = { from: firstDayOf(from), to: firstDayOf(monthsAfter(to, 1)) }
  const [clients, spent, budgets, counts, { pacing: bounds }] = await Promise.all([
    clientsOf(ctx, clientIds),
    spentBy(ctx, clientIds, range),
    budgetsBy(ctx, clientIds, range),
    campaignCounts(ctx, clientIds),
    guardrailsOf(ctx),
  ])
  const organizationZone = ctx.organization.timeZone
  return { bounds, now: nowIn(ctx), organizationZone, clients, spent, budgets, counts }
}

export const zoneOf = (client: ClientFacts | undefined, facts: { organizationZone: string }) =>
  client?.time_zone ?? facts.organizationZone

const indexPlaces = 4

/** A stored month with what was spent by now. */
export function toClientPacing(row: MonthRow, facts: MonthFacts): ClientPacing {
  const client = facts.clients.get(row.client_id)
  const zone = zoneOf(client, facts)
  const month = monthOf(zone, monthOfDay(row.month))
  const key = keyOf(row, month.name)
  const budgetMinor = facts.budgets.get(key) ?? null
  const spent = spentIn(month, facts.spent.get(key) ?? [])
  const course = courseOf(row, { month, spent, present: monthIn(zone, facts.now) }, facts.now)
  const { pacing_index, ...figures } = monthFigures({
    ...{ budgetMinor, spent, daySeconds: month.daySeconds },
    ...{ planned: row.planned_minors, before: row.status, bounds: facts.bounds },
    ...course,
    completeDays: completeDaysOf(month, course.completeThrough),
  })
  const counts = facts.counts.get(keyOf(row, '')) ?? []
  return {
    client_id: row.client_id,
    client: client?.name ?? '',
    currency: row.currency,
    currency_exponent: row.currency_exponent,
    month: month.name,
    budget_minor: budgetMinor,
    ...figures,
    pacing_index: pacing_index && toDecimal(pacing_index, indexPlaces),
    campaigns: Object.fromEntries(counts.map(({ status, campaigns }) => [status, campaigns])),
    complete_through: course.completeThrough,
  }
}

function spentIn({ first, daySeconds }: Month, days: readonly SpentDay[]): (number | null)[] {
  const spent: (number | null)[] = daySeconds.map(() => null)
  for (const { date, minor } of days) spent[daysFrom(first, date)] = minor
  return spent
}

type Place = { month: Month; spent: readonly (number | null)[]; present: string }

/** A month that is over is complete, and is assessed as at its end; one to come has not begun. */
function courseOf(row: MonthRow, { month, spent, present }: Place, time: string) {
  const now = Date.parse(time)
  if (month.name > present)
    return { completeThrough: null, isRunning: false, reportedAt: null, now }
  if (month.name === present) {
    const reportedAt = row.reported_at === null ? null : Date.parse(row.reported_at)
    return { completeThrough: row.complete_through, isRunning: row.is_running, reportedAt, now }
  }
  const hasSpent = spent.some((minor) => minor !== null)
  const isRunning = hasSpent || (row.planned_minors ?? []).some((minor) => minor > 0)
  const completeThrough = `${month.name}-${String(month.daySeconds.length).padStart(2, '0')}`
  return { completeThrough, isRunning, reportedAt: hasSpent ? now : null, now }
}

const completeDaysOf = ({ first, daySeconds }: Month, through: string | null): number | null =>
  through === null ? null : Math.min(daySeconds.length, daysFrom(first, through) + 1)
