/** The rows of a client's months, from its campaigns, results and budgets. */

import { type Context, nowIn } from '../../../kernel/context.ts'
import { exponentFor } from '../../../values/money.ts'
import { firstDayOf, monthIn, monthOfDay, monthsAfter } from '../../../values/times.ts'
import type { PacingStatus } from '../pacing/measure/status.ts'
import { assessedMonths, daysFrom, monthOf } from './calendar.ts'
import { clientsOf, keyOf, type PlannedDay, plannedOf, type Running, runningOf } from './facts.ts'
import { type MonthFacts, type MonthRow, monthFacts, zoneOf } from './present.ts'
import { statusesOf } from './store.ts'

export type ClientMonths = {
  rows: MonthRow[]
  facts: MonthFacts
  zone: string
  /** The first days of the months that the rows are of. */
  months: string[]
}

/** Each row has the status so far. Null for a client that is gone. */
export async function clientMonths(ctx: Context, clientId: string): Promise<ClientMonths | null> {
  const client = (await clientsOf(ctx, [clientId])).get(clientId)
  if (!client) return null
  const zone = zoneOf(client, { organizationZone: ctx.organization.timeZone })
  const names = assessedMonths(zone, nowIn(ctx))
  const [from = '', to = from] = [names[0], names.at(-1)]
  const range = { from: firstDayOf(from), to: firstDayOf(monthsAfter(to, 1)) }
  const [planned, running, statuses, facts] = await Promise.all([
    plannedOf(ctx, clientId, range),
    runningOf(ctx, clientId),
    statusesOf(ctx, clientId, range),
    monthFacts(ctx, [clientId], { from, to }),
  ])
  const present = monthIn(zone, nowIn(ctx))
  const rows = names.flatMap((month) => {
    const known = { planned, facts, running: month === present ? running : [] }
    return rowsOfMonth(clientId, month, known)
  })
  return {
    rows: rows.map((row) => ({ ...row, status: statusSoFar(row, statuses) })),
    ...{ facts, zone, months: names.map(firstDayOf) },
  }
}

type Known = { planned: PlannedDay[]; facts: MonthFacts; running: Running[] }

/** A row for each currency that the month has a plan, a budget, results or a campaign in. */
function rowsOfMonth(clientId: string, month: string, known: Known): MonthRow[] {
  const { facts, running } = known
  const planned = known.planned.filter(({ date }) => monthOfDay(date) === month)
  const begin = keyOf({ client_id: clientId, currency: '' }, month)
  const keys = [...facts.spent.keys(), ...facts.budgets.keys()]
  const currencies = new Set([
    ...keys.filter((key) => key.startsWith(begin)).map((key) => key.slice(begin.length)),
    ...planned.map(({ currency }) => currency),
    ...running.map(({ currency }) => currency),
  ])
  return [...currencies].map((currency) => {
    const own = planned.filter((each) => each.currency === currency)
    const state = running.find((each) => each.currency === currency)
    return rowOf({ client_id: clientId, currency }, { month, planned: own, state })
  })
}

type RowFacts = { month: string; planned: PlannedDay[]; state: Running | undefined }

function rowOf(
  place: { client_id: string; currency: string },
  { month, planned, state }: RowFacts,
): MonthRow {
  const { first, daySeconds } = monthOf('UTC', month)
  const minors = daySeconds.map(() => 0)
  for (const { date, minor } of planned) minors[daysFrom(first, date)] = minor
  return {
    id: keyOf(place, month),
    ...place,
    month: first,
    currency_exponent: exponentFor(place.currency),
    planned_minors: minors,
    complete_through: state?.complete_through ?? null,
    reported_at: state?.reported_at ?? null,
    is_running: state?.is_running ?? false,
    status: null,
  }
}

/** A month begins with the status that the last one had. */
function statusSoFar(row: MonthRow, statuses: ReadonlyMap<string, PacingStatus>): PacingStatus {
  const last = keyOf(row, monthsAfter(monthOfDay(row.month), -1))
  return statuses.get(row.id) ?? statuses.get(last) ?? (row.is_running ? 'no_data' : 'not_running')
}
